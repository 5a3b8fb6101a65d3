package io.hudilite.core.recovery;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.lease.LeaseHolder;
import io.hudilite.core.lease.WriterLease;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Work on a table that no writer may be beside: holds the lease of the table's writer meanwhile.
 * What a crash interrupted, of whatever process, is finished before it begins. Not safe for use by
 * several threads.
 */
public final class SoleWriter {
  /** How long this process may show no sign of life before another one counts it as dead. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Storage storage;
  private final InstantSource wall;
  private final LongSupplier nanos;
  private final WriterLease.Pause pause;
  private final String who;

  /**
   * @param who what goes on, for the messages that others get meanwhile, such as {@code restore}
   */
  public SoleWriter(Storage storage, InstantSource wall, String who) {
    this(storage, wall, System::nanoTime, Thread::sleep, who);
  }

  /**
   * The same with clocks of a test.
   *
   * @param nanos a clock of this process
   * @param pause how to wait
   */
  public SoleWriter(
      Storage storage,
      InstantSource wall,
      LongSupplier nanos,
      WriterLease.Pause pause,
      String who) {
    this.storage = requireNonNull(storage, "storage");
    this.wall = requireNonNull(wall, "wall");
    this.nanos = requireNonNull(nanos, "nanos");
    this.pause = requireNonNull(pause, "pause");
    this.who = requireNonNull(who, "who");
  }

  /**
   * What is done while the lease is held. It has to show a sign of life by the lease every few
   * seconds.
   */
  @FunctionalInterface
  public interface Work<T> {
    T run(TableCommit commit, WriterLease lease) throws IOException;
  }

  /**
   * Does some work.
   *
   * @throws io.hudilite.core.config.HudiTableException if a job writes the table, or it cannot be
   *     written; then nothing was changed
   * @throws IOException if it is not finished
   */
  public <T> T run(Work<T> work) throws IOException {
    TableConfig config = TableConfigStore.load(storage);
    TableCommit commit =
        new TableCommit(storage, config, new InstantClock(wall, config.timelineZone()));
    WriterLease lease;
    try {
      lease =
          WriterLease.acquire(
              storage,
              new LeaseHolder(
                  "recovery-" + UUID.randomUUID(),
                  who,
                  "process " + ManagementFactory.getRuntimeMXBean().getName(),
                  InstantTime.ofUtcMillis(wall.millis()).digits(),
                  PATIENCE),
              nanos,
              pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted before " + who + " began");
    }
    try {
      commit.recover();
      lease.beat();
      return work.run(commit, lease);
    } finally {
      lease.release();
    }
  }
}
