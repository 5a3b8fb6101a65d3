package io.hudilite.core.compact;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which file groups have log files that no base file holds yet, as the commits on the active
 * timeline tell. Each commit is read once, so that a look after a commit costs what the commit
 * changed, not what the table holds; and only the partitions named here need to be listed. Not safe
 * for use by several threads.
 */
final class UncompactedGroups {
  private final Set<InstantTime> seen = new HashSet<>();

  /** Completion time of the newest log file of a group. */
  private final Map<FileGroupId, InstantTime> newestLog = new TreeMap<>();

  /** Reads the completed writes of a timeline that were not there before. */
  void update(Timeline timeline, TimelineStore store) throws IOException {
    for (Instant.Completed write : timeline.completedWrites()) {
      if (!seen.contains(write.requestedTime())) {
        add(write, store.readCommit(write));
        seen.add(write.requestedTime());
      }
    }
    seen.removeIf(time -> timeline.completedWrite(time).isEmpty());
  }

  /** To be called in the order of completion: what is compacted is forgotten. */
  void add(Instant.Completed write, CommitMetadata metadata) {
    for (WriteStat stat : metadata.writeStats()) {
      if (!stat.isLogFile() && !stat.fileId().isEmpty()) {
        newestLog.computeIfPresent(
            id(stat),
            (group, completed) -> completed.isBefore(write.requestedTime()) ? null : completed);
      }
    }
    metadata
        .replacedFileIds()
        .forEach(
            (partition, ids) ->
                ids.forEach(id -> newestLog.remove(new FileGroupId(partition, new FileId(id)))));
    for (WriteStat stat : metadata.writeStats()) {
      if (stat.isLogFile() && !stat.fileId().isEmpty()) {
        newestLog.merge(id(stat), write.completionTime(), (a, b) -> a.isAfter(b) ? a : b);
      }
    }
  }

  private static FileGroupId id(WriteStat stat) {
    return new FileGroupId(stat.partitionPath(), new FileId(stat.fileId()));
  }

  /** The partitions that have such groups, sorted. */
  Set<String> partitions() {
    Set<String> partitions = new TreeSet<>();
    newestLog.keySet().forEach(group -> partitions.add(group.partitionPath()));
    return partitions;
  }

  Set<FileGroupId> groups() {
    return Set.copyOf(newestLog.keySet());
  }
}
