package io.hudilite.core.scan;

import io.hudilite.core.base.RowReader;
import io.hudilite.core.merge.ReadContext;
import java.io.IOException;
import org.apache.flink.table.types.logical.RowType;

/** Opens splits. */
public final class SplitReader {
  private SplitReader() {}

  /**
   * The rows of a split, with their row kinds, in the same order each time.
   *
   * @param wanted the columns to return, by name, in this order and in these types; meta columns
   *     may be among them
   * @throws io.hudilite.core.config.HudiTableException if a file of the split is gone, which a
   *     cleaner does when a reader is slower than the table's retention
   */
  public static RowReader open(ReadContext context, ScanSplit split, RowType wanted)
      throws IOException {
    throw new UnsupportedOperationException();
  }
}
