package io.hudilite.core.scan;

import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Cuts the timeline into ranges of changes. A position is a completion time: all instants that
 * completed at it or before are read. Compaction and clustering change no rows; their instants only
 * move the position. Immutable; the planner holds no position.
 */
public final class IncrementalPlanner {
  private final Predicate<String> partitions;
  private final Optional<InstantTime> end;
  private final int maxInstants;

  private IncrementalPlanner(
      Predicate<String> partitions, Optional<InstantTime> end, int maxInstants) {
    this.partitions = partitions;
    this.end = end;
    this.maxInstants = maxInstants;
  }

  /**
   * @param partitions of partition paths relative to the base path: which ones to read
   */
  public IncrementalPlanner(Predicate<String> partitions) {
    this(partitions, Optional.empty(), Integer.MAX_VALUE);
  }

  /** Ends with the instants that completed, or were requested, at {@code time} or before. */
  public IncrementalPlanner until(InstantTime time) {
    return new IncrementalPlanner(partitions, Optional.of(time), maxInstants);
  }

  /** Takes at most so many instants into one range; at least 1. */
  public IncrementalPlanner atMost(int instants) {
    return new IncrementalPlanner(partitions, end, instants);
  }

  /**
   * The first range: all rows of the table, or its changes since a moment. Without stages if there
   * is nothing to read yet; {@link #next} goes on behind its end in any case.
   *
   * @throws io.hudilite.core.config.HudiTableException if changes are asked for that have left the
   *     active timeline
   */
  public ScanRange first(HudiTable table, StartingPosition from) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * The range that begins after a position. Empty if nothing completed since, or the end is
   * reached.
   *
   * @param after {@link ScanRange#end()} of the range before
   * @throws io.hudilite.core.config.HudiTableException if instants after the position have left the
   *     active timeline, so that their changes would be missed
   */
  public Optional<ScanRange> next(HudiTable table, InstantTime after) throws IOException {
    throw new UnsupportedOperationException("" + partitions + end + maxInstants);
  }
}
