package io.hudilite.core.scan;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.TableVersion;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.merge.LogBlockFilter;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.view.FileSystemView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Which slices hold the rows of a table at one point of its timeline. */
public final class ScanPlanner {
  private final Predicate<String> partitions;

  /**
   * @param partitions of partition paths relative to the base path: which ones to read
   */
  public ScanPlanner(Predicate<String> partitions) {
    this.partitions = requireNonNull(partitions, "partitions");
  }

  /** All partitions. */
  public ScanPlanner() {
    this(path -> true);
  }

  /** The newest state of the table as it was opened; ordered by file group. */
  public List<ScanSplit> snapshot(HudiTable table) throws IOException {
    LogBlockFilter blocks = committedBlocks(table, table.timeline());
    List<ScanSplit> splits = new ArrayList<>();
    for (FileSlice slice : slices(table)) {
      splits.add(new ScanSplit.Snapshot(slice, blocks));
    }
    return splits;
  }

  /** The state made by the instants that were requested at {@code time} or before. */
  public List<ScanSplit> snapshotAsOf(HudiTable table, InstantTime time) throws IOException {
    LogBlockFilter blocks = committedBlocks(table, table.timeline().requestedUpTo(time));
    FileSystemView view = table.view();
    List<ScanSplit> splits = new ArrayList<>();
    for (String partition : partitions(view)) {
      for (FileSlice slice : view.latestSlicesAsOf(partition, time)) {
        splits.add(new ScanSplit.Snapshot(slice, blocks));
      }
    }
    return splits;
  }

  /** The newest base files alone: quick to read, without the newest changes. */
  public List<ScanSplit> readOptimized(HudiTable table) throws IOException {
    List<ScanSplit> splits = new ArrayList<>();
    for (FileSlice slice : slices(table)) {
      if (slice.baseFile().isPresent()) {
        splits.add(new ScanSplit.Snapshot(slice.withoutLogFiles(), LogBlockFilter.ALL));
      }
    }
    return splits;
  }

  /** In version 8 the names of log files tell which are committed, before only their blocks do. */
  static LogBlockFilter committedBlocks(HudiTable table, Timeline timeline) {
    return table.config().version() == TableVersion.SIX
        ? LogBlockFilter.committedOn(timeline)
        : LogBlockFilter.ALL;
  }

  private List<FileSlice> slices(HudiTable table) throws IOException {
    FileSystemView view = table.view();
    List<FileSlice> slices = new ArrayList<>();
    for (String partition : partitions(view)) {
      slices.addAll(view.latestSlices(partition));
    }
    return slices;
  }

  private List<String> partitions(FileSystemView view) throws IOException {
    return view.partitions().stream().filter(partitions).toList();
  }
}
