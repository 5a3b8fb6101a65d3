package io.hudilite.core.scan;

import io.hudilite.core.base.ByteRange;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFile;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.merge.ChangePhase;
import io.hudilite.core.merge.LogBlockFilter;
import io.hudilite.core.timeline.InstantTime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.annotation.Nullable;

/**
 * Versioned bytes of a {@link ScanSplit}. Stateless. Texts are in modified UTF-8 with two bytes of
 * length, numbers big-endian:
 *
 * <pre>
 * split    kind (1 = snapshot, 2 = changes, 3 = removed, 4 = part of a snapshot), slice, filter;
 *          changes: times, phase's name, base file; part: int64 start, int64 end (from version 2 on)
 * slice    partition path, file id, base instant, base file, int count, log files
 * file     name, int64 length; a missing base file has the name ""
 * filter   start, times
 * times    int count, texts in ascending order
 * </pre>
 */
public final class ScanSplitSerializer {
  /** The version that {@link #serialize} writes. */
  public static final int VERSION = 2;

  private static final int SNAPSHOT = 1;
  private static final int CHANGES = 2;
  private static final int REMOVED = 3;
  private static final int PART = 4;

  private ScanSplitSerializer() {}

  /** Equal splits give equal bytes. */
  public static byte[] serialize(ScanSplit split) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(kindOf(split));
      writeSlice(split.slice(), out);
      out.writeUTF(split.blocks().start().digits());
      writeTimes(split.blocks().completed(), out);
      if (split instanceof ScanSplit.Changes changes) {
        writeTimes(changes.instants(), out);
        out.writeUTF(changes.phase().name());
        writeBaseFile(changes.replacedBase(), out);
      }
      if (isPart(split)) {
        ByteRange part = ((ScanSplit.Snapshot) split).part();
        out.writeLong(part.start());
        out.writeLong(part.end());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads a split, also one of an older version.
   *
   * @throws IOException if the version is unknown or the bytes are no split
   */
  public static ScanSplit deserialize(int version, byte[] bytes) throws IOException {
    if (version < 1 || version > VERSION) {
      throw new IOException(
          "Splits of version " + version + " cannot be read, only those of 1 to " + VERSION);
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int kind = in.readByte();
      FileSlice slice = readSlice(in);
      LogBlockFilter blocks = new LogBlockFilter(new InstantTime(in.readUTF()), readTimes(in));
      return switch (kind) {
        case SNAPSHOT -> new ScanSplit.Snapshot(slice, blocks);
        case PART ->
            new ScanSplit.Snapshot(slice, blocks, new ByteRange(in.readLong(), in.readLong()));
        case REMOVED -> new ScanSplit.Removed(slice, blocks);
        case CHANGES ->
            new ScanSplit.Changes(
                slice,
                blocks,
                readTimes(in),
                ChangePhase.valueOf(in.readUTF()),
                readBaseFile(slice.groupId(), in));
        default -> throw new IOException("Splits of kind " + kind + " are not known");
      };
    } catch (IllegalArgumentException e) {
      throw new IOException("The bytes of a split are damaged", e);
    }
  }

  private static int kindOf(ScanSplit split) {
    if (split instanceof ScanSplit.Changes) {
      return CHANGES;
    }
    if (split instanceof ScanSplit.Removed) {
      return REMOVED;
    }
    return isPart(split) ? PART : SNAPSHOT;
  }

  private static boolean isPart(ScanSplit split) {
    return split instanceof ScanSplit.Snapshot snapshot && !snapshot.part().equals(ByteRange.ALL);
  }

  private static void writeSlice(FileSlice slice, DataOutputStream out) throws IOException {
    out.writeUTF(slice.groupId().partitionPath());
    out.writeUTF(slice.groupId().fileId().value());
    out.writeUTF(slice.baseInstant().digits());
    writeBaseFile(slice.baseFile().orElse(null), out);
    out.writeInt(slice.logFiles().size());
    for (LogFile file : slice.logFiles()) {
      out.writeUTF(file.name().toString());
      out.writeLong(file.lengthBytes());
    }
  }

  private static FileSlice readSlice(DataInputStream in) throws IOException {
    FileGroupId group = new FileGroupId(in.readUTF(), new FileId(in.readUTF()));
    InstantTime baseInstant = new InstantTime(in.readUTF());
    BaseFile base = readBaseFile(group, in);
    int count = in.readInt();
    List<LogFile> logs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = in.readUTF();
      LogFileName parsed =
          LogFileName.parse(name)
              .orElseThrow(() -> new IOException("'" + name + "' in a split is no log file"));
      logs.add(new LogFile(group, parsed, in.readLong()));
    }
    return new FileSlice(group, baseInstant, base, logs);
  }

  private static void writeBaseFile(@Nullable BaseFile file, DataOutputStream out)
      throws IOException {
    out.writeUTF(file == null ? "" : file.name().toString());
    out.writeLong(file == null ? 0 : file.lengthBytes());
  }

  @Nullable
  private static BaseFile readBaseFile(FileGroupId group, DataInputStream in) throws IOException {
    String name = in.readUTF();
    long length = in.readLong();
    if (name.isEmpty()) {
      return null;
    }
    BaseFileName parsed =
        BaseFileName.parse(name)
            .orElseThrow(() -> new IOException("'" + name + "' in a split is no base file"));
    return new BaseFile(group, parsed, length);
  }

  private static void writeTimes(Collection<InstantTime> times, DataOutputStream out)
      throws IOException {
    out.writeInt(times.size());
    for (InstantTime time : times.stream().sorted().toList()) {
      out.writeUTF(time.digits());
    }
  }

  private static Set<InstantTime> readTimes(DataInputStream in) throws IOException {
    int count = in.readInt();
    Set<InstantTime> times = new HashSet<>();
    for (int i = 0; i < count; i++) {
      times.add(new InstantTime(in.readUTF()));
    }
    return times;
  }
}
