package io.hudilite.core.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.util.List;
import java.util.Optional;

/**
 * What a timeline says of compactions. A delta commit counts as after a compaction if it
 * <em>completed</em> after the compaction was requested: then its log files are not in the plan.
 *
 * @param sinceCompletion requested time of the newest completed compaction; empty if there is none
 * @param commitsSinceCompletion delta commits after it, or all
 * @param sinceRequest requested time of the newest compaction, completed or not
 * @param commitsSinceRequest delta commits after it, or all
 * @param firstDeltaCommit requested time
 * @param oldestUncompacted requested time of the first delta commit after the newest completed
 *     compaction
 * @param pending requested time of the oldest compaction that is planned and not completed
 */
public record CompactionHistory(
    Optional<InstantTime> sinceCompletion,
    int commitsSinceCompletion,
    Optional<InstantTime> sinceRequest,
    int commitsSinceRequest,
    Optional<InstantTime> firstDeltaCommit,
    Optional<InstantTime> oldestUncompacted,
    Optional<InstantTime> pending) {
  public CompactionHistory {
    requireNonNull(sinceCompletion, "sinceCompletion");
    requireNonNull(sinceRequest, "sinceRequest");
    requireNonNull(firstDeltaCommit, "firstDeltaCommit");
    requireNonNull(oldestUncompacted, "oldestUncompacted");
    requireNonNull(pending, "pending");
  }

  /** Of a merge-on-read table, where each completed {@code commit} is a compaction. */
  public static CompactionHistory of(Timeline timeline) {
    List<Instant.Completed> deltas =
        timeline.completedWrites().stream()
            .filter(write -> write.action() == Action.DELTA_COMMIT)
            .toList();
    Optional<InstantTime> completed =
        timeline.completedWrites().stream()
            .filter(write -> write.action() == Action.COMMIT)
            .map(Instant.Completed::requestedTime)
            .max(InstantTime::compareTo);
    List<InstantTime> pending =
        timeline.pendingCompactions().stream()
            .filter(instant -> instant.action() == Action.COMPACTION)
            .map(Instant::requestedTime)
            .sorted()
            .toList();
    Optional<InstantTime> requested =
        pending.stream()
            .skip(Math.max(0, pending.size() - 1))
            .findFirst()
            .filter(time -> completed.isEmpty() || time.isAfter(completed.get()))
            .or(() -> completed);
    return new CompactionHistory(
        completed,
        countAfter(deltas, completed),
        requested,
        countAfter(deltas, requested),
        deltas.stream().map(Instant.Completed::requestedTime).min(InstantTime::compareTo),
        deltas.stream()
            .filter(delta -> completed.isEmpty() || delta.completionTime().isAfter(completed.get()))
            .map(Instant.Completed::requestedTime)
            .min(InstantTime::compareTo),
        pending.stream().findFirst());
  }

  private static int countAfter(List<Instant.Completed> deltas, Optional<InstantTime> time) {
    return time.isEmpty()
        ? deltas.size()
        : (int) deltas.stream().filter(delta -> delta.completionTime().isAfter(time.get())).count();
  }
}
