package io.hudilite.core.timeline;

import static java.util.Objects.requireNonNull;

import java.time.InstantSource;
import java.time.ZoneId;

/**
 * Gives instant times that rise, also when the wall clock stands still or goes back. Hudi's own
 * generator does not look at the timeline; here every time that was seen on it is to be {@link
 * #observe observed}, so that new times lie after it. Safe for use by several threads.
 */
public final class InstantClock {
  private final InstantSource wall;
  private final ZoneId zone;
  private long lastMillis = Long.MIN_VALUE;
  private InstantTime last = InstantTime.BEGINNING;

  /**
   * @param zone the zone of the table's timeline
   */
  public InstantClock(InstantSource wall, ZoneId zone) {
    this.wall = requireNonNull(wall, "wall");
    this.zone = requireNonNull(zone, "zone");
  }

  /** A time after all that were given or observed, at best the present one. */
  public synchronized InstantTime next() {
    long millis = Math.max(wall.millis(), lastMillis + 1);
    InstantTime time = InstantTime.ofMillis(millis, zone);
    // Where a zone sets its clocks back, later milliseconds show earlier digits.
    while (!time.isAfter(last)) {
      millis = Math.max(millis + 1, last.toLatestMillis(zone) + 1);
      time = InstantTime.ofMillis(millis, zone);
    }
    lastMillis = millis;
    last = time;
    return time;
  }

  /** Makes all further times later than {@code seen}. */
  public synchronized void observe(InstantTime seen) {
    if (seen.isAfter(last) && seen.digits().length() >= 14) {
      last = seen;
    }
  }
}
