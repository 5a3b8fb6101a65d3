package io.hudilite.core.avro;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.AvroSchemas;
import java.math.BigDecimal;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.types.logical.DecimalType;

/** Writes decimals as two's complement numbers of a fixed length, the highest byte first. */
final class DecimalEncoder {
  private final String column;
  private final int precision;
  private final int scale;
  private final int bytes;

  DecimalEncoder(String column, DecimalType type) {
    this.column = column;
    this.precision = type.getPrecision();
    this.scale = type.getScale();
    this.bytes = AvroSchemas.decimalBytes(precision);
  }

  int precision() {
    return precision;
  }

  int scale() {
    return scale;
  }

  void encode(DecimalData value, AvroBuffer out) {
    DecimalData fitting =
        value.scale() == scale && value.precision() <= precision ? value : fit(value);
    if (fitting.isCompact()) {
      write(fitting.toUnscaledLong(), out);
    } else {
      write(fitting.toUnscaledBytes(), out);
    }
  }

  private void write(long unscaled, AvroBuffer out) {
    int at = out.skip(bytes);
    byte[] array = out.array();
    long rest = unscaled;
    for (int i = at + bytes - 1; i >= at; i--) {
      array[i] = (byte) rest;
      rest >>= 8;
    }
  }

  private void write(byte[] unscaled, AvroBuffer out) {
    byte sign = (byte) (unscaled[0] < 0 ? -1 : 0);
    for (int i = unscaled.length; i < bytes; i++) {
      out.writeByte(sign);
    }
    out.writeRaw(unscaled);
  }

  /** A value of another precision or scale: taken if no digit is lost. */
  private DecimalData fit(DecimalData value) {
    BigDecimal number = value.toBigDecimal();
    DecimalData fitting = DecimalData.fromBigDecimal(number, precision, scale);
    if (fitting == null || fitting.toBigDecimal().compareTo(number) != 0) {
      throw new HudiTableException(
          "Column '%s': %s does not fit into DECIMAL(%d, %d). Widen the column, or CAST the value in the query."
              .formatted(column, number.toPlainString(), precision, scale));
    }
    return fitting;
  }
}
