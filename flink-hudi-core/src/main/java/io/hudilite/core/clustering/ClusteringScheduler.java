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
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.view.FileSystemView;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Puts plans of clusterings on the timeline. Keeps nothing; not safe for use by several threads.
 */
public final class ClusteringScheduler {
  private final ClusteringTrigger trigger;
  private final ClusteringStrategy strategy;
  private final InstantSource wall;

  /**
   * @param wall tells the hour for {@link PartitionFilter.Mode#DAY_ROLLING}
   */
  public ClusteringScheduler(
      ClusteringTrigger trigger, ClusteringStrategy strategy, InstantSource wall) {
    this.trigger = requireNonNull(trigger, "trigger");
    this.strategy = requireNonNull(strategy, "strategy");
    this.wall = requireNonNull(wall, "wall");
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
    Optional<ClusteringPlan> plan =
        new ClusteringPlanner(strategy)
            .plan(
                candidates(table, busy),
                instant ->
                    timeline
                        .completedWrite(instant)
                        .filter(write -> timeline.startedAs(write) == Action.CLUSTERING)
                        .isPresent(),
                path -> table.storage().location() + "/" + path);
    if (plan.isEmpty()) {
      return new Result.Nothing(
          "no plan: no partition has two file groups below %d MB that would become fewer or better sorted"
              .formatted(strategy.smallFileBytes() >> 20));
    }
    strategy.requireSortable(table.schema().rowType());
    return save(table, time, plan.get(), busy);
  }

  private Map<String, List<FileSlice>> candidates(HudiTable table, Set<FileGroupId> busy)
      throws IOException {
    FileSystemView view = table.view();
    int hour = wall.instant().atZone(ZoneId.of("UTC")).getHour();
    Map<String, List<FileSlice>> candidates = new TreeMap<>();
    for (String partition : strategy.partitions().apply(view.partitions(), hour)) {
      candidates.put(
          partition,
          view.latestSlices(partition).stream()
              .filter(slice -> !busy.contains(slice.groupId()))
              .toList());
    }
    return candidates;
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
