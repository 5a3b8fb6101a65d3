package io.hudilite.core.archive;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Picks the instants that may leave the active timeline: always the oldest writes without a gap,
 * since what is older than the first write counts as committed. Pure. Source: Hudi 1.0.2
 * TimelineArchiverV2, and its rule that commits stay until their log files are compacted.
 */
final class ArchivePlanner {
  private final ArchiveLimits limits;

  ArchivePlanner(ArchiveLimits limits) {
    this.limits = requireNonNull(limits, "limits");
  }

  /**
   * What must stay whatever the limits say: nothing requested at or after any of these.
   *
   * @param uncompacted the oldest commit whose log files are in no base file
   * @param uncleaned the oldest replace commit whose replaced files are still there
   * @param leased the oldest position that a reader holds
   */
  record Needed(
      Optional<InstantTime> uncompacted,
      Optional<InstantTime> uncleaned,
      Optional<InstantTime> leased) {}

  /** By requested time; empty if the timeline is not too long. */
  List<Instant.Completed> plan(Timeline timeline, Needed needed) {
    List<Instant.Completed> writes =
        timeline.completedWrites().stream()
            .sorted(Comparator.comparing(Instant.Completed::requestedTime))
            .toList();
    if (writes.size() <= limits.maxCommits()) {
      return List.of();
    }
    Optional<InstantTime> bound =
        Stream.of(
                pending(timeline),
                savepoint(timeline),
                needed.uncompacted,
                needed.uncleaned,
                needed.leased.flatMap(position -> after(writes, position)))
            .flatMap(Optional::stream)
            .min(InstantTime::compareTo);
    List<Instant.Completed> archived = new ArrayList<>();
    for (Instant.Completed write : writes.subList(0, writes.size() - limits.minCommits())) {
      if (bound.isPresent() && !write.requestedTime().isBefore(bound.get())) {
        break;
      }
      archived.add(write);
    }
    if (archived.isEmpty()) {
      return List.of();
    }
    addOthers(timeline, archived.get(archived.size() - 1).requestedTime(), archived);
    archived.sort(
        Comparator.comparing(Instant.Completed::requestedTime)
            .thenComparing(Instant.Completed::action));
    return archived;
  }

  /** Anything that is planned or under way, also services, holds what comes after it. */
  private static Optional<InstantTime> pending(Timeline timeline) {
    return timeline.instants().stream()
        .filter(instant -> !instant.isCompleted())
        .map(Instant::requestedTime)
        .min(InstantTime::compareTo);
  }

  private static Optional<InstantTime> savepoint(Timeline timeline) {
    return timeline.instants().stream()
        .filter(instant -> instant.action() == Action.SAVEPOINT)
        .map(Instant::requestedTime)
        .min(InstantTime::compareTo);
  }

  private static Optional<InstantTime> after(List<Instant.Completed> writes, InstantTime position) {
    return writes.stream()
        .filter(write -> write.completionTime().isAfter(position))
        .map(Instant.Completed::requestedTime)
        .min(InstantTime::compareTo);
  }

  /** Cleans and rollbacks go with the writes around them; the newest clean stays: it is gone by. */
  private static void addOthers(
      Timeline timeline, InstantTime upTo, List<Instant.Completed> archived) {
    Optional<InstantTime> newestClean =
        timeline.instants().stream()
            .filter(instant -> instant.action() == Action.CLEAN && instant.isCompleted())
            .map(Instant::requestedTime)
            .max(InstantTime::compareTo);
    for (Instant instant : timeline.instants()) {
      boolean goes =
          switch (instant.action()) {
            case CLEAN -> !newestClean.equals(Optional.of(instant.requestedTime()));
            case ROLLBACK -> true;
            case COMMIT, DELTA_COMMIT, COMPACTION, LOG_COMPACTION, CLUSTERING, REPLACE_COMMIT ->
                false;
            case RESTORE, SAVEPOINT, INDEXING -> false;
          };
      if (goes
          && instant instanceof Instant.Completed completed
          && completed.requestedTime().isBefore(upTo)) {
        archived.add(completed);
      }
    }
  }
}
