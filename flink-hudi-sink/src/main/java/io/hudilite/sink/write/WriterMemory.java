package io.hudilite.sink.write;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Shares the heap of one task manager among its writers. A slot may run several of them, one for
 * each sink of a job; and a slot without one now may get one of another job, whose writers cannot
 * be counted here. Safe for use by several threads.
 */
final class WriterMemory {
  /** Part of the heap that all writers of a task manager buffer in at most. */
  private static final double HEAP_SHARE = 0.4;

  private static final long LEAST_BYTES = 1 << 20;

  /**
   * Larger blocks gain nothing: a log file has as many as it needs, and a small buffer is made, and
   * kept, at little cost.
   */
  private static final long LARGEST_LOG_BLOCK_BYTES = 16 << 20;

  private static final AtomicInteger WRITERS = new AtomicInteger();

  private WriterMemory() {}

  /** A writer begins; it must {@link #leave}. */
  static void join() {
    WRITERS.incrementAndGet();
  }

  static void leave() {
    WRITERS.decrementAndGet();
  }

  /**
   * How many bytes a writer may buffer now.
   *
   * @param slots of this task manager
   * @param wanted by the user
   */
  static long bufferBytes(int slots, long wanted) {
    return bufferBytes(Runtime.getRuntime().maxMemory(), slots, WRITERS.get(), wanted);
  }

  static long bufferBytes(long heapBytes, int slots, int writers, long wanted) {
    long share = (long) (heapBytes * HEAP_SHARE) / Math.max(1, Math.max(slots, writers));
    return Math.max(LEAST_BYTES, Math.min(wanted, share));
  }

  /** Size of a row group, which is in memory while the rows are, too. */
  static long rowGroupBytes(long bufferBytes, long wanted) {
    return Math.min(wanted, Math.max(LEAST_BYTES, bufferBytes / 4));
  }

  /** Size of a log block, as {@link #rowGroupBytes}. */
  static int logBlockBytes(long bufferBytes, long wanted) {
    return (int) Math.min(rowGroupBytes(bufferBytes, wanted), LARGEST_LOG_BLOCK_BYTES);
  }
}
