package io.hudilite.core.health;

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
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Sizes of the newest slices, as the commits on the active timeline tell them: of each file group
 * that was written since it begins, and so of each that has log files to compact. Each commit is
 * read once; a look after a commit costs what the commit changed. Not safe for use by several
 * threads.
 */
public final class SliceSizes {
  private final Set<InstantTime> seen = new HashSet<>();
  private final Map<FileGroupId, Slice> slices = new HashMap<>();

  private record Log(InstantTime requested, InstantTime completed, long bytes) {}

  private static final class Slice {
    private long baseBytes;
    private final List<Log> logs = new ArrayList<>(4);

    SliceSize size() {
      return new SliceSize(baseBytes, logs.size(), logs.stream().mapToLong(Log::bytes).sum());
    }
  }

  /** Reads the completed writes of a timeline that were not there before. */
  public void update(Timeline timeline, TimelineStore store) throws IOException {
    if (seen.stream().anyMatch(time -> isTakenBack(timeline, time))) {
      // A rollback or a restore: what it took away is not known any more.
      seen.clear();
      slices.clear();
    }
    for (Instant.Completed write : timeline.completedWrites()) {
      if (!seen.contains(write.requestedTime())) {
        add(write, store.readCommit(write));
        seen.add(write.requestedTime());
      }
    }
    seen.removeIf(time -> timeline.completedWrite(time).isEmpty());
  }

  private static boolean isTakenBack(Timeline timeline, InstantTime seen) {
    return timeline.completedWrite(seen).isEmpty() && !timeline.isBeforeStart(seen);
  }

  /** To be called in the order of completion. */
  void add(Instant.Completed write, CommitMetadata commit) {
    commit
        .replacedFileIds()
        .forEach(
            (partition, ids) ->
                ids.forEach(id -> slices.remove(new FileGroupId(partition, new FileId(id)))));
    for (WriteStat stat : commit.writeStats()) {
      if (stat.fileId().isEmpty()) {
        continue;
      }
      Slice slice =
          slices.computeIfAbsent(
              new FileGroupId(stat.partitionPath(), new FileId(stat.fileId())), id -> new Slice());
      if (stat.isLogFile()) {
        slice.logs.add(
            new Log(write.requestedTime(), write.completionTime(), stat.fileSizeInBytes()));
      } else {
        slice.baseBytes = stat.fileSizeInBytes();
        slice.logs.removeIf(log -> log.completed.isBefore(write.requestedTime()));
      }
    }
  }

  /** One for each file group that is known, in no order. */
  public Collection<SliceSize> sizes() {
    return slices.values().stream().map(Slice::size).toList();
  }

  /** Requested time of the oldest commit with a log file that is in no base file. */
  public Optional<InstantTime> oldestUncompacted() {
    return slices.values().stream()
        .flatMap(slice -> slice.logs.stream())
        .map(Log::requested)
        .min(InstantTime::compareTo);
  }
}
