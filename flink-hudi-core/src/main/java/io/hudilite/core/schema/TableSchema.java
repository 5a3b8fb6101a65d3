package io.hudilite.core.schema;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import java.io.Serializable;
import java.util.List;
import org.apache.flink.table.types.logical.RowType;

/**
 * The columns of a table and their roles.
 *
 * @param rowType the table's own columns, without meta columns, in table order
 * @param recordKeyColumns the key, in the order of {@code hoodie.table.recordkey.fields}; empty for
 *     a table without keys
 * @param partitionColumns in the order of the partition path; empty if not partitioned
 * @param orderingColumns compared one after the other; empty for commit-time ordering
 */
public record TableSchema(
    RowType rowType,
    List<String> recordKeyColumns,
    List<String> partitionColumns,
    List<String> orderingColumns)
    implements Serializable {

  public TableSchema {
    requireNonNull(rowType, "rowType");
    recordKeyColumns = List.copyOf(recordKeyColumns);
    partitionColumns = List.copyOf(partitionColumns);
    orderingColumns = List.copyOf(orderingColumns);
    requireColumns(rowType, "record key", recordKeyColumns);
    requireColumns(rowType, "partition", partitionColumns);
    requireColumns(rowType, "ordering", orderingColumns);
  }

  private static void requireColumns(RowType rowType, String role, List<String> names) {
    for (String name : names) {
      if (rowType.getFieldIndex(name) < 0) {
        throw new HudiTableException(
            "The %s field '%s' is not a column of the table. Its columns are %s."
                .formatted(role, name, rowType.getFieldNames()));
      }
    }
  }

  public boolean isPartitioned() {
    return !partitionColumns.isEmpty();
  }

  /** Indexes of the named columns in {@link #rowType()}. */
  public int[] indexesOf(List<String> names) {
    return names.stream().mapToInt(rowType::getFieldIndex).toArray();
  }
}
