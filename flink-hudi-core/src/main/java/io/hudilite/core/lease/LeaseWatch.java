package io.hudilite.core.lease;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;

/**
 * Judges whether the holder of a lease is alive, by seeing its number of beats move or stand still
 * over a time that passes on the watcher's own clock. Two machines' clocks are never compared.
 * Pure: what is seen when comes in.
 */
final class LeaseWatch {
  /** What is known. */
  enum Verdict {
    /** The holder has ended in order, or there is none. */
    FREE,
    /** It has shown no sign of life for as long as it may. */
    DEAD,
    /** It shows signs of life, and has done so for as long as one that is just ending would. */
    ALIVE,
    /** Look again. */
    OPEN
  }

  private final long patienceNanos;
  private final long beginNanos;
  private long movedNanos;
  private Optional<LeaseStore.Sight> last;

  /**
   * @param patience of the holder
   * @param first what was seen first
   */
  LeaseWatch(Duration patience, Optional<LeaseStore.Sight> first, long nowNanos) {
    this.patienceNanos = patience.toNanos();
    this.last = requireNonNull(first, "first");
    this.beginNanos = nowNanos;
    this.movedNanos = nowNanos;
  }

  Verdict see(Optional<LeaseStore.Sight> sight, long nowNanos) {
    if (sight.isEmpty() || sight.get().isReleased()) {
      return Verdict.FREE;
    }
    if (!sight.equals(last)) {
      last = sight;
      movedNanos = nowNanos;
      return nowNanos - beginNanos >= patienceNanos ? Verdict.ALIVE : Verdict.OPEN;
    }
    return nowNanos - movedNanos >= patienceNanos ? Verdict.DEAD : Verdict.OPEN;
  }
}
