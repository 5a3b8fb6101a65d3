package io.hudilite.core.write;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.base.BaseFileWriter;
import io.hudilite.core.log.LogWriter;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.io.OutputStream;
import javax.annotation.Nullable;

/**
 * Rows as a Parquet file in memory. A block ends when its rows would have the size of a block in
 * Avro, so that it takes no more memory than one of those.
 */
final class ParquetRowBlock implements RowBlock {
  private final RowFormat format;
  private final InstantTime instant;
  private final MetaColumnsEncoder metaColumns;
  private final RecordAssembler records;
  private final String file;

  /** The file so far; null before the first row and after the last. */
  @Nullable private AvroBuffer content;

  /** Null between blocks. */
  @Nullable private BaseFileWriter writer;

  private long bytesInAvro;

  /**
   * @param file path of the log file, for messages
   */
  ParquetRowBlock(
      RowFormat format, InstantTime instant, MetaColumnsEncoder metaColumns, String file) {
    this.format = format;
    this.instant = instant;
    this.metaColumns = metaColumns;
    this.records = new RecordAssembler(format, metaColumns);
    this.file = file;
  }

  @Override
  public boolean isFullFor(int keyLength, int bodyLength) {
    return writer != null
        && bytesInAvro + metaColumns.maxBytes(keyLength) + bodyLength > format.dataBlockBytes();
  }

  @Override
  public void append(byte[] bytes, int keyOffset, int keyLength, int bodyOffset, int bodyLength)
      throws IOException {
    if (writer == null) {
      open();
    }
    records.write(bytes, keyOffset, keyLength, bodyOffset, bodyLength, writer);
    bytesInAvro += (long) metaColumns.maxBytes(keyLength) + bodyLength;
  }

  private void open() throws IOException {
    if (content == null) {
      content = format.takeBuffer();
    }
    writer =
        BaseFileWriter.ofLogBlock(
            new Appending(content),
            file,
            format.rowTypeWithMeta(),
            format.schemaText(),
            format.baseFileSettings());
  }

  @Override
  public boolean isEmpty() {
    return writer == null;
  }

  @Override
  public void writeTo(LogWriter log) throws IOException {
    writer.close();
    writer = null;
    bytesInAvro = 0;
    log.appendParquet(instant, format.schemaText(), content);
    content.reset();
  }

  @Override
  public void close() {
    if (writer != null) {
      writer.abort();
      writer = null;
    }
    if (content != null) {
      format.giveBack(content);
      content = null;
    }
  }

  /** Appends to a buffer. */
  private static final class Appending extends OutputStream {
    private final AvroBuffer target;

    private Appending(AvroBuffer target) {
      this.target = target;
    }

    @Override
    public void write(int b) {
      target.writeByte(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      target.writeRaw(bytes, offset, length);
    }
  }
}
