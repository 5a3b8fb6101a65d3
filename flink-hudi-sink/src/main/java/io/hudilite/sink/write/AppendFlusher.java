package io.hudilite.sink.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.BaseFileCreator;
import io.hudilite.core.write.PartitionMetadata;
import io.hudilite.core.write.RowFormat;
import io.hudilite.core.write.SequenceNumbers;
import io.hudilite.core.write.WriteMarkers;
import io.hudilite.sink.record.HudiRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import javax.annotation.Nullable;

/**
 * Adds rows in new base files, each of them a file group of its own. The groups that it is given
 * stand for partitions. An insert writes files whenever the memory is short; a bulk insert lets
 * rows wait in a local file, and so makes files as large as they may be.
 */
final class AppendFlusher implements Flusher {
  /** Between two looks at the size of a file. */
  private static final int ROWS_BETWEEN_SIZE_CHECKS = 500;

  private final Storage storage;
  private final RowFormat format;
  private final PartitionMetadata partitions;
  private final WriterName name;
  private final long maxFileBytes;
  private final GroupBuffer.Order order;

  /** Where rows wait; null if they are written at once. */
  @Nullable private final Path spillFolder;

  @Nullable private SpilledRows spilled;
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
    this.spillFolder = spillFolder;
  }

  @Override
  public void begin(InstantTime instant) {
    if (sequence == null || !sequence.instant().equals(instant)) {
      sequence = new SequenceNumbers(instant, name.subtask());
    }
  }

  @Override
  public List<WriteStat> flush(List<GroupBuffer> groups) throws IOException {
    if (spillFolder == null) {
      return write(groups);
    }
    if (spilled == null) {
      spilled = new SpilledRows(spillFolder);
    }
    for (GroupBuffer group : groups) {
      spilled.add(group, order);
    }
    return List.of();
  }

  @Override
  public boolean hasUnfinished() {
    return spilled != null;
  }

  @Override
  public List<WriteStat> finish(List<GroupBuffer> groups) throws IOException {
    if (spilled == null) {
      return write(groups);
    }
    // Sorted rows must meet those that were spilled before.
    flush(groups);
    Map<String, Rows> byPartition = new LinkedHashMap<>();
    SpilledRows rows = spilled;
    for (FileGroupId id : new TreeSet<>(rows.groups())) {
      byPartition.put(id.partitionPath(), visitor -> rows.forEach(id, order, visitor));
    }
    List<WriteStat> stats = write(byPartition);
    spilled.close();
    spilled = null;
    return stats;
  }

  private List<WriteStat> write(List<GroupBuffer> groups) throws IOException {
    Map<String, Rows> byPartition = new LinkedHashMap<>();
    for (GroupBuffer group : groups) {
      byPartition.put(group.id().partitionPath(), visitor -> group.forEach(order, visitor));
    }
    return write(byPartition);
  }

  /** The rows of one partition. */
  @FunctionalInterface
  private interface Rows {
    void forEach(GroupBuffer.Visitor visitor) throws IOException;
  }

  private List<WriteStat> write(Map<String, Rows> byPartition) throws IOException {
    List<FileGroupId> first = new ArrayList<>(byPartition.size());
    byPartition.keySet().forEach(partition -> first.add(newGroup(partition)));
    String token = name.nextToken();
    mark(first, token);
    List<WriteStat> stats = new ArrayList<>(first.size());
    int next = 0;
    for (Rows rows : byPartition.values()) {
      FileGroupId id = first.get(next++);
      partitions.ensure(id.partitionPath(), sequence.instant());
      Appender appender = new Appender(id, token, stats);
      try {
        rows.forEach(appender);
        appender.finish();
      } catch (IOException | RuntimeException e) {
        appender.abort();
        throw e;
      }
    }
    return stats;
  }

  private static FileGroupId newGroup(String partition) {
    return new FileGroupId(partition, FileId.of(UUID.randomUUID()));
  }

  private void mark(List<FileGroupId> groups, String token) throws IOException {
    if (groups.isEmpty()) {
      return;
    }
    List<WriteMarkers.Marker> markers = new ArrayList<>(groups.size());
    for (FileGroupId id : groups) {
      markers.add(
          new WriteMarkers.Marker(
              id.pathOf(nameOf(id, token).toString()), WriteMarkers.IoType.CREATE));
    }
    new WriteMarkers(storage, sequence.instant()).add(name.nextMarkerNumber(), markers);
  }

  private BaseFileName nameOf(FileGroupId id, String token) {
    return new BaseFileName(id.fileId(), token, sequence.instant());
  }

  @Override
  public void onBarrier() {
    // The instant may go on.
  }

  @Override
  public void close() throws IOException {
    if (spilled != null) {
      spilled.close();
      spilled = null;
    }
  }

  /** Writes one file after the other for one partition. */
  private final class Appender implements GroupBuffer.Visitor {
    private final String token;
    private final List<WriteStat> stats;
    private FileGroupId id;
    private BaseFileCreator creator;
    private long rows;

    private Appender(FileGroupId first, String token, List<WriteStat> stats) {
      this.id = first;
      this.token = token;
      this.stats = stats;
      this.creator = open();
    }

    private BaseFileCreator open() {
      return new BaseFileCreator(
          format,
          sequence,
          id.partitionPath(),
          nameOf(id, token),
          new LogFileName(id.fileId(), sequence.instant(), 1, token));
    }

    @Override
    public void visit(byte[] page, int offset, int length) throws IOException {
      if (++rows % ROWS_BETWEEN_SIZE_CHECKS == 0 && creator.estimatedBytes() >= maxFileBytes) {
        finish();
        id = newGroup(id.partitionPath());
        mark(List.of(id), token);
        creator = open();
      }
      creator.insert(
          page,
          HudiRecord.keyOffset(offset),
          HudiRecord.keyLength(page, offset),
          HudiRecord.bodyOffset(page, offset),
          HudiRecord.bodyLength(page, offset, length));
    }

    private void finish() throws IOException {
      stats.addAll(creator.finish());
    }

    private void abort() {
      creator.abort();
    }
  }
}
