package io.hudilite.core.clean;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.io.Serializable;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How much of the past stays. Pure. Source of the arithmetic: Hudi 1.0.2
 * CleanerUtils.getEarliestCommitToRetain.
 *
 * @param commits option {@code clean.retain_commits}
 * @param hours option {@code clean.retain_hours}
 * @param fileVersions option {@code clean.retain_file_versions}
 */
public record CleanRetention(CleanPolicy policy, int commits, int hours, int fileVersions)
    implements Serializable {

  /** Hudi's defaults for Flink: the last 30 commits. */
  public static final CleanRetention DEFAULT =
      new CleanRetention(CleanPolicy.KEEP_LATEST_COMMITS, 30, 24, 5);

  private static final long HOUR_MILLIS = 3_600_000;

  public CleanRetention {
    requireNonNull(policy, "policy");
    if (commits < 1 || hours < 1 || fileVersions < 1) {
      throw new HudiTableException(
          "'clean.retain_commits' is %d, 'clean.retain_hours' %d, 'clean.retain_file_versions' %d; set them to 1 or more"
              .formatted(commits, hours, fileVersions));
    }
  }

  public static CleanRetention ofCommits(int commits) {
    return new CleanRetention(CleanPolicy.KEEP_LATEST_COMMITS, commits, 24, 5);
  }

  public static CleanRetention ofFileVersions(int versions) {
    return new CleanRetention(CleanPolicy.KEEP_LATEST_FILE_VERSIONS, 30, 24, versions);
  }

  public static CleanRetention ofHours(int hours) {
    return new CleanRetention(CleanPolicy.KEEP_LATEST_BY_HOURS, 30, hours, 5);
  }

  /**
   * The oldest instant whose view stays whole; empty if nothing is to be cleaned, and for file
   * versions. Never later than a write that is under way, as that may yet need what is there now.
   *
   * @param now the time of the clean
   */
  Optional<Instant> earliestToRetain(Timeline timeline, InstantTime now, ZoneId zone) {
    List<Instant> completed =
        timeline.instants().stream()
            .filter(instant -> instant.isCompleted() && instant.action().writesData())
            .sorted(Comparator.comparing(Instant::requestedTime))
            .toList();
    return switch (policy) {
      case KEEP_LATEST_FILE_VERSIONS -> Optional.empty();
      case KEEP_LATEST_COMMITS ->
          completed.size() > commits
              ? notAfterPending(timeline, completed, completed.get(completed.size() - commits))
              : Optional.empty();
      case KEEP_LATEST_BY_HOURS -> {
        InstantTime cut = InstantTime.ofMillis(now.toMillis(zone) - hours * HOUR_MILLIS, zone);
        Optional<Instant> first =
            completed.stream().filter(c -> !c.requestedTime().isBefore(cut)).findFirst();
        yield completed.isEmpty()
            ? Optional.empty()
            : notAfterPending(
                timeline, completed, first.orElse(completed.get(completed.size() - 1)));
      }
    };
  }

  private static Optional<Instant> notAfterPending(
      Timeline timeline, List<Instant> completed, Instant earliest) {
    Optional<InstantTime> pending =
        timeline.pendingWrites().stream()
            .filter(
                instant ->
                    switch (instant.action()) {
                      case COMMIT, DELTA_COMMIT, REPLACE_COMMIT -> true;
                      // Their input slices are kept by name, see CleanPlanner.
                      case COMPACTION, LOG_COMPACTION, CLUSTERING -> false;
                      case CLEAN, ROLLBACK, RESTORE, SAVEPOINT, INDEXING -> false;
                    })
            .map(Instant::requestedTime)
            .findFirst();
    if (pending.isEmpty() || !earliest.requestedTime().isAfter(pending.get())) {
      return Optional.of(earliest);
    }
    return completed.stream()
        .filter(instant -> instant.requestedTime().isBefore(pending.get()))
        .reduce((earlier, later) -> later);
  }
}
