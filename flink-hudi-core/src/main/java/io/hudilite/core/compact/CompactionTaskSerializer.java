package io.hudilite.core.compact;

import io.hudilite.core.merge.LogBlockFilter;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.scan.ScanSplitSerializer;
import io.hudilite.core.timeline.InstantTime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Bytes of a {@link CompactionTask}, for messages between processes of one version of the jar. */
public final class CompactionTaskSerializer {
  private CompactionTaskSerializer() {}

  public static byte[] serialize(CompactionTask task) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(task.instant().digits());
      out.writeInt(task.claim());
      out.writeInt(task.number());
      byte[] slice =
          ScanSplitSerializer.serialize(new ScanSplit.Snapshot(task.slice(), LogBlockFilter.ALL));
      out.writeInt(ScanSplitSerializer.VERSION);
      out.writeInt(slice.length);
      out.write(slice);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  public static CompactionTask deserialize(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      InstantTime instant = new InstantTime(in.readUTF());
      int claim = in.readInt();
      int number = in.readInt();
      int version = in.readInt();
      byte[] slice = in.readNBytes(in.readInt());
      return new CompactionTask(
          instant, claim, number, ScanSplitSerializer.deserialize(version, slice).slice());
    }
  }
}
