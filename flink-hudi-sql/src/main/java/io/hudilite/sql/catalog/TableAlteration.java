package io.hudilite.sql.catalog;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.ColumnChanges;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.table.StoredOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/** What an {@code ALTER TABLE} changes in the table itself, beside its options. */
final class TableAlteration {
  private TableAlteration() {}

  /**
   * The columns that the table is to have.
   *
   * @throws HudiTableException if a change is none that a table can take
   */
  static RowType check(HudiTable stored, ResolvedCatalogTable altered, ObjectPath name)
      throws IOException {
    Map<String, LogicalType> before =
        TableTranslation.columns(stored, StoredOptions.load(stored.storage()));
    requireSame(
        name,
        "primary key",
        TableTranslation.ifColumns(stored.config().recordKeyFields(), before.keySet()),
        TableTranslation.keyColumns(altered));
    requireSame(
        name,
        "partition columns",
        TableTranslation.ifColumns(stored.config().partitionFields(), before.keySet()),
        altered.getPartitionKeys());
    RowType after = (RowType) altered.getResolvedSchema().toPhysicalRowDataType().getLogicalType();
    List<String> problems = new ArrayList<>();
    for (RowType.RowField column : after.getFields()) {
      LogicalType was = before.get(column.getName());
      if (was != null && was.isNullable() != column.getType().isNullable()) {
        problems.add(
            "Column '%s' is %s, and cannot become %s: whether there may be nulls stays."
                .formatted(column.getName(), was, column.getType()));
      }
    }
    problems.addAll(
        new ColumnChanges(stored.schema().rowType(), after)
            .problems(stored.config().fieldsWithRoles()));
    if (!problems.isEmpty()) {
      throw new HudiTableException(
          "ALTER TABLE %s would give it columns that it cannot take. %s The table has %s. CREATE another TABLE with these columns, and INSERT INTO it."
              .formatted(name, String.join(" ", problems), before));
    }
    return after;
  }

  private static void requireSame(
      ObjectPath name, String what, List<String> before, List<String> after) {
    if (!before.equals(after)) {
      throw new HudiTableException(
          "ALTER TABLE %s cannot change the %s from %s to %s: all files of the table are laid out by it. CREATE another TABLE, and INSERT INTO it."
              .formatted(name, what, before, after));
    }
  }
}
