package io.hudilite.core.recovery;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.history.TimelineHistory;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.RestorePlan;
import io.hudilite.core.timeline.Timeline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says what has to go for a savepoint to be the newest state of the table. */
final class RestorePlanner {
  private final HudiTable table;

  RestorePlanner(HudiTable table) {
    this.table = requireNonNull(table, "table");
  }

  /**
   * Pending ones first, then completed ones, the latest completed first. A service that was planned
   * before the savepoint stays planned: what it works on is older.
   */
  RestorePlan plan(InstantTime savepoint) throws IOException {
    Timeline timeline = table.timeline();
    Instant.Completed kept = requireSavepoint(savepoint);
    List<RestorePlan.Target> targets = new ArrayList<>();
    for (Instant pending : timeline.pendingWrites()) {
      boolean goes =
          switch (pending.action()) {
            case COMMIT, DELTA_COMMIT, REPLACE_COMMIT -> true;
            case COMPACTION, LOG_COMPACTION, CLUSTERING ->
                pending.requestedTime().isAfter(savepoint);
            case CLEAN, ROLLBACK, RESTORE, SAVEPOINT, INDEXING -> false;
          };
      if (goes) {
        targets.add(target(pending));
      }
    }
    timeline.completedAfter(kept.completionTime()).stream()
        .sorted(Comparator.comparing(Instant.Completed::completionTime).reversed())
        .map(RestorePlanner::target)
        .forEach(targets::add);
    return new RestorePlan(savepoint.digits(), targets);
  }

  private static RestorePlan.Target target(Instant instant) {
    return new RestorePlan.Target(instant.requestedTime(), instant.action().word());
  }

  private Instant.Completed requireSavepoint(InstantTime time) throws IOException {
    String path = table.storage().location();
    List<Savepoint> savepoints = SavepointStore.list(table);
    Optional<Savepoint> savepoint =
        savepoints.stream().filter(s -> s.instant().equals(time)).findFirst();
    Optional<Instant.Completed> kept = table.timeline().completedWrite(time);
    if (savepoint.isEmpty() || kept.isEmpty()) {
      throw new HudiTableException(
          "The table at '%s' has no savepoint %s. It has: %s."
              .formatted(path, time, digits(savepoints)));
    }
    List<Savepoint> later =
        savepoints.stream()
            .filter(
                other ->
                    table
                        .timeline()
                        .completionTimeOf(other.instant())
                        .filter(completed -> completed.isAfter(kept.get().completionTime()))
                        .isPresent())
            .toList();
    if (!later.isEmpty()) {
      throw new HudiTableException(
          "Restoring the table at '%s' to savepoint %s would take back what later savepoints keep: %s. Restore one of them, or delete them first."
              .formatted(path, time, digits(later)));
    }
    Optional<String> missing = SavepointStore.missing(table.storage(), savepoint.get().metadata());
    if (missing.isPresent()) {
      throw new HudiTableException(
          "Savepoint %s of the table at '%s' cannot be restored: its file '%s' is not there any more, somebody must have deleted it. Restore another savepoint: %s."
              .formatted(time, path, missing.get(), digits(savepoints)));
    }
    if (TimelineHistory.of(table.storage(), table.config())
        .mayHaveWritesAfter(kept.get().completionTime())) {
      throw new HudiTableException(
          "Savepoint %s of the table at '%s' cannot be restored: writes that completed after it, at %s, have left the active timeline"
              .formatted(time, path, kept.get().completionTime()));
    }
    return kept.get();
  }

  private static String digits(List<Savepoint> savepoints) {
    return savepoints.isEmpty()
        ? "(none)"
        : savepoints.stream()
            .map(savepoint -> savepoint.instant().digits())
            .collect(Collectors.joining(", "));
  }
}
