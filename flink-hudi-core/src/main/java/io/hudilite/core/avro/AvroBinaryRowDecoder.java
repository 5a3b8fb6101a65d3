package io.hudilite.core.avro;

import static io.hudilite.core.schema.BinaryRowFormat.INTS;
import static io.hudilite.core.schema.BinaryRowFormat.LONGS;

import io.hudilite.core.schema.BinaryRowFormat;
import io.hudilite.core.schema.Timestamps;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * Reads Avro records of plain columns straight into Flink's binary rows: each field of the writer
 * is one step of a small program, and no value becomes an object. {@link AvroRowDecoder} knows all
 * types and conversions, this only those where nothing has to be converted. For the bytes of the
 * rows see {@link BinaryRowFormat}. Not safe for use by several threads.
 */
public final class AvroBinaryRowDecoder {
  /** In place of a null branch, where a field has no nulls. */
  private static final int NO_UNION = -1;

  /** What is to be done with a field. */
  private enum Step {
    SKIP_NUMBER,
    SKIP_BYTES,
    SKIP_FIXED,
    SKIP_OTHER,
    BOOLEAN,
    INT,
    LONG,
    /** Float, double: as they are. */
    FLOAT,
    DOUBLE,
    BYTES,
    FIXED_BYTES,
    DECIMAL,
    FIXED_DECIMAL,
    /** Microseconds that are wanted in milliseconds. */
    MICROS_TO_MILLIS,
    /** Of more than three digits. */
    MILLIS,
    MICROS
  }

  private final int firstField;
  private final Step[] steps;

  /** The byte of the null branch, or {@link #NO_UNION}. */
  private final int[] nullBytes;

  /** Fixed size, or the digits of a decimal, of fixed decimals digits * 32 + size. */
  private final int[] sizes;

  private final ValueSkipper[] skippers;

  /** Index in the row of the column's long. */
  private final int[] slots;

  private final int[] columns;
  private final int columnCount;
  private final int fixedBytes;
  private final byte[] emptyRow;

  private final AvroInput input = new AvroInput();
  private final BinaryRowData row;
  private byte[] buffer = new byte[0];

  private AvroBinaryRowDecoder(Schema writer, int firstField, RowType target, int lastWanted) {
    this.firstField = firstField;
    int fields = lastWanted + 1;
    this.steps = new Step[fields];
    this.nullBytes = new int[fields];
    this.sizes = new int[fields];
    this.skippers = new ValueSkipper[fields];
    this.slots = new int[fields];
    this.columns = new int[fields];
    this.columnCount = target.getFieldCount();
    this.row = new BinaryRowData(columnCount);
    this.fixedBytes = row.getFixedLengthPartSize();
    this.emptyRow = new byte[fixedBytes];
    for (int i = 0; i < columnCount; i++) {
      if (writer.getField(target.getFieldNames().get(i)) == null) {
        BinaryRowFormat.setNull(emptyRow, 0, i);
      }
    }
  }

  /** The same for whole records. */
  @Nullable
  public static AvroBinaryRowDecoder createIfPlain(Schema writer, RowType target) {
    return createIfPlain(writer, 0, target);
  }

  /**
   * A decoder as {@link AvroRowDecoder#createBehind} gives one.
   *
   * @return null if a wanted column is nested or needs a conversion
   */
  @Nullable
  public static AvroBinaryRowDecoder createIfPlain(Schema writer, int passed, RowType target) {
    if (!BinaryRowFormat.isOfThisMachine() || writer.getType() != Schema.Type.RECORD) {
      return null;
    }
    List<Schema.Field> fields = writer.getFields();
    int last = -1;
    for (Schema.Field field : fields) {
      if (target.getFieldIndex(field.name()) >= 0) {
        last = field.pos();
      }
    }
    AvroBinaryRowDecoder decoder = new AvroBinaryRowDecoder(writer, passed, target, last);
    for (int i = passed; i <= last; i++) {
      int column = target.getFieldIndex(fields.get(i).name());
      LogicalType type = column < 0 ? null : target.getTypeAt(column);
      if (!decoder.plan(i, fields.get(i).schema(), column, type)) {
        return null;
      }
    }
    return decoder;
  }

  private boolean plan(int field, Schema schema, int column, @Nullable LogicalType wanted) {
    Schema value = schema;
    nullBytes[field] = NO_UNION;
    if (schema.isUnion()) {
      List<Schema> branches = schema.getTypes();
      boolean isNullable =
          branches.size() == 2
              && (branches.get(0).getType() == Schema.Type.NULL)
                  != (branches.get(1).getType() == Schema.Type.NULL);
      if (isNullable) {
        int nullBranch = branches.get(0).getType() == Schema.Type.NULL ? 0 : 1;
        nullBytes[field] = nullBranch << 1;
        value = branches.get(1 - nullBranch);
      } else if (wanted != null) {
        return false;
      }
    }
    columns[field] = column;
    if (wanted == null) {
      planSkip(field, value);
      return true;
    }
    slots[field] = fixedBytes - (columnCount - column) * Long.BYTES;
    steps[field] = step(field, value, wanted);
    return steps[field] != null;
  }

