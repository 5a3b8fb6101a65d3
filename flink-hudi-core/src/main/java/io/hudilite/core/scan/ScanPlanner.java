package io.hudilite.core.scan;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.ColumnCondition;
import io.hudilite.core.config.TableVersion;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.key.BucketCounts;
import io.hudilite.core.key.BucketHash;
import io.hudilite.core.merge.LogBlockFilter;
import io.hudilite.core.merge.WantedKeys;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.table.BucketCountsStore;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.view.FileSystemView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import javax.annotation.Nullable;

/** Which slices hold the rows of a table at one point of its timeline. */
public final class ScanPlanner {
  private final Predicate<String> partitions;
  @Nullable private final ColumnCondition condition;

  /**
   * @param partitions of partition paths relative to the base path: which ones to read
   */
  public ScanPlanner(Predicate<String> partitions) {
    this(partitions, null);
  }

  private ScanPlanner(Predicate<String> partitions, @Nullable ColumnCondition condition) {
    this.partitions = requireNonNull(partitions, "partitions");
    this.condition = condition;
  }

  /**
   * Leaves out file groups without rows for which a condition is true, where that is known without
   * opening files: those of other buckets than the wanted keys are in. A hint: others still come.
   *
   * @param rows null for none
   */
  public ScanPlanner keepOnly(@Nullable ColumnCondition rows) {
    return new ScanPlanner(partitions, rows);
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

  /**
   * The state made by the instants that were requested at {@code time} or before.
   *
   * @throws io.hudilite.core.config.HudiTableException if files of that state are cleaned, or its
   *     instants archived
   */
  public List<ScanSplit> snapshotAsOf(HudiTable table, InstantTime time) throws IOException {
    KeptStates.requireKept(table, time);
    LogBlockFilter blocks = committedBlocks(table, table.timeline().requestedUpTo(time));
    FileSystemView view = table.view();
    List<ScanSplit> splits = new ArrayList<>();
    Optional<BucketCounts> buckets = buckets(table);
    for (String partition : partitions(view)) {
      for (FileSlice slice : wanted(table, buckets, view.latestSlicesAsOf(partition, time))) {
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
    Optional<BucketCounts> buckets = buckets(table);
    List<FileSlice> slices = new ArrayList<>();
    for (String partition : partitions(view)) {
      slices.addAll(wanted(table, buckets, view.latestSlices(partition)));
    }
    return slices;
  }

  /** Empty if no bucket can be left out. */
  private Optional<BucketCounts> buckets(HudiTable table) throws IOException {
    // Without the config it is not known which columns are hashed.
    return condition == null || table.config().bucketNumber().isEmpty()
        ? Optional.empty()
        : BucketCountsStore.of(table);
  }

  /** Of the slices of one partition, those in whose buckets wanted keys can be. */
  private List<FileSlice> wanted(
      HudiTable table, Optional<BucketCounts> buckets, List<FileSlice> slices) throws IOException {
    if (buckets.isEmpty() || slices.isEmpty()) {
      return slices;
    }
    TableSchema schema = table.schema();
    Optional<WantedKeys> keys = WantedKeys.of(condition, schema, table.keyFormat());
    if (keys.isEmpty()) {
      return slices;
    }
    List<String> fields = table.config().bucketFields();
    int number = buckets.get().of(slices.get(0).groupId().partitionPath());
    BucketHash hash = new BucketHash(fields.isEmpty() ? schema.recordKeyColumns() : fields, number);
    Set<Integer> wanted = keys.get().buckets(hash);
    List<FileSlice> inThese = new ArrayList<>();
    for (FileSlice slice : slices) {
      OptionalInt bucket = BucketHash.bucketOf(slice.groupId().fileId());
      if (bucket.isEmpty() || bucket.getAsInt() >= hash.buckets()) {
        return slices; // not in buckets, or in another number of them
      }
      if (wanted.contains(bucket.getAsInt())) {
        inThese.add(slice);
      }
    }
    return inThese;
  }

  private List<String> partitions(FileSystemView view) throws IOException {
    return view.partitions().stream().filter(partitions).toList();
  }
}
