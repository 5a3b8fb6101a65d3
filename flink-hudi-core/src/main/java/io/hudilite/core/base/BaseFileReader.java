package io.hudilite.core.base;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StorageInput;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.columnar.ColumnarRowData;
import org.apache.flink.table.data.columnar.vector.BytesColumnVector;
import org.apache.flink.table.data.columnar.vector.ColumnVector;
import org.apache.flink.table.data.columnar.vector.VectorizedColumnBatch;
import org.apache.flink.table.types.logical.RowType;
import org.apache.parquet.VersionParser;
import org.apache.parquet.VersionParser.ParsedVersion;
import org.apache.parquet.VersionParser.VersionParseException;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.FileMetaData;
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

  /** Rows without columns take no memory. */
  private static final int BATCH_ROWS_TO_COUNT = 1 << 16;

  private static final int MIN_BATCH_ROWS = 16;
  private static final long BATCH_BYTES = 1L << 20;

  private final String file;
  private final FileBytes bytes;
  private final FileFooter footer;
  private final FileMetaData metadata;
  private List<BlockMetaData> rowGroups;
  private final MessageType projection;
  private final PageCodecs codecs = new PageCodecs();
  private final BatchColumn[] columns;
  private final Set<String> flatColumns = new HashSet<>();
  private final boolean readsPages;
  private final ColumnVector[] vectors;
  private final ColumnarRowData row = new ColumnarRowData();
  private final long rowCount;
  @Nullable private ColumnCondition condition;
  @Nullable private PageIndexes indexes;
  private int nextRowGroup;

  /** Of the current row group: what is wanted, which of it comes next. */
  private RowRanges ranges = new RowRanges(0);

  private int nextRange;
  private long leftInRange;
  private int maxBatchRows = BATCH_ROWS;

  /** Whether the vectors were given away. */
  private boolean vectorsAreGone;

  private int batchRows;
  private int nextInBatch;
  private long position = -1;

  private BaseFileReader(String file, FileBytes bytes, FileFooter footer, RowType wanted) {
    this.file = file;
    this.bytes = bytes;
    this.footer = footer;
    this.metadata = footer.metadata().getFileMetaData();
    this.rowGroups = footer.metadata().getBlocks();
    this.projection = Projection.of(metadata.getSchema(), wanted);
    ParsedVersion createdBy = createdBy(metadata.getCreatedBy());
    this.columns = new BatchColumn[wanted.getFieldCount()];
    this.vectors = new ColumnVector[columns.length];
    for (int i = 0; i < columns.length; i++) {
      RowType.RowField field = wanted.getFields().get(i);
      if (projection.containsField(field.getName())) {
        Type type = projection.getType(field.getName());
        columns[i] = BatchColumn.of(projection, type, field.getType(), createdBy, BATCH_ROWS);
        if (columns[i] instanceof FlatColumn) {
          flatColumns.add(field.getName());
        }
      } else {
        columns[i] = BatchColumn.Missing.ofRows(BATCH_ROWS);
      }
      vectors[i] = columns[i].vector();
    }
    this.readsPages = projection.getFieldCount() > 0;
    row.setVectorizedColumnBatch(new VectorizedColumnBatch(vectors));
    this.rowCount = rowGroups.stream().mapToLong(BlockMetaData::getRowCount).sum();
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

  /** The same when {@link #bloomFilter} will be asked for, which then costs no read of its own. */
  static BaseFileReader openWithFilter(Storage storage, String path, long length, RowType wanted)
      throws IOException {
    return open(storage.location() + "/" + path, storage.open(path), length, wanted, true);
  }

  /**
   * Reads a Parquet file that lies in memory, for example the content of a log block. The array
   * must not change while it is read.
   *
   * @param name for messages: the log file and where in it the block is
   */
  public static BaseFileReader open(
      String name, byte[] content, int offset, int length, RowType wanted) throws IOException {
    return open(name, FileBytes.of(content, offset, length), wanted, false);
  }

  /**
   * Reads a Parquet file that is part of another one, such as a block of a log file.
   *
   * @param file for messages: the log file and where in it the block is
   * @param input taken over
   */
  public static BaseFileReader open(String file, StorageInput input, long length, RowType wanted)
      throws IOException {
    return open(file, input, length, wanted, false);
  }

  private static BaseFileReader open(
      String file, StorageInput input, long length, RowType wanted, boolean withFilter)
      throws IOException {
    FileBytes bytes;
    try {
      bytes = FileBytes.of(input, length);
    } catch (IOException | RuntimeException e) {
      closeAfter(input, e);
      throw damaged(file, "the end", e);
    }
    return open(file, bytes, wanted, withFilter);
  }

  private static BaseFileReader open(
      String file, FileBytes bytes, RowType wanted, boolean withFilter) throws IOException {
    try {
      return new BaseFileReader(file, bytes, FileFooter.read(bytes, withFilter), wanted);
    } catch (HudiTableException e) {
      closeAfter(bytes, e);
      throw new HudiTableException(file + ": " + e.getMessage(), e);
    } catch (IOException | RuntimeException e) {
      closeAfter(bytes, e);
      throw damaged(file, "the footer", e);
    }
  }

  private static void closeAfter(Closeable input, Exception error) {
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

  /**
   * Leaves row groups unread whose statistics say that no row of theirs is wanted, and pages of the
   * others where the file has an index of them. To be called before the first row; positions then
   * count the rows that are read.
   */
  public void keepOnly(ColumnCondition wanted) {
    condition = wanted;
    rowGroups =
        rowGroups.stream()
            .filter(rowGroup -> wanted.mayBeTrue(new RowGroupRanges(rowGroup)))
            .toList();
    indexes = new PageIndexes(bytes, rowGroups);
  }

  /**
   * Reads only the row groups whose middle byte lies in a part of the file, so that parts that make
   * up the file have each row once. To be called before the first row; positions then count the
   * rows that are read.
   */
  public void keepOnly(ByteRange part) {
    rowGroups =
        rowGroups.stream()
            .filter(
                rowGroup ->
                    part.contains(rowGroup.getStartingPos() + rowGroup.getCompressedSize() / 2))
            .toList();
  }

  /** Rows of the row groups that are read, if no condition was set; before the first row. */
  public long rowsToRead() {
    return rowGroups.stream().mapToLong(BlockMetaData::getRowCount).sum();
  }

  /** Leaves all row groups unread. To be called before the first row. */
  public void keepNothing() {
    rowGroups = List.of();
  }

  /** Row groups of the file that are read. */
  public int rowGroupCount() {
    return rowGroups.size();
  }

  /** The columns that the file has, in file order. */
  public List<String> columnNames() {
    return metadata.getSchema().getFields().stream().map(Type::getName).toList();
  }

  /** What the footer tells of a column of the file; nothing of one that it has not. */
  public ColumnSummary summary(String column) {
    return rowGroups.stream()
        .map(rowGroup -> new RowGroupRanges(rowGroup).summary(column))
        .reduce(ColumnSummary::and)
        .orElse(ColumnSummary.UNKNOWN);
  }

  /** The key-values of the footer, but for {@link #bloomFilter}. */
  public Map<String, String> footer() {
    return footer.keyValues();
  }

  /** The filter of the record keys; empty if the file has none. */
  public Optional<BloomFilter> bloomFilter() throws IOException {
    try {
      return footer.bloomFilter();
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

  /**
   * The next rows as columns, which belong to the caller: they stay as they are. Null at the end,
   * and while {@link #next} has rows left of a batch that it began.
   */
  @Override
  @Nullable
  public VectorizedColumnBatch nextBatch() throws IOException {
    if (nextInBatch < batchRows || !readBatch()) {
      return null;
    }
    VectorizedColumnBatch batch = new VectorizedColumnBatch(vectors.clone());
    batch.setNumRows(batchRows);
    vectorsAreGone = true;
    position += batchRows;
    nextInBatch = batchRows;
    return batch;
  }

  private boolean readBatch() throws IOException {
    try {
      while (leftInRange == 0) {
        if (!startRange()) {
          batchRows = 0;
          nextInBatch = 0;
          return false;
        }
      }
      batchRows = (int) Math.min(leftInRange, maxBatchRows);
      renewVectors();
      for (BatchColumn column : columns) {
        column.read(batchRows);
      }
      leftInRange -= batchRows;
      nextInBatch = 0;
      return true;
    } catch (IOException | RuntimeException e) {
      batchRows = 0;
      nextInBatch = 0;
      throw damaged(file, "rows from %d on".formatted(position + 1), e);
    }
  }

  private void renewVectors() {
    if (vectorsAreGone) {
      for (int i = 0; i < columns.length; i++) {
        columns[i].renew();
        vectors[i] = columns[i].vector();
      }
      vectorsAreGone = false;
    }
  }

  /** False at the end of the file. */
  private boolean startRange() throws IOException {
    while (nextRange == ranges.ranges().size()) {
      if (nextRowGroup == rowGroups.size()) {
        return false;
      }
      startRowGroup(rowGroups.get(nextRowGroup++));
    }
    RowRanges.Range range = ranges.ranges().get(nextRange++);
    leftInRange = range.end() - range.start();
    if (readsPages) {
      for (BatchColumn column : columns) {
        column.seek(range.start());
      }
    }
    return true;
  }

  private void startRowGroup(BlockMetaData rowGroup) throws IOException {
    ranges =
        condition == null || indexes == null
            ? RowRanges.all(rowGroup.getRowCount())
            : indexes.rowsFor(condition, rowGroup);
    nextRange = 0;
    if (columns.length == 0) {
      maxBatchRows = BATCH_ROWS_TO_COUNT;
    }
    if (readsPages && !ranges.ranges().isEmpty()) {
      maxBatchRows = rowsInABatch(rowGroup);
      RowGroupPages pages =
          RowGroupPages.read(bytes, rowGroup, projection, codecs, ranges, indexes, flatColumns);
      for (BatchColumn column : columns) {
        column.startRowGroup(pages);
      }
    }
  }

  /** Fewer where rows are large, since some batches wait for the task thread. */
  private int rowsInABatch(BlockMetaData rowGroup) {
    long total = 0;
    for (ColumnChunkMetaData chunk : rowGroup.getColumns()) {
      if (projection.containsPath(chunk.getPath().toArray())) {
        total += Math.max(0, chunk.getTotalUncompressedSize());
      }
    }
    long bytesOfARow = Math.max(1, total / Math.max(1, rowGroup.getRowCount()));
    return (int) Math.max(MIN_BATCH_ROWS, Math.min(BATCH_ROWS, BATCH_BYTES / bytesOfARow));
  }

  /**
   * The texts or bytes of a wanted column, whose first {@link #batchRows} rows are valid until the
   * batch's last row was returned by {@link #next}, if batches are never asked for; null if the
   * column has other values, or is not in the file.
   */
  @Nullable
  public BytesColumnVector texts(int column) {
    return columns[column] instanceof FlatColumn
            && vectors[column] instanceof BytesColumnVector texts
        ? texts
        : null;
  }

  /** Index in its batch of the row that {@link #next()} returned last. */
  public int rowInBatch() {
    return nextInBatch - 1;
  }

  /** Rows of the current batch. */
  public int batchRows() {
    return batchRows;
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
    bytes.close();
  }
}
