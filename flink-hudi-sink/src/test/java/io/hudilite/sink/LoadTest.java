package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.after;
import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.TableType;
import io.hudilite.sink.config.WriteOperation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that have much to do, or whose checkpoints do not do as they should. */
class LoadTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SinkJob.cluster();

  /** Each data file. */
  static final Pattern DATA = Pattern.compile(".*(\\.parquet|\\.log\\.\\d+_[0-9-]+)");

  @TempDir Path folder;

  @AfterEach
  void mendStorage() {
    FaultyFileSystem.set(new FaultyFileSystem.Fault() {});
  }

  private SinkJob onFaultyStorage() {
    return SinkJob.on(FaultyFileSystem.SCHEME + "://" + folder.toUri().getPath());
  }

  private static String text(RowData row) {
    return "[%s, %s, %d, %s]"
        .formatted(row.getString(0), row.getString(1), row.getLong(2), row.getString(3));
  }

  private static List<String> texts(List<RowData> rows) {
    return rows.stream().map(LoadTest::text).sorted().toList();
  }

  @ParameterizedTest
  @CsvSource({"COPY_ON_WRITE, UPSERT", "MERGE_ON_READ, UPSERT", "MERGE_ON_READ, INSERT"})
  void manyPartitionsInOneCheckpointWithinAMegabyte(TableType type, WriteOperation operation)
      throws Exception {
    int partitions = Integer.getInteger("hudi-lite.partitions", 150);
    List<RowData> rows = new ArrayList<>();
    for (int i = 0; i < 3 * partitions; i++) {
      rows.add(insert("k" + i, "x".repeat(1_000), 1, "p" + i % partitions));
    }
    SinkJob job =
        SinkJob.on(folder)
            .type(type)
            .config(config -> config.operation(operation).taskMaxSize(MemorySize.parse("1mb")));
    job.run(ScriptedSource.bounded(List.of(rows, rows.subList(0, partitions))));
    assertThat(job.rows())
        .isEqualTo(
            operation == WriteOperation.UPSERT
                ? texts(rows)
                : texts(
                    Stream.concat(rows.stream(), rows.subList(0, partitions).stream()).toList()));
    assertThat(job.commits()).hasSize(2);
    job.assertNothingIsPending();
  }

  @ParameterizedTest
  @EnumSource(TableType.class)
  void nineOfTenRowsAreOfOneKey(TableType type) throws Exception {
    Random random = new Random(7);
    Map<String, RowData> newest = new HashMap<>();
    List<List<RowData>> checkpoints = new ArrayList<>();
    long ts = 0;
    for (int i = 0; i < 3; i++) {
      List<RowData> rows = new ArrayList<>();
      for (int k = 0; k < 20_000; k++) {
        String id = random.nextInt(10) == 0 ? "k" + random.nextInt(1_000) : "hot";
        RowData row = after(id, "v" + k, ++ts, "p1");
        rows.add(row);
        newest.put(id, row);
      }
      checkpoints.add(rows);
    }
    SinkJob job =
        SinkJob.on(folder)
            .type(type)
            .parallelism(4)
            .config(config -> config.taskMaxSize(MemorySize.parse("256kb")));
    job.run(ScriptedSource.bounded(checkpoints));
    assertThat(job.rows()).isEqualTo(texts(List.copyOf(newest.values())));
    job.assertNothingIsPending();
  }

  @ParameterizedTest
  @EnumSource(TableType.class)
  void f52RowsOfTenMegabytes(TableType type) throws Exception {
    Random random = new Random(1);
    List<RowData> rows = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      char[] text = new char[10_000_000];
      for (int c = 0; c < text.length; c++) {
        text[c] = (char) ('a' + random.nextInt(26));
      }
      rows.add(insert("k" + i % 2, new String(text), i, "p1"));
    }
    SinkJob job =
        SinkJob.on(folder)
            .type(type)
            .config(config -> config.taskMaxSize(MemorySize.parse("16mb")));
    job.run(ScriptedSource.bounded(List.of(rows.subList(0, 2), rows.subList(2, 3))));
    assertThat(job.rows().equals(texts(rows.subList(1, 3)))).as("the newest are there").isTrue();
    job.assertNothingIsPending();
  }

  @Test
  void rowsDoNotWaitForTheCommitOfTheInstantBefore() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public void before(int n) throws Exception {
            assertThat(held.await(80, TimeUnit.SECONDS)).isTrue();
          }
        });
    List<List<RowData>> checkpoints =
        IntStream.rangeClosed(1, 5)
            .mapToObj(
                i ->
                    IntStream.range(0, 200)
                        .mapToObj(k -> insert("k" + i + "-" + k, "x".repeat(200), 1, "p1"))
                        .toList())
            .toList();
    SinkJob job =
        onFaultyStorage()
            .flink("restart-strategy.type", "none")
            .config(config -> config.batchSize(MemorySize.parse("4kb")));
    // The last group comes when checkpoints behind all others are complete: so all is written then,
    // and nothing is committed.
    AtomicInteger visible = new AtomicInteger(-1);
    job.run(
        ScriptedSource.bounded(checkpoints)
            .hook(
                (group, row) -> {
                  if (group == 4 && row == 200) {
                    visible.set(job.table().timeline().completedWrites().size());
                    held.countDown();
                  }
                }));
    assertThat(visible).hasValue(0);
    assertThat(job.rows()).hasSize(1_000).doesNotHaveDuplicates();
    job.assertNothingIsPending();
  }

  @Test
  void checkpointsThatAreDeclinedLoseNothing() throws Exception {
    List<List<RowData>> checkpoints =
        IntStream.rangeClosed(1, 8)
            .mapToObj(i -> List.of(insert("k" + i, "a", 1, "p1"), after("k0", "v" + i, i, "p1")))
            .toList();
    for (WriteOperation operation : List.of(WriteOperation.UPSERT, WriteOperation.INSERT)) {
      SinkJob job =
          SinkJob.on(folder.resolve(operation.name()))
              .flink("execution.checkpointing.tolerable-failed-checkpoints", "1000")
              .config(config -> config.operation(operation))
              .between(rows -> passing(rows, new Declining()));
      job.run(ScriptedSource.bounded(checkpoints));
      assertThat(job.rows()).hasSize(operation == WriteOperation.UPSERT ? 9 : 16);
      assertThat(job.rows()).contains("[k0, v8, 8, p1]").doesNotHaveDuplicates();
      job.assertNothingIsPending();
    }
  }

  @Test
  void checkpointsThatTimeOutLoseNothing() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public Pattern files() {
            return DATA;
          }

          @Override
          public void before(int n) throws InterruptedException {
            if (n == 2 || n == 4) {
              assertThat(never.await(3, TimeUnit.SECONDS)).isFalse();
            }
          }
        });
    SinkJob job =
        onFaultyStorage()
            .flink("execution.checkpointing.timeout", "1s")
            .flink("execution.checkpointing.tolerable-failed-checkpoints", "1000")
            .config(config -> config.operation(WriteOperation.INSERT));
    List<List<RowData>> checkpoints =
        IntStream.rangeClosed(1, 6)
            .mapToObj(i -> List.of(insert("k" + i, "a", 1, "p1"), insert("l" + i, "a", 1, "p2")))
            .toList();
    job.run(ScriptedSource.bounded(checkpoints));
    assertThat(job.rows()).hasSize(12).doesNotHaveDuplicates();
    job.assertNothingIsPending();
  }

  @ParameterizedTest
  @CsvSource({"COPY_ON_WRITE, UPSERT", "MERGE_ON_READ, INSERT"})
  void rowsAreThereOnceAfterAnUnalignedCheckpointUnderBackPressure(
      TableType type, WriteOperation operation, @InjectMiniCluster MiniCluster cluster)
      throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public Pattern files() {
            return DATA;
          }

          @Override
          public void before(int n) throws InterruptedException {
            assertThat(never.await(20, TimeUnit.MILLISECONDS)).isFalse();
          }
        });
    int rows = 12_000;
    SinkJob job =
        onFaultyStorage()
            .type(type)
            .flink("execution.checkpointing.unaligned.enabled", "true")
            .flink("execution.checkpointing.timeout", "60s")
            .config(config -> config.operation(operation).batchSize(MemorySize.parse("16kb")));
    FailingOnce.IN_FLIGHT.set(0);
    JobClient running = job.start(env -> passing(sequence(env, rows), new FailingOnce()));
    SinkJob.await(
        "a checkpoint holds rows that were on their way",
        () -> {
          CheckpointStatsSnapshot stats =
              cluster.getExecutionGraph(running.getJobID()).get().getCheckpointStatsSnapshot();
          long inFlight =
              stats == null || stats.getHistory().getLatestCompletedCheckpoint() == null
                  ? 0
                  : stats.getHistory().getLatestCompletedCheckpoint().getPersistedData();
          FailingOnce.IN_FLIGHT.set(inFlight);
          return inFlight > 0 || running.getJobStatus().get().isGloballyTerminalState();
        });
    running.getJobExecutionResult().get(120, TimeUnit.SECONDS);
    assertThat(FailingOnce.IN_FLIGHT.get()).as("it failed after such a checkpoint").isEqualTo(-1);
    assertThat(job.rows()).isEqualTo(sequenceTexts(rows));
    job.assertNothingIsPending();
  }

  static DataStream<RowData> sequence(StreamExecutionEnvironment env, int rows) {
    return env.fromSequence(1, rows)
        .uid("sequence")
        .setParallelism(1)
        .map(i -> insert("k" + i, "x".repeat(500), i, "p" + i % 5))
        .returns(InternalTypeInfo.of(SinkJob.ROW_TYPE))
        .uid("rows")
        .setParallelism(1);
  }

  static List<String> sequenceTexts(int rows) {
    return LongStream.rangeClosed(1, rows)
        .mapToObj(i -> "[k%d, %s, %d, p%d]".formatted(i, "x".repeat(500), i, i % 5))
        .sorted()
        .toList();
  }

  private static DataStream<RowData> passing(
      DataStream<RowData> rows, RichMapFunction<RowData, RowData> function) {
    return rows.map(function).returns(InternalTypeInfo.of(SinkJob.ROW_TYPE)).setParallelism(1);
  }

  /** Fails when a checkpoint with rows on their way is complete; then never again. */
  private static final class FailingOnce extends RichMapFunction<RowData, RowData>
      implements CheckpointListener {
    private static final long serialVersionUID = 1L;

    /** Bytes of such rows; -1 when it has failed. */
    private static final AtomicLong IN_FLIGHT = new AtomicLong();

    @Override
    public RowData map(RowData row) {
      long bytes = IN_FLIGHT.get();
      if (bytes > 0 && IN_FLIGHT.compareAndSet(bytes, -1)) {
        throw new IllegalStateException("planned");
      }
      return row;
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {}
  }

  /** Declines two of three checkpoints. */
  private static final class Declining extends RichMapFunction<RowData, RowData>
      implements CheckpointedFunction {
    private static final long serialVersionUID = 1L;

    private transient ListState<Long> state;

    @Override
    public RowData map(RowData row) {
      return row;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
      state =
          context
              .getOperatorStateStore()
              .getListState(new ListStateDescriptor<>("checkpoint", new Unwritable()));
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
      state.update(List.of(context.getCheckpointId()));
    }
  }

  /** Numbers of checkpoints, of which two of three cannot be written. */
  static final class Unwritable extends TypeSerializerSingleton<Long> {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean isImmutableType() {
      return true;
    }

    @Override
    public Long createInstance() {
      return 0L;
    }

    @Override
    public Long copy(Long from) {
      return from;
    }

    @Override
    public Long copy(Long from, Long reuse) {
      return from;
    }

    @Override
    public int getLength() {
      return Long.BYTES;
    }

    @Override
    public void serialize(Long checkpoint, DataOutputView target) throws IOException {
      if (checkpoint % 3 != 0) {
        throw new IOException("planned");
      }
      target.writeLong(checkpoint);
    }

    @Override
    public Long deserialize(DataInputView source) throws IOException {
      return source.readLong();
    }

    @Override
    public Long deserialize(Long reuse, DataInputView source) throws IOException {
      return source.readLong();
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
      target.writeLong(source.readLong());
    }

    @Override
    public TypeSerializerSnapshot<Long> snapshotConfiguration() {
      return new Snapshot();
    }

    /** For the state. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<Long> {
      public Snapshot() {
        super(Unwritable::new);
      }
    }
  }
}
