package io.hudilite.source.read;

import java.util.Set;
import javax.annotation.Nullable;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.table.data.RowData;

/**
 * Rows of one split on their way from the fetcher thread to the task thread. The rows belong to
 * whoever takes them out; they share their memory, so that each keeps that of the whole batch.
 */
final class RowBatch implements RecordsWithSplitIds<RowData> {
  @Nullable private final String splitId;
  private final RowData[] rows;
  private final Set<String> finished;
  private boolean begun;
  private int next;

  private RowBatch(@Nullable String splitId, RowData[] rows, Set<String> finished) {
    this.splitId = splitId;
    this.rows = rows;
    this.finished = finished;
  }

  /** When there is nothing to read. */
  static RowBatch empty() {
    return new RowBatch(null, new RowData[0], Set.of());
  }

  /**
   * @param rows not copied
   */
  static RowBatch of(String splitId, RowData[] rows) {
    return new RowBatch(splitId, rows, Set.of());
  }

  /** The last rows of a split, maybe none. */
  static RowBatch last(String splitId, RowData[] rows) {
    return new RowBatch(splitId, rows, Set.of(splitId));
  }

  @Nullable
  @Override
  public String nextSplit() {
    if (begun) {
      return null;
    }
    begun = true;
    return splitId;
  }

  @Nullable
  @Override
  public RowData nextRecordFromSplit() {
    if (next >= rows.length) {
      return null;
    }
    RowData row = rows[next];
    rows[next++] = null;
    return row;
  }

  @Override
  public Set<String> finishedSplits() {
    return finished;
  }
}
