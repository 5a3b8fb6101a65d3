package io.hudilite.core.lease;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.storage.Storage;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to write a table, numbered by epochs: the newest counts. It is taken for good by
 * whoever creates the file of the next epoch, and only then the holder of the older one learns that
 * it lost it, when it looks the next time: before it begins an instant, before it decides about one
 * and with each sign of life.
 *
 * <p>A holder may be paused between its look and what it does then. What it does then is decided by
 * the file of the instant's fate. The new holder, before it makes anything of its own visible,
 * decides about every instant that it finds pending: to commit, if its state says so, or to roll
 * back. So the old holder's decision comes first, and then the new one carries it out and starts
 * again, since its index may have been read before; or it comes too late and is refused. An instant
 * that the old holder begins after that is never committed, as its commit looks at the lease once
 * more; the new holder finds and removes it. Nothing is lost, since an instant that is rolled back
 * was never acknowledged, and nothing doubled, since it has one fate.
 *
 * <p>Safe for use by several threads.
 */
public final class WriterLease {
  private static final Logger LOG = LoggerFactory.getLogger(WriterLease.class);
  private static final long POLL_MILLIS = 100;

  private final LeaseStore store;
  private final LeaseHolder holder;
  private final long epoch;
  private long beats;
  private boolean isReleased;

  private WriterLease(LeaseStore store, LeaseHolder holder, long epoch) {
    this.store = store;
    this.holder = holder;
    this.epoch = epoch;
  }

  /** Waits; throws when the wait is to end. */
  @FunctionalInterface
  public interface Pause {
    void millis(long millis) throws InterruptedException;
  }

  /**
   * Takes the lease of a table: at once if nobody holds it, its holder has released it, or is an
   * earlier start of the same run. Else the holder is watched, and succeeded if it is dead.
   *
   * @param nanos a clock of this process
   * @throws HudiTableException if another job writes the table
   * @throws IOException if it is unknown; call again
   */
  public static WriterLease acquire(
      Storage storage, LeaseHolder holder, LongSupplier nanos, Pause pause)
      throws IOException, InterruptedException {
    requireNonNull(holder, "holder");
    LeaseStore store = new LeaseStore(storage);
    while (true) {
      Optional<LeaseStore.Sight> newest = store.newest();
      if (newest.isPresent() && !newest.get().isReleased()) {
        Optional<LeaseHolder> other = store.holder(newest.get().epoch());
        if (other.isPresent() && !other.get().run().equals(holder.run())) {
          awaitEnd(store, newest.get().epoch(), other.get(), holder, nanos, pause);
        }
      }
      long epoch = newest.map(sight -> sight.epoch() + 1).orElse(1L);
      if (store.claim(epoch, holder)) {
        store.removeOlder(epoch);
        return new WriterLease(store, holder, epoch);
      }
    }
  }

  /** Returns when the holder of an epoch is not alive any more, or another one has followed it. */
  private static void awaitEnd(
      LeaseStore store,
      long epoch,
      LeaseHolder other,
      LeaseHolder holder,
      LongSupplier nanos,
      Pause pause)
      throws IOException, InterruptedException {
    Duration patience = other.patience();
    LOG.info(
        "The table at '{}' is written by {}; watching for {} whether that is alive",
        store.location(),
        other.toText(),
        patience);
    LeaseWatch watch = new LeaseWatch(patience, store.newest(), nanos.getAsLong());
    while (true) {
      Optional<LeaseStore.Sight> sight = store.newest();
      if (sight.isEmpty() || sight.get().epoch() != epoch) {
        return;
      }
      switch (watch.see(sight, nanos.getAsLong())) {
        case FREE -> {
          return;
        }
        case DEAD -> {
          LOG.warn(
              "{} has shown no sign of life for {}; taking the table at '{}' over",
              other.toText(),
              patience,
              store.location());
          return;
        }
        case ALIVE ->
            throw new HudiTableException(
                ("The table at '%s' is being written by %s, which is alive; so %s is refused: each"
                        + " would roll back what the other has not committed yet. Stop the first job,"
                        + " or let one job write both inputs (UNION ALL, or a STATEMENT SET).")
                    .formatted(store.location(), other.toText(), holder.toText()));
        case OPEN -> pause.millis(Math.max(1, Math.min(POLL_MILLIS, patience.toMillis() / 20)));
      }
    }
  }

