package io.hudilite.core.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileGroup;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CompactionPlan;
import io.hudilite.core.timeline.CompactionPlanCodec;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.view.FileSystemView;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Puts plans of compactions on the timeline. Remembers what it has read of the timeline, so it is
 * best kept; it lists only the partitions that have something to compact. Not safe for use by
 * several threads.
 *
 * <p>The time {@code k} of a plan parts the log files: those whose commits completed before are in
 * the plan, all others belong to the slice that the compaction makes. So no commit may appear later
 * with a completion time before {@code k}. A coordinator gives a time of the clock that its commits
 * take theirs from; others use {@link #timeFor}.
 */
public final class CompactionScheduler {
  private final CompactionTrigger trigger;
  private final CompactionPlanner planner;
  private final UncompactedGroups uncompacted = new UncompactedGroups();

  public CompactionScheduler(CompactionTrigger trigger, PlanLimits limits) {
    this.trigger = requireNonNull(trigger, "trigger");
    this.planner = new CompactionPlanner(limits);
  }

  /**
   * Plans a compaction if it is time for one.
   *
   * @param table as it is now
   * @param time for the plan: after the completion times of all commits that are to be in it,
   *     before those of all commits to come
   * @throws IOException if it is unknown whether there is a plan now
   */
  public ScheduleResult schedule(HudiTable table, InstantTime time) throws IOException {
    Timeline timeline = table.timeline().completedBefore(time);
    ZoneId zone = table.config().timelineZone();
    Optional<String> early = trigger.tooEarly(CompactionHistory.of(timeline), time, zone);
    if (early.isPresent()) {
      return new ScheduleResult.Nothing("no plan: " + early.get());
    }
    Optional<CompactionPlan> plan = plan(table, timeline);
    if (plan.isEmpty()) {
      return new ScheduleResult.Nothing(
          "no plan: no file group has log files that may be compacted now");
    }
    Instant.Requested requested = new Instant.Requested(time, Action.COMPACTION);
    TimelineStore store = table.timelineStore();
    try {
      store.createRequested(requested, CompactionPlanCodec.encode(plan.get()));
    } catch (FileAlreadyExistsException e) {
      return new ScheduleResult.Nothing("no plan: another process has just made one at " + time);
    }
    Timeline now = store.load();
    if (hasChangedBefore(now, timeline, time)) {
      // Its log files are not in the plan, and would be lost to the slice that it makes.
      store.delete(requested);
      return new ScheduleResult.Nothing("no plan: a commit came in between; at the next one");
    }
    if (isClusteredSince(now, timeline, plan.get(), store)) {
      store.delete(requested);
      return new ScheduleResult.Nothing("no plan: a clustering has just got its file groups");
    }
    return new ScheduleResult.Planned(time, plan.get());
  }

  private static boolean isClusteredSince(
      Timeline now, Timeline seen, CompactionPlan plan, TimelineStore store) throws IOException {
    for (Instant clustering : now.pendingClusterings()) {
      if (seen.pending(clustering.requestedTime()).isEmpty()) {
        Set<FileGroupId> taken = BusyGroups.ofClustering(clustering, store);
        for (CompactionPlan.Operation operation : plan.operations()) {
          if (taken.contains(
              new FileGroupId(operation.partitionPath(), new FileId(operation.fileId())))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Another instant of this time, or a commit before it that was not seen. */
  private static boolean hasChangedBefore(Timeline now, Timeline seen, InstantTime time) {
    for (Instant instant : now.instants()) {
      if (instant.requestedTime().equals(time) && instant.action() != Action.COMPACTION) {
        return true;
      }
    }
    return now.completedWrites().stream()
        .anyMatch(
            write ->
                write.completionTime().isBefore(time)
                    && seen.completedWrite(write.requestedTime()).isEmpty());
  }

  private Optional<CompactionPlan> plan(HudiTable table, Timeline timeline) throws IOException {
    uncompacted.update(timeline, table.timelineStore());
    FileSystemView view =
        FileSystemView.load(table.storage(), table.config(), timeline, table.timelineStore());
    Set<FileGroupId> groups = uncompacted.groups();
    Set<FileGroupId> busy = BusyGroups.of(timeline, table.timelineStore());
    List<FileSlice> latest = new ArrayList<>();
    for (String partition : uncompacted.partitions()) {
      for (FileGroup group : view.fileGroups(partition)) {
        if (groups.contains(group.id()) && !view.isReplaced(group.id())) {
          group.latestSlice().ifPresent(latest::add);
        }
      }
    }
    return planner.plan(latest, busy);
  }

  /**
   * A time for a plan made in a process that commits nothing: right after the last commit, so that
   * commits which are under way now come after it.
   */
  public static InstantTime timeFor(HudiTable table) {
    ZoneId zone = table.config().timelineZone();
    InstantTime last = table.timeline().lastCompletion().orElse(InstantTime.BEGINNING);
    if (last.digits().length() < 17) {
      return new InstantTime("00000000000000001");
    }
    long millis = last.toMillis(zone);
    while (true) {
      InstantTime time = InstantTime.ofMillis(++millis, zone);
      if (time.isAfter(last)
          && table.timeline().instants().stream()
              .noneMatch(instant -> instant.requestedTime().equals(time))) {
        return time;
      }
    }
  }
}
