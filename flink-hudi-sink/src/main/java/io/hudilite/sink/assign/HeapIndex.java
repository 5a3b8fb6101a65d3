package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.RecordKey;
import io.hudilite.sink.record.RecordKeySelector;
import java.util.HashMap;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * The index in plain memory, for batch jobs: there Flink sorts what is partitioned by key, which
 * takes the order of arrival away, and keeps the state of one key only.
 */
final class HeapIndex implements RecordIndex {
  private final RecordKeySelector keys;
  private final Map<RecordKey, KeyLocation> locations = new HashMap<>();
  private RecordKey current;

  HeapIndex(IndexScope scope) {
    this.keys = new RecordKeySelector(requireNonNull(scope, "scope"));
  }

  @Override
  public void select(HudiRecord record) {
    current = keys.getKey(record);
  }

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
    locations.put(current, location);
  }

  @Override
  public void remove() {
    locations.remove(current);
  }
}
