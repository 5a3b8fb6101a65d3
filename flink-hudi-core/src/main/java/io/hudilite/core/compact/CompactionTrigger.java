package io.hudilite.core.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.timeline.InstantTime;
import java.io.Serializable;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Says whether it is time for a new plan. Pure: what it looks at is a {@link CompactionHistory}.
 * Counts as Hudi does (Hudi 1.0.2 ScheduleCompactionActionExecutor.needCompact), but for one thing:
 * while a plan is pending, the strategies that count from the last <em>completed</em> compaction do
 * not make another one with each commit; they wait for it.
 *
 * @param deltaCommits option {@code compaction.delta_commits}
 * @param deltaTime option {@code compaction.delta_seconds}
 */
public record CompactionTrigger(TriggerStrategy strategy, int deltaCommits, Duration deltaTime)
    implements Serializable {

  /** Hudi's defaults: 5 delta commits since the last completed compaction. */
  public static final CompactionTrigger DEFAULT =
      new CompactionTrigger(TriggerStrategy.NUM_COMMITS, 5, Duration.ofHours(1));

  /** Whenever there is anything to compact. */
  public static final CompactionTrigger ALWAYS =
      new CompactionTrigger(TriggerStrategy.NUM_COMMITS_AFTER_LAST_REQUEST, 1, Duration.ZERO);

  public CompactionTrigger {
    requireNonNull(strategy, "strategy");
    requireNonNull(deltaTime, "deltaTime");
    if (deltaCommits < 1) {
      throw new HudiTableException(
          "'compaction.delta_commits' is " + deltaCommits + "; set it to 1 or more");
    }
    if (deltaTime.isNegative()) {
      throw new HudiTableException(
          "'compaction.delta_seconds' is " + deltaTime.toSeconds() + "; set it to 0 or more");
    }
  }

  /**
   * Why it is too early, or nothing if it is time.
   *
   * @param now the time that the plan would get
   * @param zone of the timeline
   */
  public Optional<String> tooEarly(CompactionHistory history, InstantTime now, ZoneId zone) {
    if (strategy == TriggerStrategy.NUM_COMMITS_AFTER_LAST_REQUEST) {
      return commits(history.commitsSinceRequest(), history.sinceRequest());
    }
    if (history.pending().isPresent()) {
      return Optional.of(
          "compaction %s is planned and not completed".formatted(history.pending().get()));
    }
    Optional<String> commits = commits(history.commitsSinceCompletion(), history.sinceCompletion());
    return switch (strategy) {
      case NUM_COMMITS, NUM_COMMITS_AFTER_LAST_REQUEST -> commits;
      case TIME_ELAPSED -> time(history, now, zone);
      case NUM_AND_TIME -> commits.or(() -> time(history, now, zone));
      case NUM_OR_TIME ->
          commits.flatMap(early -> time(history, now, zone).map(soon -> early + ", and " + soon));
    };
  }

  private Optional<String> commits(int count, Optional<InstantTime> since) {
    return count >= deltaCommits
        ? Optional.empty()
        : Optional.of(
            "%d of %d delta commits since %s"
                .formatted(
                    count,
                    deltaCommits,
                    since.map(time -> "compaction " + time).orElse("the first one")));
  }

  private Optional<String> time(CompactionHistory history, InstantTime now, ZoneId zone) {
    if (history.commitsSinceCompletion() == 0) {
      return Optional.of("no delta commit since the last compaction");
    }
    InstantTime since = history.sinceCompletion().or(history::firstDeltaCommit).orElse(now);
    Duration elapsed = Duration.ofMillis(now.toMillis(zone) - since.toMillis(zone));
    return elapsed.compareTo(deltaTime) >= 0
        ? Optional.empty()
        : Optional.of(
            "%d of %d seconds since %s"
                .formatted(Math.max(0, elapsed.toSeconds()), deltaTime.toSeconds(), since));
  }
}
