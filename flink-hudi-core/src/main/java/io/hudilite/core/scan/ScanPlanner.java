package io.hudilite.core.scan;

import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

/** Which slices hold the rows of a table at one point of its timeline. */
public final class ScanPlanner {
  private final Predicate<String> partitions;

  /**
   * @param partitions of partition paths relative to the base path: which ones to read
   */
  public ScanPlanner(Predicate<String> partitions) {
    this.partitions = partitions;
  }

  /** All partitions. */
  public ScanPlanner() {
    this(path -> true);
  }

  /** The newest state of the table as it was opened; ordered by file group. */
  public List<ScanSplit> snapshot(HudiTable table) throws IOException {
    throw new UnsupportedOperationException(partitions.toString());
  }

  /** The state made by the instants that were requested at {@code time} or before. */
  public List<ScanSplit> snapshotAsOf(HudiTable table, InstantTime time) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** The newest base files alone: quick to read, without the newest changes. */
  public List<ScanSplit> readOptimized(HudiTable table) throws IOException {
    throw new UnsupportedOperationException();
  }
}
