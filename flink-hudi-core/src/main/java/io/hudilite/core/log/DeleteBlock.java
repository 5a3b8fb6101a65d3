package io.hudilite.core.log;

import io.hudilite.core.avro.AvroInput;
import io.hudilite.core.avro.MalformedAvroException;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.List;

/**
 * Content: int32 version, int32 length, then the deleted records as {@link DeletedRecordCodec} has
 * them. Source: Hudi 1.0.2 HoodieDeleteBlock.
 */
record DeleteBlock(BlockFrame frame, InstantTime instant) implements LogBlock.Delete {
  private static final int HEAD = 2 * Integer.BYTES;

  @Override
  public long position() {
    return frame.position();
  }

  @Override
  public List<DeletedRecord> records() throws IOException {
    long bytes = frame.contentLength();
    if (bytes < HEAD || bytes > Integer.MAX_VALUE - 8) {
      throw frame.corrupt("a delete block with a content of " + bytes + " bytes");
    }
    byte[] content = frame.input().readBytes(frame.contentPosition(), (int) bytes);
    int version = LogInput.bigEndianInt(content, 0);
    if (version != LogFormat.CONTENT_VERSION) {
      throw frame.corrupt(
          "a delete block of version %d: only version 3 is readable; before Hudi 0.14 they held Java objects. Compact the table with Hudi first"
              .formatted(version));
    }
    int length = LogInput.bigEndianInt(content, Integer.BYTES);
    if (length < 0 || length != bytes - HEAD) {
      throw frame.corrupt(
          "a delete block says it has %d bytes, but it has %d".formatted(length, bytes - HEAD));
    }
    AvroInput in = new AvroInput();
    in.reset(content, HEAD, length);
    try {
      return DeletedRecordCodec.decode(in);
    } catch (MalformedAvroException e) {
      throw new CorruptLogException(
          frame.message("a delete block is malformed: " + e.getMessage()), e);
    }
  }
}
