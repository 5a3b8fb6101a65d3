package io.hudilite.source.monitor;

import io.hudilite.core.timeline.InstantTime;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeMap;
import javax.annotation.Nullable;

/**
 * How far a read is behind its table. Fed on the coordinator thread, asked on metric threads; as
 * fresh as the last look at the table.
 */
final class ReadLag {
  private final InstantSource clock;
  private final TreeMap<Long, InstantTime> rangeEnds = new TreeMap<>();
  @Nullable private InstantTime readUpTo;
  @Nullable private Discovery.Found last;
  private volatile long instantsBehind;

  /** When the oldest unread instant was completed, 0 if there is none. */
  private volatile long oldestUnreadMillis;

  /**
   * @param readUpTo completion time up to which all was planned when the read began or went on
   */
  ReadLag(InstantSource clock, @Nullable InstantTime readUpTo) {
    this.clock = clock;
    this.readUpTo = readUpTo;
  }

  void planned(long range, InstantTime end) {
    rangeEnds.put(range, end);
  }

  /**
   * @param firstUnfinished number of the first range with splits that are not finished
   */
  void progress(long firstUnfinished) {
    boolean moved = false;
    while (!rangeEnds.isEmpty() && rangeEnds.firstKey() < firstUnfinished) {
      readUpTo = rangeEnds.pollFirstEntry().getValue();
      moved = true;
    }
    if (moved) {
      update();
    }
  }

  void looked(Discovery.Found found) {
    last = found;
    update();
  }

  private void update() {
    if (last == null) {
      return;
    }
    List<InstantTime> unread =
        readUpTo == null
            ? last.completions()
            : last.completions().stream().filter(time -> time.isAfter(readUpTo)).toList();
    oldestUnreadMillis = unread.isEmpty() ? 0 : unread.get(0).toMillis(last.zone());
    instantsBehind = unread.size();
  }

  /** Completed writes of which not all rows are emitted. */
  long instantsBehind() {
    return instantsBehind;
  }

  /** Age of the oldest of them in seconds, 0 if there is none. */
  long secondsBehind() {
    long oldest = oldestUnreadMillis;
    return oldest == 0 ? 0 : Math.max(0, (clock.millis() - oldest) / 1000);
  }
}
