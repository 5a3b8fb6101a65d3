package io.hudilite.core.clustering;

import io.hudilite.core.config.HudiTableException;
import java.math.BigInteger;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.TimestampType;

/** Turns the values of one column into bytes that sort as the values do; null comes first. */
final class ColumnKey {
  private final int position;
  private final Encoder encoder;

  private ColumnKey(int position, Encoder encoder) {
    this.position = position;
    this.encoder = encoder;
  }

  private interface Encoder {
    void encode(RowData row, int position, KeyBytes out);
  }

  /**
   * @param position in rows
   * @throws HudiTableException if the type has no order
   */
  static ColumnKey of(String name, LogicalType type, int position) {
    return new ColumnKey(position, encoder(name, type));
  }

  void encode(RowData row, KeyBytes out) {
    if (row.isNullAt(position)) {
      out.put(0);
    } else {
      out.put(1);
      encoder.encode(row, position, out);
    }
  }

  private static Encoder encoder(String name, LogicalType type) {
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> (row, at, out) -> out.put(row.getBoolean(at) ? 1 : 0);
      case TINYINT -> (row, at, out) -> out.putNumber(row.getByte(at));
      case SMALLINT -> (row, at, out) -> out.putNumber(row.getShort(at));
      case INTEGER, DATE, TIME_WITHOUT_TIME_ZONE -> (row, at, out) -> out.putNumber(row.getInt(at));
      case BIGINT -> (row, at, out) -> out.putNumber(row.getLong(at));
      case FLOAT -> (row, at, out) -> putDouble(row.getFloat(at), out);
      case DOUBLE -> (row, at, out) -> putDouble(row.getDouble(at), out);
      case DECIMAL -> decimal((DecimalType) type);
      case CHAR, VARCHAR -> (row, at, out) -> out.putText(row.getString(at).toBytes());
      case BINARY, VARBINARY -> (row, at, out) -> out.putText(row.getBinary(at));
      case TIMESTAMP_WITHOUT_TIME_ZONE -> timestamp(((TimestampType) type).getPrecision());
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          timestamp(((LocalZonedTimestampType) type).getPrecision());
      default ->
          throw new HudiTableException(
              "Rows cannot be sorted by column '%s' of type %s: take columns with one value for 'clustering.plan.strategy.sort.columns'"
                  .formatted(name, type));
    };
  }

  /** Bits of a number, negative ones turned round; NaN comes last. */
  private static void putDouble(double value, KeyBytes out) {
    long bits = Double.doubleToLongBits(value + 0.0);
    out.putBits(bits < 0 ? ~bits : bits ^ Long.MIN_VALUE);
  }

  private static Encoder decimal(DecimalType type) {
    int precision = type.getPrecision();
    int scale = type.getScale();
    if (DecimalData.isCompact(precision)) {
      return (row, at, out) -> out.putNumber(row.getDecimal(at, precision, scale).toUnscaledLong());
    }
    // As many bytes as the largest number of the type needs, so that all are of one length.
    int length = BigInteger.TEN.pow(precision).bitLength() / 8 + 1;
    return (row, at, out) -> {
      BigInteger unscaled = row.getDecimal(at, precision, scale).toBigDecimal().unscaledValue();
      byte[] bytes = unscaled.toByteArray();
      int fill = unscaled.signum() < 0 ? 0xFF : 0;
      for (int i = 0; i < length; i++) {
        int from = i - (length - bytes.length);
        int value = from < 0 ? fill : bytes[from];
        out.put(i == 0 ? value ^ 0x80 : value);
      }
    };
  }

  private static Encoder timestamp(int precision) {
    return (row, at, out) -> {
      TimestampData time = row.getTimestamp(at, precision);
      out.putNumber(time.getMillisecond());
      int nanos = time.getNanoOfMillisecond();
      out.put(nanos >>> 16);
      out.put(nanos >>> 8);
      out.put(nanos);
    };
  }
}
