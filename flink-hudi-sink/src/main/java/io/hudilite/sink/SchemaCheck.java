package io.hudilite.sink;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.ColumnChanges;
import io.hudilite.core.table.HudiTable;
import java.io.IOException;
import java.util.List;
import org.apache.flink.table.types.logical.RowType;

/** Compares the columns of a table with those that are to be written. */
final class SchemaCheck {
  private SchemaCheck() {}

  /**
   * @throws HudiTableException if a column of the table would be lost, has another type, or is new
   *     and cannot be
   */
  static void requireFits(HudiTable table, RowType declared, String path) throws IOException {
    table.requireNamesStay();
    RowType stored = table.schema().rowType();
    List<String> problems =
        new ColumnChanges(stored, declared).problems(table.config().fieldsWithRoles());
    if (!problems.isEmpty()) {
      throw new HudiTableException(
          "The columns declared for the table at '%s' are not those it has. %s The table has %s. Declare the same columns; new ones may be added if they are nullable."
              .formatted(path, String.join(" ", problems), stored.asSummaryString()));
    }
  }
}
