package io.hudilite.core.base;

import io.hudilite.core.storage.Storage;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

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

  private BaseFileReader() {}

  /**
   * Opens a file, whose length is asked of the storage.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file
   * @throws io.hudilite.core.config.HudiTableException if a column is stored in a type that cannot
   *     be read as the wanted one
   */
  public static BaseFileReader open(Storage storage, String path, RowType wanted)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Opens a file of known length (a storage then need not be asked for it). */
  public static BaseFileReader open(Storage storage, String path, long length, RowType wanted)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Reads a Parquet file that lies in memory, for example the content of a log block. The array
   * must not change while it is read.
   *
   * @param name for messages: the log file and where in it the block is
   */
  public static BaseFileReader open(
      String name, byte[] content, int offset, int length, RowType wanted) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Rows of the whole file. */
  public long rowCount() {
    throw new UnsupportedOperationException();
  }

  /** Row groups of the file. */
  public int rowGroupCount() {
    throw new UnsupportedOperationException();
  }

  /** The columns that the file has, in file order. */
  public java.util.List<String> columnNames() {
    throw new UnsupportedOperationException();
  }

  /** The key-values of the footer. */
  public Map<String, String> footer() {
    throw new UnsupportedOperationException();
  }

  /** The filter of the record keys; empty if the file has none. */
  public Optional<BloomFilter> bloomFilter() throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * The next row, or null at the end. The row object is used again: it is valid until the next
   * call. Its strings, arrays, maps and nested rows may be kept.
   */
  @Override
  @Nullable
  public RowData next() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Position in the file (counted from 0) of the row that {@link #next()} returned last. */
  public long rowPosition() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() throws IOException {
    throw new UnsupportedOperationException();
  }
}
