package io.hudilite.core.clustering;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.compact.BusyGroups;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/**
 * Keeps a writer from adding files to a file group whose rows are somewhere else since a clustering
 * or an overwrite: they would be lost. One listing of the timeline for each look; each replacing
 * commit is read once. Not safe for use by several threads.
 */
public final class ReplacedGroupGuard {
  /** How long a clustering may take from its look at the writers until it is completed. */
  private static final int WAITS = 100;

  private static final long WAIT_MILLIS = 100;

  private final Storage storage;
  private final TableConfig config;
  private final TimelineStore store;
  private final UpdatesStrategy updates;
  private final Pause pause;
  private final Set<InstantTime> seen = new HashSet<>();
  private final Set<FileGroupId> replaced = new HashSet<>();

  public ReplacedGroupGuard(
      Storage storage, TableConfig config, UpdatesStrategy updates, Pause pause) {
    this.storage = requireNonNull(storage, "storage");
    this.config = requireNonNull(config, "config");
    this.updates = requireNonNull(updates, "updates");
    this.pause = requireNonNull(pause, "pause");
    this.store = new TimelineStore(storage, config);
  }

  /** Waits. */
  @FunctionalInterface
  public interface Pause {
    void millis(long millis) throws InterruptedException;
  }

  /**
   * To be called when the files are marked, see {@link io.hudilite.core.write.WriteMarkers}, and
   * before the writer reports them. Waits for a clustering of one of the groups that is about to
   * complete; if it does not, its plan is dropped, since it may have died.
   *
   * @param groups that the writer adds files to
   * @throws IOException if one of them is replaced: the writer must begin again, and look up where
   *     its keys are
   * @throws HudiTableException if a plan has one of them, and updates are to be rejected
   */
  public void requireLive(Collection<FileGroupId> groups) throws IOException, InterruptedException {
    Timeline timeline = store.load();
    for (Instant pending : timeline.pendingClusterings()) {
      if (updates == UpdatesStrategy.REJECT) {
        requireNotPlanned(pending, groups);
      }
      if (pending instanceof Instant.Inflight && await(pending, groups)) {
        timeline = store.load();
      }
    }
    learn(timeline);
    for (FileGroupId group : groups) {
      if (replaced.contains(group)) {
        throw new IOException(
            ("File group %s of partition '%s' of the table at '%s' was replaced (by a clustering or"
                    + " an overwrite) while this job was writing to it. The job restarts from its"
                    + " last checkpoint, and then looks up where its keys are now.")
                .formatted(group.fileId(), group.partitionPath(), storage.location()));
      }
    }
  }

  private void requireNotPlanned(Instant clustering, Collection<FileGroupId> groups)
      throws IOException {
    Set<FileGroupId> taken = BusyGroups.ofClustering(clustering, store);
    for (FileGroupId group : groups) {
      if (taken.contains(group)) {
        throw new HudiTableException(
            ("Rows of file group %s of partition '%s' of the table at '%s' were changed, but"
                    + " clustering %s has it, and 'hoodie.clustering.updates.strategy' is"
                    + " SparkRejectUpdateStrategy. Execute the clustering first, or set it to"
                    + " SparkAllowUpdateStrategy.")
                .formatted(
                    group.fileId(),
                    group.partitionPath(),
                    storage.location(),
                    clustering.requestedTime()));
      }
    }
  }

  /** Whether the timeline may have changed. */
  private boolean await(Instant clustering, Collection<FileGroupId> groups)
      throws IOException, InterruptedException {
    InstantTime instant = clustering.requestedTime();
    StageFile closing = StageFile.closing(storage, instant);
    if (!closing.exists()) {
      return true; // it may have been completed just now
    }
    Set<FileGroupId> taken = BusyGroups.ofClustering(clustering, store);
    if (Collections.disjoint(taken, groups)) {
      return false;
    }
    for (int i = 0; i < WAITS; i++) {
      pause.millis(WAIT_MILLIS);
      if (!closing.exists() || store.load().pending(instant).isEmpty()) {
        return true;
      }
    }
    InstantClock clock = new InstantClock(InstantSource.system(), config.timelineZone());
    new TableCommit(storage, config, clock).dropPlan(instant);
    return true;
  }

  private void learn(Timeline timeline) throws IOException {
    for (Instant.Completed instant : timeline.completedReplacements()) {
      if (seen.add(instant.requestedTime())) {
        store
            .readCommit(instant)
            .replacedFileIds()
            .forEach(
                (partition, ids) ->
                    ids.forEach(id -> replaced.add(new FileGroupId(partition, new FileId(id)))));
      }
    }
    seen.removeIf(time -> timeline.completedWrite(time).isEmpty());
  }
}
