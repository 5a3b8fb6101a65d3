package io.hudilite.core.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroRowEncoder;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.config.HudiTableException;
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
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.merge.RowCombiner;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.CombiningMerger;
import io.hudilite.core.testkit.InMemoryStorage;
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
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;

/** Random commits to tables whose rows are made of several versions, against a short model. */
final class CombinedRowsTest {
  private static final String PACKAGE = "org.apache.hudi.common.model.";
  private static final RowType ROW_TYPE =
      RowType.of(
          new LogicalType[] {
            new VarCharType(false, VarCharType.MAX_LENGTH),
            new VarCharType(VarCharType.MAX_LENGTH),
            new VarCharType(VarCharType.MAX_LENGTH),
            new BigIntType()
          },
          new String[] {"id", "a", "b", "ts"});
  private static final FileId FILE = new FileId("00000000-0000-0000-0000-000000000000-0");

  /** Adds up what a user's class can add up: the sum of {@code ts}, the texts put together. */
  public static final class SummingMerger extends CombiningMerger {
    @Override
    public RowCombiner combiner(RowType rowType) {
      int sum = rowType.getFieldIndex("ts");
      return (earlier, later, laterWins) ->
          earlier.getLong(sum) + later.getLong(sum) == 0
              ? null
              : GenericRowData.of(
                  later.getString(0),
                  later.isNullAt(1) ? null : later.getString(1),
                  later.isNullAt(2) ? null : later.getString(2),
                  earlier.getLong(sum) + later.getLong(sum));
    }
  }

  /** A version of a key; null texts are null columns. */
  private record Row(String id, String a, String b, long ts, boolean isDelete) {}

  private enum Rule {
    OVERWRITE_NON_DEFAULTS("OverwriteNonDefaultsWithLatestAvroPayload"),
    PARTIAL_UPDATE("PartialUpdateAvroPayload"),
    FIRST_VALUE("FirstValueAvroPayload"),
    DMS("AWSDmsAvroPayload"),
    SUM(SummingMerger.class.getName());

    private final String payload;

    Rule(String payload) {
      this.payload = payload.contains(".") ? payload : PACKAGE + payload;
    }

    private boolean isOrdered() {
      return this == PARTIAL_UPDATE || this == FIRST_VALUE;
    }

    private Row merge(Row old, Row next) {
      if (this == SUM && old != null && !old.isDelete && !next.isDelete) {
        return new Row(next.id, next.a, next.b, old.ts + next.ts, false);
      }
      boolean nextWins =
          old == null
              || !isOrdered()
              || (this == FIRST_VALUE ? next.ts > old.ts : next.ts >= old.ts);
      Row winner = nextWins ? next : old;
      Row other = nextWins ? old : next;
      boolean fills = this == OVERWRITE_NON_DEFAULTS || this == PARTIAL_UPDATE;
      if (!fills || other == null || winner.isDelete || other.isDelete) {
        return winner;
      }
      return new Row(
          winner.id,
          winner.a == null ? other.a : winner.a,
          winner.b == null ? other.b : winner.b,
          winner.ts,
          false);
    }
  }

  private final InMemoryStorage storage = new InMemoryStorage();
  private final Map<String, Row> model = new TreeMap<>();
  private TimelineStore timelineStore;
  private int instants = 10;

  @Property(tries = 60)
  void rowsAreThoseOfTheModel(@ForAll long seed, @ForAll Rule rule) throws IOException {
    new CombinedRowsTest().run(new Random(seed), rule);
  }

  private void run(Random random, Rule rule) throws IOException {
    HudiTable table = write(random, rule);
    ReadContext context = table.readContext();
    assertThat(read(context, new ScanPlanner().snapshot(table), ROW_TYPE)).isEqualTo(modelRows());
    ReadContext spilling =
        context.withMemory(new MergeMemory(0, Path.of(System.getProperty("java.io.tmpdir"))));
    assertThat(read(spilling, new ScanPlanner().snapshot(table), ROW_TYPE)).isEqualTo(modelRows());
    RowType one = (RowType) project("b");
    assertThat(read(context, new ScanPlanner().snapshot(table), one))
        .isEqualTo(
            model.values().stream()
                .filter(row -> !row.isDelete)
                .map(row -> "{b=" + row.b + "}")
                .sorted()
                .toList());
    RowType none =
        RowType.of(
            new LogicalType[] {VarCharType.STRING_TYPE}, new String[] {MetaColumns.RECORD_KEY});
    assertThat(read(context, new ScanPlanner().snapshot(table), none)).hasSize(modelRows().size());
    assertThat(folded(table, context)).isEqualTo(modelRows());
  }

