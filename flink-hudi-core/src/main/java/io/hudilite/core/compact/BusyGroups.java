package io.hudilite.core.compact;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.TimelineStore;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/** The file groups that a pending compaction or clustering works on. */
public final class BusyGroups {
  private BusyGroups() {}

  /** Reads the plans of all pending services on a timeline. */
  public static Set<FileGroupId> of(Timeline timeline, TimelineStore store) throws IOException {
    Set<FileGroupId> busy = new HashSet<>();
    for (Instant instant : timeline.pendingWrites()) {
      busy.addAll(of(instant, store));
    }
    return busy;
  }

  /** The file groups that one pending instant works on, as far as it has a plan that names them. */
  public static Set<FileGroupId> of(Instant pending, TimelineStore store) throws IOException {
    return switch (pending.action()) {
      case COMPACTION, LOG_COMPACTION -> ofCompaction(pending, store);
      case CLUSTERING, REPLACE_COMMIT -> ofClustering(pending, store);
      case COMMIT, DELTA_COMMIT, CLEAN, ROLLBACK, RESTORE, SAVEPOINT, INDEXING -> Set.of();
    };
  }

  private static Set<FileGroupId> ofCompaction(Instant pending, TimelineStore store)
      throws IOException {
    Set<FileGroupId> busy = new HashSet<>();
    for (var operation : store.readCompactionPlan(pending.requestedTime()).operations()) {
      busy.add(new FileGroupId(operation.partitionPath(), new FileId(operation.fileId())));
    }
    return busy;
  }

  /** The file groups that one pending clustering takes rows from; none for an overwrite. */
  public static Set<FileGroupId> ofClustering(Instant instant, TimelineStore store)
      throws IOException {
    Set<FileGroupId> busy = new HashSet<>();
    for (var group : store.readClusteringPlan(instant.requestedTime(), instant.action()).groups()) {
      for (var slice : group.slices()) {
        busy.add(new FileGroupId(slice.partitionPath(), new FileId(slice.fileId())));
      }
    }
    return busy;
  }
}
