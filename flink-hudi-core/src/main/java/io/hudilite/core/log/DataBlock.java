package io.hudilite.core.log;

import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import org.apache.avro.Schema;

/**
 * Content: int32 version, int32 record count, then for each record int32 length and Avro binary.
 * Source: Hudi 1.0.2 HoodieAvroDataBlock.
 */
record DataBlock(BlockFrame frame, InstantTime instant, Schema schema, int recordCount)
    implements LogBlock.Data {
  private static final int HEAD = 2 * Integer.BYTES;

  static DataBlock open(BlockFrame frame, Schema schema) throws IOException {
    long length = frame.contentLength();
    if (length < HEAD) {
      throw frame.corrupt("a data block with a content of " + length + " bytes");
    }
    int version = frame.input().readInt(frame.contentPosition());
    if (version < 1 || version > LogFormat.CONTENT_VERSION) {
      throw frame.corrupt("version " + version + " of a data block is not known, 1 to 3 are");
    }
    int count = frame.input().readInt(frame.contentPosition() + Integer.BYTES);
    if (count < 0 || count > (length - HEAD) / Integer.BYTES) {
      throw frame.corrupt("a data block of %d records in %d bytes".formatted(count, length - HEAD));
    }
    return new DataBlock(frame, frame.instant(), schema, count);
  }

  @Override
  public long position() {
    return frame.position();
  }

  @Override
  public boolean isPartial() {
    return frame.isPartial();
  }

  @Override
  public RecordCursor records() {
    return DataBlockCursor.ofOneWindow(frame, recordCount, start(), bytes());
  }

  @Override
  public RecordCursor pairedRecords() {
    return DataBlockCursor.ofTwoWindows(frame, recordCount, start(), bytes());
  }

  private long start() {
    return frame.contentPosition() + HEAD;
  }

  private long bytes() {
    return frame.contentLength() - HEAD;
  }
}