  private static RowType project(String name) {
    return RowType.of(
        new LogicalType[] {ROW_TYPE.getTypeAt(ROW_TYPE.getFieldIndex(name))}, new String[] {name});
  }

  private HudiTable write(Random random, Rule rule) throws IOException {
    create(rule);
    int commits = 1 + random.nextInt(5);
    for (int i = 0; i < commits; i++) {
      commit(randomRows(random, rule, i == 0), random, rule, i == 0 && random.nextBoolean());
    }
    return HudiTable.open(storage);
  }

  private void create(Rule rule) throws IOException {
    TableConfig plain =
        TableConfig.newTable("t", TableType.MERGE_ON_READ)
            .recordKeyFields("id")
            .orderingField("ts")
            .createSchema(AvroSchemas.toAvro(ROW_TYPE, "t").toString())
            .build();
    Map<String, String> properties = new TreeMap<>(plain.properties());
    properties.put(TableConfig.MERGE_MODE, "CUSTOM");
    properties.put(TableConfig.PAYLOAD_CLASS, rule.payload);
    if (rule == Rule.DMS) {
      properties.put("hoodie.payload.delete.field", "a");
      properties.put("hoodie.payload.delete.marker", "x");
    }
    StringBuilder text = new StringBuilder();
    properties.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    storage.createNew(
        ".hoodie/hoodie.properties",
        text.toString().replace("\\", "\\\\").getBytes(StandardCharsets.UTF_8));
    timelineStore = new TimelineStore(storage, TableConfigStore.load(storage));
  }

  private static Map<String, Row> randomRows(Random random, Rule rule, boolean isFirst) {
    Map<String, Row> batch = new TreeMap<>();
    for (int i = 1 + random.nextInt(8); i > 0; i--) {
      String id = "k" + random.nextInt(6);
      boolean isMarked = rule == Rule.DMS && !isFirst && random.nextInt(4) == 0;
      // Values that were filled in lose their own ordering, so deletes would depend on the files.
      boolean isDelete = rule != Rule.PARTIAL_UPDATE && !isMarked && random.nextInt(5) == 0;
      String suffix = rule == Rule.PARTIAL_UPDATE ? id : id + random.nextInt(100);
      batch.put(
          id,
          new Row(
              id,
              isMarked ? "x" : random.nextBoolean() ? null : "a" + suffix,
              random.nextBoolean() ? null : "b" + suffix,
              1 + random.nextInt(5),
              isDelete));
    }
    return batch;
  }

  private void commit(Map<String, Row> batch, Random random, Rule rule, boolean intoBase)
      throws IOException {
    InstantTime instant = time(instants++);
    RowFormat format =
        new RowFormat(
            storage,
            ROW_TYPE,
            "t",
            BaseFileSettings.DEFAULT,
            64 + random.nextInt(500),
            random.nextInt(3) == 0 ? LogBlockFormat.PARQUET : LogBlockFormat.AVRO);
    SequenceNumbers sequence = new SequenceNumbers(instant, 0);
    LogFileName log = new LogFileName(FILE, instant, 1, "0-0-0");
    new PartitionMetadata(storage).ensure("", instant);
    FileGroupWriter writer =
        intoBase
            ? new BaseFileCreator(
                format, sequence, "", new BaseFileName(FILE, "0-0-0", instant), log)
            : new LogAppender(format, sequence, "", log);
    AvroRowEncoder encoder = new AvroRowEncoder(ROW_TYPE);
    for (Row row : batch.values()) {
      AvroBuffer buffer = new AvroBuffer();
      buffer.writeRaw(row.id.getBytes(StandardCharsets.UTF_8));
      int keyLength = buffer.size();
      if (row.isDelete) {
        writer.delete(
            buffer.array(),
            0,
            keyLength,
            rule.isOrdered() ? OrderingValue.ofLong(row.ts) : OrderingValue.NONE);
      } else {
        encoder.encode(data(row), buffer);
        writer.upsert(buffer.array(), 0, keyLength, keyLength, buffer.size() - keyLength);
      }
      boolean isMarked = rule == Rule.DMS && "x".equals(row.a);
      Row meant = isMarked ? new Row(row.id, null, null, row.ts, true) : row;
      model.merge(row.id, meant, rule::merge);
    }
    timelineStore.createRequested(new Instant.Requested(instant, Action.DELTA_COMMIT), new byte[0]);
    timelineStore.createInflight(new Instant.Inflight(instant, Action.DELTA_COMMIT));
    timelineStore.complete(
        Instant.Completed.of(instant, time(instants++), Action.DELTA_COMMIT),
        CommitMetadataCodec.encode(
            CommitMetadata.ofWrite(
                CommitMetadata.UPSERT,
                writer.finish(),
                Map.of(CommitMetadata.SCHEMA, AvroSchemas.toAvro(ROW_TYPE, "t").toString())),
            Action.DELTA_COMMIT));
  }

