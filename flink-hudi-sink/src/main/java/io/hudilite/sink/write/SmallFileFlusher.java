package io.hudilite.sink.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.PartitionMetadata;
import io.hudilite.core.write.RowFormat;
import io.hudilite.core.write.SequenceNumbers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import javax.annotation.Nullable;

/**
 * Adds rows to the file groups that they were given, whatever their keys: each group gets one new
 * base file per instant, at its end, in which the rows of the one before come first. What must
 * leave the memory before waits in a local file.
 */
final class SmallFileFlusher implements Flusher {
  private static final GroupBuffer.Order ORDER = GroupBuffer.Order.ARRIVAL;

  private final Storage storage;
  private final RowFormat format;
  private final PartitionMetadata partitions;
  private final NewestBaseFiles newest;
  private final WriterName name;
  private final long maxFileBytes;
  private final WaitingRows waiting;

  @Nullable private SequenceNumbers sequence;

  /**
   * @param maxFileBytes at about this size a new file is begun
   * @param spillFolder a local folder where rows wait
   */
  SmallFileFlusher(
      Storage storage, RowFormat format, WriterName name, long maxFileBytes, Path spillFolder) {
    this.storage = requireNonNull(storage, "storage");
    this.format = requireNonNull(format, "format");
    this.name = requireNonNull(name, "name");
    this.waiting = new WaitingRows(spillFolder, ORDER);
    this.maxFileBytes = maxFileBytes;
    this.partitions = new PartitionMetadata(storage);
    this.newest = new NewestBaseFiles(storage);
  }

  @Override
  public void begin(InstantTime instant) {
    if (sequence == null || !sequence.instant().equals(instant)) {
      sequence = new SequenceNumbers(instant, name.subtask());
    }
  }

  @Override
  public List<WriteStat> flush(List<GroupBuffer> groups) throws IOException {
    waiting.add(groups);
    return List.of();
  }

  @Override
  public boolean hasUnfinished() {
    return !waiting.isEmpty();
  }

  @Override
  public List<WriteStat> finish(List<GroupBuffer> groups) throws IOException {
    Map<FileGroupId, GroupBuffer> buffered = new TreeMap<>();
    for (GroupBuffer group : groups) {
      if (group.rows() > 0) {
        buffered.put(group.id(), group);
      }
    }
    SortedSet<FileGroupId> all = waiting.groups();
    all.addAll(buffered.keySet());
    if (all.isEmpty()) {
      return List.of();
    }
    newest.look();
    RollingBaseFiles files = new RollingBaseFiles(storage, format, sequence, name, maxFileBytes);
    Map<FileGroupId, RollingBaseFiles.Before> before = new HashMap<>();
    ReadContext context = newest.readContext();
    for (FileGroupId id : all) {
      BaseFile file = newest.of(id);
      if (file != null) {
        before.put(id, new RollingBaseFiles.Before(file, context));
      }
      files.plan(id, before.get(id));
    }
    files.mark();
    for (FileGroupId id : all) {
      partitions.ensure(id.partitionPath(), sequence.instant());
      files.write(id, before.get(id), visitor -> visit(id, buffered.remove(id), visitor));
    }
    files.stats().forEach(newest::wrote);
    waiting.close();
    return files.stats();
  }

  /** First what came first. */
  private void visit(FileGroupId id, @Nullable GroupBuffer last, GroupBuffer.Visitor visitor)
      throws IOException {
    waiting.forEach(id, visitor);
    if (last != null) {
      last.forEach(ORDER, visitor);
    }
  }

  @Override
  public void onBarrier() {
    newest.onBarrier();
  }

  @Override
  public void close() throws IOException {
    waiting.close();
  }
}
