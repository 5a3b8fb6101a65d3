package io.hudilite.core.log;

import io.hudilite.core.storage.StorageInput;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A log file under some windows: small reads next to each other cost one read of the storage. Some,
 * because it is asked by turns for the begin of a block and for its end, behind which the next
 * block begins, and of large blocks for their ends again when all are found. All positions are
 * bytes of the file; whoever asks has compared them with {@link #length()}.
 */
final class LogInput implements Closeable {
  /** What a reader of Parquet reads first of a block. */
  private static final int PARQUET_END_BYTES = 64 << 10;

  /** And what the frame has behind it, before its last length. */
  private static final int BLOCK_END_BYTES = PARQUET_END_BYTES + 256;

  private static final int WINDOW_BYTES = PARQUET_END_BYTES + (4 << 10);

  /** What is read first of a file of several windows: the header of a block, mostly a schema. */
  private static final int HEADER_BYTES = 16 << 10;

  private static final int MAX_WINDOWS = 8;

  private final String path;
  private final StorageInput input;
  private final long length;

  /** Those used last come first; at least one. */
  private final List<Window> windows = new ArrayList<>();

  private static final class Window {
    private final byte[] bytes;
    private long start;
    private int length;

    Window(int capacity) {
      bytes = new byte[capacity];
    }

    long end() {
      return start + length;
    }

    int indexOf(long position) {
      return (int) (position - start);
    }

    boolean holds(long position, int count) {
      return position >= start && position + count <= end();
    }
  }

  LogInput(String path, StorageInput input, long length) {
    this.path = path;
    this.input = input;
    this.length = length;
    this.windows.add(new Window((int) Math.min(WINDOW_BYTES, length)));
  }

  String path() {
    return path;
  }

  long length() {
    return length;
  }

  /** Reads of the storage what lies in no window. */
  void readFully(long position, byte[] buffer, int offset, int count) throws IOException {
    long from = position;
    long end = position + count;
    for (Window held : windows) {
      if (held.start <= from && from < held.end()) {
        long until = Math.min(end, held.end());
        copy(held, from, until, buffer, offset + (int) (from - position));
        from = until;
      }
      if (from < end && held.start < end && end <= held.end()) {
        long since = Math.max(from, held.start);
        copy(held, since, end, buffer, offset + (int) (since - position));
        end = since;
      }
    }
    if (from < end) {
      fetch(from, buffer, offset + (int) (from - position), (int) (end - from));
    }
  }

  private static void copy(Window held, long from, long end, byte[] buffer, int at) {
    System.arraycopy(held.bytes, (int) (from - held.start), buffer, at, (int) (end - from));
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

  /** The first window, which then has {@code count} bytes from {@code position} on. */
  private Window at(long position, int count) throws IOException {
    if (windows.get(0).holds(position, count)) {
      return windows.get(0);
    }
    for (int i = 1; i < windows.size(); i++) {
      if (windows.get(i).holds(position, count)) {
        windows.add(0, windows.remove(i));
        return windows.get(0);
      }
    }
    return load(position);
  }

  /**
   * Behind a large block its end is asked for, where a Parquet file in it has its footer; and at
   * the end of the file there is nothing else to read.
   */
  private Window load(long position) throws IOException {
    int capacity = windows.get(0).bytes.length;
    long known = windows.stream().mapToLong(Window::end).max().orElse(0);
    long wanted = position - known >= BLOCK_END_BYTES ? position - BLOCK_END_BYTES : position;
    long start = Math.min(wanted, length - capacity);
    boolean isFirst = known == 0 && position == 0 && length > 3L * WINDOW_BYTES;
    int count = isFirst ? HEADER_BYTES : capacity;
    boolean isFull = windows.size() == MAX_WINDOWS || windows.get(0).length == 0;
    Window loaded = isFull ? windows.remove(windows.size() - 1) : new Window(capacity);
    loaded.length = 0;
    try {
      // Of what others have nothing is read again.
      readFully(start, loaded.bytes, 0, count);
      loaded.start = start;
      loaded.length = count;
    } finally {
      windows.add(0, loaded);
    }
    return loaded;
  }

  int readInt(long position) throws IOException {
    Window window = at(position, 4);
    return bigEndianInt(window.bytes, window.indexOf(position));
  }

  long readLong(long position) throws IOException {
    Window window = at(position, 8);
    int at = window.indexOf(position);
    return ((long) bigEndianInt(window.bytes, at) << 32)
        | (bigEndianInt(window.bytes, at + 4) & 0xFFFFFFFFL);
  }

  static int bigEndianInt(byte[] bytes, int at) {
    return (bytes[at] << 24)
        | ((bytes[at + 1] & 0xFF) << 16)
        | ((bytes[at + 2] & 0xFF) << 8)
        | bytes[at + 3] & 0xFF;
  }

  String readText(long position, int count) throws IOException {
    if (count <= windows.get(0).bytes.length) {
      Window window = at(position, count);
      return new String(window.bytes, window.indexOf(position), count, StandardCharsets.UTF_8);
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
    Window window = at(position, magic.length);
    int at = window.indexOf(position);
    return Arrays.equals(window.bytes, at, at + magic.length, magic, 0, magic.length);
  }

  /** The next magic at or after {@code from}, or the end of the file. */
  long findMagic(long from) throws IOException {
    for (long position = from; length - position >= LogFormat.MAGIC.length; position++) {
      Window window = at(position, LogFormat.MAGIC.length);
      int at = window.indexOf(position);
      int last = window.length - LogFormat.MAGIC.length;
      while (at < last && window.bytes[at] != LogFormat.MAGIC[0]) {
        at++;
      }
      position = window.start + at;
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