  private static GenericRowData data(Row row) {
    return GenericRowData.of(
        StringData.fromString(row.id),
        StringData.fromString(row.a),
        StringData.fromString(row.b),
        row.ts);
  }

  private static List<String> read(ReadContext context, List<ScanSplit> splits, RowType wanted)
      throws IOException {
    List<String> rows = new ArrayList<>();
    for (ScanSplit split : splits) {
      rows.addAll(RowJson.of(SplitReader.open(context, split, wanted), wanted));
    }
    return rows.stream().sorted().toList();
  }

  private static List<String> folded(HudiTable table, ReadContext context) throws IOException {
    Map<String, String> folded = new TreeMap<>();
    IncrementalPlanner planner = new IncrementalPlanner(path -> true).atMost(1);
    InstantTime position = InstantTime.BEGINNING;
    for (var range = planner.next(table, position);
        range.isPresent();
        range = planner.next(table, position)) {
      position = range.get().end();
      for (List<ScanSplit> stage : range.get().stages()) {
        for (ScanSplit split : stage) {
          try (SplitReader reader = SplitReader.open(context, split, ROW_TYPE)) {
            for (RowData row = reader.next(); row != null; row = reader.next()) {
              String id = row.getString(0).toString();
              if (row.getRowKind() == RowKind.DELETE) {
                folded.remove(id);
              } else {
                folded.put(id, RowJson.of(row, ROW_TYPE));
              }
            }
          }
        }
      }
    }
    return folded.values().stream().sorted().toList();
  }

  private List<String> modelRows() {
    return model.values().stream()
        .filter(row -> !row.isDelete)
        .map(row -> RowJson.of(data(row), ROW_TYPE))
        .sorted()
        .toList();
  }

  @Test
  void aRowThatComesBackAfterADeleteHasNothingOfTheRowBefore() throws IOException {
    CombinedRowsTest test = new CombinedRowsTest();
    Random random = new Random(1);
    test.create(Rule.PARTIAL_UPDATE);
    Map<String, Row> rows = new TreeMap<>();
    rows.put("deleted", new Row("deleted", "old", "old", 1, false));
    rows.put("kept", new Row("kept", "newest", null, 9, false));
    test.commit(rows, random, Rule.PARTIAL_UPDATE, true);
    rows.replaceAll((key, row) -> new Row(key, null, null, 3, true));
    test.commit(rows, random, Rule.PARTIAL_UPDATE, false);
    rows.replaceAll((key, row) -> new Row(key, null, "late", 4, false));
    test.commit(rows, random, Rule.PARTIAL_UPDATE, false);
    HudiTable table = HudiTable.open(test.storage);
    assertThat(read(table.readContext(), new ScanPlanner().snapshot(table), ROW_TYPE))
        .containsExactly("{a=newest, b=late, id=kept, ts=9}", "{a=null, b=late, id=deleted, ts=4}");
  }

  @Test
  void aRowThatCombiningTakesAwayIsDeleted() throws IOException {
    for (boolean withBase : new boolean[] {true, false}) {
      CombinedRowsTest test = new CombinedRowsTest();
      Random random = new Random(1);
      test.create(Rule.SUM);
      test.commit(Map.of("k", new Row("k", "a", null, 2, false)), random, Rule.SUM, withBase);
      test.commit(Map.of("k", new Row("k", "b", null, -2, false)), random, Rule.SUM, false);
      HudiTable table = HudiTable.open(test.storage);
      ReadContext context = table.readContext();
      assertThat(read(context, new ScanPlanner().snapshot(table), ROW_TYPE)).isEmpty();
      assertThat(folded(table, context)).isEmpty();
    }
  }

  @Test
  void aClassThatIsNotThereIsNamed() throws IOException {
    CombinedRowsTest test = new CombinedRowsTest();
    HudiTable table = test.write(new Random(1), Rule.SUM);
    Map<String, String> properties = new TreeMap<>(table.config().properties());
    properties.put(TableConfig.PAYLOAD_CLASS, "com.example.Missing");
    StringBuilder text = new StringBuilder();
    properties.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    TableConfig other =
        TableConfig.parse(text.toString().getBytes(StandardCharsets.UTF_8), "somewhere");
    assertThatThrownBy(() -> RecordMerger.of(other))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("com.example.Missing")
        .hasMessageContaining("RecordMerger");
  }

  private static InstantTime time(int number) {
    return new InstantTime("202601010000000%02d".formatted(number));
  }
}
