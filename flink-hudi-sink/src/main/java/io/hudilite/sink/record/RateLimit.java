package io.hudilite.sink.record;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Lets a number of rows pass in each second. Not safe for use by several threads. */
final class RateLimit {
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final long rowsPerSecond;
  private final LongSupplier nanoClock;
  private long secondBegan;
  private long passed;

  RateLimit(long rowsPerSecond, LongSupplier nanoClock) {
    this.rowsPerSecond = rowsPerSecond;
    this.nanoClock = requireNonNull(nanoClock, "nanoClock");
    this.secondBegan = nanoClock.getAsLong();
  }

  /** Waits until one more row may pass. */
  void await() throws InterruptedException {
    while (passed >= rowsPerSecond) {
      long left = SECOND_NANOS - (nanoClock.getAsLong() - secondBegan);
      if (left <= 0) {
        secondBegan = nanoClock.getAsLong();
        passed = 0;
        break;
      }
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException("Interrupted while write.rate.limit held rows back");
      }
    }
    passed++;
  }
}
