package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.log.DeletedRecordCodec;
import io.hudilite.core.log.LogBlockFormat;
import io.hudilite.core.log.LogWriter;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * Writes a new log file of a file group: data blocks, and then blocks of all deletes. The
 * partition's {@link PartitionMetadata} must be there. The content of a block is held in memory
 * until the block is full.
 */
public final class LogAppender implements FileGroupWriter {
  private final RowFormat format;
  private final SequenceNumbers sequence;
  private final String partitionPath;
  private final byte[] partitionBytes;
  private final LogFileName file;
  private final String path;
  private final RowBlock rows;
  private final AvroBuffer deletes = new AvroBuffer(64);
  private int deletesInBlock;

  private long inserts;
  private long updates;
  private long deleted;
  @Nullable private LogWriter writer;

  /**
   * @param partitionPath {@code ""} if the table is not partitioned
   * @param file name of the log file; its instant is that of {@code sequence}
   */
  public LogAppender(
      RowFormat format, SequenceNumbers sequence, String partitionPath, LogFileName file) {
    this.format = requireNonNull(format, "format");
    this.sequence = requireNonNull(sequence, "sequence");
    this.partitionPath = requireNonNull(partitionPath, "partitionPath");
    this.partitionBytes = partitionPath.getBytes(StandardCharsets.UTF_8);
    this.file = requireNonNull(file, "file");
    if (!file.instant().equals(sequence.instant())) {
      throw new IllegalArgumentException(
          "Log file " + file + " does not belong to instant " + sequence.instant());
    }
    this.path = new FileGroupId(partitionPath, file.fileId()).pathOf(file.toString());
    // In log files this column holds the file id alone; compaction puts the file's name there.
    MetaColumnsEncoder metaColumns =
        new MetaColumnsEncoder(sequence, partitionPath, file.fileId().value());
    this.rows = rowBlock(format.logBlockFormat(), metaColumns);
  }

  private RowBlock rowBlock(LogBlockFormat blocks, MetaColumnsEncoder metaColumns) {
    return switch (blocks) {
      case AVRO -> new AvroRowBlock(format, file.instant(), metaColumns);
      case PARQUET -> new ParquetRowBlock(format, file.instant(), metaColumns, path);
      case BY_SIZE ->
          new BySizeRowBlock(
              format,
              metaColumns,
              rowBlock(LogBlockFormat.AVRO, metaColumns),
              rowBlock(LogBlockFormat.PARQUET, metaColumns));
    };
  }

  @Override
  public void upsert(byte[] bytes, int keyOffset, int keyLength, int bodyOffset, int bodyLength)
      throws IOException {
    append(bytes, keyOffset, keyLength, bodyOffset, bodyLength);
    updates++;
  }

  @Override
  public void insert(byte[] bytes, int keyOffset, int keyLength, int bodyOffset, int bodyLength)
      throws IOException {
    append(bytes, keyOffset, keyLength, bodyOffset, bodyLength);
    inserts++;
  }

  private void append(byte[] bytes, int keyOffset, int keyLength, int bodyOffset, int bodyLength)
      throws IOException {
    if (rows.isFullFor(keyLength, bodyLength)) {
      rows.writeTo(writer());
    }
    rows.append(bytes, keyOffset, keyLength, bodyOffset, bodyLength);
  }

  @Override
  public void delete(byte[] bytes, int keyOffset, int keyLength, OrderingValue ordering)
      throws IOException {
    // A log file is read in the order of its blocks; that does not matter, for no key is in it
    // twice.
    if (deletesInBlock > 0 && (long) deletes.size() + keyLength > format.dataBlockBytes()) {
      flushDeletes();
    }
    DeletedRecordCodec.encode(bytes, keyOffset, keyLength, partitionBytes, ordering, deletes);
    deletesInBlock++;
    deleted++;
  }

  private LogWriter writer() throws IOException {
    if (writer == null) {
      writer = LogWriter.create(format.storage(), path);
    }
    return writer;
  }

  private void flushDeletes() throws IOException {
    writer().appendDeletes(sequence.instant(), format.schemaText(), deletesInBlock, deletes);
    deletes.reset();
    deletesInBlock = 0;
  }

  @Override
  public List<WriteStat> finish() throws IOException {
    if (!rows.isEmpty()) {
      rows.writeTo(writer());
    }
    if (deletesInBlock > 0) {
      flushDeletes();
    }
    rows.close();
    if (writer == null) {
      return List.of();
    }
    writer.close();
    return List.of(
        new WriteStat(
            file.fileId().value(),
            path,
            partitionPath,
            sequence.instant().toString(),
            inserts + updates,
            inserts,
            updates,
            deleted,
            writer.size(),
            file.version(),
            "",
            List.of(file.toString()),
            Map.of(),
            ""));
  }

  @Override
  public void abort() {
    rows.close();
    if (writer != null) {
      NewFile.giveUp(format.storage(), path, writer);
    }
  }
}
