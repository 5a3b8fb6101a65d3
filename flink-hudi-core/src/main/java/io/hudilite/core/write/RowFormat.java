package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.base.RecordFeed;
import io.hudilite.core.log.LogBlockFormat;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.storage.Storage;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.annotation.Nullable;
import org.apache.avro.Schema;
import org.apache.flink.table.types.logical.RowType;

/**
 * How a table's rows are written: schema and settings, which are the same for all its files, and
 * the buffers that its log files are put together in, one after the other. Made once per writer,
 * because schemas cost time to build and large buffers cost the garbage collector; not safe for use
 * by several threads.
 */
public final class RowFormat {
  /** Data blocks of log files are cut at about this size. */
  public static final int DEFAULT_DATA_BLOCK_BYTES = 128 << 20;

  private static final int FIRST_BUFFER_BYTES = 1 << 16;

  /** Larger arrays, of a row out of the ordinary, are not kept for the next file. */
  private static final int LARGEST_IDLE_BYTES = 32 << 20;

  private final Storage storage;
  private final RowType rowTypeWithMeta;
  private final Schema schemaWithMeta;
  private final String schemaText;
  @Nullable private final RecordFeed recordFeed;
  private final BaseFileSettings baseFileSettings;
  private final int dataBlockBytes;
  private final LogBlockFormat logBlockFormat;
  private final Deque<AvroBuffer> idleBuffers;

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
    this(storage, rowType, tableName, baseFileSettings, dataBlockBytes, LogBlockFormat.AVRO);
  }

  /**
   * The same with log blocks of a format.
   *
   * @param baseFileSettings of the Parquet files in log blocks, too
   * @throws io.hudilite.core.config.HudiTableException if a column's type cannot be stored
   */
  public RowFormat(
      Storage storage,
      RowType rowType,
      String tableName,
      BaseFileSettings baseFileSettings,
      int dataBlockBytes,
      LogBlockFormat logBlockFormat) {
    if (dataBlockBytes < 1) {
      throw new IllegalArgumentException("Data blocks of " + dataBlockBytes + " bytes");
    }
    this.storage = storage;
    this.schemaWithMeta = AvroSchemas.toAvroWithMeta(rowType, tableName);
    this.schemaText = schemaWithMeta.toString();
    this.rowTypeWithMeta = AvroSchemas.withMetaColumns(rowType);
    this.recordFeed = RecordFeed.createIfFlat(schemaWithMeta, rowTypeWithMeta);
    this.baseFileSettings = baseFileSettings;
    this.dataBlockBytes = dataBlockBytes;
    this.logBlockFormat = requireNonNull(logBlockFormat, "logBlockFormat");
    this.idleBuffers = new ArrayDeque<>();
  }

  private RowFormat(RowFormat other, Storage storage, LogBlockFormat logBlockFormat) {
    this.storage = storage;
    this.schemaWithMeta = other.schemaWithMeta;
    this.schemaText = other.schemaText;
    this.rowTypeWithMeta = other.rowTypeWithMeta;
    this.recordFeed = other.recordFeed;
    this.baseFileSettings = other.baseFileSettings;
    this.dataBlockBytes = other.dataBlockBytes;
    this.logBlockFormat = logBlockFormat;
    this.idleBuffers = other.idleBuffers;
  }

  /**
   * The same for log files that are read again at once, on another storage: in Avro. Shares the
   * buffers, so that both are for one thread.
   */
  RowFormat forScratch(Storage scratch) {
    return new RowFormat(this, scratch, LogBlockFormat.AVRO);
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

  /** From records to Parquet columns; null if there are nested columns. */
  @Nullable
  RecordFeed recordFeed() {
    return recordFeed;
  }

  BaseFileSettings baseFileSettings() {
    return baseFileSettings;
  }

  int dataBlockBytes() {
    return dataBlockBytes;
  }

  LogBlockFormat logBlockFormat() {
    return logBlockFormat;
  }

  /** An empty buffer for the content of blocks; to be {@link #giveBack given back}. */
  AvroBuffer takeBuffer() {
    AvroBuffer idle = idleBuffers.poll();
    return idle == null ? new AvroBuffer(FIRST_BUFFER_BYTES) : idle;
  }

  void giveBack(AvroBuffer buffer) {
    if (buffer.array().length <= LARGEST_IDLE_BYTES) {
      buffer.reset();
      idleBuffers.push(buffer);
    }
  }
}
