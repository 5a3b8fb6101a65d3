package io.hudilite.core.clustering;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.compact.BusyGroups;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells a writer that knows where keys are which file groups clusterings take from under it. One
 * listing of the timeline for each look. Not safe for use by several threads.
 */
public final class ClusteringWatch {
  private final Storage storage;
  private final TimelineStore store;
  private InstantTime seenUpTo;

  /** Groups of pending plans, each of which is read once. */
  private final Map<InstantTime, Set<FileGroupId>> plans = new HashMap<>();

  /**
   * @param seenUpTo greatest completion time that the writer knows already
   */
  public ClusteringWatch(Storage storage, TableConfig config, InstantTime seenUpTo) {
    this.storage = requireNonNull(storage, "storage");
    this.store = new TimelineStore(storage, config);
    this.seenUpTo = requireNonNull(seenUpTo, "seenUpTo");
  }

  /**
   * A clustering that was completed.
   *
   * @param replaced the groups that rows were taken from
   * @param files that they are in now
   * @param rows in these files
   */
  public record Moved(
      InstantTime instant, Set<FileGroupId> replaced, List<BaseFile> files, long rows) {
    public Moved {
      replaced = Set.copyOf(replaced);
      files = List.copyOf(files);
    }
  }

  /**
   * What a look has shown.
   *
   * @param planned groups of all clusterings that are not completed: a new key there would keep its
   *     group out of them
   * @param leaving groups of clusterings that are about to complete
   * @param moved completed since the look before, in this order
   */
  public record Look(Set<FileGroupId> planned, Set<FileGroupId> leaving, List<Moved> moved) {
    public Look {
      planned = Set.copyOf(planned);
      leaving = Set.copyOf(leaving);
      moved = List.copyOf(moved);
    }
  }

  public Look look() throws IOException {
    Timeline timeline = store.load();
    plans.keySet().removeIf(plan -> timeline.pending(plan).isEmpty());
    Set<FileGroupId> planned = new HashSet<>();
    Set<FileGroupId> leaving = new HashSet<>();
    for (Instant pending : timeline.pendingClusterings()) {
      Set<FileGroupId> groups = groupsOf(pending);
      planned.addAll(groups);
      if (pending instanceof Instant.Inflight
          && StageFile.announced(storage, pending.requestedTime()).exists()) {
        leaving.addAll(groups);
      }
    }
    // What was announced may have been completed meanwhile; then it is in this second one.
    Timeline now = leaving.isEmpty() ? timeline : store.load();
    List<Moved> moved = new ArrayList<>();
    for (Instant.Completed replacement : now.completedReplacements()) {
      if (replacement.completionTime().isAfter(seenUpTo)) {
        CommitMetadata commit = store.readCommit(replacement);
        if (commit.isTableService()) {
          moved.add(moved(replacement, commit));
        }
        seenUpTo = replacement.completionTime();
      }
    }
    moved.forEach(clustering -> leaving.removeAll(clustering.replaced()));
    return new Look(planned, leaving, moved);
  }

  private Set<FileGroupId> groupsOf(Instant plan) throws IOException {
    Set<FileGroupId> known = plans.get(plan.requestedTime());
    if (known == null) {
      try {
        known = BusyGroups.ofClustering(plan, store);
      } catch (NoSuchFileException e) {
        return Set.of(); // dropped just now
      }
      plans.put(plan.requestedTime(), known);
    }
    return known;
  }

  private static Moved moved(Instant.Completed instant, CommitMetadata commit) {
    Set<FileGroupId> replaced = new HashSet<>();
    commit
        .replacedFileIds()
        .forEach(
            (partition, ids) ->
                ids.forEach(id -> replaced.add(new FileGroupId(partition, new FileId(id)))));
    List<BaseFile> files = new ArrayList<>();
    long rows = 0;
    for (WriteStat stat : commit.writeStats()) {
      var name = BaseFileName.parse(stat.fileName());
      if (name.isPresent()) {
        files.add(
            new BaseFile(
                new FileGroupId(stat.partitionPath(), name.get().fileId()),
                name.get(),
                stat.fileSizeInBytes()));
        rows += Math.max(0, stat.numWrites());
      }
    }
    return new Moved(instant.requestedTime(), replaced, files, rows);
  }
}
