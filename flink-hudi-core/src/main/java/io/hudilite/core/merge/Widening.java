package io.hudilite.core.merge;

import io.hudilite.core.schema.Floats;
import javax.annotation.Nullable;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.LogicalType;

/** Values of the table's own type in the wider types that a query may declare. */
final class Widening {
  private Widening() {}

  /**
   * @param value in Flink's internal classes; null stays null
   */
  @Nullable
  static Object widen(@Nullable Object value, LogicalType wanted) {
    if (value instanceof Number number && !(value instanceof java.math.BigDecimal)) {
      return switch (wanted.getTypeRoot()) {
        case BIGINT -> number.longValue();
        case FLOAT -> number.floatValue();
        case DOUBLE ->
            number instanceof Float small ? Floats.toDouble(small) : number.doubleValue();
        case CHAR, VARCHAR -> StringData.fromString(number.toString());
        default -> value;
      };
    }
    return value;
  }
}
