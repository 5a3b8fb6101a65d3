package io.hudilite.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.base.RowReader;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.config.TableType;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.scan.SplitReader;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.sink.config.ClusteringConfig;
import io.hudilite.sink.config.CompactionConfig;
import io.hudilite.sink.config.HousekeepingConfig;
import io.hudilite.sink.config.SinkConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.RowKind;

/**
 * Jobs that write the table of the failure cases, {@code T(id, v, ts, p)}, in a cluster in this
 * JVM; and what is in the table then.
 */
final class SinkJob {
  static final RowType ROW_TYPE =
      RowType.of(
          new LogicalType[] {
            VarCharType.STRING_TYPE.copy(false),
            VarCharType.STRING_TYPE,
            new BigIntType(),
            VarCharType.STRING_TYPE
          },
          new String[] {"id", "v", "ts", "p"});

  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final String path;
  private TableSchema schema =
      new TableSchema(ROW_TYPE, List.of("id"), List.of("p"), List.of("ts"));
  private SinkConfig config = SinkConfig.defaults();
  private CompactionConfig compaction = CompactionConfig.OFF;
  private ClusteringConfig clustering = ClusteringConfig.OFF;
  private HousekeepingConfig housekeeping = HousekeepingConfig.OFF;
  private final Configuration flink = new Configuration();
  private int parallelism = 2;
  private TableType type = TableType.MERGE_ON_READ;
  private String payload = "";
  private UnaryOperator<DataStream<RowData>> between = rows -> rows;

  private SinkJob(String path) {
    this.path = path;
    flink("execution.checkpointing.interval", "100ms");
    flink("restart-strategy.type", "fixed-delay");
    flink("restart-strategy.fixed-delay.attempts", "3");
    flink("restart-strategy.fixed-delay.delay", "10ms");
  }

  /** The cluster that the jobs of one test class share. */
  static MiniClusterExtension cluster() {
    return cluster(TaskManagerOptions.MEMORY_SEGMENT_SIZE.defaultValue());
  }

  /** The same with memory pages, and so network buffers, of a size. */
  static MiniClusterExtension cluster(MemorySize page) {
    return new MiniClusterExtension(
        new MiniClusterResourceConfiguration.Builder()
            .setNumberTaskManagers(1)
            .setNumberSlotsPerTaskManager(4)
            .setConfiguration(new Configuration().set(TaskManagerOptions.MEMORY_SEGMENT_SIZE, page))
            .build());
  }

  boolean exists() throws IOException {
    return TableConfigStore.find(Storages.of(path)).isPresent();
  }

  static SinkJob on(Path folder) {
    return new SinkJob(folder.toUri().toString());
  }

  static SinkJob on(String path) {
    return new SinkJob(path);
  }

  SinkJob type(TableType type) {
    this.type = type;
    return this;
  }

  SinkJob payload(String className) {
    this.payload = className;
    return this;
  }

  SinkJob schema(TableSchema schema) {
    this.schema = schema;
    return this;
  }

  /** Without an ordering column: the later commit counts. */
  SinkJob commitTime() {
    return schema(new TableSchema(ROW_TYPE, List.of("id"), List.of("p"), List.of()));
  }

  SinkJob config(UnaryOperator<SinkConfig.Builder> change) {
    this.config = change.apply(SinkConfig.builder()).build();
    return this;
  }

  /** Off unless set: most cases are about what commits leave. */
  SinkJob compaction(CompactionConfig compaction) {
    this.compaction = compaction;
    return this;
  }

  SinkJob clustering(ClusteringConfig clustering) {
    this.clustering = clustering;
    return this;
  }

  SinkJob housekeeping(HousekeepingConfig housekeeping) {
    this.housekeeping = housekeeping;
    return this;
  }

  SinkJob parallelism(int parallelism) {
    this.parallelism = parallelism;
    return this;
  }

  SinkJob flink(String key, String value) {
    flink.setString(key, value);
    return this;
  }

  /** Operators between source and sink. */
  SinkJob between(UnaryOperator<DataStream<RowData>> operators) {
    this.between = operators;
    return this;
  }

  SinkJob without(String key) {
    flink.removeKey(key);
    return this;
  }

