package io.hudilite.core.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroRowEncoder;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.config.TableType;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.log.LogBlockFormat;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.CommitMetadataCodec;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.BaseFileCreator;
import io.hudilite.core.write.BaseFileRewriter;
import io.hudilite.core.write.FileGroupWriter;
import io.hudilite.core.write.LogAppender;
import io.hudilite.core.write.PartitionMetadata;
import io.hudilite.core.write.RowFormat;
import io.hudilite.core.write.SequenceNumbers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

/** Random commits, read back in all ways, against a model of a few lines. */
final class WrittenTableTest {
  private static final RowType ROW_TYPE =
      RowType.of(
          new LogicalType[] {
            new VarCharType(false, VarCharType.MAX_LENGTH),
            new VarCharType(VarCharType.MAX_LENGTH),
            new BigIntType()
          },
          new String[] {"id", "name", "ts"});
  private static final Path TEMP = Path.of(System.getProperty("java.io.tmpdir"));
  private static final FileId FILE = new FileId("00000000-0000-0000-0000-000000000000-0");

  /** A change of the model; {@code name} null deletes. */
  private record Change(String id, String name, long ts) {}

  private final InMemoryStorage memory = new InMemoryStorage();
  private final FaultyStorage storage = FaultyStorage.counting(memory);
  private final Map<String, Change> model = new TreeMap<>();
  private TimelineStore timelineStore;
  private int instants = 10;

  @Property(tries = 40)
  void rowsAreThoseOfTheModel(@ForAll long seed, @ForAll TableType type, @ForAll boolean eventTime)
      throws IOException {
    WrittenTableTest test = new WrittenTableTest();
    test.run(
        new Random(seed),
        type,
        eventTime ? MergeMode.EVENT_TIME_ORDERING : MergeMode.COMMIT_TIME_ORDERING);
  }

  private void run(Random random, TableType type, MergeMode mode) throws IOException {
    TableConfig config =
        TableConfig.newTable("t", type)
            .recordKeyFields("id")
            .orderingField("ts")
            .mergeMode(mode)
            .createSchema(AvroSchemas.toAvro(ROW_TYPE, "t").toString())
            .build();
    timelineStore = new TimelineStore(storage, TableConfigStore.create(storage, config));
    int commits = 1 + random.nextInt(5);
    for (int i = 0; i < commits; i++) {
      if (type == TableType.COPY_ON_WRITE) {
        rewrite(random, mode);
      } else {
        commit(random, mode, i == 0);
      }
    }
    HudiTable table = HudiTable.open(storage);
    ReadContext context = table.readContext();
    ReadContext spilling = context.withMemory(new MergeMemory(0, TEMP));

    List<String> snapshot = read(context, new ScanPlanner().snapshot(table));
    assertThat(snapshot.stream().sorted()).isEqualTo(modelRows());
    assertThat(read(spilling, new ScanPlanner().snapshot(table)))
        .as("spilled, in the same order")
        .isEqualTo(snapshot);
    List<ScanSplit> splits = new ScanPlanner().snapshot(table);
    List<List<Object>> whole = values(context, splits, List.of("id", "name", "ts"));
    assertThat(values(context, splits, List.of("ts", "id")))
        .isEqualTo(whole.stream().map(row -> List.of(row.get(2), row.get(0))).toList());
    assertThat(values(context, splits, List.of("name")))
        .isEqualTo(whole.stream().map(row -> List.of(row.get(1))).toList());
    assertThat(values(context, splits, List.of())).as("counted").hasSameSizeAs(whole);
    assertThat(foldedChanges(table, context, 1 + random.nextInt(3))).isEqualTo(modelRows());
    if (type == TableType.MERGE_ON_READ) { // a base file says nothing of deletes
      lastRangeOpensOnlyItsFiles(table, context);
      assertThat(indexed(table, context)).isEqualTo(model.keySet().stream().toList());
    }
    assertThat(storage.openStreams()).isZero();
  }

  /** Drops what is superseded, as this project's own writer does. */
  private Map<String, Change> batch(Random random, MergeMode mode) {
    Map<String, Change> batch = new TreeMap<>();
    for (int i = 1 + random.nextInt(12); i > 0; i--) {
      String id = "k" + random.nextInt(10);
      boolean isDelete = random.nextInt(4) == 0;
      Change change = new Change(id, isDelete ? null : "n" + random.nextInt(), random.nextInt(6));
      Change older = batch.getOrDefault(id, model.get(id));
      if (older == null || mode == MergeMode.COMMIT_TIME_ORDERING || older.ts <= change.ts) {
        batch.put(id, change);
      }
    }
    return batch;
  }

