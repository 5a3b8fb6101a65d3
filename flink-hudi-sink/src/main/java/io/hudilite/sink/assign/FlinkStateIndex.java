package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.RecordKey;
import java.io.IOException;
import java.util.function.Consumer;
import javax.annotation.Nullable;
import org.apache.flink.api.common.state.ValueState;

/** The index in keyed state: on the heap or in RocksDB, as the job is set. */
final class FlinkStateIndex implements RecordIndex {
  private final ValueState<KeyLocation> state;
  private final Consumer<RecordKey> selector;

  /**
   * @param selector makes a key the current one of the state
   */
  FlinkStateIndex(ValueState<KeyLocation> state, Consumer<RecordKey> selector) {
    this.state = requireNonNull(state, "state");
    this.selector = requireNonNull(selector, "selector");
  }

  @Override
  public void select(HudiRecord record) {
    // Flink has done it before it handed the record over.
  }

  @Override
  public void select(RecordKey key) {
    selector.accept(key);
  }

  @Nullable
  @Override
  public KeyLocation get() throws IOException {
    return state.value();
  }

  @Override
  public void put(KeyLocation location) throws IOException {
    state.update(location);
  }

  @Override
  public void remove() {
    state.clear();
  }
}
