package io.hudilite.core.merge;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.avro.Schema;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;

/**
 * What the columns of a table were called when a file was written. Each column has a number that it
 * keeps when its name changes; a column that was dropped and added again is another one. Immutable.
 * Source: InternalSchema, InternalSchemaMerger of Hudi 1.0.2.
 */
public final class ColumnHistory {
  /** No column was ever renamed. */
  public static final ColumnHistory NONE = new ColumnHistory(List.of());

  /** No column of a file has such a name. */
  private static final String MISSING = "\u0000";

  private static final String DROPPED = "__dropped";

  /**
   * The columns from an instant on.
   *
   * @param from requested time of the instant, as a number of 17 digits
   */
  public record Edition(long from, Node columns) {
    public Edition {
      requireNonNull(columns, "columns");
    }
  }

  /**
   * A type that has columns in it.
   *
   * @param fields of a row; empty for other types
   * @param element of an array, or value of a map; null for other types
   */
  public record Node(List<Field> fields, @Nullable Node element) {
    public static final Node LEAF = new Node(List.of(), null);

    public Node {
      fields = List.copyOf(fields);
    }

    private Optional<Field> named(String name) {
      return fields.stream().filter(field -> field.name().equals(name)).findFirst();
    }

    private Optional<Field> numbered(int number) {
      return fields.stream().filter(field -> field.number() == number).findFirst();
    }
  }

  /**
   * A column at some time.
   *
   * @param number stays the same when the name changes
   */
  public record Field(int number, String name, Node type) {}

  private final List<Edition> editions;

  /**
   * @param editions in any order; the newest one is that of the table now
   */
  public ColumnHistory(List<Edition> editions) {
    this.editions = editions.stream().sorted((a, b) -> Long.compare(a.from(), b.from())).toList();
  }

  /** Whether all names of a file are those of now. */
  public boolean isNow(InstantTime written) {
    return editions.isEmpty() || at(written).columns().equals(now());
  }

  /** Whether a name was ever given to another column, or a column another name. */
  public boolean hasRenamed() {
    Map<String, Integer> numbers = new HashMap<>();
    Map<Integer, String> names = new HashMap<>();
    return editions.stream().anyMatch(edition -> hasRenamed("", edition.columns(), numbers, names));
  }

  private static boolean hasRenamed(
      String path, Node type, Map<String, Integer> numbers, Map<Integer, String> names) {
    boolean renamed =
        type.element() != null && hasRenamed(path + "[].", type.element(), numbers, names);
    for (Field field : type.fields()) {
      String name = path + field.name();
      Integer number = numbers.putIfAbsent(name, field.number());
      String known = names.putIfAbsent(field.number(), name);
      renamed |=
          (number != null && number != field.number())
              || (known != null && !known.equals(name))
              || hasRenamed(name + ".", field.type(), numbers, names);
    }
    return renamed;
  }

  private Node now() {
    return editions.get(editions.size() - 1).columns();
  }

  /** The edition of a file; the first one if the file is older. */
  private Edition at(InstantTime written) {
    long time = Long.parseLong((written.digits() + "000").substring(0, 17));
    Edition found = editions.get(0);
    for (Edition edition : editions) {
      if (edition.from() <= time) {
        found = edition;
      }
    }
    return found;
  }

  /** The wanted columns, in the same order, as they are called in a file. */
  public RowType inFile(RowType wanted, InstantTime written) {
    return isNow(written) ? wanted : inFile(wanted, now(), at(written).columns());
  }

  private static RowType inFile(RowType wanted, Node now, Node then) {
    List<RowType.RowField> fields = new ArrayList<>();
    for (RowType.RowField field : wanted.getFields()) {
      Optional<Field> column = now.named(field.getName());
      if (column.isEmpty()) {
        fields.add(field); // a meta column
        continue;
      }
      Optional<Field> former = then.numbered(column.get().number());
      fields.add(
          former.isEmpty()
              ? new RowType.RowField(MISSING + field.getName(), field.getType())
              : new RowType.RowField(
                  former.get().name(),
                  typeInFile(field.getType(), column.get().type(), former.get().type())));
    }
    return new RowType(wanted.isNullable(), fields);
  }

  private static LogicalType typeInFile(LogicalType type, Node now, Node then) {
    if (type instanceof RowType row) {
      return inFile(row, now, then);
    }
    if (now.element() == null || then.element() == null) {
      return type;
    }
    if (type instanceof ArrayType array) {
      return new ArrayType(
          array.isNullable(), typeInFile(array.getElementType(), now.element(), then.element()));
    }
    if (type instanceof MapType map) {
      return new MapType(
          map.isNullable(),
          map.getKeyType(),
          typeInFile(map.getValueType(), now.element(), then.element()));
    }
    return type;
  }

  /** What the columns of a file are called now, without those that were dropped. */
  public List<String> namesNow(List<String> inFile, InstantTime written) {
    if (isNow(written)) {
      return inFile;
    }
    Node then = at(written).columns();
    List<String> names = new ArrayList<>();
    for (String name : inFile) {
      Optional<Field> column = then.named(name);
      if (column.isEmpty()) {
        names.add(name);
      } else {
        now().numbered(column.get().number()).ifPresent(field -> names.add(field.name()));
      }
    }
    return names;
  }

  /** The schema of records that were written then, with the names of now. */
  Schema namedNow(Schema schema, InstantTime written) {
    return isNow(written) ? schema : renamed(schema, now(), at(written).columns());
  }

  private static Schema renamed(Schema schema, Node now, Node then) {
    return switch (schema.getType()) {
      case RECORD -> {
        List<Schema.Field> fields = new ArrayList<>();
        for (Schema.Field field : schema.getFields()) {
          Optional<Field> column = then.named(field.name());
          if (column.isEmpty()) {
            fields.add(new Schema.Field(field.name(), field.schema(), null, null));
            continue;
          }
          Optional<Field> later = now.numbered(column.get().number());
          fields.add(
              later.isEmpty()
                  ? new Schema.Field(field.name() + DROPPED, field.schema(), null, null)
                  : new Schema.Field(
                      later.get().name(),
                      renamed(field.schema(), later.get().type(), column.get().type()),
                      null,
                      null));
        }
        yield Schema.createRecord(
            schema.getName(), null, schema.getNamespace(), schema.isError(), fields);
      }
      case UNION ->
          Schema.createUnion(
              schema.getTypes().stream().map(type -> renamed(type, now, then)).toList());
      case ARRAY ->
          now.element() == null || then.element() == null
              ? schema
              : Schema.createArray(renamed(schema.getElementType(), now.element(), then.element()));
      case MAP ->
          now.element() == null || then.element() == null
              ? schema
              : Schema.createMap(renamed(schema.getValueType(), now.element(), then.element()));
      default -> schema;
    };
  }
}