  private void rewrite(Random random, MergeMode mode) throws IOException {
    HudiTable table = HudiTable.open(storage);
    InstantTime instant = time(instants++);
    BaseFileRewriter rewriter =
        new BaseFileRewriter(
            new RowFormat(
                storage, ROW_TYPE, "t", BaseFileSettings.DEFAULT, 64 + random.nextInt(500)),
            table.readContext().withMemory(new MergeMemory(random.nextInt(2) * 1000L, TEMP)),
            new SequenceNumbers(instant, 0),
            new FileGroupId("", FILE));
    new PartitionMetadata(storage).ensure("", instant);
    BaseFile newest =
        table.view().latestSlices("").stream()
            .flatMap(slice -> slice.baseFile().stream())
            .findFirst()
            .orElse(null);
    rewriter.replace(newest, new BaseFileName(FILE, "0-0-0", instant));
    Map<String, Change> old = new TreeMap<>(model);
    Map<String, Change> unchanged = new TreeMap<>(model);
    for (int runs = 1 + random.nextInt(3); runs > 0; runs--) {
      Map<String, Change> batch = batch(random, mode);
      write(rewriter, mode, batch.values());
      model.putAll(batch);
      unchanged.keySet().removeAll(batch.keySet());
      if (random.nextBoolean() || runs > 1) {
        rewriter.endRun();
      }
    }
    List<WriteStat> stats = rewriter.finish();
    long rows = model.values().stream().filter(change -> change.name != null).count();
    if (newest == null && rows == 0) {
      assertThat(stats).isEmpty();
    } else {
      WriteStat stat = stats.get(0);
      long oldRows = old.values().stream().filter(change -> change.name != null).count();
      assertThat(stat.numWrites()).isEqualTo(rows);
      assertThat(stat.numInserts() - stat.numDeletes()).isEqualTo(rows - oldRows);
      assertThat(stat.numUpdateWrites() + stat.numInserts())
          .isEqualTo(rows - unchanged.values().stream().filter(c -> c.name != null).count());
      assertThat(stat.prevCommit())
          .isEqualTo(newest == null ? "null" : newest.name().instant().toString());
    }
    complete(instant, Action.COMMIT, stats, true);
  }

  private void commit(Random random, MergeMode mode, boolean isFirst) throws IOException {
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
        isFirst
            ? new BaseFileCreator(
                format, sequence, "", new BaseFileName(FILE, "0-0-0", instant), log)
            : new LogAppender(format, sequence, "", log);
    Map<String, Change> batch = batch(random, mode);
    write(writer, mode, batch.values());
    model.putAll(batch);
    complete(instant, Action.DELTA_COMMIT, writer.finish(), random.nextBoolean());
  }

  private static void write(FileGroupWriter writer, MergeMode mode, Collection<Change> changes)
      throws IOException {
    AvroRowEncoder encoder = new AvroRowEncoder(ROW_TYPE);
    for (Change change : changes) {
      AvroBuffer buffer = new AvroBuffer();
      buffer.writeRaw(change.id.getBytes(StandardCharsets.UTF_8));
      int keyLength = buffer.size();
      if (change.name == null) {
        OrderingValue ordering =
            mode == MergeMode.COMMIT_TIME_ORDERING
                ? OrderingValue.NONE
                : OrderingValue.ofLong(change.ts);
        writer.delete(buffer.array(), 0, keyLength, ordering);
      } else {
        encoder.encode(
            GenericRowData.of(
                StringData.fromString(change.id), StringData.fromString(change.name), change.ts),
            buffer);
        writer.upsert(buffer.array(), 0, keyLength, keyLength, buffer.size() - keyLength);
      }
    }
  }