  /** Runs a job to its end. */
  @SafeVarargs
  @SuppressWarnings("varargs")
  final void run(List<RowData>... checkpoints) throws Exception {
    run(ScriptedSource.bounded(List.of(checkpoints)));
  }

  void run(ScriptedSource script) throws Exception {
    start(script).getJobExecutionResult().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  JobClient start(ScriptedSource script) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(flink);
    env.setParallelism(parallelism);
    DataStream<RowData> rows =
        env.fromSource(
                script,
                WatermarkStrategy.noWatermarks(),
                "script",
                InternalTypeInfo.of(schema.rowType()))
            .uid(script.uid())
            .setParallelism(1);
    sink().append(between.apply(rows));
    return env.executeAsync("cases");
  }

  /** The same with rows of any source. */
  JobClient start(Function<StreamExecutionEnvironment, DataStream<RowData>> source)
      throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(flink);
    env.setParallelism(parallelism);
    sink().append(source.apply(env));
    return env.executeAsync("cases");
  }

  HudiSink sink() {
    HudiSink.Builder sink =
        HudiSink.builder()
            .path(path)
            .tableName("T")
            .tableType(type)
            .schema(schema)
            .config(config)
            .compaction(compaction)
            .clustering(clustering)
            .housekeeping(housekeeping);
    if (!payload.isEmpty()) {
      sink.tableProperty(TableConfig.PAYLOAD_CLASS, payload);
    }
    return sink.build();
  }

  HudiTable table() throws IOException {
    return HudiTable.open(Storages.of(path));
  }

  /** The rows as text, sorted; with doubles, if there are any. */
  List<String> rows() throws IOException {
    HudiTable table = table();
    List<String> found = new ArrayList<>();
    for (ScanSplit split : new ScanPlanner().snapshot(table)) {
      try (RowReader reader = SplitReader.open(table.readContext(), split, schema.rowType())) {
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          found.add(text(row));
        }
      }
    }
    return found.stream().sorted().toList();
  }

  private String text(RowData row) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < schema.rowType().getFieldCount(); i++) {
      Object value =
          RowData.createFieldGetter(schema.rowType().getTypeAt(i), i).getFieldOrNull(row);
      fields.add(String.valueOf(value));
    }
    return fields.toString();
  }

  List<CommitMetadata> commits() throws IOException {
    HudiTable table = table();
    List<CommitMetadata> commits = new ArrayList<>();
    for (Instant.Completed write : table.timeline().completedWrites()) {
      commits.add(table.timelineStore().readCommit(write));
    }
    return commits;
  }

  /** The invariants that hold after each case. */
  void assertNothingIsPending() throws IOException {
    assertThat(table().timeline().pendingWrites()).isEmpty();
    assertNothingIsPendingBut();
  }

  void assertNothingIsPendingBut(Action... allowed) throws IOException {
    HudiTable table = table();
    assertThat(table.timeline().pendingWrites())
        .filteredOn(instant -> !List.of(allowed).contains(instant.action()))
        .isEmpty();
    for (CommitMetadata commit : commits()) {
      commit
          .writeStats()
          .forEach(
              stat ->
                  assertThat(table.storage())
                      .matches(s -> exists(table, stat.path()), stat.path()));
    }
  }

  private static boolean exists(HudiTable table, String file) {
    try {
      return table.storage().exists(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until something is so; fails after a while. */
  static void await(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("Waited " + LIMIT + " in vain until " + what);
      }
      java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
    }
  }

  static RowData insert(String id, String v, long ts, String p) {
    return row(RowKind.INSERT, id, v, ts, p);
  }

  static RowData before(String id, String v, long ts, String p) {
    return row(RowKind.UPDATE_BEFORE, id, v, ts, p);
  }

  static RowData after(String id, String v, long ts, String p) {
    return row(RowKind.UPDATE_AFTER, id, v, ts, p);
  }

  static RowData delete(String id, String v, long ts, String p) {
    return row(RowKind.DELETE, id, v, ts, p);
  }

  private static RowData row(RowKind kind, String id, String v, long ts, String p) {
    return GenericRowData.ofKind(
        kind, StringData.fromString(id), StringData.fromString(v), ts, StringData.fromString(p));
  }
}
