package io.hudilite.core.log;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.log.LogFormat.BlockType;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantTime;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes a new log file block by block. Not safe for use by several threads.
 *
 * @see LogFormat
 */
public final class LogWriter implements Closeable {
  private final OutputStream out;
  private final AvroBuffer head = new AvroBuffer(4096);
  private long size;

  /** Of the block that is being written. */
  private long blockSize;

  private boolean isClosed;

  private LogWriter(OutputStream out) {
    this.out = out;
  }

  /**
   * Begins a log file.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the name is taken
   */
  public static LogWriter create(Storage storage, String path) throws IOException {
    return new LogWriter(requireNonNull(storage, "storage").create(path));
  }

  /**
   * A data block.
   *
   * @param schema JSON of the records' Avro schema, meta columns included
   * @param records for each record its length as four bytes, the highest first, and its Avro binary
   */
  public void appendData(InstantTime instant, String schema, int recordCount, AvroBuffer records)
      throws IOException {
    startBlock(BlockType.AVRO_DATA, header(instant, schema), 8L + records.size());
    head.writeBigEndianInt(LogFormat.CONTENT_VERSION);
    head.writeBigEndianInt(recordCount);
    finishBlock(records);
  }

  /**
   * A data block whose rows are a Parquet file. Source: Hudi 1.0.2 HoodieParquetDataBlock.
   *
   * @param schema JSON of the rows' Avro schema, meta columns included
   * @param file all bytes of a whole Parquet file
   */
  public void appendParquet(InstantTime instant, String schema, AvroBuffer file)
      throws IOException {
    startBlock(BlockType.PARQUET_DATA, header(instant, schema), file.size());
    finishBlock(file);
  }

  /** A delete block. */
  public void appendDeletes(InstantTime instant, String schema, List<DeletedRecord> records)
      throws IOException {
    AvroBuffer encoded = new AvroBuffer(64 * records.size() + 16);
    for (DeletedRecord deleted : records) {
      byte[] key = deleted.recordKey();
      byte[] partitionPath = deleted.partitionPath().getBytes(StandardCharsets.UTF_8);
      DeletedRecordCodec.encode(key, 0, key.length, partitionPath, deleted.ordering(), encoded);
    }
    appendDeletes(instant, schema, records.size(), encoded);
  }

  /**
   * A delete block of records that are encoded already.
   *
   * @param records one after the other, by {@link DeletedRecordCodec#encode}
   */
  public void appendDeletes(InstantTime instant, String schema, int recordCount, AvroBuffer records)
      throws IOException {
    AvroBuffer count = new AvroBuffer();
    count.writeInt(recordCount);
    AvroBuffer tail = new AvroBuffer();
    if (recordCount > 0) {
      tail.writeByte(0);
    }
    int length = Math.addExact(records.size(), count.size() + tail.size());
    startBlock(BlockType.DELETE, header(instant, schema), 8L + length);
    head.writeBigEndianInt(LogFormat.CONTENT_VERSION);
    head.writeBigEndianInt(length);
    head.writeRaw(count.array(), 0, count.size());
    finishBlock(records, tail);
  }

  /** A command block that makes the earlier blocks of {@code target} void. */
  public void appendRollback(InstantTime instant, InstantTime target) throws IOException {
    Map<Integer, String> header = new TreeMap<>();
    header.put(LogFormat.HEADER_INSTANT_TIME, instant.toString());
    header.put(LogFormat.HEADER_TARGET_INSTANT_TIME, target.toString());
    header.put(LogFormat.HEADER_COMMAND, LogFormat.COMMAND_ROLLBACK);
    startBlock(BlockType.COMMAND, header, 0);
    finishBlock();
  }

  private static Map<Integer, String> header(InstantTime instant, String schema) {
    Map<Integer, String> header = new TreeMap<>();
    header.put(LogFormat.HEADER_INSTANT_TIME, instant.toString());
    header.put(LogFormat.HEADER_SCHEMA, schema);
    return header;
  }

  /** Puts into {@link #head} all that comes before the content. */
  private void startBlock(BlockType type, Map<Integer, String> header, long contentLength) {
    head.reset();
    head.writeRaw(LogFormat.MAGIC);
    int sizeAt = head.skip(Long.BYTES);
    head.writeBigEndianInt(LogFormat.VERSION);
    head.writeBigEndianInt(type.ordinal());
    head.writeBigEndianInt(header.size());
    header.forEach(
        (key, text) -> {
          byte[] value = text.getBytes(StandardCharsets.UTF_8);
          head.writeBigEndianInt(key);
          head.writeBigEndianInt(value.length);
          head.writeRaw(value);
        });
    head.writeBigEndianLong(contentLength);
    // Behind the content: an empty footer and the trailer.
    blockSize = head.size() - LogFormat.FRAME_START + contentLength + Integer.BYTES + Long.BYTES;
    head.setBigEndianInt(sizeAt, (int) (blockSize >>> 32));
    head.setBigEndianInt(sizeAt + Integer.BYTES, (int) blockSize);
  }

  private void finishBlock(AvroBuffer... parts) throws IOException {
    write(head);
    for (AvroBuffer part : parts) {
      write(part);
    }
    head.reset();
    head.writeBigEndianInt(0);
    head.writeBigEndianLong(blockSize + LogFormat.MAGIC.length);
    write(head);
  }

  private void write(AvroBuffer bytes) throws IOException {
    out.write(bytes.array(), 0, bytes.size());
    size += bytes.size();
  }

  /** Bytes written so far: after {@link #close()} the size of the file. */
  public long size() {
    return size;
  }

  /** Completes the file. A second call does nothing. */
  @Override
  public void close() throws IOException {
    if (!isClosed) {
      isClosed = true;
      out.close();
    }
  }
}
