package io.hudilite.core.merge;

import io.hudilite.core.base.RowReader;
import io.hudilite.core.file.FileSlice;
import java.io.IOException;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Merges the files of one slice into rows: first those of the base file, in its order, then the
 * keys that only log files have. The order is the same each time. A slice without log files is read
 * without looking at keys. Not safe for use by several threads.
 */
public final class FileSliceReader implements RowReader {

  private FileSliceReader() {}

  /**
   * @param wanted the columns to return, by name, in this order and in these types; meta columns
   *     may be among them
   */
  public static FileSliceReader open(
      ReadContext context,
      FileSlice slice,
      LogBlockFilter blocks,
      RowSelection selection,
      RowType wanted)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  /** The next row, valid until the next call, or null at the end. */
  @Override
  public RowData next() throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() throws IOException {
    throw new UnsupportedOperationException();
  }
}
