package io.hudilite.core.base;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StorageInput;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.columnar.ColumnarRowData;
import org.apache.flink.table.data.columnar.vector.ColumnVector;
import org.apache.flink.table.data.columnar.vector.VectorizedColumnBatch;
import org.apache.flink.table.types.logical.RowType;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.VersionParser;
import org.apache.parquet.VersionParser.ParsedVersion;
import org.apache.parquet.VersionParser.VersionParseException;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * Reads a Parquet base file, or a Parquet block of a log file, as rows of the wanted type. Columns
 * are found by name; what the file does not have is null. Only the wanted columns are read. A
 * number may be wanted wider than it is stored (int, bigint, float, double, and each of them as a
 * string); times of any unit come in the unit of the wanted type. Not safe for use by several
 * threads.
 *
 * <p>Damaged files give an {@link IOException} that names the file.
 */
public final class BaseFileReader implements RowReader {
  private static final int BATCH_ROWS = VectorizedColumnBatch.DEFAULT_SIZE;

  private final String file;
  private final ParquetFileReader parquet;
  private final BatchColumn[] columns;
  private final boolean readsPages;
  private final VectorizedColumnBatch batch;
  private final ColumnarRowData row;
  private final long rowCount;
  private int nextRowGroup;
  private long leftInRowGroup;
  private int batchRows;
  private int nextInBatch;
  private long position = -1;

  private BaseFileReader(String file, ParquetFileReader parquet, RowType wanted) {
    this.file = file;
    this.parquet = parquet;
    MessageType stored = parquet.getFileMetaData().getSchema();
    MessageType projection = Projection.of(stored, wanted);
    parquet.setRequestedSchema(projection);
    ParsedVersion createdBy = createdBy(parquet.getFileMetaData().getCreatedBy());
    this.columns = new BatchColumn[wanted.getFieldCount()];
    ColumnVector[] vectors = new ColumnVector[columns.length];
    for (int i = 0; i < columns.length; i++) {
      RowType.RowField field = wanted.getFields().get(i);
      if (projection.containsField(field.getName())) {
        Type type = projection.getType(field.getName());
        columns[i] = BatchColumn.of(projection, type, field.getType(), createdBy, BATCH_ROWS);
      } else {
        columns[i] = BatchColumn.Missing.ofRows(BATCH_ROWS);
      }
      vectors[i] = columns[i].vector();
    }
    this.readsPages = projection.getFieldCount() > 0;
    this.batch = new VectorizedColumnBatch(vectors);
    this.row = new ColumnarRowData(batch);
    this.rowCount = parquet.getRecordCount();
  }

