package io.hudilite.core.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroRowEncoder;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.config.TableType;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.log.LogBlockFormat;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.RandomRows;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.CommitMetadataCodec;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.write.BaseFileCreator;
import io.hudilite.core.write.FileGroupWriter;
import io.hudilite.core.write.LogAppender;
import io.hudilite.core.write.PartitionMetadata;
import io.hudilite.core.write.RowFormat;
import io.hudilite.core.write.SequenceNumbers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/** The same changes in Avro blocks and in Parquet blocks give the same rows, by every rule. */
final class LogBlockFormatsTest {
  private static final Path TEMP = Path.of(System.getProperty("java.io.tmpdir"));
  private static final FileId FILE = new FileId("00000000-0000-0000-0000-000000000000-0");

  private enum Rule {
    EVENT_TIME(""),
    COMMIT_TIME(""),
    OVERWRITE_NON_DEFAULTS(
        "org.apache.hudi.common.model.OverwriteNonDefaultsWithLatestAvroPayload"),
    PARTIAL_UPDATE("org.apache.hudi.common.model.PartialUpdateAvroPayload"),
    FIRST_VALUE("org.apache.hudi.common.model.FirstValueAvroPayload"),
    DMS("org.apache.hudi.common.model.AWSDmsAvroPayload"),
    SUM(CombinedRowsTest.SummingMerger.class.getName());

    private final String payload;

    Rule(String payload) {
      this.payload = payload;
    }
  }

  /** A change; {@code row} null deletes. */
  private record Change(String id, long ts, GenericRowData row) {}

  @Property(tries = 30)
  void avroAndParquetGiveTheSameRows(@ForAll long seed, @ForAll Rule rule) throws IOException {
    Random random = new Random(seed);
    RowType rowType = rowType(random, rule);
    List<List<Change>> commits = commits(random, rule, rowType);
    boolean hasBase = random.nextBoolean();
    int blockBytes = 100 + random.nextInt(3000);
    HudiTable avro =
        write(rule, rowType, commits, hasBase, i -> blockBytes, i -> LogBlockFormat.AVRO);
    HudiTable parquet =
        write(rule, rowType, commits, hasBase, i -> blockBytes, i -> LogBlockFormat.PARQUET);
    HudiTable mixed =
        write(
            rule,
            rowType,
            commits,
            hasBase,
            i -> 1 << 20,
            i -> LogBlockFormat.values()[i % LogBlockFormat.values().length]);

    for (RowType wanted :
        List.of(rowType, someColumns(random, rowType), someColumns(random, rowType))) {
      List<Object> expected = read(avro, wanted, 1L << 30);
      assertThat(read(parquet, wanted, 1L << 30)).isEqualTo(expected);
      assertThat(read(parquet, wanted, 0)).as("spilled").isEqualTo(expected);
      assertThat(read(mixed, wanted, random.nextInt(2000))).as("mixed").isEqualTo(expected);
    }
  }

  private static RowType rowType(Random random, Rule rule) {
    List<RowType.RowField> fields = new ArrayList<>();
    fields.add(new RowType.RowField("id", new VarCharType(false, VarCharType.MAX_LENGTH)));
    if (rule == Rule.SUM) { // its class knows these columns
      fields.add(new RowType.RowField("a", new VarCharType(VarCharType.MAX_LENGTH)));
      fields.add(new RowType.RowField("b", new VarCharType(VarCharType.MAX_LENGTH)));
    } else {
      // Columns without nesting are kept in another form.
      fields.addAll(
          new RandomRows(random).rowType(random.nextInt(3), 1 + random.nextInt(6)).getFields());
    }
    if (rule == Rule.DMS) {
      fields.add(new RowType.RowField("op", new VarCharType(VarCharType.MAX_LENGTH)));
    }
    fields.add(new RowType.RowField("ts", new BigIntType()));
    return new RowType(false, fields);
  }

  private static List<List<Change>> commits(Random random, Rule rule, RowType rowType) {
    List<List<Change>> commits = new ArrayList<>();
    for (int commit = 1 + random.nextInt(5); commit > 0; commit--) {
      Map<String, Change> batch = new TreeMap<>();
      for (int i = 1 + random.nextInt(20); i > 0; i--) {
        String id = "k" + "-long".repeat(random.nextInt(3)) + random.nextInt(8);
        long ts = 1 + random.nextInt(6);
        GenericRowData row = new RandomRows(random).row(rowType);
        row.setField(0, StringData.fromString(id));
        row.setField(rowType.getFieldCount() - 1, ts);
        if (rule == Rule.DMS) {
          row.setField(
              rowType.getFieldIndex("op"),
              StringData.fromString(random.nextInt(3) == 0 ? "D" : "U"));
        }
        batch.put(id, new Change(id, ts, random.nextInt(5) == 0 ? null : row));
      }
      commits.add(List.copyOf(batch.values()));
    }
    return commits;
  }

  /** Some columns in any order, some of them in wider types, and meta columns among them. */
  private static RowType someColumns(Random random, RowType rowType) {
    List<RowType.RowField> fields = new ArrayList<>(rowType.getFields());
    for (String meta : MetaColumns.NAMES) {
      fields.add(new RowType.RowField(meta, new VarCharType(VarCharType.MAX_LENGTH)));
    }
    Collections.shuffle(fields, random);
    return new RowType(
        false,
        fields.subList(0, random.nextInt(fields.size())).stream()
            .map(field -> new RowType.RowField(field.getName(), widened(random, field.getType())))
            .toList());
  }

