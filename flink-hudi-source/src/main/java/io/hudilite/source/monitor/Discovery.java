package io.hudilite.source.monitor;

import io.hudilite.core.scan.ScanRange;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.flink.table.connector.source.DynamicFilteringData;

/** Looks at the table. Called on one I/O thread, one call at a time. */
interface Discovery {

  /**
   * Plans what comes after a position.
   *
   * @param position completion time up to which all is planned, null if nothing is
   * @throws io.hudilite.core.config.HudiTableException if only the user can mend it
   */
  Found plan(@Nullable InstantTime position) throws IOException;

  /** Whether it is better to plan only after {@link #narrow}. */
  default boolean waitsForPartitions() {
    return false;
  }

  /**
   * Leaves out the partitions that these values rule out, in all later plans. Coordinator thread.
   */
  default void narrow(DynamicFilteringData values) {}

  /**
   * Holds on to what is still to be read.
   *
   * @param needed the view of the table at this position, and all that comes after it, are needed;
   *     {@link NeededPosition#UNKNOWN} for what is held already
   */
  default void keep(InstantTime needed) {}

  /** Nothing more will be read. */
  default void end() {}

  /** Looks how much there is, and plans nothing. */
  Found look() throws IOException;

  /**
   * What a look brought.
   *
   * @param range what was planned; empty if there is nothing new, or nothing was to be planned
   * @param completions completion times of the writes on the timeline, ascending
   * @param zone of these times
   * @param isOver whether no range will follow
   * @param goesOn whether the next range is wanted as soon as this one is handed out, not only at
   *     the next look that is due
   */
  record Found(
      Optional<ScanRange> range,
      List<InstantTime> completions,
      ZoneId zone,
      boolean isOver,
      boolean goesOn) {
    public Found {
      completions = List.copyOf(completions);
    }

    Found(Optional<ScanRange> range, List<InstantTime> completions, ZoneId zone) {
      this(range, completions, zone, false, false);
    }
  }
}
