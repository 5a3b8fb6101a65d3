package io.hudilite.core.log;

import java.io.IOException;

/** Reads the records of a data block through windows that grow to the longest record. */
final class DataBlockCursor implements RecordCursor {
  private static final int WINDOW_BYTES = 1 << 20;

  private final BlockFrame frame;
  private final int count;
  private final long end;
  private final int windowBytes;
  private final boolean keepsWindows;
  private byte[] window;

  /** Byte of the file of the window's first byte, and how much of the window is filled. */
  private long windowStart;

  private int filled;

  /** Index in the window of the next length. */
  private int at;

  private int offset;
  private int length;
  private int done;

  private DataBlockCursor(
      BlockFrame frame, int count, long start, long bytes, int windowBytes, boolean keepsWindows) {
    this.frame = frame;
    this.count = count;
    this.end = start + bytes;
    this.windowBytes = windowBytes;
    this.keepsWindows = keepsWindows;
    this.window = new byte[keepsWindows ? 0 : (int) Math.min(windowBytes, bytes)];
    this.windowStart = start;
  }

  /** Uses one window again and again. */
  static DataBlockCursor ofOneWindow(BlockFrame frame, int count, long start, long bytes) {
    return new DataBlockCursor(frame, count, start, bytes, WINDOW_BYTES, false);
  }

  /**
   * Leaves each window as it is: its whole records may be kept.
   *
   * @param windowBytes of a window with more than one record, at most
   */
  static DataBlockCursor ofNewWindows(
      BlockFrame frame, int count, long start, long bytes, int windowBytes) {
    return new DataBlockCursor(frame, count, start, bytes, windowBytes, true);
  }

  @Override
  public boolean next() throws IOException {
    if (done == count) {
      long left = end - windowStart - at;
      if (left != 0) {
        throw frame.corrupt(left + " bytes follow the last record of a data block");
      }
      return false;
    }
    require(Integer.BYTES, "length");
    int bytes = LogInput.bigEndianInt(window, at);
    if (bytes < 0) {
      throw frame.corrupt("record " + done + " has the length " + bytes);
    }
    at += Integer.BYTES;
    require(bytes, "content");
    offset = at;
    length = bytes;
    at += bytes;
    done++;
    return true;
  }

  /** Makes sure that the next {@code bytes} bytes are in the window. */
  private void require(int bytes, String what) throws IOException {
    if (bytes <= filled - at) {
      return;
    }
    long left = end - windowStart - at;
    if (bytes > left) {
      throw frame.corrupt(
          "the %s of record %d takes %d bytes, but the block has %d left"
              .formatted(what, done, bytes, left));
    }
    int kept = filled - at;
    byte[] target = window;
    if (keepsWindows) {
      long most = Math.min(windowBytes, end - windowStart - at);
      target = new byte[(int) Math.max(bytes, most)];
    } else if (bytes > window.length) {
      target = new byte[bytes];
    }
    System.arraycopy(window, at, target, 0, kept);
    window = target;
    windowStart += at;
    at = 0;
    filled = kept;
    int more = (int) Math.min(window.length - kept, end - windowStart - kept);
    frame.input().readFully(windowStart + kept, window, kept, more);
    filled = kept + more;
  }

  @Override
  public byte[] bytes() {
    return window;
  }

  @Override
  public int offset() {
    return offset;
  }

  @Override
  public int length() {
    return length;
  }
}
