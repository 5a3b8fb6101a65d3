package io.hudilite.core.log;

import java.io.IOException;
import javax.annotation.Nullable;

/** Reads the records of a data block through windows that grow to the longest record. */
final class DataBlockCursor implements RecordCursor {
  private static final int WINDOW_BYTES = 1 << 20;

  /** Both together stay in the processor's cache. */
  private static final int PAIRED_WINDOW_BYTES = 1 << 17;

  private final BlockFrame frame;
  private final int count;
  private final long end;
  private final int windowBytes;
  private byte[] window;

  /** The window before this one, which becomes the next one; null if there is only one. */
  @Nullable private byte[] other;

  /** Byte of the file of the window's first byte, and how much of the window is filled. */
  private long windowStart;

  private int filled;

  /** Index in the window of the next length. */
  private int at;

  private int offset;
  private int length;
  private int done;

  private DataBlockCursor(
      BlockFrame frame, int count, long start, long bytes, int windowBytes, boolean isPaired) {
    this.frame = frame;
    this.count = count;
    this.end = start + bytes;
    this.windowBytes = windowBytes;
    this.window = new byte[(int) Math.min(windowBytes, bytes)];
    this.other = isPaired ? new byte[0] : null;
    this.windowStart = start;
  }

  /** Uses one window again and again. */
  static DataBlockCursor ofOneWindow(BlockFrame frame, int count, long start, long bytes) {
    return new DataBlockCursor(frame, count, start, bytes, WINDOW_BYTES, false);
  }

  /** Uses two windows by turns, so that the records of the one before are still there. */
  static DataBlockCursor ofTwoWindows(BlockFrame frame, int count, long start, long bytes) {
    return new DataBlockCursor(frame, count, start, bytes, PAIRED_WINDOW_BYTES, true);
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
    byte[] target = other == null ? window : other;
    int wanted = (int) Math.max(bytes, Math.min(windowBytes, end - windowStart - at));
    if (target.length < wanted) {
      target = new byte[wanted];
    }
    System.arraycopy(window, at, target, 0, kept);
    if (other != null) {
      other = window;
    }
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
