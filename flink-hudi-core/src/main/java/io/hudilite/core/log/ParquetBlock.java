package io.hudilite.core.log;

import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import org.apache.avro.Schema;

/** Content: one Parquet file. Source: Hudi 1.0.2 HoodieParquetDataBlock. */
record ParquetBlock(BlockFrame frame, InstantTime instant, Schema schema)
    implements LogBlock.ParquetData {

  @Override
  public long position() {
    return frame.position();
  }

  @Override
  public boolean isPartial() {
    return frame.isPartial();
  }

  @Override
  public long contentPosition() {
    return frame.contentPosition();
  }

  @Override
  public long contentLength() {
    return frame.contentLength();
  }

  @Override
  public byte[] content() throws IOException {
    if (contentLength() > Integer.MAX_VALUE - 8) {
      throw frame.corrupt("a block of " + contentLength() + " bytes, 2 GiB are the limit");
    }
    return frame.input().readBytes(contentPosition(), (int) contentLength());
  }
}
