package io.hudilite.source.read;

import java.util.Set;
import javax.annotation.Nullable;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.columnar.ColumnarRowData;
import org.apache.flink.table.data.columnar.vector.VectorizedColumnBatch;

/**
 * Rows of one split on their way from the fetcher thread to the task thread. The rows belong to
 * whoever takes them out and stay as they are, also where objects are used again; they share their
 * memory, so that each keeps that of the whole batch.
 */
final class RowBatch implements RecordsWithSplitIds<RowData> {

  /** Makes the rows as they are taken out. */
  @FunctionalInterface
  private interface Rows {
    RowData at(int index);
  }

  @Nullable private final String splitId;
  private final Rows rows;
  private final Set<String> finished;
  private final int end;
  private boolean begun;
  private int next;

  private RowBatch(@Nullable String splitId, Rows rows, int start, int end, Set<String> finished) {
    this.splitId = splitId;
    this.rows = rows;
    this.next = start;
    this.end = end;
    this.finished = finished;
  }

  /** When there is nothing to read. */
  static RowBatch empty() {
    return new RowBatch(null, index -> null, 0, 0, Set.of());
  }

  /**
   * @param rows not copied
   */
  static RowBatch of(String splitId, RowData[] rows) {
    return new RowBatch(splitId, index -> rows[index], 0, rows.length, Set.of());
  }

  /**
   * Rows as views of columns, which nobody changes any more.
   *
   * @param end the row after the last one
   */
  static RowBatch of(String splitId, VectorizedColumnBatch columns, int start, int end) {
    return new RowBatch(
        splitId, index -> new ColumnarRowData(columns, index), start, end, Set.of());
  }

  /** The last rows of a split, maybe none. */
  static RowBatch last(String splitId, RowData[] rows) {
    return new RowBatch(splitId, index -> rows[index], 0, rows.length, Set.of(splitId));
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
    return next < end ? rows.at(next++) : null;
  }

  @Override
  public Set<String> finishedSplits() {
    return finished;
  }
}
