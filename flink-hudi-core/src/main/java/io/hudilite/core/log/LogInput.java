package io.hudilite.core.log;

import io.hudilite.core.storage.StorageInput;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A log file under a window: small reads next to each other cost one read of the storage. All
 * positions are bytes of the file; whoever asks has compared them with {@link #length()}.
 */
final class LogInput implements Closeable {
  private static final int WINDOW_BYTES = 64 << 10;

  private final String path;
  private final StorageInput input;
  private final long length;
  private final byte[] window;
  private long windowStart;
  private int windowLength;

  LogInput(String path, StorageInput input, long length) {
    this.path = path;
    this.input = input;
    this.length = length;
    this.window = new byte[(int) Math.min(WINDOW_BYTES, length)];
  }

  String path() {
    return path;
  }

  long length() {
    return length;
  }

  void readFully(long position, byte[] buffer, int offset, int count) throws IOException {
    if (position >= windowStart && position + count <= windowStart + windowLength) {
      System.arraycopy(window, (int) (position - windowStart), buffer, offset, count);
      return;
    }
    fetch(position, buffer, offset, count);
  }

  private void fetch(long position, byte[] buffer, int offset, int count) throws IOException {
    try {
      input.readFully(position, buffer, offset, count);
    } catch (EOFException e) {
      throw new CorruptLogException(
          "%s: %d bytes at byte %d cannot be read: the file has become shorter than %d bytes"
              .formatted(path, count, position, length),
          e);
    }
  }

  /** Index in the window of {@code count} bytes at {@code position}. */
  private int at(long position, int count) throws IOException {
    if (position < windowStart || position + count > windowStart + windowLength) {
      int wanted = (int) Math.min(window.length, length - position);
      windowLength = 0;
      fetch(position, window, 0, wanted);
      windowStart = position;
      windowLength = wanted;
    }
    return (int) (position - windowStart);
  }

  int readInt(long position) throws IOException {
    int at = at(position, 4);
    return bigEndianInt(window, at);
  }

  long readLong(long position) throws IOException {
    int at = at(position, 8);
    return (long) bigEndianInt(window, at) << 32 | bigEndianInt(window, at + 4) & 0xFFFFFFFFL;
  }

  static int bigEndianInt(byte[] bytes, int at) {
    return bytes[at] << 24
        | (bytes[at + 1] & 0xFF) << 16
        | (bytes[at + 2] & 0xFF) << 8
        | bytes[at + 3] & 0xFF;
  }

  String readText(long position, int count) throws IOException {
    if (count <= window.length) {
      return new String(window, at(position, count), count, StandardCharsets.UTF_8);
    }
    return new String(readBytes(position, count), StandardCharsets.UTF_8);
  }

  byte[] readBytes(long position, int count) throws IOException {
    byte[] bytes = new byte[count];
    readFully(position, bytes, 0, count);
    return bytes;
  }

  boolean hasMagicAt(long position) throws IOException {
    byte[] magic = LogFormat.MAGIC;
    if (length - position < magic.length) {
      return false;
    }
    int at = at(position, magic.length);
    for (int i = 0; i < magic.length; i++) {
      if (window[at + i] != magic[i]) {
        return false;
      }
    }
    return true;
  }

  /** The next magic at or after {@code from}, or the end of the file. */
  long findMagic(long from) throws IOException {
    for (long position = from; length - position >= LogFormat.MAGIC.length; position++) {
      int at = at(position, LogFormat.MAGIC.length);
      int last = windowLength - LogFormat.MAGIC.length;
      while (at < last && window[at] != LogFormat.MAGIC[0]) {
        at++;
      }
      position = windowStart + at;
      if (hasMagicAt(position)) {
        return position;
      }
    }
    return length;
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
