package io.hudilite.sink.record;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** A {@link HudiRecord} in the stream: int32 length, then its array. */
public final class HudiRecordSerializer extends TypeSerializerSingleton<HudiRecord> {
  private static final long serialVersionUID = 1L;

  public static final HudiRecordSerializer INSTANCE = new HudiRecordSerializer();

  private HudiRecordSerializer() {}

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public HudiRecord createInstance() {
    return new HudiRecord(new byte[HudiRecord.HEADER_BYTES]);
  }

  /** The record itself: whoever hands one on does not look at it again. */
  @Override
  public HudiRecord copy(HudiRecord from) {
    return from;
  }

  @Override
  public HudiRecord copy(HudiRecord from, HudiRecord reuse) {
    return from;
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(HudiRecord record, DataOutputView target) throws IOException {
    byte[] bytes = record.bytes();
    target.writeInt(bytes.length);
    target.write(bytes);
  }

  @Override
  public HudiRecord deserialize(DataInputView source) throws IOException {
    byte[] bytes = new byte[source.readInt()];
    source.readFully(bytes);
    return new HudiRecord(bytes);
  }

  @Override
  public HudiRecord deserialize(HudiRecord reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    // Not by target.write(source, length): some of Flink's targets do not grow then.
    serialize(deserialize(source), target);
  }

  @Override
  public TypeSerializerSnapshot<HudiRecord> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Written into savepoints; says that the form above is meant. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<HudiRecord> {
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
