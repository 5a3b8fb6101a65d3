package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.sink.record.RecordKey;
import java.io.IOException;
import java.util.function.Consumer;
import javax.annotation.Nullable;
import org.apache.flink.api.common.state.ValueState;

/** The index in keyed state: on the heap or in RocksDB, as the job is set. */
final class FlinkStateIndex implements RecordIndex {
  /** By name, since the class is not public. */
  private static final String HEAP_STATE = "org.apache.flink.runtime.state.heap.HeapValueState";

  private final ValueState<KeyLocation> state;
  private final Consumer<RecordKey> selector;
  private final boolean holdsObjects;
  private RecordKey current;

  /**
   * @param selector makes a key the current one of the state
   */
  FlinkStateIndex(ValueState<KeyLocation> state, Consumer<RecordKey> selector) {
    this.state = requireNonNull(state, "state");
    this.selector = requireNonNull(selector, "selector");
    this.holdsObjects = holdsObjects(state);
  }

  /**
   * Whether state is nothing but a map of objects on the heap: what was got from it is in it, and
   * what a running snapshot needs has been copied before. That saves the second look-up, which
   * costs as much as the first. Wrapped states (time to live, change log, metrics) are told of
   * changes.
   */
  static boolean holdsObjects(ValueState<?> state) {
    return state.getClass().getName().equals(HEAP_STATE);
  }

  @Override
  public void select(RecordKey key) {
    current = key;
    selector.accept(key);
  }

  @Nullable
  @Override
  public KeyLocation get() throws IOException {
    return state.value();
  }

  @Override
  public void put(KeyLocation location) throws IOException {
    selector.accept(current.copy()); // state on the heap keeps the key
    state.update(location);
  }

  @Override
  public void update(KeyLocation location) throws IOException {
    if (!holdsObjects) {
      state.update(location);
    }
  }

  @Override
  public void remove() {
    state.clear();
  }
}
