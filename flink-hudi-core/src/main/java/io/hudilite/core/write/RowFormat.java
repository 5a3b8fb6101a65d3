package io.hudilite.core.write;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.storage.Storage;
import org.apache.avro.Schema;
import org.apache.flink.table.types.logical.RowType;

/**
 * How a table's rows are written: schema and settings, which are the same for all its files.
 * Immutable; made once per writer, because schemas cost time to build.
 */
public final class RowFormat {
  /** Data blocks of log files are cut at about this size. */
  public static final int DEFAULT_DATA_BLOCK_BYTES = 128 << 20;

  private final Storage storage;
  private final RowType rowTypeWithMeta;
  private final Schema schemaWithMeta;
  private final String schemaText;
  private final BaseFileSettings baseFileSettings;
  private final int dataBlockBytes;

  /**
   * @param rowType the table's own columns
   * @param tableName for the names in the Avro schema
   * @param dataBlockBytes a data block of a log file is closed when it has this size
   * @throws io.hudilite.core.config.HudiTableException if a column's type cannot be stored
   */
  public RowFormat(
      Storage storage,
      RowType rowType,
      String tableName,
      BaseFileSettings baseFileSettings,
      int dataBlockBytes) {
    if (dataBlockBytes < 1) {
      throw new IllegalArgumentException("Data blocks of " + dataBlockBytes + " bytes");
    }
    this.storage = storage;
    this.schemaWithMeta = AvroSchemas.toAvroWithMeta(rowType, tableName);
    this.schemaText = schemaWithMeta.toString();
    this.rowTypeWithMeta = AvroSchemas.withMetaColumns(rowType);
    this.baseFileSettings = baseFileSettings;
    this.dataBlockBytes = dataBlockBytes;
  }

  Storage storage() {
    return storage;
  }

  RowType rowTypeWithMeta() {
    return rowTypeWithMeta;
  }

  Schema schemaWithMeta() {
    return schemaWithMeta;
  }

  /** JSON of {@link #schemaWithMeta()}. */
  String schemaText() {
    return schemaText;
  }

  BaseFileSettings baseFileSettings() {
    return baseFileSettings;
  }

  int dataBlockBytes() {
    return dataBlockBytes;
  }
}
