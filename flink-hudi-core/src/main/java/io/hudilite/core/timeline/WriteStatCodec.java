package io.hudilite.core.timeline;

import static io.hudilite.core.timeline.AvroContainer.map;
import static io.hudilite.core.timeline.AvroContainer.number;
import static io.hudilite.core.timeline.AvroContainer.text;
import static io.hudilite.core.timeline.AvroContainer.texts;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;

/**
 * Write stats as bytes for Flink's state and messages: a byte with the version of the form, then
 * each stat in Avro binary, with Hudi's schema of 1.0.2.
 */
public final class WriteStatCodec {
  private static final int VERSION = 1;

  private WriteStatCodec() {}

  public static byte[] encode(List<WriteStat> stats) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(VERSION);
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    GenericDatumWriter<IndexedRecord> writer = new GenericDatumWriter<>(InstantSchemas.WRITE_STAT);
    try {
      for (WriteStat stat : stats) {
        writer.write(toAvro(stat), encoder);
      }
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /**
   * Reads what {@link #encode} has written.
   *
   * @throws IllegalArgumentException if the bytes are of an unknown version or damaged
   */
  public static List<WriteStat> decode(byte[] bytes) {
    if (bytes.length == 0 || bytes[0] != VERSION) {
      throw new IllegalArgumentException(
          "Write stats of version %s; known is %d"
              .formatted(bytes.length == 0 ? "(none)" : Byte.toString(bytes[0]), VERSION));
    }
    BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(bytes, 1, bytes.length - 1, null);
    GenericDatumReader<IndexedRecord> reader = new GenericDatumReader<>(InstantSchemas.WRITE_STAT);
    List<WriteStat> stats = new ArrayList<>();
    try {
      while (!decoder.isEnd()) {
        stats.add(ofAvro(reader.read(null, decoder), ""));
      }
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException(
          "Damaged write stats after %d of them, in %d bytes".formatted(stats.size(), bytes.length),
          e);
    }
    return stats;
  }

  static IndexedRecord toAvro(WriteStat stat) {
    GenericData.Record record = new GenericData.Record(InstantSchemas.WRITE_STAT);
    record.put("fileId", stat.fileId());
    record.put("path", stat.path());
    record.put("prevCommit", stat.prevCommit());
    put(record, "numWrites", stat.numWrites());
    put(record, "numDeletes", stat.numDeletes());
    put(record, "numUpdateWrites", stat.numUpdateWrites());
    put(record, "numInserts", stat.numInserts());
    put(record, "totalWriteBytes", stat.fileSizeInBytes());
    put(record, "fileSizeInBytes", stat.fileSizeInBytes());
    record.put("totalWriteErrors", 0L);
    record.put("partitionPath", stat.partitionPath());
    if (stat.isLogFile()) {
      record.put("logVersion", stat.logVersion());
      record.put("logOffset", 0L);
      record.put("baseFile", stat.baseFile());
      record.put("logFiles", stat.logFiles());
    }
    if (!stat.cdcStats().isEmpty()) {
      record.put("cdcStats", new TreeMap<>(stat.cdcStats()));
    }
    if (!stat.prevBaseFile().isEmpty()) {
      record.put("prevBaseFile", stat.prevBaseFile());
    }
    if (stat.compactedLogs().files() > 0) {
      record.put("totalLogFiles", stat.compactedLogs().files());
      record.put("totalLogFilesCompacted", stat.compactedLogs().files());
      record.put("totalLogSizeCompacted", stat.compactedLogs().bytes());
    }
    return record;
  }

  /** The partition is only for stats that do not say theirs. */
  static WriteStat ofAvro(IndexedRecord record, String partition) {
    Map<String, Long> cdcStats = new TreeMap<>();
    map(record, "cdcStats")
        .forEach((path, size) -> cdcStats.put(path, ((Number) size).longValue()));
    return new WriteStat(
        text(record, "fileId", ""),
        text(record, "path", ""),
        text(record, "partitionPath", partition),
        text(record, "prevCommit", WriteStat.NO_PREVIOUS_COMMIT),
        number(record, "numWrites", -1),
        number(record, "numInserts", -1),
        number(record, "numUpdateWrites", -1),
        number(record, "numDeletes", -1),
        number(record, "fileSizeInBytes", -1),
        Math.toIntExact(number(record, "logVersion", 0)),
        text(record, "baseFile", ""),
        texts(record, "logFiles"),
        cdcStats,
        text(record, "prevBaseFile", ""),
        new WriteStat.CompactedLogs(
            number(record, "totalLogFilesCompacted", 0),
            number(record, "totalLogSizeCompacted", 0)));
  }

  private static void put(GenericData.Record record, String name, long count) {
    if (count >= 0) {
      record.put(name, count);
    }
  }
}
