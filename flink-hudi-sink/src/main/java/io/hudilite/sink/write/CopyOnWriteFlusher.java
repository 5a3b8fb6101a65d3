package io.hudilite.sink.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.BaseFileRewriter;
import io.hudilite.core.write.PartitionMetadata;
import io.hudilite.core.write.RowFormat;
import io.hudilite.core.write.SequenceNumbers;
import io.hudilite.core.write.WriteMarkers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * Writes copy-on-write tables: each file group that got rows gets one new base file per instant, at
 * its end. What must leave the memory before waits in local files. One group is merged after the
 * other, so that the memory does not grow with their number.
 */
final class CopyOnWriteFlusher implements Flusher {
  private final Storage storage;
  private final RowFormat format;
  private final MergeMemory memory;
  private final PartitionMetadata partitions;
  private final WriterName name;
  private final Map<FileGroupId, BaseFileRewriter> open = new LinkedHashMap<>();
  private final NewestBaseFiles newest;
  @Nullable private ReadContext context;
  @Nullable private SequenceNumbers sequence;

  CopyOnWriteFlusher(Storage storage, RowFormat format, MergeMemory memory, WriterName name) {
    this.storage = requireNonNull(storage, "storage");
    this.format = requireNonNull(format, "format");
    this.memory = requireNonNull(memory, "memory");
    this.name = requireNonNull(name, "name");
    this.partitions = new PartitionMetadata(storage);
    this.newest = new NewestBaseFiles(storage);
  }

  @Override
  public void begin(InstantTime instant) {
    if (sequence != null && sequence.instant().equals(instant)) {
      return;
    }
    sequence = new SequenceNumbers(instant, name.subtask());
  }

  @Override
  public List<WriteStat> flush(List<GroupBuffer> groups) throws IOException {
    for (GroupBuffer group : groups) {
      if (group.rows() > 0) {
        BaseFileRewriter rewriter = rewriterOf(group.id());
        group.writeTo(rewriter);
        rewriter.endRun();
      }
    }
    return List.of();
  }

  private BaseFileRewriter rewriterOf(FileGroupId id) throws IOException {
    BaseFileRewriter rewriter = open.get(id);
    if (rewriter == null) {
      if (context == null) {
        context = newest.readContext().withMemory(memory);
      }
      rewriter = new BaseFileRewriter(format, context, sequence, id);
      open.put(id, rewriter);
    }
    return rewriter;
  }

  @Override
  public boolean hasUnfinished() {
    return !open.isEmpty();
  }

  @Override
  public List<WriteStat> finish(List<GroupBuffer> groups) throws IOException {
    Map<FileGroupId, GroupBuffer> buffered = new LinkedHashMap<>();
    for (GroupBuffer group : groups) {
      if (group.rows() > 0) {
        buffered.put(group.id(), group);
        rewriterOf(group.id());
      }
    }
    if (open.isEmpty()) {
      return List.of();
    }
    newest.look();
    List<FileGroupId> all = new ArrayList<>(open.keySet());
    all.sort(null);
    List<WriteMarkers.Marker> markers = new ArrayList<>(all.size());
    String token = name.nextToken();
    for (FileGroupId id : all) {
      BaseFile before = newest.of(id);
      BaseFileName after = new BaseFileName(id.fileId(), token, sequence.instant());
      open.get(id).replace(before, after);
      markers.add(
          new WriteMarkers.Marker(
              id.pathOf(after.toString()),
              before == null ? WriteMarkers.IoType.CREATE : WriteMarkers.IoType.MERGE));
    }
    new WriteMarkers(storage, sequence.instant()).add(name.nextMarkerNumber(), markers);
    List<WriteStat> stats = new ArrayList<>(all.size());
    for (FileGroupId id : all) {
      partitions.ensure(id.partitionPath(), sequence.instant());
      BaseFileRewriter rewriter = open.get(id);
      GroupBuffer last = buffered.remove(id);
      try {
        if (last != null) {
          last.writeTo(rewriter);
        }
        for (WriteStat stat : rewriter.finish()) {
          stats.add(stat);
          newest.wrote(stat);
        }
      } catch (IOException | RuntimeException e) {
        rewriter.abort();
        throw e;
      }
      open.remove(id);
    }
    return stats;
  }

  @Override
  public void onBarrier() {
    newest.onBarrier();
  }

  @Override
  public void close() {
    open.values().forEach(BaseFileRewriter::abort);
    open.clear();
  }
}
