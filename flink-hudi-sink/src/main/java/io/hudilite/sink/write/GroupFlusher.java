package io.hudilite.sink.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.BaseFileCreator;
import io.hudilite.core.write.FileGroupWriter;
import io.hudilite.core.write.LogAppender;
import io.hudilite.core.write.PartitionMetadata;
import io.hudilite.core.write.RowFormat;
import io.hudilite.core.write.SequenceNumbers;
import io.hudilite.core.write.WriteMarkers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;

/**
 * Writes buffered file groups to files of one instant after the other: the first flush of a new
 * group makes a base file, every other one a log file. Markers are written before files, so that
 * nothing stays behind. Not safe for use by several threads.
 */
final class GroupFlusher implements Flusher {
  private final Storage storage;
  private final RowFormat format;
  private final PartitionMetadata partitions;
  private final WriterName name;

  /** Null if no rows can be on their way from before the start. */
  @Nullable private final EarlierGroups earlier;

  /**
   * New groups that have a file by now. Never forgotten: barriers of unaligned checkpoints overtake
   * rows, any number of them, and a second base file would hide the rows of the first.
   */
  private final Set<FileGroupId> begun = new HashSet<>();

  /** Next version of a log file in the current instant. */
  private final Map<FileGroupId, Integer> logVersions = new HashMap<>();

  @Nullable private SequenceNumbers sequence;
  @Nullable private WriteMarkers markers;

  /**
   * @param isRestored whether the job began from a checkpoint, so that rows may be on their way
   *     that call groups new which have files
   */
  GroupFlusher(Storage storage, RowFormat format, WriterName name, boolean isRestored) {
    this.storage = requireNonNull(storage, "storage");
    this.format = requireNonNull(format, "format");
    this.name = requireNonNull(name, "name");
    this.partitions = new PartitionMetadata(storage);
    this.earlier = isRestored ? new EarlierGroups(storage) : null;
  }

  @Override
  public void begin(InstantTime instant) {
    if (sequence != null && sequence.instant().equals(instant)) {
      return;
    }
    sequence = new SequenceNumbers(instant, name.subtask());
    markers = new WriteMarkers(storage, instant);
    logVersions.clear();
  }

  @Override
  public void onBarrier() {
    // The instant may go on.
  }

  @Override
  public List<WriteStat> finish(List<GroupBuffer> groups) throws IOException {
    return flush(groups);
  }

  @Override
  public boolean hasUnfinished() {
    return false;
  }

  @Override
  public void close() {
    // Each flush is whole.
  }

  @Override
  public List<WriteStat> flush(List<GroupBuffer> groups) throws IOException {
    List<Planned> planned = new ArrayList<>(groups.size());
    List<WriteMarkers.Marker> marked = new ArrayList<>(groups.size());
    String token = name.nextToken();
    for (GroupBuffer group : groups) {
      if (group.rows() > 0) {
        Planned plan = plan(group, token);
        planned.add(plan);
        plan.mark(marked);
      }
    }
    if (planned.isEmpty()) {
      return List.of();
    }
    markers.add(name.nextMarkerNumber(), marked);
    List<WriteStat> stats = new ArrayList<>(planned.size());
    for (Planned plan : planned) {
      stats.addAll(write(plan));
    }
    return stats;
  }

  private Planned plan(GroupBuffer group, String token) throws IOException {
    InstantTime instant = sequence.instant();
    FileGroupId id = group.id();
    boolean needsBaseFile =
        group.isNewGroup() && begun.add(id) && (earlier == null || !earlier.contains(id));
    BaseFileName baseFile = null;
    if (needsBaseFile) {
      if (group.rows() > group.deletes()) {
        baseFile = new BaseFileName(id.fileId(), token, instant);
      }
    }
    LogFileName logFile = null;
    if (baseFile == null || group.deletes() > 0) {
      int version = logVersions.merge(id, 1, Integer::sum);
      logFile = new LogFileName(id.fileId(), instant, version, token);
    }
    return new Planned(group, baseFile, logFile, token);
  }

  private List<WriteStat> write(Planned plan) throws IOException {
    GroupBuffer group = plan.group;
    partitions.ensure(group.id().partitionPath(), sequence.instant());
    FileGroupWriter writer = open(plan);
    try {
      group.writeTo(writer);
      return writer.finish();
    } catch (IOException | RuntimeException e) {
      writer.abort();
      throw e;
    }
  }

  private FileGroupWriter open(Planned plan) {
    String partition = plan.group.id().partitionPath();
    if (plan.baseFile == null) {
      return new LogAppender(format, sequence, partition, plan.logFile);
    }
    LogFileName deletes =
        plan.logFile != null
            ? plan.logFile
            : new LogFileName(plan.group.id().fileId(), sequence.instant(), 1, plan.token);
    return new BaseFileCreator(format, sequence, partition, plan.baseFile, deletes);
  }

  /** The files that one group gets: at least one of them. */
  private static final class Planned {
    private final GroupBuffer group;
    @Nullable private final BaseFileName baseFile;
    @Nullable private final LogFileName logFile;
    private final String token;

    private Planned(
        GroupBuffer group,
        @Nullable BaseFileName baseFile,
        @Nullable LogFileName logFile,
        String token) {
      this.group = group;
      this.baseFile = baseFile;
      this.logFile = logFile;
      this.token = token;
    }

    private void mark(List<WriteMarkers.Marker> marked) {
      if (baseFile != null) {
        marked.add(
            new WriteMarkers.Marker(
                group.id().pathOf(baseFile.toString()), WriteMarkers.IoType.CREATE));
      }
      if (logFile != null) {
        marked.add(
            new WriteMarkers.Marker(
                group.id().pathOf(logFile.toString()), WriteMarkers.IoType.CREATE));
      }
    }
  }
}
