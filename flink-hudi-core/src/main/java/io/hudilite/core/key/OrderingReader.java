package io.hudilite.core.key;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.Timestamps;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;

/** Takes the ordering value out of a field that is not null. */
@FunctionalInterface
interface OrderingReader {
  OrderingValue read(RowData row, int index);

  /**
   * What reads the ordering value of a row.
   *
   * @param type of the rows
   * @param stored of the table: tells the unit of timestamps
   */
  static OrderingReader of(String column, LogicalType type, LogicalType stored) {
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> (row, i) -> OrderingValue.ofBoolean(row.getBoolean(i));
      case TINYINT -> (row, i) -> OrderingValue.ofInt(row.getByte(i));
      case SMALLINT -> (row, i) -> OrderingValue.ofInt(row.getShort(i));
      case INTEGER, DATE -> (row, i) -> OrderingValue.ofInt(row.getInt(i));
      case BIGINT -> (row, i) -> OrderingValue.ofLong(row.getLong(i));
      case FLOAT -> (row, i) -> OrderingValue.ofFloat(row.getFloat(i));
      case DOUBLE -> (row, i) -> OrderingValue.ofDouble(row.getDouble(i));
      case CHAR, VARCHAR -> (row, i) -> OrderingValue.ofString(row.getString(i).toBytes().clone());
      case DECIMAL -> {
        int precision = ((DecimalType) type).getPrecision();
        int scale = ((DecimalType) type).getScale();
        yield (row, i) ->
            OrderingValue.ofDecimal(row.getDecimal(i, precision, scale).toBigDecimal());
      }
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> {
        int precision = Timestamps.precisionOf(type);
        Timestamps.Unit unit = Timestamps.storedUnit(stored);
        yield (row, i) -> OrderingValue.ofLong(unit.toNumber(row.getTimestamp(i, precision)));
      }
      default ->
          throw new HudiTableException(
              "The ordering field '%s' has the type %s, which has no order that all engines agree on. Use a number, a string, a date or a timestamp, or set 'hoodie.write.record.merge.mode' to COMMIT_TIME_ORDERING."
                  .formatted(column, type.asSummaryString()));
    };
  }
}
