package io.hudilite.core.merge;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;
import java.util.Set;

/**
 * Which blocks of log files are committed. In table version 8 a log file belongs to one instant, so
 * that listing committed files is nearly enough; in version 6 blocks of several instants share the
 * files of a slice, committed or not.
 *
 * @param latest blocks of later instants are not seen
 * @param pending instants whose blocks are not seen: under way or failed
 */
public record LogBlockFilter(InstantTime latest, Set<InstantTime> pending) {
  private static final InstantTime END = new InstantTime("99999999999999999");

  /** All blocks. */
  public static final LogBlockFilter ALL = new LogBlockFilter(END, Set.of());

  public LogBlockFilter {
    requireNonNull(latest, "latest");
    pending = Set.copyOf(pending);
  }

  public static LogBlockFilter except(Set<InstantTime> pending) {
    return new LogBlockFilter(END, pending);
  }

  public boolean accepts(InstantTime instant) {
    return instant.compareTo(latest) <= 0 && !pending.contains(instant);
  }
}
