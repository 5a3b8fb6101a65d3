package io.hudilite.core.schema;

import org.apache.avro.Schema;
import org.apache.flink.table.types.logical.RowType;

/**
 * Avro schemas of tables. A nullable column is the union of null and its type with default null.
 * Names follow Hudi: record {@code hoodie.<table>.<table>_record}. Source: AvroConversionUtils of
 * Hudi 1.0.2.
 */
public final class AvroSchemas {
  private AvroSchemas() {}

  /**
   * Schema of the table's own columns, as it stands in commits under {@code schema}.
   *
   * @throws io.hudilite.core.config.HudiTableException as {@link #requireSupported}
   */
  public static Schema toAvro(RowType rowType, String tableName) {
    throw new UnsupportedOperationException();
  }

  /** The same with the five meta columns first: the schema of log blocks and base files. */
  public static Schema toAvroWithMeta(RowType rowType, String tableName) {
    throw new UnsupportedOperationException();
  }

  /** The five meta columns, and then the columns of {@code rowType}. */
  public static RowType withMetaColumns(RowType rowType) {
    throw new UnsupportedOperationException();
  }

  /** The record's fields without meta columns. */
  public static RowType withoutMetaColumns(RowType rowType) {
    throw new UnsupportedOperationException();
  }

  /**
   * Flink's types for all fields of a record, meta columns included. {@code timestamp-*} becomes
   * TIMESTAMP_LTZ, {@code local-timestamp-*} TIMESTAMP.
   *
   * @throws io.hudilite.core.config.HudiTableException if a field has no type in Flink
   */
  public static RowType toRowType(Schema record) {
    throw new UnsupportedOperationException();
  }

  /**
   * Checks that Hudi has a place for the type of each column.
   *
   * @throws io.hudilite.core.config.HudiTableException naming column, type, and what to CAST to
   */
  public static void requireSupported(RowType rowType) {
    throw new UnsupportedOperationException();
  }
}
