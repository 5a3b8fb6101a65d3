package io.hudilite.core.write;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.log.LogWriter;
import java.io.IOException;
import javax.annotation.Nullable;

/**
 * Rows in Parquet if they are many, else in Avro. The first rows of a block wait until it is known:
 * for few of them the headers and the footer of a Parquet file take more than it saves.
 */
final class BySizeRowBlock implements RowBlock {
  /** About where both take the same space, with some ten columns. */
  static final int LARGEST_AVRO_BYTES = 16 << 10;

  private final RowFormat format;
  private final MetaColumnsEncoder metaColumns;
  private final RowBlock few;
  private final RowBlock many;

  /** Length and bytes of key and body of each row that waits; null before the first. */
  @Nullable private AvroBuffer waiting;

  private boolean areMany;

  /** What the rows that wait would take in Avro, at most. */
  private long bytesInAvro;

  /**
   * @param few for small blocks
   * @param many for all others
   */
  BySizeRowBlock(RowFormat format, MetaColumnsEncoder metaColumns, RowBlock few, RowBlock many) {
    this.format = format;
    this.metaColumns = metaColumns;
    this.few = few;
    this.many = many;
  }

  @Override
  public boolean isFullFor(int keyLength, int bodyLength) {
    return areMany
        ? many.isFullFor(keyLength, bodyLength)
        : !isEmpty() && bytesInAvro + bytesOf(keyLength, bodyLength) > format.dataBlockBytes();
  }

  private long bytesOf(int keyLength, int bodyLength) {
    return (long) Integer.BYTES + metaColumns.maxBytes(keyLength) + bodyLength;
  }

  @Override
  public void append(byte[] bytes, int keyOffset, int keyLength, int bodyOffset, int bodyLength)
      throws IOException {
    if (waiting == null) {
      waiting = format.takeBuffer();
    }
    long bytesOfRow = bytesOf(keyLength, bodyLength);
    if (!areMany && bytesInAvro + bytesOfRow > LARGEST_AVRO_BYTES) {
      moveTo(many);
      areMany = true;
    }
    if (areMany) {
      many.append(bytes, keyOffset, keyLength, bodyOffset, bodyLength);
      return;
    }
    bytesInAvro += bytesOfRow;
    waiting.writeBigEndianInt(keyLength);
    waiting.writeBigEndianInt(bodyLength);
    waiting.writeRaw(bytes, keyOffset, keyLength);
    waiting.writeRaw(bytes, bodyOffset, bodyLength);
  }

  private void moveTo(RowBlock block) throws IOException {
    byte[] array = waiting.array();
    int at = 0;
    while (at < waiting.size()) {
      int keyLength = waiting.bigEndianInt(at);
      int bodyLength = waiting.bigEndianInt(at + Integer.BYTES);
      at += 2 * Integer.BYTES;
      block.append(array, at, keyLength, at + keyLength, bodyLength);
      at += keyLength + bodyLength;
    }
    waiting.reset();
    bytesInAvro = 0;
  }

  @Override
  public boolean isEmpty() {
    return !areMany && (waiting == null || waiting.size() == 0);
  }

  @Override
  public void writeTo(LogWriter log) throws IOException {
    if (areMany) {
      many.writeTo(log);
      areMany = false;
    } else {
      moveTo(few);
      few.writeTo(log);
    }
  }

  @Override
  public void close() {
    few.close();
    many.close();
    areMany = false;
    bytesInAvro = 0;
    if (waiting != null) {
      format.giveBack(waiting);
      waiting = null;
    }
  }
}
