package io.hudilite.sink.assign;

import io.hudilite.core.key.OrderingCodec;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.merge.Version;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A {@link KeyLocation} in state.
 *
 * <pre>
 * head      1 byte  kind of the ordering value, the numbers of {@link OrderingCodec}; 128 is added
 *                   for a delete, 64 if it is known which columns have values
 * group     int64   number of the file group
 * ordering          int: int32; long: int64; none: nothing; others: int32 length and OrderingCodec
 * filled            only if known: uint16 length and the bytes of {@link FilledColumns}
 * </pre>
 */
public final class KeyLocationSerializer extends TypeSerializerSingleton<KeyLocation> {
  private static final long serialVersionUID = 1L;

  public static final KeyLocationSerializer INSTANCE = new KeyLocationSerializer();

  private static final int DELETE = 0x80;
  private static final int FILLED = 0x40;
  private static final int NONE = 0;
  private static final int INT = 2;
  private static final int LONG = 3;

  private KeyLocationSerializer() {}

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public KeyLocation createInstance() {
    return new KeyLocation(0, OrderingValue.NONE, false);
  }

  @Override
  public KeyLocation copy(KeyLocation from) {
    return from.copy();
  }

  @Override
  public KeyLocation copy(KeyLocation from, KeyLocation reuse) {
    return from.copy();
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(KeyLocation location, DataOutputView target) throws IOException {
    byte[] filled = location.filled();
    int flags = (location.isDelete() ? DELETE : 0) | (filled == null ? 0 : FILLED);
    switch (location.orderingKind()) {
      case NONE -> {
        target.writeByte(NONE | flags);
        target.writeLong(location.group());
      }
      case INT -> {
        target.writeByte(INT | flags);
        target.writeLong(location.group());
        target.writeInt((int) location.orderingNumber());
      }
      case LONG -> {
        target.writeByte(LONG | flags);
        target.writeLong(location.group());
        target.writeLong(location.orderingNumber());
      }
      case BOOLEAN, FLOAT, DOUBLE, STRING, BYTES, DECIMAL, LIST -> {
        byte[] ordering = OrderingCodec.toBytes(location.ordering());
        target.writeByte(ordering[0] | flags);
        target.writeLong(location.group());
        target.writeInt(ordering.length);
        target.write(ordering);
      }
    }
    if (filled != null) {
      target.writeShort(filled.length);
      target.write(filled);
    }
  }

  @Override
  public KeyLocation deserialize(DataInputView source) throws IOException {
    int head = source.readUnsignedByte();
    long group = source.readLong();
    boolean isDelete = (head & DELETE) != 0;
    Version version = new Version();
    switch (head & ~(DELETE | FILLED)) {
      case NONE -> version.setNone(isDelete);
      case INT -> version.setNumber(isDelete, OrderingValue.Kind.INT, source.readInt());
      case LONG -> version.setNumber(isDelete, OrderingValue.Kind.LONG, source.readLong());
      default -> {
        byte[] ordering = new byte[source.readInt()];
        source.readFully(ordering);
        version.set(isDelete, OrderingCodec.decode(ordering, 0, ordering.length));
      }
    }
    KeyLocation location = new KeyLocation(group, version);
    if ((head & FILLED) != 0) {
      byte[] filled = new byte[source.readUnsignedShort()];
      source.readFully(filled);
      location.setFilled(filled);
    }
    return location;
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
