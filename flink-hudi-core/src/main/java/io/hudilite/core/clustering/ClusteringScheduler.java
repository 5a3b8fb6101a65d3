package io.hudilite.core.clustering;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.compact.BusyGroups;
import io.hudilite.core.compact.CompactionScheduler;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableVersion;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.ClusteringPlan;
import io.hudilite.core.timeline.ClusteringPlanCodec;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.view.FileSystemView;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import javax.annotation.Nullable;

/**
 * Puts plans of clusterings on the timeline. Remembers which partitions may have something to
 * cluster, also for later processes: the first look at a table lists all of them, later ones look
 * at those that commits changed. Only where the filter compares partitions with each other does
 * each process list them once. Not safe for use by several threads.
 */
public final class ClusteringScheduler {
  private static final long HOUR_MILLIS = 3_600_000;

  private final ClusteringTrigger trigger;
  private final ClusteringStrategy strategy;
  private final ClusteringPlanner planner;
  private final InstantSource wall;
  private final ClusteringMemory memory;

  /** Writes whose partitions are known; null before the first look. */
  @Nullable private Set<InstantTime> seen;

  /** All, or where the filter looks at each alone, all that may have something to cluster. */
  private final Set<String> partitions = new TreeSet<>();

  /** Partitions that may have something to cluster. */
  private final Set<String> unsettled = new TreeSet<>();

  /**
   * @param wall tells the hour for {@link PartitionFilter.Mode#DAY_ROLLING}
   */
  public ClusteringScheduler(
      ClusteringTrigger trigger, ClusteringStrategy strategy, InstantSource wall) {
    this.trigger = requireNonNull(trigger, "trigger");
    this.strategy = requireNonNull(strategy, "strategy");
    this.planner = new ClusteringPlanner(strategy);
    this.wall = requireNonNull(wall, "wall");
    this.memory = new ClusteringMemory(strategy);
  }

  /** What came of looking for something to cluster. That there is nothing is no error. */
  public sealed interface Result {

    /** A plan is on the timeline now. */
    record Planned(InstantTime instant, ClusteringPlan plan) implements Result {
      public Planned {
        requireNonNull(instant, "instant");
        requireNonNull(plan, "plan");
      }
    }

    /**
     * There is no plan.
     *
     * @param reason for people, such as {@code no plan: 3 of 4 commits since clustering 2026…}
     */
    record Nothing(String reason) implements Result {
      public Nothing {
        requireNonNull(reason, "reason");
      }
    }
  }

  /**
   * Plans a clustering if it is time for one, in a process that commits nothing.
   *
   * @throws HudiTableException if a sort column is not one of the table
   * @throws IOException if it is unknown whether there is a plan now
   */
  public Result schedule(Storage storage) throws IOException {
    HudiTable table = HudiTable.open(storage);
    return schedule(table, CompactionScheduler.timeFor(table));
  }

  /**
   * Plans a clustering if it is time for one.
   *
   * @param table as it is now
   * @param time for the plan, that no other instant has or gets
   * @throws HudiTableException if a sort column is not one of the table
   * @throws IOException if it is unknown whether there is a plan now
   */
  public Result schedule(HudiTable table, InstantTime time) throws IOException {
    if (table.config().version() != TableVersion.EIGHT) {
      return new Result.Nothing(
          "no plan: the table has version %d, and only version 8 is written"
              .formatted(table.config().version().number()));
    }
    if (table.config().bucketNumber().isPresent()) {
      return new Result.Nothing(
          "no plan: the table is in buckets, whose file groups are told by the keys of their rows");
    }
    Timeline timeline = table.timeline();
    Optional<String> early = trigger.tooEarly(timeline);
    if (early.isPresent()) {
      return new Result.Nothing("no plan: " + early.get());
    }
    Set<FileGroupId> busy = BusyGroups.of(timeline, table.timelineStore());
    Predicate<InstantTime> isOfClustering =
        instant ->
            timeline
                .completedWrite(instant)
                .filter(write -> timeline.startedAs(write) == Action.CLUSTERING)
                .isPresent();
    Optional<ClusteringPlan> plan =
        planner.plan(
            candidates(table, busy, isOfClustering),
            isOfClustering,
            path -> table.storage().location() + "/" + path);
    if (plan.isEmpty()) {
      return new Result.Nothing(
          "no plan: no partition has two file groups below %d MB that would become fewer or better sorted"
              .formatted(strategy.smallFileBytes() >> 20));
    }
    strategy.requireSortable(table.schema().rowType());
    return save(table, time, plan.get(), busy);
  }

