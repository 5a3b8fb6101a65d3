package io.hudilite.source.monitor;

import io.hudilite.core.timeline.InstantTime;
import io.hudilite.source.split.HudiSplit;
import io.hudilite.source.split.HudiSplitSerializer;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Bytes of the enumerator's state; integers are big-endian.
 *
 * <pre>
 * position    modified UTF-8, the digits of the completion time, "" before the first look
 * nextRange   int64
 * lastTick    int64, watermark int64                        (from version 2 on)
 * splits      int32 count, int32 version of HudiSplitSerializer, and per split: int32 length, bytes
 * </pre>
 */
public final class MonitorStateSerializer implements SimpleVersionedSerializer<MonitorState> {
  public static final MonitorStateSerializer INSTANCE = new MonitorStateSerializer();
  private static final int VERSION = 2;

  private MonitorStateSerializer() {}

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(MonitorState state) throws IOException {
    HudiSplitSerializer splits = HudiSplitSerializer.INSTANCE;
    DataOutputSerializer out = new DataOutputSerializer(256);
    out.writeUTF(state.position() == null ? "" : state.position().digits());
    out.writeLong(state.nextRange());
    out.writeLong(state.ticks().lastTick());
    out.writeLong(state.ticks().watermarkMillis());
    out.writeInt(state.pending().size());
    out.writeInt(splits.getVersion());
    for (HudiSplit split : state.pending()) {
      byte[] bytes = splits.serialize(split);
      out.writeInt(bytes.length);
      out.write(bytes);
    }
    return out.getCopyOfBuffer();
  }

  @Override
  public MonitorState deserialize(int version, byte[] bytes) throws IOException {
    if (version < 1 || version > VERSION) {
      throw new IOException(
          "Enumerator state of version %d is unknown here, the newest known is %d. Restore with the release that wrote it, or a newer one."
              .formatted(version, VERSION));
    }
    DataInputDeserializer in = new DataInputDeserializer(bytes);
    String position = in.readUTF();
    long nextRange = in.readLong();
    MonitorState.Clock ticks =
        version > 1
            ? new MonitorState.Clock(in.readLong(), in.readLong())
            : MonitorState.Clock.START;
    int count = in.readInt();
    int splitVersion = in.readInt();
    List<HudiSplit> pending = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int length = in.readInt();
      if (length < 0 || length > in.available()) {
        throw new EOFException(
            "Enumerator state: split %d of %d has %d bytes, but %d are left"
                .formatted(i + 1, count, length, in.available()));
      }
      byte[] split = new byte[length];
      in.readFully(split);
      pending.add(HudiSplitSerializer.INSTANCE.deserialize(splitVersion, split));
    }
    return new MonitorState(
        position.isEmpty() ? null : new InstantTime(position), nextRange, pending, ticks);
  }
}
