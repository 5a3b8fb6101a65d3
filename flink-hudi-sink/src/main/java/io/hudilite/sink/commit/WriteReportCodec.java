package io.hudilite.sink.commit;

import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * Write reports as bytes, for messages and state. The first byte is the version of the form; the
 * rest is deflated, since a report of thousands of files repeats itself and messages are limited.
 */
public final class WriteReportCodec {
  private static final int VERSION = 1;

  private WriteReportCodec() {}

  public static byte[] encode(WriteReport report) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(VERSION);
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(new DeflaterOutputStream(bytes, deflater)))) {
      writeText(report.run(), out);
      writeText(report.job(), out);
      out.writeInt(report.subtask());
      out.writeInt(report.attempt());
      out.writeLong(report.checkpoint());
      out.writeLong(report.epoch());
      writeText(report.instant().map(InstantTime::digits).orElse(""), out);
      out.writeBoolean(report.keysMoved());
      out.writeBoolean(report.isEndOfInput());
      out.writeInt(report.stats().size());
      for (WriteStat stat : report.stats()) {
        writeStat(stat, out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Memory cannot fail", e);
    } finally {
      deflater.end();
    }
    return bytes.toByteArray();
  }

  /**
   * The reverse of {@link #encode}.
   *
   * @throws IllegalStateException if the bytes are of a later version, or damaged
   */
  public static WriteReport decode(byte[] bytes) {
    int version = bytes.length == 0 ? 0 : bytes[0] & 0xFF;
    if (version != VERSION) {
      throw new IllegalStateException(
          "A write report has version %d, and this program reads version %d: the state was written by a later hudi-lite"
              .formatted(version, VERSION));
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(inflate(bytes)))) {
      String run = readText(in);
      String job = readText(in);
      int subtask = in.readInt();
      int attempt = in.readInt();
      long checkpoint = in.readLong();
      long epoch = in.readLong();
      String instant = readText(in);
      boolean keysMoved = in.readBoolean();
      boolean isEndOfInput = in.readBoolean();
      int count = in.readInt();
      List<WriteStat> stats = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        stats.add(readStat(in));
      }
      return new WriteReport(
          run,
          job,
          subtask,
          attempt,
          checkpoint,
          epoch,
          instant.isEmpty() ? Optional.empty() : Optional.of(new InstantTime(instant)),
          stats,
          keysMoved,
          isEndOfInput);
    } catch (IOException e) {
      throw new IllegalStateException("A write report of " + bytes.length + " bytes is damaged", e);
    }
  }

  private static byte[] inflate(byte[] bytes) throws IOException {
    try (InputStream in =
        new InflaterInputStream(new ByteArrayInputStream(bytes, 1, bytes.length - 1))) {
      return in.readAllBytes();
    }
  }

  private static void writeStat(WriteStat stat, DataOutputStream out) throws IOException {
    writeText(stat.fileId(), out);
    writeText(stat.path(), out);
    writeText(stat.partitionPath(), out);
    writeText(stat.prevCommit(), out);
    out.writeLong(stat.numWrites());
    out.writeLong(stat.numInserts());
    out.writeLong(stat.numUpdateWrites());
    out.writeLong(stat.numDeletes());
    out.writeLong(stat.fileSizeInBytes());
    out.writeInt(stat.logVersion());
    writeText(stat.baseFile(), out);
    out.writeInt(stat.logFiles().size());
    for (String file : stat.logFiles()) {
      writeText(file, out);
    }
    out.writeInt(stat.cdcStats().size());
    for (Map.Entry<String, Long> entry : stat.cdcStats().entrySet()) {
      writeText(entry.getKey(), out);
      out.writeLong(entry.getValue());
    }
    writeText(stat.prevBaseFile(), out);
  }

  private static WriteStat readStat(DataInputStream in) throws IOException {
    String fileId = readText(in);
    String path = readText(in);
    String partitionPath = readText(in);
    String prevCommit = readText(in);
    long writes = in.readLong();
    long inserts = in.readLong();
    long updates = in.readLong();
    long deletes = in.readLong();
    long size = in.readLong();
    int logVersion = in.readInt();
    String baseFile = readText(in);
    List<String> logFiles = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      logFiles.add(readText(in));
    }
    Map<String, Long> cdcStats = new HashMap<>();
    for (int i = in.readInt(); i > 0; i--) {
      cdcStats.put(readText(in), in.readLong());
    }
    return new WriteStat(
        fileId,
        path,
        partitionPath,
        prevCommit,
        writes,
        inserts,
        updates,
        deletes,
        size,
        logVersion,
        baseFile,
        logFiles,
        cdcStats,
        readText(in));
  }

  private static void writeText(String text, DataOutputStream out) throws IOException {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(utf8.length);
    out.write(utf8);
  }

  private static String readText(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("A text of " + length + " bytes, but " + in.available() + " are left");
    }
    return new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }
}
