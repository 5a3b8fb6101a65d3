package io.hudilite.sink.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.BaseFileCreator;
import io.hudilite.core.write.RowFormat;
import io.hudilite.core.write.SequenceNumbers;
import io.hudilite.core.write.WriteMarkers;
import io.hudilite.sink.record.HudiRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.annotation.Nullable;

/**
 * The base files of one flush that only adds rows. Where a file becomes too large, the rest goes to
 * a new file group of the partition. First all files are planned, then marked, then written one
 * after the other. Not safe for use by several threads.
 */
final class RollingBaseFiles {
  /** Between two looks at the size of a file. */
  private static final int ROWS_BETWEEN_SIZE_CHECKS = 500;

  private final Storage storage;
  private final RowFormat format;
  private final SequenceNumbers sequence;
  private final WriterName name;
  private final String token;
  private final long maxFileBytes;
  private final List<WriteMarkers.Marker> markers = new ArrayList<>();
  private final List<WriteStat> stats = new ArrayList<>();

  /** The rows of one file group. */
  @FunctionalInterface
  interface Rows {
    void forEach(GroupBuffer.Visitor visitor) throws IOException;
  }

  /** A base file whose rows come first in the next one of its group. */
  record Before(BaseFile file, ReadContext context) {}

  RollingBaseFiles(
      Storage storage,
      RowFormat format,
      SequenceNumbers sequence,
      WriterName name,
      long maxFileBytes) {
    this.storage = requireNonNull(storage, "storage");
    this.format = requireNonNull(format, "format");
    this.sequence = requireNonNull(sequence, "sequence");
    this.name = requireNonNull(name, "name");
    this.token = name.nextToken();
    this.maxFileBytes = maxFileBytes;
  }

  static FileGroupId newGroup(String partition) {
    return new FileGroupId(partition, FileId.of(UUID.randomUUID()));
  }

  /** The group will get a file. */
  void plan(FileGroupId id, @Nullable Before before) {
    markers.add(
        new WriteMarkers.Marker(
            id.pathOf(nameOf(id).toString()),
            before == null ? WriteMarkers.IoType.CREATE : WriteMarkers.IoType.MERGE));
  }

  /** Marks what was planned, so that nothing stays behind. */
  void mark() throws IOException {
    if (!markers.isEmpty()) {
      new WriteMarkers(storage, sequence.instant()).add(name.nextMarkerNumber(), markers);
      markers.clear();
    }
  }

  /**
   * Writes the files of a group that was marked. The metadata of the partition must be there.
   *
   * @param before null for a new group
   */
  void write(FileGroupId id, @Nullable Before before, Rows rows) throws IOException {
    Appender appender = new Appender(id);
    try {
      if (before != null) {
        appender.creator.goOn(before.file, before.context);
      }
      rows.forEach(appender);
      appender.finish();
    } catch (IOException | RuntimeException e) {
      appender.creator.abort();
      throw e;
    }
  }

  /** One for each file that was written. */
  List<WriteStat> stats() {
    return stats;
  }

  private BaseFileName nameOf(FileGroupId id) {
    return new BaseFileName(id.fileId(), token, sequence.instant());
  }

  private final class Appender implements GroupBuffer.Visitor {
    private FileGroupId id;
    private BaseFileCreator creator;
    private long rows;

    private Appender(FileGroupId first) {
      this.id = first;
      this.creator = open();
    }

    private BaseFileCreator open() {
      return new BaseFileCreator(
          format,
          sequence,
          id.partitionPath(),
          nameOf(id),
          new LogFileName(id.fileId(), sequence.instant(), 1, token));
    }

    @Override
    public void visit(byte[] page, int offset, int length) throws IOException {
      if (++rows % ROWS_BETWEEN_SIZE_CHECKS == 0 && creator.estimatedBytes() >= maxFileBytes) {
        finish();
        id = newGroup(id.partitionPath());
        plan(id, null);
        mark();
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
  }
}
