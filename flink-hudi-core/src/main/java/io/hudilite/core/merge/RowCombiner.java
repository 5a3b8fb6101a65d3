package io.hudilite.core.merge;

import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;

/**
 * Makes one row out of two versions of it. Has to be associative: the versions in log files are
 * combined with each other first, and then with the row of the base file. Not safe for use by
 * several threads.
 */
@FunctionalInterface
public interface RowCombiner {

  /**
   * The row that both make; neither is a delete. May be one of the two, or a new row, or one that
   * is used again with the next call. What it holds may point into the given rows.
   *
   * @param earlier the one that comes first in reading order
   * @param laterWins what {@link RecordMerger#laterWins} said of the two
   * @return null if the row is deleted
   */
  @Nullable
  RowData combine(RowData earlier, RowData later, boolean laterWins);
}
