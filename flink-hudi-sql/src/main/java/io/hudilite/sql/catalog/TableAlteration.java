package io.hudilite.sql.catalog;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.table.StoredOptions;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.types.logical.LogicalType;

/** What an {@code ALTER TABLE} changes in the table itself, beside its options. */
final class TableAlteration {
  private TableAlteration() {}

  /**
   * @throws HudiTableException if a change is none that a table can take
   */
  static void apply(HudiTable stored, ResolvedCatalogTable altered, ObjectPath name)
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
    Map<String, LogicalType> after = TableTranslation.columns(altered);
    if (!before.equals(after)) {
      throw new HudiTableException(
          "ALTER TABLE %s cannot change the columns of a table in this version: it has %s, and would have %s. CREATE another TABLE with these columns, and INSERT INTO it."
              .formatted(name, before, after));
    }
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
