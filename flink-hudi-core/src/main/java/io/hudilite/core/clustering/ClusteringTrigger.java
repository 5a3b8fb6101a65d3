package io.hudilite.core.clustering;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * Says whether it is time for a new plan. Pure. Counts as Hudi does (Hudi 1.0.2
 * ClusteringPlanActionExecutor), but for compactions, which are no commits of rows; and while a
 * plan is pending there is no other one.
 *
 * @param deltaCommits option {@code clustering.delta_commits}: commits since the last plan
 */
public record ClusteringTrigger(int deltaCommits) implements Serializable {

  /** Hudi's default. */
  public static final ClusteringTrigger DEFAULT = new ClusteringTrigger(4);

  /** Whenever there is anything to cluster. */
  public static final ClusteringTrigger ALWAYS = new ClusteringTrigger(0);

  public ClusteringTrigger {
    if (deltaCommits < 0) {
      throw new HudiTableException(
          "'clustering.delta_commits' is " + deltaCommits + "; set it to 1 or more");
    }
  }

  /** Why it is too early, or nothing if it is time. */
  public Optional<String> tooEarly(Timeline timeline) {
    List<Instant> pending = timeline.pendingClusterings();
    if (!pending.isEmpty()) {
      return Optional.of(
          "clustering %s is planned and not completed".formatted(pending.get(0).requestedTime()));
    }
    Optional<InstantTime> last =
        timeline.completedReplacements().stream()
            .filter(instant -> timeline.startedAs(instant) == Action.CLUSTERING)
            .map(Instant.Completed::requestedTime)
            .max(InstantTime::compareTo);
    long commits =
        timeline.completedWrites().stream()
            .filter(write -> timeline.startedAs(write) == write.action())
            .filter(write -> last.isEmpty() || write.completionTime().isAfter(last.get()))
            .count();
    return commits >= deltaCommits
        ? Optional.empty()
        : Optional.of(
            "%d of %d commits since %s"
                .formatted(
                    commits,
                    deltaCommits,
                    last.map(time -> "clustering " + time).orElse("the first one")));
  }
}
