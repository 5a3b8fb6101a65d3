package io.hudilite.sink.compact;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Shares a part of the heap of one task manager among its compactions, apart from what its writers
 * have. Safe for use by several threads.
 */
final class CompactionMemory {
  /** Part of the heap for all compactions of a task manager. */
  private static final double HEAP_SHARE = 0.2;

  private static final long LEAST_BYTES = 4L << 20;
  private static final AtomicInteger WORKERS = new AtomicInteger();

  private CompactionMemory() {}

  /** A worker begins; it must {@link #leave}. */
  static void join() {
    WORKERS.incrementAndGet();
  }

  static void leave() {
    WORKERS.decrementAndGet();
  }

  /** Heap bytes of one worker: half for log records, half for the row group being written. */
  static long workerBytes(int slots) {
    return workerBytes(Runtime.getRuntime().maxMemory(), slots, WORKERS.get());
  }

  static long workerBytes(long heapBytes, int slots, int workers) {
    return Math.max(
        LEAST_BYTES, (long) (heapBytes * HEAP_SHARE) / Math.max(1, Math.max(slots, workers)));
  }
}
