package io.hudilite.core.compact;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.ClusteringPlanCodec;
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
    for (Instant instant : timeline.pendingCompactions()) {
      store
          .readCompactionPlan(instant.requestedTime())
          .operations()
          .forEach(
              operation ->
                  busy.add(
                      new FileGroupId(operation.partitionPath(), new FileId(operation.fileId()))));
    }
    for (Instant instant : timeline.pendingWrites()) {
      if (instant.action() == Action.CLUSTERING || instant.action() == Action.REPLACE_COMMIT) {
        Instant.Requested requested =
            new Instant.Requested(instant.requestedTime(), instant.action());
        ClusteringPlanCodec.decodeInputGroups(store.readContent(requested), requested.fileName())
            .forEach(
                group ->
                    busy.add(new FileGroupId(group.partitionPath(), new FileId(group.fileId()))));
      }
    }
    return busy;
  }
}
