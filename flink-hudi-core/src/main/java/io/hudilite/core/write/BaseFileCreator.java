package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.BaseFileWriter;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.merge.FileSliceReader;
import io.hudilite.core.merge.LogBlockFilter;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.merge.RowSelection;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;

/**
 * Writes the first files of a new file group: a base file of its rows and, if there are deletes, a
 * log file of the same instant. Or the next base file of a group that rows are only added to, see
 * {@link #goOn}. The partition's {@link PartitionMetadata} must be there.
 */
public final class BaseFileCreator implements FileGroupWriter {
  private final RowFormat format;
  private final String partitionPath;
  private final BaseFileName baseFile;
  private final String path;
  private final RecordAssembler records;
  private final LogAppender deletes;
  @Nullable private BaseFileWriter writer;

  /** Whose rows come first; null in a new file group. */
  @Nullable private BaseFile before;

  private long rowsBefore;

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

  /**
   * Carries on the rows of the base file that this one takes the place of, with their commit times
   * and sequence numbers. Keys are not looked at. Called before anything is inserted.
   *
   * @param context of the table
   */
  public void goOn(BaseFile newest, ReadContext context) throws IOException {
    if (writer != null || !newest.name().fileId().equals(baseFile.fileId())) {
      throw new IllegalStateException("%s does not begin with %s".formatted(baseFile, newest));
    }
    before = newest;
    FileNameColumn inNewFile = new FileNameColumn(format.rowTypeWithMeta(), baseFile.toString());
    FileSlice slice = new FileSlice(newest.groupId(), newest.name().instant(), newest, List.of());
    try (FileSliceReader reader =
        FileSliceReader.open(
            context,
            slice,
            LogBlockFilter.ALL,
            new RowSelection.Live(),
            format.rowTypeWithMeta())) {
      create();
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        writer.write(inNewFile.of(row));
      }
    }
    rowsBefore = writer.rowCount();
  }

  private void create() throws IOException {
    writer =
        BaseFileWriter.create(
            format.storage(),
            path,
            format.rowTypeWithMeta(),
            format.schemaText(),
            format.baseFileSettings());
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
      create();
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
          before == null
              ? WriteStat.ofNewBaseFile(
                  baseFile.fileId().value(),
                  partitionPath,
                  baseFile.toString(),
                  writer.rowCount(),
                  writer.fileSizeBytes())
              : WriteStat.ofRewrittenBaseFile(
                  baseFile.fileId().value(),
                  partitionPath,
                  baseFile.toString(),
                  before.name().instant(),
                  before.name().toString(),
                  writer.rowCount(),
                  writer.rowCount() - rowsBefore,
                  0,
                  0,
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
