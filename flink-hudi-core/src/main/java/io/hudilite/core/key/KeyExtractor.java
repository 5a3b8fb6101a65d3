package io.hudilite.core.key;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.schema.TableSchema;
import org.apache.flink.table.data.RowData;

/**
 * Takes record key, partition path and ordering value out of rows of the table's type. Reuses
 * buffers: not safe for use by several threads.
 */
public final class KeyExtractor {
  private final TableSchema schema;

  /**
   * @throws io.hudilite.core.config.HudiTableException if there is no key column, a key, partition
   *     or ordering column has a type that cannot be one, or the key generator cannot be written
   */
  public KeyExtractor(TableSchema schema, KeyFormat format) {
    this.schema = requireNonNull(schema, "schema");
  }

  /**
   * Appends the record key as UTF-8 text, without a length.
   *
   * @throws io.hudilite.core.config.HudiTableException if the key is null or empty; names the
   *     column
   */
  public void recordKey(RowData row, AvroBuffer out) {
    throw new UnsupportedOperationException(schema.toString());
  }

  /** The record key as text. */
  public String recordKey(RowData row) {
    throw new UnsupportedOperationException(schema.toString());
  }

  /**
   * The partition path, {@code ""} if the table is not partitioned. Rows of one partition in a row
   * get the same string object.
   */
  public String partitionPath(RowData row) {
    throw new UnsupportedOperationException(schema.toString());
  }

  /**
   * The ordering value, {@link OrderingValue#NONE} if the table has no ordering column.
   *
   * @throws io.hudilite.core.config.HudiTableException if it is null; names key, column and the
   *     ways out
   */
  public OrderingValue ordering(RowData row) {
    throw new UnsupportedOperationException(schema.toString());
  }
}
