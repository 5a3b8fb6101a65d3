package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.CorruptInstantException;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.RestorePlan;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.TimelineStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
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
 *   since=20260101000000000         oldest completion time that was taken back
 *   run=7                           oldest checkpoint of a job's run that was taken back
 * </pre>
 */
public final class RewindStore {
  /** Keys of the commits of this project's writers. */
  private static final String RUN = "hudi-lite.run";

  private static final String CHECKPOINT = "hudi-lite.checkpoint";
  private static final String SINCE = "since";
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
   * @param since what completed at this time or later was taken back
   * @param checkpoints oldest checkpoint that was taken back, by run; empty if that is not known
   */
  public record Rewind(InstantTime time, InstantTime since, Map<String, Long> checkpoints) {
    public Rewind {
      requireNonNull(time, "time");
      requireNonNull(since, "since");
      checkpoints = Map.copyOf(checkpoints);
    }
  }

  /** Writes down what is about to be taken back, if it is anything. May be repeated. */
  void add(InstantTime time, Map<Instant.Completed, CommitMetadata> commits) throws IOException {
    if (commits.isEmpty()) {
      return;
    }
    InstantTime since = time;
    Map<String, Long> oldest = new TreeMap<>();
    for (Map.Entry<Instant.Completed, CommitMetadata> entry : commits.entrySet()) {
      InstantTime completed = entry.getKey().completionTime();
      since = completed.isBefore(since) ? completed : since;
      String run = entry.getValue().extra(RUN).orElse("");
      String checkpoint = entry.getValue().extra(CHECKPOINT).orElse("");
      if (!run.isEmpty() && checkpoint.matches("\\d{1,18}|" + Long.MAX_VALUE)) {
        oldest.merge(run, Long.parseLong(checkpoint), Math::min);
      }
    }
    StringBuilder text = new StringBuilder(SINCE + "=" + since + "\n");
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
   * @param store of the timeline
   */
  public List<Rewind> after(InstantTime time, Timeline timeline, TimelineStore store)
      throws IOException {
    Map<InstantTime, Rewind> found = new TreeMap<>();
    for (Instant instant : timeline.instants()) {
      InstantTime restored = instant.requestedTime();
      if (instant.action() == Action.RESTORE && restored.isAfter(time)) {
        found.put(restored, new Rewind(restored, since(restored, store), Map.of()));
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

  /** Of a restore that was not written down here. A write completes after it was requested. */
  private static InstantTime since(InstantTime restore, TimelineStore store) throws IOException {
    try {
      return store.readRestorePlan(restore).targets().stream()
          .map(RestorePlan.Target::instant)
          .min(InstantTime::compareTo)
          .orElse(restore);
    } catch (CorruptInstantException | NoSuchFileException e) {
      return InstantTime.BEGINNING;
    }
  }

  private Rewind read(InstantTime time) throws IOException {
    InstantTime since = InstantTime.BEGINNING;
    Map<String, Long> checkpoints = new TreeMap<>();
    try {
      for (String line :
          new String(storage.read(FOLDER + "/" + time), StandardCharsets.UTF_8).split("\n", -1)) {
        int equals = line.lastIndexOf('=');
        if (line.startsWith(SINCE + "=")) {
          since = new InstantTime(line.substring(equals + 1));
        } else if (equals > 0) {
          checkpoints.put(line.substring(0, equals), Long.parseLong(line.substring(equals + 1)));
        }
      }
    } catch (NoSuchFileException | IllegalArgumentException e) {
      return new Rewind(time, InstantTime.BEGINNING, Map.of());
    }
    return new Rewind(time, since, checkpoints);
  }
}
