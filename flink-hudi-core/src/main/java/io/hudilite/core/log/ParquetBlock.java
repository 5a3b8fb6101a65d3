package io.hudilite.core.log;

import io.hudilite.core.storage.StorageInput;
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
  public StorageInput open() {
    return new StorageInput() {
      @Override
      public long length() {
        return contentLength();
      }

      @Override
      public void readFully(long at, byte[] buffer, int offset, int length) throws IOException {
        if (at < 0 || length > contentLength() - at) {
          throw frame.corrupt(
              "%d bytes at byte %d are wanted of a Parquet file of %d bytes"
                  .formatted(length, at, contentLength()));
        }
        frame.input().readFully(contentPosition() + at, buffer, offset, length);
      }

      @Override
      public void close() {
        // The log file goes on.
      }
    };
  }
}
