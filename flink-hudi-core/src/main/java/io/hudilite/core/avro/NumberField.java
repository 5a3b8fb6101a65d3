package io.hudilite.core.avro;

import javax.annotation.Nullable;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * Finds one number in an encoded record without decoding what lies before it: for that each field
 * is one step of a small program. Reused for many records. Not safe for use by several threads.
 */
public final class NumberField {
  private static final int VARINT = 0;
  private static final int BYTES = 1;
  private static final int FIXED = 2;

  /** Position of the byte by which a null begins; {@link #NO_UNION} if there are no nulls. */
  private static final int NULL_SHIFT = 2;

  private static final int NO_UNION = 1;
  private static final int SIZE_SHIFT = 5;

  /** For each field before the number, and for the number: kind, null branch, fixed size. */
  private final int[] steps;

  private long number;

  private NumberField(int[] steps) {
    this.steps = steps;
  }

  /**
   * The way to a field.
   *
   * @param firstField the field of the writer with which the bytes begin
   * @param type of the number: INT, DATE, BIGINT, or a timestamp in the unit in which it counts
   * @return null if there is no quick one: fields before it are nested, or it is stored otherwise
   */
  @Nullable
  public static NumberField find(
      Schema writer,
      int firstField,
      String name,
      org.apache.flink.table.types.logical.LogicalType type) {
    Schema.Field field = writer.getField(name);
    if (field == null || field.pos() < firstField || !isStoredAs(field.schema(), type)) {
      return null;
    }
    int[] steps = new int[field.pos() - firstField + 1];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = step(writer.getFields().get(firstField + i).schema());
      if (steps[i] < 0) {
        return null;
      }
    }
    return new NumberField(steps);
  }

  private static boolean isStoredAs(
      Schema schema, org.apache.flink.table.types.logical.LogicalType type) {
    Schema value = valueOf(schema);
    if (value == null) {
      return false;
    }
    LogicalType logical = value.getLogicalType();
    return switch (type.getTypeRoot()) {
      case INTEGER -> value.getType() == Schema.Type.INT && logical == null;
      case DATE -> value.getType() == Schema.Type.INT && logical instanceof LogicalTypes.Date;
      case BIGINT -> value.getType() == Schema.Type.LONG && logical == null;
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          value.getType() == Schema.Type.LONG
              && logical != null
              && switch (io.hudilite.core.schema.Timestamps.storedUnit(type)) {
                case MILLIS -> logical.getName().endsWith("timestamp-millis");
                case MICROS -> logical.getName().endsWith("timestamp-micros");
                case NANOS -> false;
              };
      default -> false;
    };
  }

  /** Without the union of a nullable column; null if it is another union. */
  @Nullable
  private static Schema valueOf(Schema schema) {
    if (!schema.isUnion()) {
      return schema;
    }
    if (schema.getTypes().size() != 2) {
      return null;
    }
    Schema first = schema.getTypes().get(0);
    Schema second = schema.getTypes().get(1);
    return first.getType() == Schema.Type.NULL
        ? second
        : second.getType() == Schema.Type.NULL ? first : null;
  }

  /** Negative if there is none. */
  private static int step(Schema schema) {
    Schema value = valueOf(schema);
    if (value == null) {
      return -1;
    }
    int nullByte = NO_UNION;
    if (schema.isUnion()) {
      nullByte = schema.getTypes().get(0).getType() == Schema.Type.NULL ? 0 : 2;
    }
    int head = nullByte << NULL_SHIFT;
    return switch (value.getType()) {
      case INT, LONG -> head | VARINT;
      case STRING, BYTES -> head | BYTES;
      case BOOLEAN -> head | FIXED | 1 << SIZE_SHIFT;
      case FLOAT -> head | FIXED | Float.BYTES << SIZE_SHIFT;
      case DOUBLE -> head | FIXED | Double.BYTES << SIZE_SHIFT;
      case FIXED ->
          value.getFixedSize() < 1 << 20 ? head | FIXED | value.getFixedSize() << SIZE_SHIFT : -1;
      case ENUM, RECORD, ARRAY, MAP, UNION, NULL -> -1;
    };
  }

  /**
   * Reads the number of a record: {@link #number}.
   *
   * @param from index of the first byte of the first field
   * @param end index behind the record
   * @return false if it is null
   */
  public boolean read(byte[] bytes, int from, int end) throws MalformedAvroException {
    int at = from;
    int last = steps.length - 1;
    for (int i = 0; i <= last; i++) {
      int step = steps[i];
      int nullByte = step >> NULL_SHIFT & 7;
      if (nullByte != NO_UNION) {
        if (at >= end) {
          throw ends(at);
        }
        int branch = bytes[at++];
        if (branch == nullByte) {
          if (i == last) {
            return false;
          }
          continue;
        }
        if (branch != (nullByte ^ 2)) {
          throw new MalformedAvroException(
              "A branch of a nullable column that is not there at byte " + (at - 1));
        }
      }
      int kind = step & 3;
      if (kind == FIXED) {
        at += step >> SIZE_SHIFT;
        if (at > end) {
          throw ends(at);
        }
        continue;
      }
      long bits = 0;
      int shift = 0;
      byte next;
      do {
        if (at >= end || shift > 63) {
          throw ends(at);
        }
        next = bytes[at++];
        bits |= (next & 0x7FL) << shift;
        shift += 7;
      } while (next < 0);
      long value = (bits >>> 1) ^ -(bits & 1);
      if (kind == BYTES) {
        if (value < 0 || value > end - at) {
          throw new MalformedAvroException(
              "A length of %d, but %d bytes are left at byte %d".formatted(value, end - at, at));
        }
        at += (int) value;
      } else if (i == last) {
        number = value;
      }
    }
    return true;
  }

  /** What {@link #read} found last. */
  public long number() {
    return number;
  }

  private static MalformedAvroException ends(int at) {
    return new MalformedAvroException("The record ends inside a value at byte " + at);
  }
}
