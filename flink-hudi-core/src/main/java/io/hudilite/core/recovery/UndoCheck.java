package io.hudilite.core.recovery;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Whether a completed write can be taken back without taking anything else with it. */
final class UndoCheck {
  private final HudiTable table;

  UndoCheck(HudiTable table) {
    this.table = requireNonNull(table, "table");
  }

  /**
   * @throws HudiTableException if it cannot, with the reason
   */
  Instant.Completed requireUndoable(InstantTime instant) throws IOException {
    String path = table.storage().location();
    Timeline timeline = table.timeline();
    Instant.Completed write =
        timeline
            .completedWrite(instant)
            .orElseThrow(
                () ->
                    new HudiTableException(
                        "Instant %s is not on the active timeline of the table at '%s', so that it cannot be rolled back. Its newest write is %s."
                            .formatted(
                                instant,
                                path,
                                timeline
                                    .lastCompletedWrite()
                                    .map(newest -> newest.requestedTime().digits())
                                    .orElse("(none)"))));
    List<String> later =
        timeline.completedWrites().stream()
            .filter(
                other ->
                    other.completionTime().isAfter(write.completionTime())
                        || other.requestedTime().isAfter(instant))
            .map(other -> other.requestedTime().digits())
            .toList();
    if (!later.isEmpty()) {
      throw new HudiTableException(
          "Instant %s of the table at '%s' cannot be rolled back: %d later writes build on it, the newest is %s. Roll these back first, the newest first, or restore a savepoint."
              .formatted(instant, path, later.size(), later.get(later.size() - 1)));
    }
    for (Instant other : timeline.instants()) {
      if (other.action() == Action.SAVEPOINT && other.requestedTime().equals(instant)) {
        throw new HudiTableException(
            "Instant %s of the table at '%s' cannot be rolled back: a savepoint keeps it. Delete the savepoint first."
                .formatted(instant, path));
      }
    }
    for (Instant pending : timeline.pendingWrites()) {
      if (pending.requestedTime().isAfter(instant)) {
        throw new HudiTableException(
            "Instant %s of the table at '%s' cannot be rolled back: the %s %s was planned on top of it. Roll that back first."
                .formatted(instant, path, pending.action().word(), pending.requestedTime()));
      }
    }
    requireOldFiles(write);
    return write;
  }

  /** What the write took the place of may be cleaned already. */
  private void requireOldFiles(Instant.Completed write) throws IOException {
    CommitMetadata commit = table.timelineStore().readCommit(write);
    for (Instant instant : table.timeline().instants()) {
      if (instant.action() == Action.CLEAN
          && instant instanceof Instant.Completed clean
          && clean.completionTime().isAfter(write.completionTime())) {
        Optional<String> gone =
            table.timelineStore().readCleanMetadata(clean).deleted().values().stream()
                .flatMap(List::stream)
                .filter(name -> wasReplacedBy(commit, name))
                .findFirst();
        if (gone.isPresent()) {
          throw new HudiTableException(
              "Instant %s of the table at '%s' cannot be rolled back: clean %s has deleted files that it took the place of, such as '%s'"
                  .formatted(
                      write.requestedTime(),
                      table.storage().location(),
                      clean.requestedTime(),
                      gone.get()));
        }
      }
    }
  }

  /** Whether the file is of a group that the commit replaced, or of the slice before its own. */
  private static boolean wasReplacedBy(CommitMetadata commit, String fileName) {
    if (commit.replacedFileIds().values().stream()
        .flatMap(List::stream)
        .anyMatch(fileName::contains)) {
      return true;
    }
    Optional<InstantTime> instant =
        BaseFileName.parse(fileName)
            .map(BaseFileName::instant)
            .or(() -> LogFileName.parse(fileName).map(LogFileName::instant));
    return instant.isPresent()
        && commit.writeStats().stream()
            .anyMatch(
                stat ->
                    !stat.isLogFile()
                        && fileName.contains(stat.fileId())
                        && stat.prevCommit().matches("\\d{14,20}")
                        && !instant.get().isBefore(new InstantTime(stat.prevCommit())));
  }
}
