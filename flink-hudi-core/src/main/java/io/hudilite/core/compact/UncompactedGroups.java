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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which file groups have log files that no base file holds yet, as the commits on the active
 * timeline tell. Each commit is read once, so that a look after a commit costs what the commit
 * changed, not what the table holds; and only the partitions named here need to be listed. Not safe
 * for use by several threads.
 */
public final class UncompactedGroups {
  private final Set<InstantTime> seen = new HashSet<>();
  private final Map<FileGroupId, List<LogCommit>> logs = new TreeMap<>();

  /** A commit that wrote a log file. */
  private record LogCommit(InstantTime requestedTime, InstantTime completionTime) {}

  /** Reads the completed writes of a timeline that were not there before. */
  public void update(Timeline timeline, TimelineStore store) throws IOException {
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
        logs.computeIfPresent(
            id(stat),
            (group, commits) -> {
              commits.removeIf(log -> log.completionTime.isBefore(write.requestedTime()));
              return commits.isEmpty() ? null : commits;
            });
      }
    }
    metadata
        .replacedFileIds()
        .forEach(
            (partition, ids) ->
                ids.forEach(id -> logs.remove(new FileGroupId(partition, new FileId(id)))));
    LogCommit commit = new LogCommit(write.requestedTime(), write.completionTime());
    for (WriteStat stat : metadata.writeStats()) {
      if (stat.isLogFile() && !stat.fileId().isEmpty()) {
        List<LogCommit> commits = logs.computeIfAbsent(id(stat), group -> new ArrayList<>(4));
        if (!commits.contains(commit)) {
          commits.add(commit);
        }
      }
    }
  }

  private static FileGroupId id(WriteStat stat) {
    return new FileGroupId(stat.partitionPath(), new FileId(stat.fileId()));
  }

  /** The partitions that have such groups, sorted. */
  public Set<String> partitions() {
    Set<String> partitions = new TreeSet<>();
    logs.keySet().forEach(group -> partitions.add(group.partitionPath()));
    return partitions;
  }

  public Set<FileGroupId> groups() {
    return Set.copyOf(logs.keySet());
  }

  /** Requested time of the oldest commit with a log file that is in no base file. */
  public Optional<InstantTime> oldest() {
    return logs.values().stream()
        .flatMap(List::stream)
        .map(LogCommit::requestedTime)
        .min(InstantTime::compareTo);
  }
}
