package io.hudilite.sink;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.TableSchema;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;

/** Whether ordering values of deletes can be kept so that all engines read them. */
final class OrderingCheck {
  /** Digits before and after the point that a delete record has room for. */
  private static final int DIGITS = 15;

  private OrderingCheck() {}

  /**
   * Decimals are refused for new tables: Hudi 1.0 fails to read a delete with one, and without its
   * ordering value an older row could come back to life. A table that has such a field was made by
   * a later Hudi, which reads it.
   *
   * @throws HudiTableException if the ordering field is a decimal that deletes cannot hold
   */
  static void requireKept(TableSchema schema, boolean isNewTable, String path) {
    for (String column : schema.orderingColumns()) {
      LogicalType type = schema.rowType().getTypeAt(schema.rowType().getFieldIndex(column));
      if (type instanceof DecimalType decimal
          && (isNewTable
              || decimal.getScale() > DIGITS
              || decimal.getPrecision() - decimal.getScale() > DIGITS)) {
        throw new HudiTableException(
            "The ordering field '%s' of the table at '%s' is %s, which Hudi cannot keep in delete records%s. Order by a BIGINT, STRING or TIMESTAMP column, such as CAST(%s * %s AS BIGINT), or set 'hoodie.write.record.merge.mode' to COMMIT_TIME_ORDERING."
                .formatted(
                    column,
                    path,
                    type.asSummaryString(),
                    isNewTable
                        ? " that version 1.0 can read"
                        : ": they have room for " + DIGITS + " digits on each side of the point",
                    column,
                    "1" + "0".repeat(decimal.getScale())));
      }
    }
  }
}