  /**
   * Who writes a table now. A holder that shows nothing is watched for as long as its patience, and
   * counts as dead then.
   *
   * @param nanos a clock of this process
   * @return empty if nobody does, or its writer is dead
   */
  public static Optional<LeaseHolder> alive(Storage storage, LongSupplier nanos, Pause pause)
      throws IOException, InterruptedException {
    LeaseStore store = new LeaseStore(storage);
    Optional<LeaseStore.Sight> first = store.newest();
    if (first.isEmpty() || first.get().isReleased()) {
      return Optional.empty();
    }
    Optional<LeaseHolder> holder = store.holder(first.get().epoch());
    if (holder.isEmpty()) {
      return Optional.empty();
    }
    long patienceMillis = holder.get().patience().toMillis();
    long end = nanos.getAsLong() + holder.get().patience().toNanos();
    while (nanos.getAsLong() - end < 0) {
      pause.millis(Math.max(1, Math.min(POLL_MILLIS, patienceMillis / 20)));
      Optional<LeaseStore.Sight> sight = store.newest();
      if (!sight.equals(first)) {
        return sight.isEmpty() || sight.get().isReleased()
            ? Optional.empty()
            : store.holder(sight.get().epoch());
      }
    }
    return Optional.empty();
  }

  /**
   * Waits until a run has the lease and is ready: it has shown a first sign of life, by which time
   * it knows what was pending. What is visible then is all that others wrote, but for what the run
   * itself finds out.
   */
  public static void awaitReady(Storage storage, String run, Pause pause)
      throws IOException, InterruptedException {
    LeaseStore store = new LeaseStore(storage);
    long known = -1;
    boolean isOwn = false;
    while (true) {
      Optional<LeaseStore.Sight> sight = store.newest();
      if (sight.isPresent() && sight.get().epoch() != known) {
        Optional<LeaseHolder> holder = store.holder(sight.get().epoch());
        isOwn = holder.filter(h -> h.run().equals(run)).isPresent();
        known = holder.isPresent() ? sight.get().epoch() : -1;
      }
      if (isOwn && sight.get().isReady()) {
        return;
      }
      pause.millis(POLL_MILLIS);
    }
  }

  /**
   * What others see of the newest lease of a table.
   *
   * @param isReleased whether its holder has ended and given it back
   */
  public record Held(long epoch, LeaseHolder holder, boolean isReleased) {}

  /** The newest lease; empty if nobody wrote the table yet. */
  public static Optional<Held> newest(Storage storage) throws IOException {
    LeaseStore store = new LeaseStore(storage);
    Optional<LeaseStore.Sight> sight = store.newest();
    if (sight.isEmpty()) {
      return Optional.empty();
    }
    return store
        .holder(sight.get().epoch())
        .map(holder -> new Held(sight.get().epoch(), holder, sight.get().isReleased()));
  }

  /**
   * Takes the lease from whoever holds it, alive or not, and releases it: the holder is fenced off
   * when it looks the next time, and the next writer begins at once.
   *
   * @param by who does so, for the message that the holder fails with
   * @return the lease that ended; empty if there was none to end
   */
  public static Optional<Held> expire(Storage storage, LeaseHolder by) throws IOException {
    LeaseStore store = new LeaseStore(storage);
    while (true) {
      Optional<Held> held = newest(storage);
      if (held.isEmpty() || held.get().isReleased()) {
        return Optional.empty();
      }
      long epoch = held.get().epoch() + 1;
      if (store.claim(epoch, by)) {
        store.removeOlder(epoch);
        store.release(epoch);
        return held;
      }
    }
  }

  public long epoch() {
    return epoch;
  }

  /**
   * Looks whether this is the newest lease.
   *
   * @throws WriterFencedException if it is not
   * @throws IOException if it is unknown
   */
  public void requireNewest() throws IOException {
    OptionalLong newest = store.newestEpoch();
    if (newest.isEmpty() || newest.getAsLong() != epoch) {
      String other =
          newest.isEmpty()
              ? "somebody has removed the file of its lease"
              : store
                  .holder(newest.getAsLong())
                  .map(by -> "it was taken over by " + by.toText())
                  .orElse("it was taken over");
      throw new WriterFencedException(
          "%s may not write the table at '%s' any more (epoch %d): %s"
              .formatted(holder.toText(), store.location(), epoch, other));
    }
  }

  /**
   * Shows a sign of life.
   *
   * @throws WriterFencedException if somebody else has the lease now
   */
  public synchronized void beat() throws IOException {
    requireNewest();
    if (!isReleased) {
      store.beat(epoch, beats + 1);
      beats++;
    }
  }

  /** Lets the next job begin at once. Nothing must be written under this lease afterwards. */
  public synchronized void release() throws IOException {
    if (!isReleased) {
      store.release(epoch);
      isReleased = true;
    }
  }

  public synchronized boolean isReleased() {
    return isReleased;
  }
}
