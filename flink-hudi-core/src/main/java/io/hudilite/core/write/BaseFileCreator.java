package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.BaseFileWriter;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;

/**
 * Writes the first files of a new file group: a base file of its rows and, if there are deletes, a
 * log file of the same instant. The partition's {@link PartitionMetadata} must be there.
 */
public final class BaseFileCreator implements FileGroupWriter {
  private final RowFormat format;
  private final String partitionPath;
  private final BaseFileName baseFile;
  private final String path;
  private final RecordAssembler records;
  private final LogAppender deletes;
  @Nullable private BaseFileWriter writer;

  /**
   * @param partitionPath {@code ""} if the table is not partitioned
   * @param baseFile name of the file for rows
   * @param deletesFile name of the log file that is made if there are deletes
   */
  public BaseFileCreator(
      RowFormat format,
      SequenceNumbers sequence,
      String partitionPath,
      BaseFileName baseFile,
      LogFileName deletesFile) {
    this.format = requireNonNull(format, "format");
    this.partitionPath = requireNonNull(partitionPath, "partitionPath");
    this.baseFile = requireNonNull(baseFile, "baseFile");
    if (!baseFile.instant().equals(sequence.instant())
        || !baseFile.fileId().equals(deletesFile.fileId())) {
      throw new IllegalArgumentException(
          "Base file %s, log file %s and instant %s do not belong together"
              .formatted(baseFile, deletesFile, sequence.instant()));
    }
    this.path = new FileGroupId(partitionPath, baseFile.fileId()).pathOf(baseFile.toString());
    this.records =
        new RecordAssembler(
            format, new MetaColumnsEncoder(sequence, partitionPath, baseFile.toString()));
    this.deletes = new LogAppender(format, sequence, partitionPath, deletesFile);
  }

  /** The same as {@link #insert}: all rows of a new file group are new. */
  @Override
  public void upsert(byte[] bytes, int keyOffset, int keyLength, int bodyOffset, int bodyLength)
      throws IOException {
    insert(bytes, keyOffset, keyLength, bodyOffset, bodyLength);
  }

  @Override
  public void insert(byte[] bytes, int keyOffset, int keyLength, int bodyOffset, int bodyLength)
      throws IOException {
    if (writer == null) {
      writer =
          BaseFileWriter.create(
              format.storage(),
              path,
              format.rowTypeWithMeta(),
              format.schemaText(),
              format.baseFileSettings());
    }
    records.write(bytes, keyOffset, keyLength, bodyOffset, bodyLength, writer);
  }

  @Override
  public void delete(byte[] bytes, int keyOffset, int keyLength, OrderingValue ordering)
      throws IOException {
    deletes.delete(bytes, keyOffset, keyLength, ordering);
  }

  /** About how big the base file would be if it ended now. */
  public long estimatedBytes() {
    return writer == null ? 0 : writer.estimatedSizeBytes();
  }

  @Override
  public List<WriteStat> finish() throws IOException {
    List<WriteStat> stats = new ArrayList<>();
    if (writer != null) {
      writer.close();
      stats.add(
          WriteStat.ofNewBaseFile(
              baseFile.fileId().value(),
              partitionPath,
              baseFile.toString(),
              writer.rowCount(),
              writer.fileSizeBytes()));
    }
    stats.addAll(deletes.finish());
    return stats;
  }

  @Override
  public void abort() {
    if (writer != null) {
      NewFile.giveUp(format.storage(), path, writer::abort);
    }
    deletes.abort();
  }
}
