package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * When completed writes were taken back, by a restore or a rollback. Whoever remembers what the
 * table held before such a moment, an index or a reader's position, remembers what is no more; and
 * the timeline does not tell, as what was taken back is no longer on it. Restores of other engines
 * are found on the timeline.
 *
 * <pre>
 * .hoodie/.hudi-lite/rewound/r      r: time of the restore or rollback
 *   run=7                           oldest checkpoint of a job's run that was taken back
 * </pre>
 */
public final class RewindStore {
  /** Keys of the commits of this project's writers. */
  private static final String RUN = "hudi-lite.run";

  private static final String CHECKPOINT = "hudi-lite.checkpoint";
  private static final String FOLDER = ".hoodie/.hudi-lite/rewound";

  private final Storage storage;

  public RewindStore(Storage storage) {
    this.storage = requireNonNull(storage, "storage");
  }

  /**
   * One moment. All that was taken back had completed before it, and all that is written since
   * completes after it.
   *
   * @param time of the restore or rollback
   * @param checkpoints oldest checkpoint that was taken back, by run; empty if that is not known
   */
  public record Rewind(InstantTime time, Map<String, Long> checkpoints) {
    public Rewind {
      requireNonNull(time, "time");
      checkpoints = Map.copyOf(checkpoints);
    }
  }

  /** Writes down what is about to be taken back. May be repeated. */
  void add(InstantTime time, Collection<CommitMetadata> commits) throws IOException {
    Map<String, Long> oldest = new TreeMap<>();
    for (CommitMetadata commit : commits) {
      String run = commit.extra(RUN).orElse("");
      String checkpoint = commit.extra(CHECKPOINT).orElse("");
      if (!run.isEmpty() && checkpoint.matches("\\d{1,19}")) {
        oldest.merge(run, Long.parseLong(checkpoint), Math::min);
      }
    }
    StringBuilder text = new StringBuilder();
    oldest.forEach(
        (run, checkpoint) -> text.append(run).append('=').append(checkpoint).append('\n'));
    try {
      storage.createNew(FOLDER + "/" + time, text.toString().getBytes(StandardCharsets.UTF_8));
    } catch (FileAlreadyExistsException e) {
      // An earlier try was as far, and knew at least as much.
    }
  }

  /**
   * The moments after a time, oldest first. One listing, and one small file for each.
   *
   * @param timeline as it is now
   */
  public List<Rewind> after(InstantTime time, Timeline timeline) throws IOException {
    Map<InstantTime, Rewind> found = new TreeMap<>();
    for (Instant instant : timeline.instants()) {
      if (instant.action() == Action.RESTORE && instant.requestedTime().isAfter(time)) {
        found.put(instant.requestedTime(), new Rewind(instant.requestedTime(), Map.of()));
      }
    }
    for (StoredFile file : storage.list(FOLDER)) {
      if (!file.isFolder() && file.name().matches("\\d{14,20}")) {
        InstantTime rewound = new InstantTime(file.name());
        if (rewound.isAfter(time)) {
          found.put(rewound, read(rewound));
        }
      }
    }
    return new ArrayList<>(found.values());
  }

  private Rewind read(InstantTime time) throws IOException {
    Map<String, Long> checkpoints = new TreeMap<>();
    try {
      for (String line :
          new String(storage.read(FOLDER + "/" + time), StandardCharsets.UTF_8).split("\n", -1)) {
        int equals = line.lastIndexOf('=');
        if (equals > 0) {
          checkpoints.put(line.substring(0, equals), Long.parseLong(line.substring(equals + 1)));
        }
      }
    } catch (NoSuchFileException | NumberFormatException e) {
      return new Rewind(time, Map.of());
    }
    return new Rewind(time, checkpoints);
  }
}
