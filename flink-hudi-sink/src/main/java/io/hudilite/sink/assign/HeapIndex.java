package io.hudilite.sink.assign;

import io.hudilite.sink.record.RecordKey;
import java.util.HashMap;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * The index in plain memory, for batch jobs: there Flink sorts what is partitioned by key, which
 * takes the order of arrival away, and keeps the state of one key only.
 */
final class HeapIndex implements RecordIndex {
  private final Map<RecordKey, KeyLocation> locations = new HashMap<>();
  private RecordKey current;

  @Override
  public void select(RecordKey key) {
    current = key;
  }

  @Nullable
  @Override
  public KeyLocation get() {
    return locations.get(current);
  }

  @Override
  public void put(KeyLocation location) {
    locations.put(current.copy(), location);
  }

  @Override
  public void update(KeyLocation location) {}

  @Override
  public void remove() {
    locations.remove(current);
  }
}
