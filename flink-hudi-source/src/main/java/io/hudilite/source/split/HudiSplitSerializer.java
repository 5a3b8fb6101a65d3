package io.hudilite.source.split;

import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.scan.ScanSplitSerializer;
import java.io.EOFException;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Bytes of a split; integers are big-endian.
 *
 * <pre>
 * splitId  modified UTF-8    range int64    phase int32    rowsDone int64
 * tick int64    mayRace byte    watermark int64            (from version 2 on)
 * scanVersion int32    scanLength int32    scan (see ScanSplitSerializer)
 * </pre>
 */
public final class HudiSplitSerializer implements SimpleVersionedSerializer<HudiSplit> {
  public static final HudiSplitSerializer INSTANCE = new HudiSplitSerializer();
  private static final int VERSION = 2;

  private HudiSplitSerializer() {}

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(HudiSplit split) throws IOException {
    byte[] scan = ScanSplitSerializer.serialize(split.scan());
    DataOutputSerializer out = new DataOutputSerializer(scan.length + 64);
    out.writeUTF(split.splitId());
    out.writeLong(split.stage().range());
    out.writeInt(split.stage().phase());
    out.writeLong(split.rowsDone());
    out.writeLong(split.turn().tick());
    out.writeBoolean(split.turn().mayRace());
    out.writeLong(split.progress().watermarkMillis());
    out.writeInt(ScanSplitSerializer.VERSION);
    out.writeInt(scan.length);
    out.write(scan);
    return out.getCopyOfBuffer();
  }

  @Override
  public HudiSplit deserialize(int version, byte[] bytes) throws IOException {
    if (version < 1 || version > VERSION) {
      throw new IOException(
          "Split state of version %d is unknown here, the newest known is %d. Restore with the release that wrote it, or a newer one."
              .formatted(version, VERSION));
    }
    DataInputDeserializer in = new DataInputDeserializer(bytes);
    String splitId = in.readUTF();
    Stage stage = new Stage(in.readLong(), in.readInt());
    long rowsDone = in.readLong();
    Turn turn = new Turn(Ticks.NONE, true);
    long watermark = Long.MIN_VALUE;
    if (version > 1) {
      turn = new Turn(in.readLong(), in.readBoolean());
      watermark = in.readLong();
    }
    int scanVersion = in.readInt();
    int scanLength = in.readInt();
    if (scanLength < 0 || scanLength > in.available()) {
      throw new EOFException(
          "State of split %s: its scan has %d bytes, but %d are left"
              .formatted(splitId, scanLength, in.available()));
    }
    byte[] scanBytes = new byte[scanLength];
    in.readFully(scanBytes);
    ScanSplit scan = ScanSplitSerializer.deserialize(scanVersion, scanBytes);
    return new HudiSplit(splitId, stage, scan, turn, new HudiSplit.Progress(rowsDone, watermark));
  }
}
