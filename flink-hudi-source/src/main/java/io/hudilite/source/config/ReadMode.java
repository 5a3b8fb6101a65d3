package io.hudilite.source.config;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.scan.StartingPosition;
import io.hudilite.core.timeline.InstantTime;
import java.io.Serializable;
import java.time.Duration;
import javax.annotation.Nullable;

/** What part of a table's history a source reads, and whether it ends. */
public sealed interface ReadMode extends Serializable {

  default boolean isBounded() {
    return !(this instanceof Continuous);
  }

  private static void requireInOrder(StartingPosition start, @Nullable InstantTime end) {
    if (end != null && start instanceof StartingPosition.At at && end.isBefore(at.time())) {
      throw new HudiTableException(
          "'read.end-commit' %s is before 'read.start-commit' %s. Exchange them or leave one out."
              .formatted(end, at.time()));
    }
  }

  /** The rows of the table as of its newest completed instant. */
  record Snapshot() implements ReadMode {
    private static final long serialVersionUID = 1L;
  }

  /** The rows of the newest base files alone: quick to read, without the newest changes. */
  record ReadOptimized() implements ReadMode {
    private static final long serialVersionUID = 1L;
  }

  /** The rows of the table as they were after an instant. */
  record AsOf(InstantTime instant) implements ReadMode {
    private static final long serialVersionUID = 1L;

    public AsOf {
      requireNonNull(instant, "instant");
    }
  }

  /**
   * What the instants between two positions changed, both included.
   *
   * @param end null for the newest completed instant
   */
  record Changes(StartingPosition start, @Nullable InstantTime end) implements ReadMode {
    private static final long serialVersionUID = 1L;

    public Changes {
      requireNonNull(start, "start");
      requireInOrder(start, end);
    }
  }

  /**
   * What changes from a position on, for ever or until a moment has passed.
   *
   * @param end null for ever
   */
  record Continuous(StartingPosition start, @Nullable InstantTime end, Duration checkInterval)
      implements ReadMode {
    private static final long serialVersionUID = 2L;

    public Continuous {
      requireNonNull(start, "start");
      requireInOrder(start, end);
      if (checkInterval.toMillis() < 1) {
        throw new HudiTableException(
            "'read.streaming.check-interval' is %s; set it to 1 ms or more."
                .formatted(checkInterval));
      }
    }
  }
}
