package io.hudilite.core.repair;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.TableVersion;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.history.TimelineHistory;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Data files that no reader sees and no writer will commit: those of an instant that is neither on
 * the timeline nor older than it. Rolling back deletes such files; they are left where a writer
 * outlived its rollback, or another engine lost its markers. Safe beside writers.
 */
public final class OrphanFiles {
  private OrphanFiles() {}

  /**
   * A file that nobody needs.
   *
   * @param path relative to the base path
   * @param modifiedMillis epoch milliseconds
   * @param instant that its name tells
   */
  public record Orphan(String path, long bytes, long modifiedMillis, InstantTime instant) {
    public Orphan {
      requireNonNull(path, "path");
      requireNonNull(instant, "instant");
    }
  }

  /**
   * Lists the whole table once.
   *
   * @param beforeMillis younger files are left alone, epoch milliseconds
   * @return by path; nothing for tables of version 6, whose log files are named after other
   *     instants than those that wrote them
   */
  public static List<Orphan> find(Storage storage, long beforeMillis) throws IOException {
    List<Orphan> found = new ArrayList<>();
    collect(storage, "", beforeMillis, found);
    // Read after the files: an instant is on the timeline before its first file is there.
    HudiTable table = HudiTable.open(storage);
    Timeline timeline = table.timeline();
    if (table.config().version() == TableVersion.SIX || timeline.completedWrites().isEmpty()) {
      return List.of();
    }
    TimelineHistory history = TimelineHistory.of(storage, table.config());
    Map<InstantTime, Boolean> known = new HashMap<>();
    List<Orphan> orphans = new ArrayList<>();
    for (Orphan file : found) {
      Boolean isKnown = known.get(file.instant());
      if (isKnown == null) {
        isKnown = isKnown(timeline, history, file.instant());
        known.put(file.instant(), isKnown);
      }
      if (!isKnown) {
        orphans.add(file);
      }
    }
    orphans.sort(java.util.Comparator.comparing(Orphan::path));
    return orphans;
  }

  private static boolean isKnown(Timeline timeline, TimelineHistory history, InstantTime instant)
      throws IOException {
    return timeline.isCommitted(instant)
        || timeline.instants().stream().anyMatch(on -> on.requestedTime().equals(instant))
        || history.completionTimeOf(instant).isPresent();
  }

  private static void collect(Storage storage, String folder, long beforeMillis, List<Orphan> found)
      throws IOException {
    for (StoredFile entry : storage.list(folder)) {
      String path = folder.isEmpty() ? entry.name() : folder + "/" + entry.name();
      if (entry.isFolder()) {
        if (!path.equals(".hoodie")) {
          collect(storage, path, beforeMillis, found);
        }
      } else if (entry.modificationMillis() > 0 && entry.modificationMillis() <= beforeMillis) {
        instantOf(entry.name())
            .ifPresent(
                instant ->
                    found.add(
                        new Orphan(path, entry.length(), entry.modificationMillis(), instant)));
      }
    }
  }

  private static Optional<InstantTime> instantOf(String name) {
    return BaseFileName.parse(name)
        .map(BaseFileName::instant)
        .or(() -> LogFileName.parse(name).map(LogFileName::instant));
  }
}
