package io.hudilite.sink.assign;

import io.hudilite.core.key.OrderingCodec;
import io.hudilite.core.key.OrderingValue;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A {@link KeyLocation} in state: int64 file group, int32 length of the ordering value with the
 * highest bit set for a delete, ordering value ({@link OrderingCodec}). No ordering value has
 * length 0.
 */
public final class KeyLocationSerializer extends TypeSerializerSingleton<KeyLocation> {
  private static final long serialVersionUID = 1L;

  public static final KeyLocationSerializer INSTANCE = new KeyLocationSerializer();

  private static final int DELETE_BIT = 1 << 31;

  private KeyLocationSerializer() {}

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public KeyLocation createInstance() {
    return new KeyLocation(0, OrderingValue.NONE, false);
  }

  @Override
  public KeyLocation copy(KeyLocation from) {
    return from;
  }

  @Override
  public KeyLocation copy(KeyLocation from, KeyLocation reuse) {
    return from;
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(KeyLocation location, DataOutputView target) throws IOException {
    target.writeLong(location.group());
    OrderingValue ordering = location.ordering();
    byte[] bytes =
        ordering.kind() == OrderingValue.Kind.NONE ? new byte[0] : OrderingCodec.toBytes(ordering);
    target.writeInt(location.isDelete() ? bytes.length | DELETE_BIT : bytes.length);
    target.write(bytes);
  }

  @Override
  public KeyLocation deserialize(DataInputView source) throws IOException {
    long group = source.readLong();
    int head = source.readInt();
    byte[] bytes = new byte[head & ~DELETE_BIT];
    source.readFully(bytes);
    return new KeyLocation(
        group,
        bytes.length == 0 ? OrderingValue.NONE : OrderingCodec.decode(bytes, 0, bytes.length),
        (head & DELETE_BIT) != 0);
  }

  @Override
  public KeyLocation deserialize(KeyLocation reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    // Not by target.write(source, length): some of Flink's targets do not grow then.
    serialize(deserialize(source), target);
  }

  @Override
  public TypeSerializerSnapshot<KeyLocation> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Written into savepoints; says that the form above is meant. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<KeyLocation> {
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
