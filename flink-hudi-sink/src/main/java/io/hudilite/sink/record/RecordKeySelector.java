package io.hudilite.sink.record;

import static java.util.Objects.requireNonNull;

import io.hudilite.sink.config.IndexScope;
import javax.annotation.Nullable;
import org.apache.flink.api.java.functions.KeySelector;

/**
 * Takes the {@link RecordKey} out of a record. The key belongs to the selector and is good until
 * the next call: Flink asks for it only to choose a channel. Not safe for use by several threads.
 */
public final class RecordKeySelector implements KeySelector<HudiRecord, RecordKey> {
  private static final long serialVersionUID = 1L;

  private final IndexScope scope;
  @Nullable private transient RecordKey key;

  public RecordKeySelector(IndexScope scope) {
    this.scope = requireNonNull(scope, "scope");
  }

  @Override
  public RecordKey getKey(HudiRecord record) {
    if (key == null) {
      key = new RecordKey();
    }
    return key.set(record, scope);
  }
}
