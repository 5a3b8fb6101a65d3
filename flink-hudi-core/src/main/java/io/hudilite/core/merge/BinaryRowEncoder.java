package io.hudilite.core.merge;

import static io.hudilite.core.schema.BinaryRowFormat.INTS;
import static io.hudilite.core.schema.BinaryRowFormat.LONGS;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.base.BaseFileReader;
import io.hudilite.core.schema.BinaryRowFormat;
import javax.annotation.Nullable;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.columnar.vector.BytesColumnVector;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

/**
 * Appends the first columns of the rows of a Parquet file to a buffer, as binary rows: texts come
 * straight from their pages, and nothing becomes an object. Not safe for use by several threads.
 */
final class BinaryRowEncoder {
  private enum Step {
    BOOLEAN,
    BYTE,
    SHORT,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    TEXT,
    STRING,
    BYTES,
    DECIMAL,
    MILLIS,
    TIMESTAMP
  }

  private final BaseFileReader rows;
  private final Step[] steps;
  private final int[] precisions;
  private final int[] scales;
  private final BytesColumnVector[] texts;
  private final int fixedBytes;
  private final int slotsFrom;

  private BinaryRowEncoder(BaseFileReader rows, int columns) {
    this.rows = rows;
    this.steps = new Step[columns];
    this.precisions = new int[columns];
    this.scales = new int[columns];
    this.texts = new BytesColumnVector[columns];
    this.fixedBytes = BinaryRowData.calculateFixPartSizeInBytes(columns);
    this.slotsFrom = BinaryRowData.calculateBitSetWidthInBytes(columns);
  }

  /** Whether rows of these columns can be encoded: none is nested, or a decimal of many digits. */
  static boolean takes(RowType read) {
    return BinaryRowFormat.isOfThisMachine()
        && read.getChildren().stream().allMatch(type -> step(type) != null);
  }

  /**
   * @param rows read row by row; their first columns are those to encode
   * @param read the type of these columns, which {@link #takes} it
   */
  static BinaryRowEncoder of(BaseFileReader rows, RowType read) {
    BinaryRowEncoder encoder = new BinaryRowEncoder(rows, read.getFieldCount());
    for (int i = 0; i < encoder.steps.length; i++) {
      LogicalType type = read.getTypeAt(i);
      Step step = step(type);
      if (step == Step.STRING || step == Step.BYTES) {
        encoder.texts[i] = rows.texts(i);
        step = encoder.texts[i] == null ? step : Step.TEXT;
      }
      if (step == Step.DECIMAL) {
        encoder.scales[i] = ((DecimalType) type).getScale();
      }
      if (step == Step.DECIMAL || step == Step.MILLIS || step == Step.TIMESTAMP) {
        encoder.precisions[i] = LogicalTypeChecks.getPrecision(type);
      }
      encoder.steps[i] = step;
    }
    return encoder;
  }

  @Nullable
  private static Step step(LogicalType type) {
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> Step.BOOLEAN;
      case TINYINT -> Step.BYTE;
      case SMALLINT -> Step.SHORT;
      case INTEGER, DATE -> Step.INT;
      case BIGINT -> Step.LONG;
      case FLOAT -> Step.FLOAT;
      case DOUBLE -> Step.DOUBLE;
      case CHAR, VARCHAR -> Step.STRING;
      case BINARY, VARBINARY -> Step.BYTES;
      case DECIMAL ->
          DecimalData.isCompact(((DecimalType) type).getPrecision()) ? Step.DECIMAL : null;
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          TimestampData.isCompact(LogicalTypeChecks.getPrecision(type))
              ? Step.MILLIS
              : Step.TIMESTAMP;
      default -> null;
    };
  }

  /**
   * @param row the one that the reader returned last
   */
  void encode(RowData row, AvroBuffer to) {
    int start = to.skip(fixedBytes);
    byte[] out = to.array();
    java.util.Arrays.fill(out, start, start + fixedBytes, (byte) 0);
    for (int i = 0; i < steps.length; i++) {
      if (row.isNullAt(i)) {
        BinaryRowFormat.setNull(out, start, i);
        continue;
      }
      int slot = start + slotsFrom + i * Long.BYTES;
      switch (steps[i]) {
        case BOOLEAN -> out[slot] = (byte) (row.getBoolean(i) ? 1 : 0);
        case BYTE -> out[slot] = row.getByte(i);
        case SHORT -> {
          short value = row.getShort(i);
          out[slot] = (byte) value;
          out[slot + 1] = (byte) (value >> 8);
        }
        case INT -> INTS.set(out, slot, row.getInt(i));
        case LONG -> LONGS.set(out, slot, row.getLong(i));
        case FLOAT -> INTS.set(out, slot, Float.floatToRawIntBits(row.getFloat(i)));
        case DOUBLE -> LONGS.set(out, slot, Double.doubleToRawLongBits(row.getDouble(i)));
        case DECIMAL ->
            LONGS.set(out, slot, row.getDecimal(i, precisions[i], scales[i]).toUnscaledLong());
        case MILLIS -> LONGS.set(out, slot, row.getTimestamp(i, precisions[i]).getMillisecond());
        case TIMESTAMP -> {
          TimestampData time = row.getTimestamp(i, precisions[i]);
          to.reserve(Long.BYTES);
          out = to.array();
          to.skip(
              BinaryRowFormat.putTimestamp(
                      time.getMillisecond(),
                      time.getNanoOfMillisecond(),
                      out,
                      start,
                      slot,
                      to.size())
                  - to.size());
        }
        case TEXT -> {
          BytesColumnVector.Bytes text = texts[i].getBytes(rows.rowInBatch());
          out = putBytes(text.data, text.offset, text.len, to, start, slot);
        }
        case STRING -> {
          byte[] text = row.getString(i).toBytes();
          out = putBytes(text, 0, text.length, to, start, slot);
        }
        case BYTES -> {
          byte[] bytes = row.getBinary(i);
          out = putBytes(bytes, 0, bytes.length, to, start, slot);
        }
      }
    }
  }

  private static byte[] putBytes(byte[] in, int at, int length, AvroBuffer to, int row, int slot) {
    to.reserve(length + Long.BYTES);
    int end = BinaryRowFormat.putBytes(in, at, length, to.array(), row, slot, to.size());
    to.skip(end - to.size());
    return to.array();
  }
}
