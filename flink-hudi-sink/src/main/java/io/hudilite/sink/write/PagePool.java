package io.hudilite.sink.write;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The pages of buffered rows that were flushed, for the next rows: new ones would have to be
 * cleared first, and carried over by each run of the garbage collector while they fill. Not safe
 * for use by several threads.
 */
final class PagePool {
  /** Of every page that is kept; smaller and larger ones are few. */
  static final int PAGE_BYTES = 1 << 16;

  private final Deque<byte[]> idle = new ArrayDeque<>();

  /** A page, whatever is in it. */
  byte[] take() {
    byte[] page = idle.poll();
    return page == null ? new byte[PAGE_BYTES] : page;
  }

  /** Takes pages that nobody uses any more. */
  void giveBack(List<byte[]> pages) {
    for (byte[] page : pages) {
      if (page.length == PAGE_BYTES) {
        idle.push(page);
      }
    }
  }

  long idleBytes() {
    return (long) PAGE_BYTES * idle.size();
  }

  /** Leaves what is more to the garbage collector. */
  void shrinkTo(long bytes) {
    while (idleBytes() > Math.max(0, bytes)) {
      idle.pop();
    }
  }
}