  @Nullable
  private static ParsedVersion createdBy(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      return VersionParser.parse(text);
    } catch (VersionParseException e) {
      // Some other writer than Parquet's own, so none of the faults that are worked around.
      return null;
    }
  }

  /**
   * Opens a file, whose length is asked of the storage.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file
   * @throws HudiTableException if a column is stored in a type that cannot be read as the wanted
   *     one
   */
  public static BaseFileReader open(Storage storage, String path, RowType wanted)
      throws IOException {
    StorageInput input = storage.open(path);
    long length;
    try {
      length = input.length();
    } catch (IOException | RuntimeException e) {
      closeAfter(input, e);
      throw e;
    }
    return open(storage.location() + "/" + path, input, length, wanted);
  }

  /** Opens a file of known length (a storage then need not be asked for it). */
  public static BaseFileReader open(Storage storage, String path, long length, RowType wanted)
      throws IOException {
    return open(storage.location() + "/" + path, storage.open(path), length, wanted);
  }

  /**
   * Reads a Parquet file that lies in memory, for example the content of a log block. The array
   * must not change while it is read.
   *
   * @param name for messages: the log file and where in it the block is
   */
  public static BaseFileReader open(
      String name, byte[] content, int offset, int length, RowType wanted) throws IOException {
    return open(name, new StorageInputFile.ArrayInput(content, offset, length), length, wanted);
  }

  private static BaseFileReader open(String file, StorageInput input, long length, RowType wanted)
      throws IOException {
    try {
      ParquetReadOptions options =
          ParquetReadOptions.builder(new PlainParquetConfiguration())
              .withCodecFactory(new PageCodecs())
              .withAllocator(HeapByteBufferAllocator.getInstance())
              .build();
      return new BaseFileReader(
          file, ParquetFileReader.open(new StorageInputFile(input, length, file), options), wanted);
    } catch (HudiTableException e) {
      closeAfter(input, e);
      throw e;
    } catch (IOException | RuntimeException e) {
      closeAfter(input, e);
      throw damaged(file, "its footer", e);
    }
  }

  private static void closeAfter(StorageInput input, Exception error) {
    try {
      input.close();
    } catch (IOException e) {
      error.addSuppressed(e);
    }
  }

  private static IOException damaged(String file, String part, Exception cause) {
    return new IOException(
        "Cannot read %s of %s, which may be damaged: %s".formatted(part, file, cause.getMessage()),
        cause);
  }

  /** Rows of the whole file. */
  public long rowCount() {
    return rowCount;
  }

  /** Row groups of the file. */
  public int rowGroupCount() {
    return parquet.getRowGroups().size();
  }

  /** The columns that the file has, in file order. */
  public List<String> columnNames() {
    return parquet.getFileMetaData().getSchema().getFields().stream().map(Type::getName).toList();
  }

  /** The key-values of the footer. */
  public Map<String, String> footer() {
    return Map.copyOf(parquet.getFileMetaData().getKeyValueMetaData());
  }

  /** The filter of the record keys; empty if the file has none. */
  public Optional<BloomFilter> bloomFilter() throws IOException {
    Map<String, String> footer = parquet.getFileMetaData().getKeyValueMetaData();
    String text = footer.get(KeyFooter.BLOOM_FILTER);
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          BloomFilter.DYNAMIC_TYPE.equals(footer.get(KeyFooter.BLOOM_FILTER_TYPE))
              ? BloomFilter.parseDynamic(text)
              : BloomFilter.parseSimple(text));
    } catch (IOException e) {
      throw damaged(file, "the bloom filter", e);
    }
  }

  /** The smallest record key by string comparison; empty if the footer does not tell. */
  public Optional<String> minRecordKey() {
    return Optional.ofNullable(footer().get(KeyFooter.MIN_KEY));
  }

  /** The greatest record key by string comparison; empty if the footer does not tell. */
  public Optional<String> maxRecordKey() {
    return Optional.ofNullable(footer().get(KeyFooter.MAX_KEY));
  }

  /**
   * The next row, or null at the end. The row object is used again: it is valid until the next
   * call.
   */
  @Override
  @Nullable
  public RowData next() throws IOException {
    if (nextInBatch == batchRows && !readBatch()) {
      return null;
    }
    row.setRowId(nextInBatch++);
    position++;
    return row;
  }

  private boolean readBatch() throws IOException {
    try {
      while (leftInRowGroup == 0) {
        if (!startRowGroup()) {
          return false;
        }
      }
      batchRows = (int) Math.min(leftInRowGroup, BATCH_ROWS);
      for (BatchColumn column : columns) {
        column.read(batchRows);
      }
      leftInRowGroup -= batchRows;
      nextInBatch = 0;
      batch.setNumRows(batchRows);
      return true;
    } catch (IOException | RuntimeException e) {
      batchRows = 0;
      nextInBatch = 0;
      throw damaged(file, "rows from %d on".formatted(position + 1), e);
    }
  }

  private boolean startRowGroup() throws IOException {
    if (nextRowGroup == parquet.getRowGroups().size()) {
      batchRows = 0;
      nextInBatch = 0;
      return false;
    }
    if (readsPages) {
      PageReadStore pages = parquet.readRowGroup(nextRowGroup);
      leftInRowGroup = pages.getRowCount();
      for (BatchColumn column : columns) {
        column.startRowGroup(pages);
      }
    } else {
      leftInRowGroup = parquet.getRowGroups().get(nextRowGroup).getRowCount();
    }
    nextRowGroup++;
    return true;
  }

  /**
   * Position in the file, counted from 0, of the row that {@link #next()} returned last; -1 before
   * the first.
   */
  public long rowPosition() {
    return position;
  }

  @Override
  public void close() throws IOException {
    parquet.close();
  }
}