  private static LogicalType widened(Random random, LogicalType type) {
    if (type.is(LogicalTypeRoot.INTEGER) && random.nextBoolean()) {
      return new BigIntType(type.isNullable());
    }
    return type.is(LogicalTypeRoot.FLOAT) && random.nextBoolean()
        ? new DoubleType(type.isNullable())
        : type;
  }

  private static HudiTable write(
      Rule rule,
      RowType rowType,
      List<List<Change>> commits,
      boolean hasBase,
      java.util.function.IntUnaryOperator blockBytes,
      java.util.function.IntFunction<LogBlockFormat> formats)
      throws IOException {
    InMemoryStorage storage = new InMemoryStorage();
    TimelineStore timeline = create(storage, rule, rowType);
    int instants = 10;
    for (int i = 0; i < commits.size(); i++) {
      InstantTime instant = time(instants++);
      RowFormat format =
          new RowFormat(
              storage,
              rowType,
              "t",
              BaseFileSettings.DEFAULT,
              blockBytes.applyAsInt(i),
              formats.apply(i));
      SequenceNumbers sequence = new SequenceNumbers(instant, 0);
      LogFileName log = new LogFileName(FILE, instant, 1, "0-0-0");
      new PartitionMetadata(storage).ensure("", instant);
      FileGroupWriter writer =
          i == 0 && hasBase
              ? new BaseFileCreator(
                  format, sequence, "", new BaseFileName(FILE, "0-0-0", instant), log)
              : new LogAppender(format, sequence, "", log);
      put(writer, rule, rowType, commits.get(i));
      timeline.createRequested(new Instant.Requested(instant, Action.DELTA_COMMIT), new byte[0]);
      timeline.createInflight(new Instant.Inflight(instant, Action.DELTA_COMMIT));
      timeline.complete(
          Instant.Completed.of(instant, time(instants++), Action.DELTA_COMMIT),
          CommitMetadataCodec.encode(
              CommitMetadata.ofWrite(
                  CommitMetadata.UPSERT,
                  writer.finish(),
                  Map.of(CommitMetadata.SCHEMA, AvroSchemas.toAvro(rowType, "t").toString())),
              Action.DELTA_COMMIT));
    }
    return HudiTable.open(storage);
  }

  private static TimelineStore create(InMemoryStorage storage, Rule rule, RowType rowType)
      throws IOException {
    TableConfig plain =
        TableConfig.newTable("t", TableType.MERGE_ON_READ)
            .recordKeyFields("id")
            .orderingField("ts")
            .mergeMode(
                rule == Rule.COMMIT_TIME
                    ? MergeMode.COMMIT_TIME_ORDERING
                    : MergeMode.EVENT_TIME_ORDERING)
            .createSchema(AvroSchemas.toAvro(rowType, "t").toString())
            .build();
    if (rule.payload.isEmpty()) {
      return new TimelineStore(storage, TableConfigStore.create(storage, plain));
    }
    Map<String, String> properties = new TreeMap<>(plain.properties());
    properties.put(TableConfig.MERGE_MODE, "CUSTOM");
    properties.put(TableConfig.PAYLOAD_CLASS, rule.payload);
    if (rule == Rule.DMS) {
      properties.put("hoodie.payload.delete.field", "op");
      properties.put("hoodie.payload.delete.marker", "D");
    }
    StringBuilder text = new StringBuilder();
    properties.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    storage.createNew(
        ".hoodie/hoodie.properties",
        text.toString().replace("\\", "\\\\").getBytes(StandardCharsets.UTF_8));
    return new TimelineStore(storage, TableConfigStore.load(storage));
  }

  private static void put(FileGroupWriter writer, Rule rule, RowType rowType, List<Change> changes)
      throws IOException {
    AvroRowEncoder encoder = new AvroRowEncoder(rowType);
    for (Change change : changes) {
      AvroBuffer buffer = new AvroBuffer();
      buffer.writeRaw(change.id.getBytes(StandardCharsets.UTF_8));
      int keyLength = buffer.size();
      if (change.row == null) {
        boolean isOrdered =
            rule == Rule.EVENT_TIME || rule == Rule.PARTIAL_UPDATE || rule == Rule.FIRST_VALUE;
        writer.delete(
            buffer.array(),
            0,
            keyLength,
            isOrdered ? OrderingValue.ofLong(change.ts) : OrderingValue.NONE);
      } else {
        encoder.encode(change.row, buffer);
        writer.upsert(buffer.array(), 0, keyLength, keyLength, buffer.size() - keyLength);
      }
    }
  }

  /** The rows in the order in which they are read. */
  private static List<Object> read(HudiTable table, RowType wanted, long memoryBytes)
      throws IOException {
    ReadContext context = table.readContext().withMemory(new MergeMemory(memoryBytes, TEMP));
    RowType nullable =
        new RowType(
            false,
            wanted.getFields().stream()
                .map(f -> new RowType.RowField(f.getName(), f.getType().copy(true)))
                .toList());
    List<Object> rows = new ArrayList<>();
    for (ScanSplit split : new ScanPlanner().snapshot(table)) {
      try (SplitReader reader = SplitReader.open(context, split, wanted)) {
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          rows.add(RandomRows.plain(row, nullable));
        }
      }
    }
    return rows;
  }

  private static InstantTime time(int number) {
    return new InstantTime("202601010000000%02d".formatted(number));
  }
}
