package io.hudilite.sink.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.PartitionMetadata;
import io.hudilite.core.write.RowFormat;
import io.hudilite.core.write.SequenceNumbers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * Adds rows in new base files, each of them a file group of its own. The groups that it is given
 * stand for partitions. An insert writes files whenever the memory is short; a bulk insert lets
 * rows wait in a local file, and so makes files as large as they may be.
 */
final class AppendFlusher implements Flusher {
  private final Storage storage;
  private final RowFormat format;
  private final PartitionMetadata partitions;
  private final WriterName name;
  private final long maxFileBytes;
  private final GroupBuffer.Order order;

  /** Null if rows are written at once. */
  @Nullable private final WaitingRows waiting;

  @Nullable private SequenceNumbers sequence;

  /**
   * @param maxFileBytes at about this size a new file is begun
   * @param spillFolder a local folder where rows wait, null if they are to be written at once
   */
  AppendFlusher(
      Storage storage,
      RowFormat format,
      WriterName name,
      long maxFileBytes,
      GroupBuffer.Order order,
      @Nullable Path spillFolder) {
    this.storage = requireNonNull(storage, "storage");
    this.format = requireNonNull(format, "format");
    this.name = requireNonNull(name, "name");
    this.partitions = new PartitionMetadata(storage);
    this.maxFileBytes = maxFileBytes;
    this.order = requireNonNull(order, "order");
    this.waiting = spillFolder == null ? null : new WaitingRows(spillFolder, order);
  }

  @Override
  public void begin(InstantTime instant) {
    if (sequence == null || !sequence.instant().equals(instant)) {
      sequence = new SequenceNumbers(instant, name.subtask());
    }
  }

  @Override
  public List<WriteStat> flush(List<GroupBuffer> groups) throws IOException {
    if (waiting == null) {
      return write(groups);
    }
    waiting.add(groups);
    return List.of();
  }

  @Override
  public boolean hasUnfinished() {
    return waiting != null && !waiting.isEmpty();
  }

  @Override
  public List<WriteStat> finish(List<GroupBuffer> groups) throws IOException {
    if (waiting == null || waiting.isEmpty()) {
      return write(groups);
    }
    // Sorted rows must meet those that left the memory before.
    waiting.add(groups);
    Map<FileGroupId, RollingBaseFiles.Rows> byGroup = new LinkedHashMap<>();
    for (FileGroupId id : waiting.groups()) {
      byGroup.put(
          RollingBaseFiles.newGroup(id.partitionPath()), visitor -> waiting.forEach(id, visitor));
    }
    List<WriteStat> stats = write(byGroup);
    waiting.close();
    return stats;
  }

  private List<WriteStat> write(List<GroupBuffer> groups) throws IOException {
    // Rows that a checkpoint kept on their way bear a group of an earlier start: a partition may
    // have several.
    Map<FileGroupId, RollingBaseFiles.Rows> byGroup = new LinkedHashMap<>();
    for (GroupBuffer group : groups) {
      byGroup.put(
          RollingBaseFiles.newGroup(group.id().partitionPath()),
          visitor -> group.forEach(order, visitor));
    }
    return write(byGroup);
  }

  private List<WriteStat> write(Map<FileGroupId, RollingBaseFiles.Rows> byGroup)
      throws IOException {
    RollingBaseFiles files = new RollingBaseFiles(storage, format, sequence, name, maxFileBytes);
    for (FileGroupId id : byGroup.keySet()) {
      files.plan(id, null);
    }
    files.mark();
    for (Map.Entry<FileGroupId, RollingBaseFiles.Rows> group : byGroup.entrySet()) {
      partitions.ensure(group.getKey().partitionPath(), sequence.instant());
      files.write(group.getKey(), null, group.getValue());
    }
    return files.stats();
  }

  @Override
  public void onBarrier() {
    // The instant may go on.
  }

  @Override
  public void close() throws IOException {
    if (waiting != null) {
      waiting.close();
    }
  }
}
