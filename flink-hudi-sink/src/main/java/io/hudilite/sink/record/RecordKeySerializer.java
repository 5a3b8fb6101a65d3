package io.hudilite.sink.record;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** A {@link RecordKey} in state, in the form of {@link RecordKey#write}. */
public final class RecordKeySerializer extends TypeSerializerSingleton<RecordKey> {
  private static final long serialVersionUID = 1L;

  public static final RecordKeySerializer INSTANCE = new RecordKeySerializer();

  private RecordKeySerializer() {}

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public RecordKey createInstance() {
    return new RecordKey();
  }

  @Override
  public RecordKey copy(RecordKey from) {
    return from.copy();
  }

  @Override
  public RecordKey copy(RecordKey from, RecordKey reuse) {
    return from.copy();
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(RecordKey key, DataOutputView target) throws IOException {
    key.write(target);
  }

  @Override
  public RecordKey deserialize(DataInputView source) throws IOException {
    return RecordKey.read(source);
  }

  @Override
  public RecordKey deserialize(RecordKey reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    // Not by target.write(source, length): some of Flink's targets do not grow then.
    serialize(deserialize(source), target);
  }

  @Override
  public TypeSerializerSnapshot<RecordKey> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Written into savepoints; says that the form above is meant. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<RecordKey> {
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
