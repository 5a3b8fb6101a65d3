package io.hudilite.core.scan;

import java.io.IOException;

/** Versioned bytes of a {@link ScanSplit}. Stateless. */
public final class ScanSplitSerializer {
  /** The version that {@link #serialize} writes. */
  public static final int VERSION = 1;

  private ScanSplitSerializer() {}

  public static byte[] serialize(ScanSplit split) {
    throw new UnsupportedOperationException();
  }

  /**
   * @throws IOException if the version is unknown or the bytes are no split
   */
  public static ScanSplit deserialize(int version, byte[] bytes) throws IOException {
    throw new UnsupportedOperationException();
  }
}
