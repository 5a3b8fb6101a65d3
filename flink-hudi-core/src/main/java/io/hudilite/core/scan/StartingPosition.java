package io.hudilite.core.scan;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;
import java.io.Serializable;

/** Where a read of changes begins. */
public sealed interface StartingPosition extends Serializable {

  /** With all rows of the table as it is, then its changes. */
  record Earliest() implements StartingPosition {}

  /** With the newest completed commit, then what follows it. */
  record Latest() implements StartingPosition {}

  /**
   * With the instants that completed at this time or later. An instant's own requested time takes
   * in that instant.
   */
  record At(InstantTime time) implements StartingPosition {
    public At {
      requireNonNull(time, "time");
    }
  }
}
