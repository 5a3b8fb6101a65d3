package io.hudilite.core.avro;

import static java.util.Objects.requireNonNull;

import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Writes rows of one type in Avro's binary encoding, in the schema of {@link
 * io.hudilite.core.schema.AvroSchemas#toAvro}. Works on any {@link RowData}. Not safe for use by
 * several threads.
 */
public final class AvroRowEncoder {
  private final RowType rowType;

  /**
   * @throws io.hudilite.core.config.HudiTableException if a column has a type that Hudi has no
   *     place for
   */
  public AvroRowEncoder(RowType rowType) {
    this.rowType = requireNonNull(rowType, "rowType");
  }

  /**
   * Appends the row to {@code out}; the row's kind is not looked at. After an error {@code out}
   * ends where it ended before.
   *
   * @throws io.hudilite.core.config.HudiTableException if a NOT NULL column is null, or a value
   *     does not fit into its column; names the column
   */
  public void encode(RowData row, AvroBuffer out) {
    throw new UnsupportedOperationException(rowType.toString());
  }
}
