package io.hudilite.sink.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storages;
import io.hudilite.core.timeline.InstantClock;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs {@link Housekeeping} in a thread of its own, once for all commits that come while it is
 * under way. Safe for use by several threads.
 */
final class HousekeepingThread {
  private static final Logger LOG = LoggerFactory.getLogger(HousekeepingThread.class);

  private final CompactionSettings settings;
  private final InstantSource wall;
  private final HealthGauges health;
  private final ExecutorService thread;
  private final Runnable onEnd;
  private final AtomicBoolean isAsked = new AtomicBoolean();

  /** Runs that have not ended. */
  private final AtomicInteger left = new AtomicInteger();

  /** In the thread. */
  @Nullable private Housekeeping housekeeping;

  /**
   * @param onEnd runs after each run, in the thread
   */
  HousekeepingThread(
      CompactionSettings settings,
      InstantSource wall,
      HealthGauges health,
      ThreadFactory threads,
      Runnable onEnd) {
    this.settings = requireNonNull(settings, "settings");
    this.wall = requireNonNull(wall, "wall");
    this.health = requireNonNull(health, "health");
    this.thread = Executors.newSingleThreadExecutor(threads);
    this.onEnd = requireNonNull(onEnd, "onEnd");
  }

  /**
   * Has it run after a commit. Does not wait.
   *
   * @param clock of the table
   */
  void ask(InstantClock clock) {
    if (!isAsked.compareAndSet(false, true)) {
      return;
    }
    left.incrementAndGet();
    try {
      thread.execute(() -> run(clock));
    } catch (RejectedExecutionException e) {
      left.decrementAndGet();
      LOG.debug("A commit after the end", e);
    }
  }

  private void run(InstantClock clock) {
    try {
      isAsked.set(false);
      if (housekeeping == null) {
        housekeeping =
            new Housekeeping(
                settings.housekeeping(),
                settings.path(),
                Storages.of(settings.path()),
                wall,
                health);
      }
      housekeeping.run(clock);
    } finally {
      left.decrementAndGet();
      onEnd.run();
    }
  }

  /** Whether all that it was asked for has ended. */
  boolean isIdle() {
    return left.get() == 0;
  }

  /** Takes no more; what it was asked for is still done. */
  void endSoon() {
    thread.shutdown();
  }

  /** Waits for the end; what takes longer is interrupted, and its next run goes on. */
  void awaitEnd(long seconds) throws InterruptedException {
    if (!thread.awaitTermination(seconds, TimeUnit.SECONDS)) {
      LOG.warn("Housekeeping of '{}' has not ended; its next run goes on", settings.path());
      thread.shutdownNow();
    }
  }
}
