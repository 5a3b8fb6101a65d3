package io.hudilite.core.clustering;

import io.hudilite.core.file.FileSlice;
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
import java.util.ArrayList;
import java.util.List;

/** Bytes of a {@link ClusteringTask}, for messages between processes of one version of the jar. */
public final class ClusteringTaskSerializer {
  private ClusteringTaskSerializer() {}

  public static byte[] serialize(ClusteringTask task) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(task.instant().digits());
      out.writeInt(task.claim());
      out.writeInt(task.number());
      out.writeLong(task.targetBytes());
      out.writeUTF(task.layout().word());
      out.writeInt(task.sortColumns().size());
      for (String column : task.sortColumns()) {
        out.writeUTF(column);
      }
      out.writeInt(ScanSplitSerializer.VERSION);
      out.writeInt(task.slices().size());
      for (FileSlice file : task.slices()) {
        byte[] slice =
            ScanSplitSerializer.serialize(new ScanSplit.Snapshot(file, LogBlockFilter.ALL));
        out.writeInt(slice.length);
        out.write(slice);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  public static ClusteringTask deserialize(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      InstantTime instant = new InstantTime(in.readUTF());
      int claim = in.readInt();
      int number = in.readInt();
      long targetBytes = in.readLong();
      Layout layout = Layout.of(in.readUTF());
      List<String> sortColumns = new ArrayList<>();
      for (int i = in.readInt(); i > 0; i--) {
        sortColumns.add(in.readUTF());
      }
      int version = in.readInt();
      List<FileSlice> slices = new ArrayList<>();
      for (int i = in.readInt(); i > 0; i--) {
        byte[] slice = in.readNBytes(in.readInt());
        slices.add(ScanSplitSerializer.deserialize(version, slice).slice());
      }
      return new ClusteringTask(instant, claim, number, slices, targetBytes, layout, sortColumns);
    }
  }
}
