package io.hudilite.core.key;

import io.hudilite.core.schema.Timestamps;
import java.math.BigDecimal;
import javax.annotation.Nullable;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;

/** Turns ordering values back into fields of rows. */
final class OrderingFields {
  private OrderingFields() {}

  /** The field, or null if the value is a default or of another kind than the column's. */
  @Nullable
  static Object toField(OrderingValue ordering, LogicalType type) {
    if (ordering.isDefault()) {
      return null;
    }
    Object value = ordering.value();
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> value instanceof Boolean ? value : null;
      case TINYINT -> value instanceof Integer number ? number.byteValue() : null;
      case SMALLINT -> value instanceof Integer number ? number.shortValue() : null;
      case INTEGER, DATE -> value instanceof Integer ? value : null;
      case BIGINT -> isInteger(value) ? ordering.longValue() : null;
      case FLOAT -> value instanceof Float ? value : null;
      case DOUBLE -> value instanceof Double ? value : null;
      case CHAR, VARCHAR ->
          ordering.kind() == OrderingValue.Kind.STRING
              ? StringData.fromBytes((byte[]) value)
              : null;
      case DECIMAL ->
          value instanceof BigDecimal number
              ? DecimalData.fromBigDecimal(
                  number, ((DecimalType) type).getPrecision(), ((DecimalType) type).getScale())
              : null;
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          isInteger(value) ? Timestamps.storedUnit(type).fromNumber(ordering.longValue()) : null;
      default -> null;
    };
  }

  private static boolean isInteger(Object value) {
    return value instanceof Integer || value instanceof Long;
  }
}
