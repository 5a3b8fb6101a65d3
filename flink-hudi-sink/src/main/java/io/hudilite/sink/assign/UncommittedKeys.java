package io.hudilite.sink.assign;

import io.hudilite.sink.record.RecordKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * The places of keys that came or moved since the newest commit, which a look into the table would
 * not show. One part for each checkpoint interval. Not safe for use by several threads.
 */
final class UncommittedKeys {

  /** Keys of one interval. */
  private static final class Interval {
    private final long beginMillis;
    private final Map<RecordKey, KeyLocation> locations = new HashMap<>();

    /** Checkpoint whose barrier ended it. */
    private long checkpoint = Long.MAX_VALUE;

    private Interval(long beginMillis) {
      this.beginMillis = beginMillis;
    }
  }

  /** Oldest first; the last one is open. */
  private final Deque<Interval> intervals = new ArrayDeque<>();

  private int size;
  private long longestMillis;

  UncommittedKeys(long nowMillis) {
    intervals.add(new Interval(nowMillis));
  }

  /**
   * @param key not kept
   * @param location not kept
   */
  void add(RecordKey key, KeyLocation location) {
    Map<RecordKey, KeyLocation> open = intervals.getLast().locations;
    if (open.put(key.copy(), location.copy()) == null) {
      size++;
    }
  }

  /** The newest place of a key, as a copy; null if it has not moved lately. */
  @Nullable
  KeyLocation find(RecordKey key) {
    for (var newest = intervals.descendingIterator(); newest.hasNext(); ) {
      KeyLocation location = newest.next().locations.get(key);
      if (location != null) {
        return location.copy();
      }
    }
    return null;
  }

  /** A checkpoint's barrier passes. */
  void endInterval(long checkpoint, long nowMillis) {
    intervals.getLast().checkpoint = checkpoint;
    intervals.add(new Interval(nowMillis));
  }

  /** All intervals whose barrier came before this checkpoint's are in the table. */
  void dropBefore(long checkpoint, long nowMillis) {
    while (intervals.getFirst().checkpoint < checkpoint) {
      Interval dropped = intervals.removeFirst();
      size -= dropped.locations.size();
      longestMillis = Math.max(longestMillis, nowMillis - dropped.beginMillis);
    }
  }

  /** The longest time so far between a key's coming and its being seen in the table. */
  long longestMillis() {
    return longestMillis;
  }

  int size() {
    return size;
  }
}
