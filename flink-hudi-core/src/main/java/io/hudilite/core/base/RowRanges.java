package io.hudilite.core.base;

import java.util.ArrayList;
import java.util.List;

/** Some rows of a row group: ranges in ascending order with gaps between them. */
final class RowRanges {

  /**
   * @param end the row after the last one
   */
  record Range(long start, long end) {}

  private final List<Range> ranges = new ArrayList<>();
  private final long rowCount;

  /**
   * No rows yet.
   *
   * @param rowCount rows of the row group
   */
  RowRanges(long rowCount) {
    this.rowCount = rowCount;
  }

  static RowRanges all(long rowCount) {
    RowRanges ranges = new RowRanges(rowCount);
    ranges.add(0, rowCount);
    return ranges;
  }

  /** Adds rows behind those that are there. */
  void add(long start, long end) {
    int last = ranges.size() - 1;
    if (last >= 0 && ranges.get(last).end == start) {
      ranges.set(last, new Range(ranges.get(last).start, end));
    } else if (start < end) {
      ranges.add(new Range(start, end));
    }
  }

  List<Range> ranges() {
    return ranges;
  }

  boolean isAll() {
    return rowCount == 0
        || (ranges.size() == 1 && ranges.get(0).start == 0 && ranges.get(0).end == rowCount);
  }

  /** Whether one of the rows lies in there. */
  boolean overlap(long start, long end) {
    for (Range range : ranges) {
      if (range.start < end && start < range.end) {
        return true;
      }
    }
    return false;
  }
}