  private void planSkip(int field, Schema value) {
    steps[field] =
        switch (value.getType()) {
          case INT, LONG -> Step.SKIP_NUMBER;
          case STRING, BYTES -> Step.SKIP_BYTES;
          case BOOLEAN, FLOAT, DOUBLE, FIXED -> Step.SKIP_FIXED;
          case ENUM, UNION, ARRAY, MAP, RECORD, NULL -> Step.SKIP_OTHER;
        };
    sizes[field] =
        switch (value.getType()) {
          case BOOLEAN -> 1;
          case FLOAT -> Float.BYTES;
          case DOUBLE -> Double.BYTES;
          case FIXED -> value.getFixedSize();
          case INT, LONG, STRING, BYTES, ENUM, UNION, ARRAY, MAP, RECORD, NULL -> 0;
        };
    if (steps[field] == Step.SKIP_OTHER) {
      skippers[field] = ValueSkipper.of(value);
    }
  }

  /** Null where {@link ValueDecoders} is needed. */
  @Nullable
  private Step step(int field, Schema value, LogicalType wanted) {
    Schema.Type stored = value.getType();
    return switch (wanted.getTypeRoot()) {
      case BOOLEAN -> stored == Schema.Type.BOOLEAN ? Step.BOOLEAN : null;
      case INTEGER, DATE -> stored == Schema.Type.INT ? Step.INT : null;
      case BIGINT -> stored == Schema.Type.INT || stored == Schema.Type.LONG ? Step.LONG : null;
      case FLOAT -> stored == Schema.Type.FLOAT ? Step.FLOAT : null;
      case DOUBLE -> stored == Schema.Type.DOUBLE ? Step.DOUBLE : null;
      case CHAR, VARCHAR ->
          stored == Schema.Type.STRING
                  || (stored == Schema.Type.BYTES && value.getLogicalType() == null)
              ? Step.BYTES
              : null;
      case BINARY, VARBINARY -> {
        sizes[field] = stored == Schema.Type.FIXED ? value.getFixedSize() : 0;
        yield stored == Schema.Type.FIXED
            ? Step.FIXED_BYTES
            : stored == Schema.Type.BYTES || stored == Schema.Type.STRING ? Step.BYTES : null;
      }
      case DECIMAL -> decimal(field, value, (DecimalType) wanted);
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          stored == Schema.Type.LONG ? timestamp(value, wanted) : null;
      default -> null;
    };
  }

  @Nullable
  private Step decimal(int field, Schema value, DecimalType wanted) {
    if (!(value.getLogicalType() instanceof LogicalTypes.Decimal decimal)
        || decimal.getPrecision() != wanted.getPrecision()
        || decimal.getScale() != wanted.getScale()
        || !DecimalData.isCompact(wanted.getPrecision())) {
      return null;
    }
    if (value.getType() == Schema.Type.BYTES) {
      sizes[field] = wanted.getPrecision();
      return Step.DECIMAL;
    }
    sizes[field] = wanted.getPrecision() << 5 | value.getFixedSize();
    return value.getType() == Schema.Type.FIXED && value.getFixedSize() < 32
        ? Step.FIXED_DECIMAL
        : null;
  }

  @Nullable
  private static Step timestamp(Schema value, LogicalType wanted) {
    Timestamps.Unit unit = Timestamps.storedUnit(wanted);
    String logical = value.getLogicalType() == null ? "" : value.getLogicalType().getName();
    boolean isMillis =
        logical.endsWith("timestamp-millis")
            || (logical.isEmpty() && unit == Timestamps.Unit.MILLIS);
    boolean isMicros =
        logical.endsWith("timestamp-micros")
            || (logical.isEmpty() && unit == Timestamps.Unit.MICROS);
    if (unit == Timestamps.Unit.MILLIS) {
      return isMillis ? Step.LONG : isMicros ? Step.MICROS_TO_MILLIS : null;
    }
    return isMillis ? Step.MILLIS : isMicros ? Step.MICROS : null;
  }

  /**
   * Decodes one record. The row and its memory are used again by the next call. Bytes behind the
   * last wanted column are not looked at.
   *
   * @throws MalformedAvroException if the bytes do not fit the writer's schema
   */
  public BinaryRowData decode(byte[] bytes, int offset, int length) throws MalformedAvroException {
    // All that is outside the fixed part is in the record too, but for padding and milliseconds.
    int most = fixedBytes + length + 2 * Long.BYTES * (columnCount + 1);
    if (buffer.length < most) {
      buffer = new byte[most + most / 2];
      row.pointTo(MemorySegmentFactory.wrap(buffer), 0, fixedBytes);
    }
    System.arraycopy(emptyRow, 0, buffer, 0, fixedBytes);
    int cursor = decode(bytes, offset, offset + length, fixedBytes);
    row.pointTo(row.getSegments()[0], 0, cursor);
    return row;
  }

