package io.hudilite.core.timeline;

import java.util.List;

/** Write stats as bytes for Flink's state and messages. The first byte is the form's version. */
public final class WriteStatCodec {
  private WriteStatCodec() {}

  public static byte[] encode(List<WriteStat> stats) {
    throw new UnsupportedOperationException();
  }

  /**
   * @throws IllegalArgumentException if the bytes are of an unknown version or damaged
   */
  public static List<WriteStat> decode(byte[] bytes) {
    throw new UnsupportedOperationException();
  }
}
