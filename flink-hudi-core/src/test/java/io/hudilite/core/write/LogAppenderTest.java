package io.hudilite.core.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroRowDecoder;
import io.hudilite.core.avro.AvroRowEncoder;
import io.hudilite.core.base.BaseFileReader;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.log.LogBlock;
import io.hudilite.core.log.LogBlockFormat;
import io.hudilite.core.log.LogReader;
import io.hudilite.core.log.RecordCursor;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LogAppenderTest {
  private static final RowType TYPE =
      new RowType(
          List.of(
              new RowType.RowField("id", new BigIntType(false)),
              new RowType.RowField("name", VarCharType.STRING_TYPE)));
  private static final InstantTime INSTANT = new InstantTime("20261129221150721");
  private static final LogFileName FILE =
      new LogFileName(new FileId("ddbca89d-12b7-4d47-b12f-dd4eb18541da-0"), INSTANT, 2, "1-2-3");

  private final InMemoryStorage storage = new InMemoryStorage();

  private LogAppender appender(int blockBytes) {
    return appender(blockBytes, LogBlockFormat.AVRO);
  }

  private LogAppender appender(int blockBytes, LogBlockFormat blocks) {
    RowFormat format =
        new RowFormat(storage, TYPE, "t", BaseFileSettings.DEFAULT, blockBytes, blocks);
    return new LogAppender(format, new SequenceNumbers(INSTANT, 4), "dt=1", FILE);
  }

  /** Key and body in one array, as they come through a shuffle. */
  private static void upsert(FileGroupWriter writer, long id, boolean isNew) throws IOException {
    AvroBuffer bytes = new AvroBuffer();
    bytes.writeString("before");
    int keyOffset = bytes.size();
    bytes.writeRaw(Long.toString(id).getBytes(StandardCharsets.UTF_8));
    int bodyOffset = bytes.size();
    new AvroRowEncoder(TYPE)
        .encode(GenericRowData.of(id, StringData.fromString("name " + id)), bytes);
    int keyLength = bodyOffset - keyOffset;
    int bodyLength = bytes.size() - bodyOffset;
    if (isNew) {
      writer.insert(bytes.array(), keyOffset, keyLength, bodyOffset, bodyLength);
    } else {
      writer.upsert(bytes.array(), keyOffset, keyLength, bodyOffset, bodyLength);
    }
  }

  private List<String> read(String path) throws IOException {
    List<String> lines = new ArrayList<>();
    try (LogReader reader = LogReader.open(storage, path, storage.read(path).length)) {
      for (LogBlock block = reader.next(); block != null; block = reader.next()) {
        if (block instanceof LogBlock.Data data) {
          lines.add("block");
          RowType all = AvroSchemas.withMetaColumns(TYPE);
          AvroRowDecoder decoder = AvroRowDecoder.create(data.schema(), all);
          RecordCursor cursor = data.records();
          while (cursor.next()) {
            lines.add(decoder.decode(cursor.bytes(), cursor.offset(), cursor.length()).toString());
          }
        } else if (block instanceof LogBlock.ParquetData data) {
          lines.add("block");
          assertThat(data.schema()).isEqualTo(AvroSchemas.toAvroWithMeta(TYPE, "t"));
          byte[] content = new byte[(int) data.contentLength()];
          data.open().readFully(0, content, 0, content.length);
          try (BaseFileReader rows =
              BaseFileReader.open(
                  path, content, 0, content.length, AvroSchemas.withMetaColumns(TYPE))) {
            assertThat(rows.minRecordKey()).as("no index of keys").isEmpty();
            RowFieldTexts texts = new RowFieldTexts(AvroSchemas.withMetaColumns(TYPE));
            for (RowData row = rows.next(); row != null; row = rows.next()) {
              lines.add(texts.of(row));
            }
          }
        } else {
          lines.add(((LogBlock.Delete) block).records().toString());
        }
      }
    }
    return lines;
  }

  /** As generic rows are printed. */
  private static final class RowFieldTexts {
    private final RowData.FieldGetter[] getters;

    private RowFieldTexts(RowType rowType) {
      getters = new RowData.FieldGetter[rowType.getFieldCount()];
      for (int i = 0; i < getters.length; i++) {
        getters[i] = RowData.createFieldGetter(rowType.getTypeAt(i), i);
      }
    }

    private String of(RowData row) {
      return Arrays.stream(getters)
          .map(getter -> String.valueOf(getter.getFieldOrNull(row)))
          .collect(Collectors.joining(",", "+I(", ")"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void recordsHaveMetaColumnsAndStatsAreExact(LogBlockFormat blocks) throws IOException {
    LogAppender appender = appender(1 << 20, blocks);
    upsert(appender, 7, false);
    upsert(appender, 8, true);
    appender.delete("9".getBytes(StandardCharsets.UTF_8), 0, 1, OrderingValue.ofLong(3));

    List<WriteStat> stats = appender.finish();

    String path = "dt=1/" + FILE;
    assertThat(read(path))
        .containsExactly(
            "block",
            "+I(20261129221150721,20261129221150721_4_0,7,dt=1,%s,7,name 7)"
                .formatted(FILE.fileId()),
            "+I(20261129221150721,20261129221150721_4_1,8,dt=1,%s,8,name 8)"
                .formatted(FILE.fileId()),
            "[deleted 9 in 'dt=1' at LONG(3)]");
    assertThat(stats).hasSize(1);
    WriteStat stat = stats.get(0);
    assertThat(stat.path()).isEqualTo(path);
    assertThat(stat.fileSizeInBytes()).isEqualTo(storage.read(path).length);
    assertThat(stat.numWrites()).isEqualTo(2);
    assertThat(stat.numInserts()).isEqualTo(1);
    assertThat(stat.numUpdateWrites()).isEqualTo(1);
    assertThat(stat.numDeletes()).isEqualTo(1);
    assertThat(stat.logVersion()).isEqualTo(2);
    assertThat(stat.logFiles()).containsExactly(FILE.toString());
    assertThat(stat.prevCommit()).isEqualTo(INSTANT.toString());
  }

  @ParameterizedTest
  @EnumSource
  void aFullBlockIsCutBetweenRecords(LogBlockFormat blocks) throws IOException {
    LogAppender appender = appender(400, blocks);
    for (int i = 0; i < 10; i++) {
      upsert(appender, i, false);
    }
    upsert(appender, Long.MAX_VALUE, false);

    appender.finish();

    List<String> lines = read("dt=1/" + FILE);
    assertThat(lines.stream().filter(line -> line.equals("block")).count()).isGreaterThan(3);
    assertThat(lines.stream().filter(line -> !line.equals("block"))).hasSize(11);
  }

  @Test
  void bySizeFewRowsAreAvroAndManyParquet() throws IOException {
    LogAppender few = appender(1 << 20, LogBlockFormat.BY_SIZE);
    upsert(few, 1, false);
    few.finish();
    assertThat(blocks()).containsExactly("Data");
    storage.delete("dt=1/" + FILE);

    LogAppender many = appender(64 << 10, LogBlockFormat.BY_SIZE);
    for (int i = 0; i < 1_000; i++) {
      upsert(many, i, false);
    }
    many.finish();

    assertThat(blocks()).hasSizeGreaterThan(1).startsWith("ParquetData");
    assertThat(read("dt=1/" + FILE).stream().filter(line -> !line.equals("block")))
        .hasSize(1_000)
        .allMatch(line -> line.startsWith("+I(20261129221150721,20261129221150721_4_"));
    assertThat(read("dt=1/" + FILE).get(1_000 + blocks().size() - 1)).endsWith("999,name 999)");
  }

  private List<String> blocks() throws IOException {
    List<String> kinds = new ArrayList<>();
    String path = "dt=1/" + FILE;
    try (LogReader reader = LogReader.open(storage, path, storage.read(path).length)) {
      for (LogBlock block = reader.next(); block != null; block = reader.next()) {
        kinds.add(block instanceof LogBlock.ParquetData ? "ParquetData" : "Data");
      }
    }
    return kinds;
  }

  @Test
  void nothingWrittenIsNoFile() throws IOException {
    assertThat(appender(400).finish()).isEmpty();
    assertThat(storage.paths()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void givingUpLeavesNoFile(LogBlockFormat blocks) throws IOException {
    LogAppender appender = appender(1, blocks);
    upsert(appender, 1, false);
    upsert(appender, 2, false);
    assertThat(storage.paths()).hasSize(1);

    appender.abort();

    assertThat(storage.paths()).isEmpty();
  }

  @Test
  void partitionsAreMarkedOnce() throws IOException {
    PartitionMetadata partitions = new PartitionMetadata(storage);
    partitions.ensure("a/b", INSTANT);
    partitions.ensure("a/b", new InstantTime("20261129221150999"));
    partitions.ensure("", INSTANT);

    assertThat(new String(storage.read("a/b/.hoodie_partition_metadata"), StandardCharsets.UTF_8))
        .contains("commitTime=20261129221150721\n", "partitionDepth=2\n");
    assertThat(new String(storage.read(".hoodie_partition_metadata"), StandardCharsets.UTF_8))
        .contains("partitionDepth=0\n");
  }
}