  private void complete(
      InstantTime instant, Action action, List<WriteStat> stats, boolean dropsSuperseded)
      throws IOException {
    timelineStore.createRequested(new Instant.Requested(instant, action), new byte[0]);
    timelineStore.createInflight(new Instant.Inflight(instant, action));
    timelineStore.complete(
        Instant.Completed.of(instant, time(instants++), action),
        CommitMetadataCodec.encode(
            CommitMetadata.ofWrite(
                CommitMetadata.UPSERT,
                stats,
                Map.of(
                    CommitMetadata.SCHEMA,
                    AvroSchemas.toAvro(ROW_TYPE, "t").toString(),
                    CommitMetadata.SUPERSEDED_DROPPED,
                    Boolean.toString(dropsSuperseded))),
            action));
  }

  private static List<String> read(ReadContext context, List<ScanSplit> splits) throws IOException {
    List<String> rows = new ArrayList<>();
    for (ScanSplit split : splits) {
      rows.addAll(RowJson.of(SplitReader.open(context, split, ROW_TYPE), ROW_TYPE));
    }
    return rows;
  }

  /** Some columns of all rows, in the order in which they are read. */
  private static List<List<Object>> values(
      ReadContext context, List<ScanSplit> splits, List<String> names) throws IOException {
    RowType wanted =
        new RowType(
            names.stream()
                .map(name -> ROW_TYPE.getFields().get(ROW_TYPE.getFieldIndex(name)))
                .toList());
    List<List<Object>> rows = new ArrayList<>();
    for (ScanSplit split : splits) {
      try (SplitReader reader = SplitReader.open(context, split, wanted)) {
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          List<Object> values = new ArrayList<>();
          for (int i = 0; i < names.size(); i++) {
            values.add(
                names.get(i).equals("ts") ? (Object) row.getLong(i) : row.getString(i).toString());
          }
          rows.add(values);
        }
      }
    }
    return rows;
  }

  private List<String> foldedChanges(HudiTable table, ReadContext context, int most)
      throws IOException {
    Map<String, String> folded = new TreeMap<>();
    IncrementalPlanner planner = new IncrementalPlanner(path -> true).atMost(most);
    InstantTime position = InstantTime.BEGINNING;
    Optional<ScanRange> range = planner.next(table, position);
    while (range.isPresent()) {
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
      range = planner.next(table, position);
    }
    return folded.values().stream().sorted().toList();
  }

  private void lastRangeOpensOnlyItsFiles(HudiTable table, ReadContext context) throws IOException {
    Instant.Completed last = table.timeline().lastCompletedWrite().orElseThrow();
    CommitMetadata commit = table.timelineStore().readCommit(last);
    if (!commit.extra(CommitMetadata.SUPERSEDED_DROPPED).equals(Optional.of("true"))) {
      return;
    }
    int before = storage.operationCount();
    ScanRange range =
        new IncrementalPlanner(path -> true).first(table, new StartingPosition.Latest());
    for (List<ScanSplit> stage : range.stages()) {
      read(context, stage);
    }
    List<String> own = commit.writeStats().stream().map(stat -> "open " + stat.path()).toList();
    assertThat(storage.operations().subList(before, storage.operationCount()))
        .filteredOn(operation -> operation.startsWith("open "))
        .allMatch(own::contains);
  }

  private static List<String> indexed(HudiTable table, ReadContext context) throws IOException {
    List<String> keys = new ArrayList<>();
    IndexScanner scanner = new IndexScanner(context);
    List<InstantTime> all =
        table.timeline().completedWrites().stream().map(Instant.Completed::requestedTime).toList();
    for (ScanSplit split : IndexScanner.planAll(table)) {
      assertThat(IndexVersions.folded(context, split))
          .isEqualTo(IndexVersions.newest(context, split));
    }
    for (ScanSplit split : IndexScanner.planInstants(table, all)) {
      assertThat(IndexVersions.folded(context, split))
          .isEqualTo(IndexVersions.newest(context, split));
      scanner.scan(split, entry -> keys.add(new String(entry.recordKey(), StandardCharsets.UTF_8)));
    }
    return keys.stream().sorted().toList();
  }

  private List<String> modelRows() {
    return model.values().stream()
        .filter(change -> change.name != null)
        .map(
            change ->
                RowJson.of(
                    GenericRowData.of(
                        StringData.fromString(change.id),
                        StringData.fromString(change.name),
                        change.ts),
                    ROW_TYPE))
        .sorted()
        .toList();
  }

  private static InstantTime time(int number) {
    return new InstantTime("202601010000000%02d".formatted(number));
  }
}