  private Map<String, List<FileSlice>> candidates(
      HudiTable table, Set<FileGroupId> busy, Predicate<InstantTime> isOfClustering)
      throws IOException {
    learnPartitions(table);
    FileSystemView view = table.view();
    int hour = (int) (wall.millis() / HOUR_MILLIS % 24); // in UTC
    Map<String, List<FileSlice>> candidates = new TreeMap<>();
    for (String partition : strategy.partitions().apply(List.copyOf(partitions), hour)) {
      if (unsettled.contains(partition)) {
        List<FileSlice> all = view.latestSlices(partition);
        List<FileSlice> free =
            all.stream().filter(slice -> !busy.contains(slice.groupId())).toList();
        if (planner.findsWork(free, isOfClustering)) {
          candidates.put(partition, free);
        } else if (free.size() == all.size()) {
          unsettled.remove(partition); // until a commit changes it
        }
      }
    }
    if (strategy.partitions().looksAtEachAlone()) {
      memory.save(table.storage(), ClusteringMemory.Known.of(table.timeline(), unsettled));
    }
    return candidates;
  }

  private void learnPartitions(HudiTable table) throws IOException {
    List<Instant.Completed> writes = table.timeline().completedWrites();
    if (seen == null && strategy.partitions().looksAtEachAlone()) {
      Optional<ClusteringMemory.Known> known = memory.load(table.storage(), table.timeline());
      if (known.isPresent()) {
        seen = new HashSet<>(known.get().seen());
        partitions.addAll(known.get().unsettled());
        unsettled.addAll(partitions);
      }
    }
    if (seen == null) {
      seen = new HashSet<>();
      partitions.addAll(table.view().partitions());
      unsettled.addAll(partitions);
    } else {
      for (Instant.Completed write : writes) {
        if (!seen.contains(write.requestedTime())) {
          CommitMetadata commit = table.timelineStore().readCommit(write);
          Set<String> changed = new HashSet<>(commit.replacedFileIds().keySet());
          commit.writeStats().forEach(stat -> changed.add(stat.partitionPath()));
          partitions.addAll(changed);
          unsettled.addAll(changed);
        }
      }
    }
    seen.clear();
    writes.forEach(write -> seen.add(write.requestedTime()));
  }

  private static Result save(
      HudiTable table, InstantTime time, ClusteringPlan plan, Set<FileGroupId> busyBefore)
      throws IOException {
    TimelineStore store = table.timelineStore();
    Instant.Requested requested = new Instant.Requested(time, Action.CLUSTERING);
    try {
      store.createRequested(requested, ClusteringPlanCodec.encode(plan));
    } catch (FileAlreadyExistsException e) {
      return new Result.Nothing("no plan: another process has just made one at " + time);
    }
    Set<FileGroupId> own = BusyGroups.ofClustering(requested, store);
    Timeline now = store.load();
    boolean isTaken =
        now.instants().stream()
            .anyMatch(
                other -> other.requestedTime().equals(time) && other.action() != Action.CLUSTERING);
    Set<FileGroupId> others = new HashSet<>();
    for (Instant other : now.pendingWrites()) {
      if (!other.requestedTime().equals(time)) {
        others.addAll(BusyGroups.of(other, store));
      }
    }
    others.removeAll(busyBefore);
    others.retainAll(own);
    if (isTaken || !others.isEmpty()) {
      store.delete(requested);
      return new Result.Nothing(
          "no plan: another process has just planned for the same file groups");
    }
    return new Result.Planned(time, plan);
  }
}
