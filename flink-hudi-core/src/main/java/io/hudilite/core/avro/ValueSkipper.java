package io.hudilite.core.avro;

import io.hudilite.core.config.HudiTableException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;

/** Passes over a value that nobody wants. */
@FunctionalInterface
interface ValueSkipper {
  void skip(AvroInput in) throws MalformedAvroException;

  static ValueSkipper of(Schema schema) {
    return of(schema, new HashSet<>());
  }

  private static ValueSkipper of(Schema schema, Set<String> within) {
    return switch (schema.getType()) {
      case NULL -> in -> {};
      case BOOLEAN -> AvroInput::readBoolean;
      case INT, LONG, ENUM -> AvroInput::readLong;
      case FLOAT -> in -> in.advance(4);
      case DOUBLE -> in -> in.advance(8);
      case STRING, BYTES -> in -> in.advance(in.readLength());
      case FIXED -> {
        int size = schema.getFixedSize();
        yield in -> in.advance(size);
      }
      case UNION -> {
        List<ValueSkipper> branches =
            schema.getTypes().stream().map(branch -> of(branch, within)).toList();
        ValueSkipper[] all = branches.toArray(new ValueSkipper[0]);
        if (all.length == 2 && schema.getTypes().get(0).getType() == Schema.Type.NULL) {
          yield nullable(schema.getTypes().get(1), all[1]);
        }
        yield in -> all[in.readBranch(all.length)].skip(in);
      }
      case ARRAY -> items(in -> {}, of(schema.getElementType(), within), schema.getElementType());
      case MAP ->
          items(
              in -> in.advance(in.readLength()),
              of(schema.getValueType(), within),
              schema.getValueType());
      case RECORD -> {
        if (!within.add(schema.getFullName())) {
          throw new HudiTableException(
              "The Avro record %s contains itself, which is not readable here."
                  .formatted(schema.getFullName()));
        }
        ValueSkipper[] fields =
            schema.getFields().stream()
                .map(field -> of(field.schema(), within))
                .toArray(ValueSkipper[]::new);
        within.remove(schema.getFullName());
        yield in -> {
          for (ValueSkipper field : fields) {
            field.skip(in);
          }
        };
      }
    };
  }

  /** A nullable column, with one call less for the commonest types: most of a row is skipped. */
  private static ValueSkipper nullable(Schema schema, ValueSkipper value) {
    return switch (schema.getType()) {
      case STRING, BYTES ->
          in -> {
            if (in.readBranch(2) == 1) {
              in.advance(in.readLength());
            }
          };
      case INT, LONG, ENUM ->
          in -> {
            if (in.readBranch(2) == 1) {
              in.readLong();
            }
          };
      case NULL, BOOLEAN, FLOAT, DOUBLE, FIXED, UNION, ARRAY, MAP, RECORD ->
          in -> {
            if (in.readBranch(2) == 1) {
              value.skip(in);
            }
          };
    };
  }

  private static ValueSkipper items(ValueSkipper key, ValueSkipper value, Schema valueSchema) {
    int minBytes = minBytes(valueSchema);
    return in -> {
      for (int count = in.readBlockCount(minBytes);
          count > 0;
          count = in.readBlockCount(minBytes)) {
        for (int i = 0; i < count; i++) {
          key.skip(in);
          value.skip(in);
        }
      }
    };
  }

  /**
   * Fewest bytes of a value, 0 for null and records of nulls: so that a forged count of items that
   * take no bytes is not believed, such items count as one byte.
   */
  static int minBytes(Schema schema) {
    return switch (schema.getType()) {
      case NULL -> 0;
      case BOOLEAN, INT, LONG, ENUM, STRING, BYTES, UNION, ARRAY, MAP -> 1;
      case FLOAT -> 4;
      case DOUBLE -> 8;
      case FIXED -> schema.getFixedSize();
      case RECORD -> schema.getFields().stream().mapToInt(f -> minBytes(f.schema())).sum();
    };
  }
}
