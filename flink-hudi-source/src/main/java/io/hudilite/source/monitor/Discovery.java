package io.hudilite.source.monitor;

import io.hudilite.core.scan.ScanRange;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;

/** Looks at the table. Called on one I/O thread, one call at a time. */
interface Discovery {

  /**
   * Plans what comes after a position.
   *
   * @param position completion time up to which all is planned, null if nothing is
   * @throws io.hudilite.core.config.HudiTableException if only the user can mend it
   */
  Found plan(@Nullable InstantTime position) throws IOException;

  /** Looks how much there is, and plans nothing. */
  Found look() throws IOException;

  /**
   * What a look brought.
   *
   * @param range what was planned; empty if there is nothing new, or nothing was to be planned
   * @param completions completion times of the writes on the timeline, ascending
   * @param zone of these times
   * @param isOver whether no range will follow
   */
  record Found(
      Optional<ScanRange> range, List<InstantTime> completions, ZoneId zone, boolean isOver) {
    public Found {
      completions = List.copyOf(completions);
    }

    Found(Optional<ScanRange> range, List<InstantTime> completions, ZoneId zone) {
      this(range, completions, zone, false);
    }
  }
}
