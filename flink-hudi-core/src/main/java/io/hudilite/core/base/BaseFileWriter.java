package io.hudilite.core.base;

import io.hudilite.core.columns.FlatColumn;
import io.hudilite.core.columns.RowGroupColumns;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryStringData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one base file: Parquet with Hudi's footer. The caller may use its rows again. Not safe for
 * use by several threads.
 */
public final class BaseFileWriter implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(BaseFileWriter.class);
  private static final String AVRO_SCHEMA = "parquet.avro.schema";
  private static final String MODEL_NAME = "writer.model.name";

  /** Their values differ from row to row. */
  private static final Set<String> UNIQUE_COLUMNS =
      Set.of(MetaColumns.RECORD_KEY, MetaColumns.COMMIT_SEQNO);

  /** Between two looks at the size of the row group. */
  private static final int ROWS_BETWEEN_SIZE_CHECKS = 500;

  private final String file;
  private final RowType rowType;
  private final String avroSchema;
  private final BaseFileSettings settings;
  private final MessageType schema;
  private final NewOutputFile output;
  private final ParquetFileWriter fileWriter;
  private final BytesInputCompressor compressor;
  private final ValueWriter[] columns;
  private final boolean[] nullable;

  /** Column of the keys that the footer indexes, -1 for none. */
  private final int keyIndex;

  private final KeyFooter keyFooter;

  private final ParquetProperties properties;

  /** Holds the file name that all rows get; null as long as rows bring theirs. */
  @Nullable private GenericRowData fileNameRow;

  private int fileNameIndex = -1;
  @Nullable private ColumnChunkPageWriteStore pages;
  @Nullable private RowGroupColumns columnStore;

  /** Of the row group, if rows come as records. */
  @Nullable private FlatColumn[] flatColumns;

  private long rowCount;
  private long groupRows;
  private long bufferedBytes;
  private long fileSizeBytes = -1;
  private boolean failed;
  private boolean closed;

  private BaseFileWriter(
      String file,
      RowType rowType,
      String avroSchema,
      BaseFileSettings settings,
      int keyIndex,
      MessageType schema,
      NewOutputFile output,
      ParquetFileWriter fileWriter) {
    this.file = file;
    this.rowType = rowType;
    this.avroSchema = avroSchema;
    this.settings = settings;
    this.schema = schema;
    this.output = output;
    this.fileWriter = fileWriter;
    this.compressor =
        new PageCodecs().getCompressor(CompressionCodecName.valueOf(settings.compression().name()));
    this.columns = ValueWriter.ofColumns(rowType, schema);
    this.nullable = new boolean[columns.length];
    for (int i = 0; i < columns.length; i++) {
      nullable[i] = rowType.getTypeAt(i).isNullable();
    }
    this.keyIndex = keyIndex;
    this.keyFooter = new KeyFooter(settings.bloomErrorRate());
    this.properties = properties(settings);
  }

  /**
   * Creates the file.
   *
   * @param rowType all columns of the file, the five meta columns first; the writer indexes the
   *     bloom filter and the smallest and greatest key by {@code _hoodie_record_key} (a row type
   *     without this column gives a plain Parquet file, as in a log block)
   * @param avroSchema JSON text of the same columns, stored as {@code parquet.avro.schema}
   * @throws FileAlreadyExistsException if there is such a file
   * @throws io.hudilite.core.config.HudiTableException if a column has a type that base files
   *     cannot hold; nothing was created
   */
  public static BaseFileWriter create(
      Storage storage, String path, RowType rowType, String avroSchema, BaseFileSettings settings)
      throws IOException {
    return open(
        NewOutputFile.in(storage, path),
        storage.location() + "/" + path,
        rowType,
        avroSchema,
        settings,
        rowType.getFieldIndex(MetaColumns.RECORD_KEY));
  }

  /**
   * Writes the Parquet file of a log block: as a base file, but without an index of its keys.
   *
   * @param out gets the bytes of the file; closed with the writer
   * @param name for messages
   */
  public static BaseFileWriter ofLogBlock(
      OutputStream out, String name, RowType rowType, String avroSchema, BaseFileSettings settings)
      throws IOException {
    return open(NewOutputFile.to(out, name), name, rowType, avroSchema, settings, -1);
  }

  private static BaseFileWriter open(
      NewOutputFile output,
      String name,
      RowType rowType,
      String avroSchema,
      BaseFileSettings settings,
      int keyIndex)
      throws IOException {
    MessageType schema = ParquetSchemas.toParquet(rowType);
    try {
      ParquetFileWriter fileWriter =
          new ParquetFileWriter(
              output,
              schema,
              ParquetFileWriter.Mode.CREATE,
              settings.rowGroupBytes(),
              0,
              ParquetProperties.DEFAULT_COLUMN_INDEX_TRUNCATE_LENGTH,
              ParquetProperties.DEFAULT_STATISTICS_TRUNCATE_LENGTH,
              true);
      fileWriter.start();
      return new BaseFileWriter(
          name, rowType, avroSchema, settings, keyIndex, schema, output, fileWriter);
    } catch (IOException | RuntimeException e) {
      try {
        output.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  /**
   * Gives all rows this {@code _hoodie_file_name}, whatever they bring: for rows that come from
   * other files. To be called before the first row.
   */
  public BaseFileWriter withFileName(String fileName) {
    fileNameIndex = rowType.getFieldIndex(MetaColumns.FILE_NAME);
    fileNameRow = new GenericRowData(rowType.getFieldCount());
    fileNameRow.setField(fileNameIndex, StringData.fromString(fileName));
    return this;
  }

  /**
   * Appends a row.
   *
   * @throws IOException on a failure of the storage; the file is then of no use
   * @throws io.hudilite.core.config.HudiTableException if a NOT NULL column is null; the file is
   *     then of no use
   */
  public void write(RowData row) throws IOException {
    if (closed || failed) {
      throw new IllegalStateException(file + " is closed or failed before");
    }
    failed = true;
    rowCount++;
    writeColumns(row);
    failed = false;
  }

  /**
   * Appends a row that comes as an Avro record of the file's schema.
   *
   * @param feed for the schema and row type of this file
   * @param bytes hold the record; may be reused after the call
   * @throws IOException as of {@link #write(RowData)}, and if the record is damaged
   */
  public void write(RecordFeed feed, byte[] bytes, int offset, int length) throws IOException {
    if (closed || failed || fileNameRow != null) {
      throw new IllegalStateException(file + " is closed, failed before, or wants rows");
    }
    failed = true;
    rowCount++;
    if (columnStore == null) {
      startRowGroup();
    }
    feed.write(bytes, offset, offset + length, flatColumns());
    endRow();
    failed = false;
  }

  private FlatColumn[] flatColumns() {
    if (flatColumns == null) {
      flatColumns = schema.getColumns().stream().map(columnStore::flat).toArray(FlatColumn[]::new);
    }
    return flatColumns;
  }

  /** Notes a key for the footer; not for rows, whose keys are seen. */
  public void addKey(byte[] bytes, int offset, int length) {
    if (keyIndex >= 0) {
      keyFooter.add(bytes, offset, length);
    }
  }

  private static ParquetProperties properties(BaseFileSettings settings) {
    return ParquetProperties.builder()
        .withWriterVersion(ParquetProperties.WriterVersion.PARQUET_1_0)
        .withAllocator(HeapByteBufferAllocator.getInstance())
        .withPageSize(settings.pageBytes())
        .withDictionaryPageSize(settings.pageBytes())
        .withSizeStatisticsEnabled(false)
        .withPageWriteChecksumEnabled(true)
        .withDictionaryEncoding(true)
        .build();
  }

  private void startRowGroup() {
    pages =
        new ColumnChunkPageWriteStore(
            compressor,
            schema,
            properties.getAllocator(),
            properties.getColumnIndexTruncateLength(),
            properties.getPageWriteChecksumEnabled());
    columnStore =
        new RowGroupColumns(schema, pages, properties, UNIQUE_COLUMNS, settings.sampleRows());
    for (ValueWriter column : columns) {
      column.bind(columnStore);
    }
  }

  private void writeColumns(RowData row) throws IOException {
    if (columnStore == null) {
      startRowGroup();
    }
    for (int i = 0; i < columns.length; i++) {
      if (i == fileNameIndex) {
        columns[i].write(fileNameRow, i, 0);
      } else if (!row.isNullAt(i)) {
        columns[i].write(row, i, 0);
      } else if (nullable[i]) {
        columns[i].writeNull(0, 0);
      } else {
        throw ValueWriter.nullIn(rowType.getFieldNames().get(i));
      }
    }
    if (keyIndex >= 0 && !row.isNullAt(keyIndex)) {
      addKey(row.getString(keyIndex));
    }
    endRow();
  }

  private void addKey(StringData key) {
    if (key instanceof BinaryStringData text) {
      text.ensureMaterialized();
      MemorySegment[] segments = text.getSegments();
      if (segments.length == 1 && !segments[0].isOffHeap()) {
        keyFooter.add(segments[0].getHeapMemory(), text.getOffset(), text.getSizeInBytes());
        return;
      }
    }
    byte[] utf8 = key.toBytes();
    keyFooter.add(utf8, 0, utf8.length);
  }

  private void endRow() throws IOException {
    columnStore.endRecord();
    groupRows++;
    if (groupRows % ROWS_BETWEEN_SIZE_CHECKS == 0) {
      bufferedBytes = columnStore.getBufferedSize();
      if (bufferedBytes >= settings.rowGroupBytes()) {
        flushRowGroup();
      }
    }
  }

  private void flushRowGroup() throws IOException {
    if (columnStore == null) {
      return;
    }
    try (ColumnWriteStore store = columnStore;
        ColumnChunkPageWriteStore chunks = pages) {
      fileWriter.startBlock(groupRows);
      store.flush();
      chunks.flushToFileWriter(fileWriter);
      fileWriter.endBlock();
    } catch (IOException e) {
      throw new IOException("Cannot write a row group of " + file, e);
    } finally {
      columnStore = null;
      pages = null;
      flatColumns = null;
    }
    groupRows = 0;
    bufferedBytes = 0;
  }

  /** Rows written so far. */
  public long rowCount() {
    return rowCount;
  }

  /**
   * About how big the file would be if it were closed now; rises while rows are written, but for
   * the end of a row group.
   */
  public long estimatedSizeBytes() {
    if (closed) {
      return Math.max(0, fileSizeBytes);
    }
    try {
      return fileWriter.getPos() + bufferedBytes;
    } catch (IOException e) {
      throw new IllegalStateException("The stream counts its bytes itself", e);
    }
  }

  /**
   * Size of the complete file in bytes.
   *
   * @throws IllegalStateException if it was not closed without an error
   */
  public long fileSizeBytes() {
    if (fileSizeBytes < 0) {
      throw new IllegalStateException(file + " is not complete");
    }
    return fileSizeBytes;
  }

  /** The smallest record key by string comparison; empty without rows. Complete once closed. */
  public Optional<String> minRecordKey() {
    return keyFooter.minKey();
  }

  /** The greatest record key by string comparison; empty without rows. Complete once closed. */
  public Optional<String> maxRecordKey() {
    return keyFooter.maxKey();
  }

  /**
   * Finishes the file: it is complete when this returns without an error. Does nothing on the
   * second call; after a failed {@link #write} it gives the file up as {@link #abort()} does.
   */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    if (failed) {
      abort();
      return;
    }
    try {
      flushRowGroup();
      Map<String, String> footer = new HashMap<>();
      footer.put(AVRO_SCHEMA, avroSchema);
      footer.put(MODEL_NAME, "avro");
      if (keyIndex >= 0) {
        keyFooter.addTo(footer);
      }
      fileWriter.end(footer);
      fileSizeBytes = output.position();
      closed = true;
    } finally {
      if (!closed) {
        abort();
      }
    }
  }

  /** Gives the file up: closes the stream and leaves a torn file that the caller deletes. */
  public void abort() {
    if (closed) {
      return;
    }
    closed = true;
    fileWriter.abort();
    try (fileWriter;
        output;
        ColumnChunkPageWriteStore chunks = pages;
        ColumnWriteStore store = columnStore) {
      columnStore = null;
      pages = null;
    } catch (IOException | RuntimeException e) {
      // The file is given up in any case; what made the caller do so is the error to show.
      LOG.debug("Closing the given up file {}", file, e);
    }
  }
}
