package io.hudilite.core.avro;

import io.hudilite.core.schema.AvroSchemas;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Writes rows of one type in Avro's binary encoding, in the schema of {@link AvroSchemas#toAvro}.
 * Works on any {@link RowData}. Not safe for use by several threads.
 */
public final class AvroRowEncoder {
  private final RecordEncoder record;

  /**
   * @throws io.hudilite.core.config.HudiTableException if a column has a type that Hudi has no
   *     place for
   */
  public AvroRowEncoder(RowType rowType) {
    this(rowType, rowType);
  }

  /**
   * The same for rows whose timestamps have fewer digits than the table stores.
   *
   * @param stored as {@link io.hudilite.core.schema.StoredTypes} gives it for {@code rowType}
   * @throws io.hudilite.core.config.HudiTableException if a column has a type that Hudi has no
   *     place for
   */
  public AvroRowEncoder(RowType rowType, RowType stored) {
    RowType own = AvroSchemas.withoutMetaColumns(rowType);
    if (own.getFieldCount() > 0) {
      AvroSchemas.requireSupported(own);
    }
    if (!rowType.getFieldNames().equals(stored.getFieldNames())) {
      throw new IllegalArgumentException(
          "Rows have the columns %s, the table stores %s"
              .formatted(rowType.getFieldNames(), stored.getFieldNames()));
    }
    this.record = new RecordEncoder("", rowType, stored);
  }

  /**
   * Appends the row to {@code out}; the row's kind is not looked at. After an error {@code out}
   * ends where it ended before.
   *
   * @throws io.hudilite.core.config.HudiTableException if a NOT NULL column is null, or a value
   *     does not fit into its column; names the column
   */
  public void encode(RowData row, AvroBuffer out) {
    int start = out.size();
    try {
      record.encode(row, out);
    } catch (RuntimeException e) {
      out.truncate(start);
      throw e;
    }
  }
}
