package io.hudilite.core.avro;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.Timestamps;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.LogicalType;

/** Writes timestamps as numbers in the unit in which their column is stored. */
final class TimestampEncoder {
  private final String column;
  private final LogicalType type;
  private final int precision;
  private final Timestamps.Unit unit;

  /**
   * @param type of the rows: tells how they hold the value
   * @param stored of the table: tells the unit
   */
  TimestampEncoder(String column, LogicalType type, LogicalType stored) {
    this.column = column;
    this.type = type;
    this.precision = Timestamps.precisionOf(type);
    this.unit = Timestamps.storedUnit(stored);
  }

  int precision() {
    return precision;
  }

  void encode(TimestampData value, AvroBuffer out) {
    long number;
    try {
      number = unit.toNumber(value);
    } catch (ArithmeticException e) {
      throw new HudiTableException(
          "Column '%s': %d milliseconds since 1970 do not fit into %s, which is stored in %s. Filter such rows in the query."
              .formatted(column, value.getMillisecond(), type.asSummaryString(), unit),
          e);
    }
    out.writeLong(number);
  }
}
