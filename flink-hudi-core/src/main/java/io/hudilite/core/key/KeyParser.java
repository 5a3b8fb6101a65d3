package io.hudilite.core.key;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.schema.TableSchema;
import java.util.List;
import org.apache.flink.table.data.GenericRowData;

/**
 * Turns record keys and partition paths back into columns: what a delete leaves of a row, and what
 * a path says of all rows below it. The reverse of {@link KeyExtractor}, also for paths that it
 * does not write. Safe for use by several threads.
 */
public final class KeyParser {
  private final TableSchema schema;

  public KeyParser(TableSchema schema, KeyFormat format) {
    this.schema = requireNonNull(schema, "schema");
  }

  /**
   * A new row of the table's type and of kind DELETE: key, partition and ordering columns are
   * filled as far as they are known, all others are null.
   *
   * @throws io.hudilite.core.config.HudiTableException if a text is no value of its column
   */
  public GenericRowData deletedRow(String recordKey, String partitionPath, OrderingValue ordering) {
    throw new UnsupportedOperationException(schema.toString());
  }

  /**
   * The values of the partition columns in Flink's internal classes, in the order of {@link
   * TableSchema#partitionColumns()}; null for the default partition.
   *
   * @throws io.hudilite.core.config.HudiTableException if the path does not have the table's form
   */
  public Object[] partitionValues(String partitionPath) {
    throw new UnsupportedOperationException(schema.toString());
  }

  /** The same values as text, url-decoded and without {@code column=}; null as above. */
  public List<String> partitionTexts(String partitionPath) {
    throw new UnsupportedOperationException(schema.toString());
  }
}
