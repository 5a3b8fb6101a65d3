package io.hudilite.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.schema.TableSchema;
import io.hudilite.sink.config.IndexKind;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.record.HudiRecordSerializer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.JoinedRowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jobs that go on from a checkpoint that holds rows on their way: with another parallelism, and
 * with other columns.
 */
class RowsInFlightTest {
  private static final int ROWS = 5_000;

  /**
   * With small network buffers, so that barriers are soon through the edges they cannot overtake.
   */
  @RegisterExtension
  static final MiniClusterExtension CLUSTER = SinkJob.cluster(MemorySize.parse("4kb"));

  @TempDir Path folder;

  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void mendStorage() {
    end.countDown();
    FaultyFileSystem.set(new FaultyFileSystem.Fault() {});
  }

  /** Writers are slower than the source until the end, so that rows queue up before them. */
  private SinkJob slowJob(IndexKind index, boolean isChained) {
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public Pattern files() {
            return LoadTest.DATA;
          }

          @Override
          public void before(int n) throws InterruptedException {
            end.await(50, TimeUnit.MILLISECONDS);
          }
        });
    String checkpoints = folder.resolve("checkpoints").toUri().toString();
    return SinkJob.on(FaultyFileSystem.SCHEME + "://" + folder.resolve("t").toUri().getPath())
        .parallelism(2)
        .flink("pipeline.operator-chaining.enabled", Boolean.toString(isChained))
        .flink("execution.checkpointing.unaligned.enabled", "true")
        .flink("execution.checkpointing.timeout", "60s")
        .flink("execution.checkpointing.num-retained", "10000")
        .flink("state.checkpoints.num-retained", "10000")
        .flink("execution.checkpointing.dir", checkpoints)
        .flink("state.checkpoints.dir", checkpoints)
        .flink(
            "execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION")
        .config(
            config ->
                config
                    .index(index)
                    .indexScope(IndexScope.PARTITION)
                    .buckets(3)
                    .heartbeatInterval(Duration.ofMillis(200))
                    .batchSize(MemorySize.parse("16kb")));
  }

  @ParameterizedTest
  @CsvSource({"STATE, true", "BUCKET, true", "BUCKET, false"})
  void areWrittenOnceAfterARescaleAndNeverWithOtherColumns(
      IndexKind index, boolean isChained, @InjectMiniCluster MiniCluster cluster) throws Exception {
    SinkJob job = slowJob(index, isChained);
    JobClient first = job.start(env -> LoadTest.sequence(env, ROWS));
    AtomicReference<String> caught = new AtomicReference<>();
    SinkJob.await(
        "a checkpoint holds rows that are on their way",
        () -> {
          caught.set(withRowsInFlight(cluster.getExecutionGraph(first.getJobID()).get()));
          return caught.get() != null || first.getJobStatus().get().isGloballyTerminalState();
        });
    assertThat(caught.get()).as("before the job was at its end").isNotNull();
    first.cancel().get();
    SinkJob.await("it has ended", () -> first.getJobStatus().get().isGloballyTerminalState());
    end.countDown();
    job.parallelism(3)
        .flink("execution.state-recovery.path", caught.get())
        .flink("execution.savepoint.path", caught.get());

    RowType withOneMore = withOneMore();
    job.schema(schema(withOneMore));
    JobClient refused =
        job.start(
            env ->
                LoadTest.sequence(env, ROWS)
                    .map(row -> (RowData) new JoinedRowData(row, GenericRowData.of(7)))
                    .returns(InternalTypeInfo.of(withOneMore))
                    .setParallelism(1));
    assertThatThrownBy(() -> refused.getJobExecutionResult().get(120, TimeUnit.SECONDS))
        .hasStackTraceContaining("has other columns than the job has now")
        .hasStackTraceContaining("Start from that checkpoint with the columns of before");

    job.schema(schema(SinkJob.ROW_TYPE));
    JobClient second = job.start(env -> LoadTest.sequence(env, ROWS));
    second.getJobExecutionResult().get(120, TimeUnit.SECONDS);
    assertThat(job.rows()).isEqualTo(LoadTest.sequenceTexts(ROWS));
    job.assertNothingIsPending();
  }

  /**
   * The marks of the columns are those of the bodies' form, so no form is refused that is right.
   */
  @Test
  void columnsHaveOneMarkBeforeAndAfterTheTableIsMade() {
    RowType declared =
        (RowType)
            DataTypes.ROW(
                    DataTypes.FIELD("id", DataTypes.VARCHAR(20).notNull()),
                    DataTypes.FIELD("b", DataTypes.BOOLEAN()),
                    DataTypes.FIELD("i1", DataTypes.TINYINT()),
                    DataTypes.FIELD("i2", DataTypes.SMALLINT().notNull()),
                    DataTypes.FIELD("c", DataTypes.CHAR(3)),
                    DataTypes.FIELD("y", DataTypes.VARBINARY(9)),
                    DataTypes.FIELD("d", DataTypes.DECIMAL(9, 2)),
                    DataTypes.FIELD("day", DataTypes.DATE()),
                    DataTypes.FIELD("t3", DataTypes.TIMESTAMP(3)),
                    DataTypes.FIELD("l0", DataTypes.TIMESTAMP_LTZ(0).notNull()),
                    DataTypes.FIELD(
                        "m",
                        DataTypes.MAP(
                            DataTypes.STRING().notNull(), DataTypes.ARRAY(DataTypes.TIMESTAMP(3)))),
                    DataTypes.FIELD(
                        "r",
                        DataTypes.ROW(
                            DataTypes.FIELD("x", DataTypes.SMALLINT()),
                            DataTypes.FIELD("t", DataTypes.TIMESTAMP(0)))))
                .notNull()
                .getLogicalType();
    HudiSink.Builder sink =
        HudiSink.builder()
            .path(folder.resolve("t").toUri().toString())
            .tableName("T")
            .schema(new TableSchema(declared, List.of("id"), List.of(), List.of("t3")));
    HudiRecordSerializer before =
        new HudiRecordSerializer("t", DeclaredTable.of(sink).schema().rowType());
    sink.build().createTable();
    assertThat(new HudiRecordSerializer("t", DeclaredTable.of(sink).schema().rowType()))
        .isEqualTo(before);
  }

  private static TableSchema schema(RowType rowType) {
    return new TableSchema(rowType, List.of("id"), List.of("p"), List.of("ts"));
  }

  private static RowType withOneMore() {
    List<RowType.RowField> fields = new ArrayList<>(SinkJob.ROW_TYPE.getFields());
    fields.add(new RowType.RowField("n", new IntType()));
    return new RowType(false, fields);
  }

  /** The newest checkpoint, if it holds such; edges to one task each never have any. */
  @Nullable
  private static String withRowsInFlight(AccessExecutionGraph graph) {
    CheckpointStatsSnapshot stats = graph.getCheckpointStatsSnapshot();
    CompletedCheckpointStats newest =
        stats == null ? null : stats.getHistory().getLatestCompletedCheckpoint();
    return newest == null || newest.getPersistedData() == 0 ? null : newest.getExternalPath();
  }
}
