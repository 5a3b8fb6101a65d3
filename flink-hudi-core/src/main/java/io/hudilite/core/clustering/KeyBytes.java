package io.hudilite.core.clustering;

import java.util.Arrays;

/** Bytes of a sort key while it is made. Compared as unsigned bytes. */
final class KeyBytes {
  private byte[] bytes = new byte[64];
  private int size;

  void reset() {
    size = 0;
  }

  int size() {
    return size;
  }

  /** Valid up to {@link #size()} and until the next change. */
  byte[] array() {
    return bytes;
  }

  byte[] copy(int from) {
    return Arrays.copyOfRange(bytes, from, size);
  }

  void put(int value) {
    if (size == bytes.length) {
      bytes = Arrays.copyOf(bytes, size * 2);
    }
    bytes[size++] = (byte) value;
  }

  /** Big-endian, negative numbers first. */
  void putNumber(long value) {
    putBits(value ^ Long.MIN_VALUE);
  }

  void putBits(long bits) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      put((int) (bits >>> shift));
    }
  }

  /** So that a shorter text comes before its continuation, whatever column follows. */
  void putText(byte[] text) {
    for (byte b : text) {
      put(b);
      if (b == 0) {
        put(0xFF);
      }
    }
    put(0);
    put(0);
  }
}
