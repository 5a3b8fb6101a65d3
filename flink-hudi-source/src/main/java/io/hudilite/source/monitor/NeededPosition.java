package io.hudilite.source.monitor;

import io.hudilite.core.timeline.InstantTime;
import java.util.Map;
import java.util.TreeMap;
import javax.annotation.Nullable;

/**
 * From which position on a read may need the table yet: that of the oldest range with splits that
 * are not finished, as of the newest completed checkpoint, since a failure takes the read back to
 * it. Pure; one thread.
 */
final class NeededPosition {
  /** As old as what is held already. */
  static final InstantTime UNKNOWN = InstantTime.BEGINNING;

  /** Position that a range was planned from, by number. */
  private final TreeMap<Long, InstantTime> ranges = new TreeMap<>();

  private final TreeMap<Long, InstantTime> checkpoints = new TreeMap<>();

  /** What a failure would go back to; null before anything is planned. */
  @Nullable private InstantTime held;

  private boolean hasCheckpoints;

  /**
   * A range was planned.
   *
   * @param from the view of the table at this position, and all that came after, is read
   */
  void planned(long range, InstantTime from) {
    ranges.putIfAbsent(range, from);
    if (held == null) {
      held = from;
    }
  }

  /**
   * Readers have splits of which only they know: what an earlier start held is not to be let go.
   */
  void restored() {
    hasCheckpoints = true;
    planned(0, UNKNOWN);
  }

  /**
   * @param first number of the oldest range that is not finished
   * @param next number of the range that is planned next: the first one, if all are finished
   * @param end position up to which all is planned
   */
  void checkpoint(long id, long first, long next, @Nullable InstantTime end) {
    hasCheckpoints = true;
    InstantTime now = now(first, next, end);
    if (now != null) {
      checkpoints.put(id, now);
    }
  }

  void checkpointComplete(long id) {
    Map.Entry<Long, InstantTime> known = checkpoints.floorEntry(id);
    if (known != null) {
      held = known.getValue();
      checkpoints.headMap(id, true).clear();
      forgetRanges(held);
    }
  }

  /** Null as long as nothing is planned. The parameters are those of {@link #checkpoint}. */
  @Nullable
  InstantTime get(long first, long next, @Nullable InstantTime end) {
    if (hasCheckpoints) {
      return held;
    }
    InstantTime now = now(first, next, end);
    if (now != null) {
      forgetRanges(now);
    }
    return now;
  }

  @Nullable
  private InstantTime now(long first, long next, @Nullable InstantTime end) {
    if (first >= next) {
      return end;
    }
    Map.Entry<Long, InstantTime> range = ranges.floorEntry(first);
    if (range == null) {
      range = ranges.firstEntry();
    }
    return range == null ? end : range.getValue();
  }

  private void forgetRanges(InstantTime before) {
    while (ranges.size() > 1 && !ranges.higherEntry(ranges.firstKey()).getValue().isAfter(before)) {
      ranges.pollFirstEntry();
    }
  }
}
