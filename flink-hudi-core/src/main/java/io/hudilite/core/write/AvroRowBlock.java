package io.hudilite.core.write;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.log.LogWriter;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import javax.annotation.Nullable;

/** Rows in Avro, which is what they come in: they are copied. */
final class AvroRowBlock implements RowBlock {
  private final RowFormat format;
  private final InstantTime instant;
  private final MetaColumnsEncoder metaColumns;

  /** Null before the first row and after the last. */
  @Nullable private AvroBuffer rows;

  private int count;

  AvroRowBlock(RowFormat format, InstantTime instant, MetaColumnsEncoder metaColumns) {
    this.format = format;
    this.instant = instant;
    this.metaColumns = metaColumns;
  }

  @Override
  public boolean isFullFor(int keyLength, int bodyLength) {
    return count > 0
        && (long) rows.size() + Integer.BYTES + metaColumns.maxBytes(keyLength) + bodyLength
            > format.dataBlockBytes();
  }

  @Override
  public void append(byte[] bytes, int keyOffset, int keyLength, int bodyOffset, int bodyLength) {
    if (rows == null) {
      rows = format.takeBuffer();
    }
    int lengthAt = rows.skip(Integer.BYTES);
    metaColumns.encode(bytes, keyOffset, keyLength, rows);
    rows.writeRaw(bytes, bodyOffset, bodyLength);
    rows.setBigEndianInt(lengthAt, rows.size() - lengthAt - Integer.BYTES);
    count++;
  }

  @Override
  public boolean isEmpty() {
    return count == 0;
  }

  @Override
  public void writeTo(LogWriter log) throws IOException {
    log.appendData(instant, format.schemaText(), count, rows);
    rows.reset();
    count = 0;
  }

  @Override
  public void close() {
    if (rows != null) {
      format.giveBack(rows);
      rows = null;
      count = 0;
    }
  }
}