  private int decode(byte[] in, int start, int end, int firstFree) throws MalformedAvroException {
    byte[] out = buffer;
    int cursor = firstFree;
    int at = start;
    for (int i = firstField; i < steps.length; i++) {
      int nullByte = nullBytes[i];
      if (nullByte != NO_UNION) {
        if (at >= end) {
          throw ends(at);
        }
        int branch = in[at++];
        if (branch == nullByte) {
          if (columns[i] >= 0) {
            BinaryRowFormat.setNull(out, 0, columns[i]);
          }
          continue;
        }
        if (branch != (nullByte ^ 2)) {
          throw new MalformedAvroException(
              "A branch of a nullable column that does not exist, at byte " + (at - 1));
        }
      }
      int size = sizes[i];
      int slot = slots[i];
      Step step = steps[i];
      switch (step) {
        case SKIP_FIXED, BOOLEAN, FLOAT, DOUBLE, FIXED_BYTES, FIXED_DECIMAL -> {
          int width =
              switch (step) {
                case BOOLEAN -> 1;
                case FLOAT -> Float.BYTES;
                case DOUBLE -> Double.BYTES;
                case FIXED_DECIMAL -> size & 31;
                default -> size;
              };
          if (width > end - at) {
            throw ends(at);
          }
          switch (step) {
            case BOOLEAN -> {
              if ((in[at] & ~1) != 0) {
                throw new MalformedAvroException("A boolean is neither 0 nor 1 at byte " + at);
              }
              out[slot] = in[at];
            }
            case FLOAT -> INTS.set(out, slot, (int) INTS.get(in, at));
            case DOUBLE -> LONGS.set(out, slot, (long) LONGS.get(in, at));
            case FIXED_BYTES ->
                cursor = BinaryRowFormat.putBytes(in, at, width, out, 0, slot, cursor);
            case FIXED_DECIMAL -> LONGS.set(out, slot, unscaled(in, at, width, size >> 5));
            default -> {}
          }
          at += width;
        }
        case SKIP_OTHER -> {
          input.reset(in, at, end - at);
          skippers[i].skip(input);
          at = input.position();
        }
        default -> {
          long bits = 0;
          int shift = 0;
          byte next;
          do {
            if (at >= end) {
              throw ends(at);
            }
            if (shift > 63) {
              throw new MalformedAvroException(
                  "A number has more than 10 bytes at byte " + (at - 10));
            }
            next = in[at++];
            bits |= (next & 0x7FL) << shift;
            shift += 7;
          } while (next < 0);
          long number = (bits >>> 1) ^ -(bits & 1);
          switch (step) {
            case INT -> {
              if ((int) number != number) {
                throw new MalformedAvroException(number + " is no int at byte " + at);
              }
              INTS.set(out, slot, (int) number);
            }
            case LONG -> LONGS.set(out, slot, number);
            case MICROS_TO_MILLIS -> LONGS.set(out, slot, Math.floorDiv(number, 1000L));
            case MILLIS -> {
              cursor = BinaryRowFormat.putTimestamp(number, 0, out, 0, slot, cursor);
            }
            case MICROS -> {
              long millis = Math.floorDiv(number, 1000L);
              int nanos = (int) (number - millis * 1000) * 1000;
              cursor = BinaryRowFormat.putTimestamp(millis, nanos, out, 0, slot, cursor);
            }
            case SKIP_BYTES, BYTES, DECIMAL -> {
              if (number < 0 || number > end - at) {
                throw new MalformedAvroException(
                    "A length of %d, but %d bytes are left at byte %d"
                        .formatted(number, end - at, at));
              }
              int width = (int) number;
              if (step == Step.BYTES) {
                cursor = BinaryRowFormat.putBytes(in, at, width, out, 0, slot, cursor);
              } else if (step == Step.DECIMAL) {
                LONGS.set(out, slot, unscaled(in, at, width, size));
              }
              at += width;
            }
            default -> {}
          }
        }
      }
    }
    return cursor;
  }

  private static long unscaled(byte[] in, int at, int length, int precision)
      throws MalformedAvroException {
    if (length == 0) {
      throw new MalformedAvroException("A decimal without bytes at byte " + at);
    }
    long value = in[at];
    for (int i = 1; i < length; i++) {
      if (i >= Long.BYTES && value >> 55 != value >> 63) {
        throw tooManyDigits(precision, at);
      }
      value = value << 8 | (in[at + i] & 0xFF);
    }
    long limit = ValueDecoders.powerOfTen(precision);
    if (value >= limit || value <= -limit) {
      throw tooManyDigits(precision, at);
    }
    return value;
  }

  private static MalformedAvroException tooManyDigits(int precision, int at) {
    return new MalformedAvroException(
        "A decimal has more than the " + precision + " digits of its type at byte " + at);
  }

  private static MalformedAvroException ends(int at) {
    return new MalformedAvroException("The record ends inside a value at byte " + at);
  }
}
