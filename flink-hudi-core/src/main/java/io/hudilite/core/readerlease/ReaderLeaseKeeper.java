package io.hudilite.core.readerlease;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reader's own lease, which it holds as long as it lives and calls {@link #renew} more often
 * than {@link #period}. A lease that cannot be written never fails a read: it is said once, and
 * tried again with the next renewal. Costs a listing, a new file and a deletion for each period.
 * Safe for use by several threads.
 */
public final class ReaderLeaseKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(ReaderLeaseKeeper.class);

  /** Renewals that may fail one after the other before the lease is void. */
  private static final int RENEWALS_OF_A_LIFE = 5;

  private final Storage storage;
  private final ReaderLeaseStore store;
  private final String reader;
  private final Duration life;

  @Nullable private InstantTime position;
  private boolean isOver;
  private boolean saidThatItFails;

  /**
   * @param reader name of the reader, see {@link ReaderLease}
   * @param life how long the lease holds without being renewed
   */
  public ReaderLeaseKeeper(Storage storage, InstantSource clock, String reader, Duration life) {
    this.storage = requireNonNull(storage, "storage");
    this.store = new ReaderLeaseStore(storage, clock);
    this.reader = requireNonNull(reader, "reader");
    this.life = requireNonNull(life, "life");
  }

  /** How often the lease is to be renewed. */
  public Duration period() {
    return life.dividedBy(RENEWALS_OF_A_LIFE);
  }

  /** What is held; null before the first call of {@link #hold}. */
  @Nullable
  public synchronized InstantTime position() {
    return position;
  }

  /**
   * Takes the lease, at once. If an earlier start of the same reader has left one with an older
   * position, that stays.
   *
   * @return what is held now
   */
  public synchronized InstantTime hold(InstantTime wanted) {
    position = wanted;
    try {
      Optional<InstantTime> former =
          store.held().stream()
              .filter(lease -> lease.reader().equals(reader))
              .map(ReaderLease::position)
              .findFirst();
      if (former.isPresent() && former.get().isBefore(wanted)) {
        position = former.get();
      }
    } catch (IOException | RuntimeException e) {
      sayThatItFails(e);
    }
    write();
    return position;
  }

  /** Holds on, at a position that may be later than the one before. */
  public synchronized void renew(InstantTime needed) {
    if (position != null && !isOver) {
      position = needed;
      write();
    }
  }

  /** Gives the lease back, for good. */
  public synchronized void release() {
    isOver = true;
    if (position == null) {
      return;
    }
    try {
      store.release(reader);
    } catch (IOException | RuntimeException e) {
      LOG.info(
          "The lease of reader {} of '{}' could not be given back; it expires in {}",
          reader,
          storage.location(),
          life,
          e);
    }
  }

  private void write() {
    if (isOver) {
      return;
    }
    try {
      store.hold(reader, position, life);
    } catch (IOException | RuntimeException e) {
      sayThatItFails(e);
    }
  }

  private void sayThatItFails(Exception e) {
    if (!saidThatItFails) {
      saidThatItFails = true;
      LOG.warn(
          "Reader {} cannot write its lease into '{}': the read goes on, but cleaning does not know"
              + " of it, and may delete files that it has not read yet ({})",
          reader,
          storage.location(),
          e.toString());
    }
  }
}
