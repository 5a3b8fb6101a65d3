package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.clustering.ClusteringScheduler;
import io.hudilite.core.clustering.ClusteringStrategy;
import io.hudilite.core.clustering.ClusteringTrigger;
import io.hudilite.core.clustering.Layout;
import io.hudilite.core.clustering.TableClustering;
import io.hudilite.core.compact.CompactionScheduler;
import io.hudilite.core.compact.CompactionTrigger;
import io.hudilite.core.compact.PlanLimits;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.config.TableType;
import io.hudilite.core.log.LogBlockFormat;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.Compactions;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.sink.config.IndexKind;
import io.hudilite.sink.config.WriteOperation;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A job that goes on from a savepoint with one more column, declared in the midst of the others.
 */
class AddedColumnsTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SinkJob.cluster();

  private static final TableSchema BEFORE =
      new TableSchema(SinkJob.ROW_TYPE, List.of("id"), List.of("p"), List.of("ts"));
  private static final TableSchema AFTER =
      new TableSchema(
          RowType.of(
              new LogicalType[] {
                VarCharType.STRING_TYPE.copy(false),
                new IntType(),
                SinkJob.ROW_TYPE.getTypeAt(1),
                SinkJob.ROW_TYPE.getTypeAt(2),
                SinkJob.ROW_TYPE.getTypeAt(3)
              },
              new String[] {"id", "n", "v", "ts", "p"}),
          List.of("id"),
          List.of("p"),
          List.of("ts"));

  @TempDir Path folder;

  private static RowData row(String id, @Nullable Integer n, @Nullable String v, long ts) {
    return GenericRowData.of(
        StringData.fromString(id),
        n,
        v == null ? null : StringData.fromString(v),
        ts,
        StringData.fromString("p1"));
  }

  /** Runs until the rows are there, and stops. */
  private String until(SinkJob job, ScriptedSource script, String... rows) throws Exception {
    JobClient running = job.start(script);
    SinkJob.await("rows are there", () -> job.exists() && job.rows().equals(List.of(rows)));
    return running
        .stopWithSavepoint(
            false, folder.resolve("savepoints").toUri().toString(), SavepointFormatType.CANONICAL)
        .get();
  }

  private static SinkJob from(String savepoint, SinkJob job) {
    return job.flink("execution.state-recovery.path", savepoint)
        .flink("execution.savepoint.path", savepoint)
        .flink("execution.state-recovery.ignore-unclaimed-state", "true")
        .flink("execution.savepoint.ignore-unclaimed-state", "true");
  }

  @ParameterizedTest
  @CsvSource({
    "MERGE_ON_READ, STATE, AVRO",
    "MERGE_ON_READ, STATE, PARQUET",
    "MERGE_ON_READ, BUCKET, AVRO",
    "COPY_ON_WRITE, STATE, AVRO"
  })
  void f44JobGoesOnWithANewColumn(TableType type, IndexKind index, LogBlockFormat blocks)
      throws Exception {
    SinkJob job =
        SinkJob.on(folder.resolve("t"))
            .type(type)
            .parallelism(1)
            .config(config -> config.index(index).buckets(2).logBlockFormat(blocks));
    String savepoint =
        until(
            job,
            ScriptedSource.unbounded(
                    List.of(
                        List.of(insert("k1", "a0", 0, "p1"), insert("k2", "b", 1, "p1")),
                        List.of(insert("k9", "old", 1, "p2")),
                        List.of(insert("k1", "a", 1, "p1"))))
                .fresh(1),
            "[k1, a, 1, p1]",
            "[k2, b, 1, p1]",
            "[k9, old, 1, p2]");
    if (type == TableType.MERGE_ON_READ) {
      planCompaction(job.table());
    }

    from(savepoint, job).schema(AFTER);
    String[] after = {
      "[k1, 7, a2, 2, p1]", "[k2, null, b, 1, p1]", "[k3, null, c, 2, p1]", "[k9, null, old, 1, p2]"
    };
    until(
        job,
        ScriptedSource.unbounded(
                List.of(
                    List.of(
                        row("k1", 7, "a2", 2), row("k3", null, "c", 2), row("k2", 9, "late", 0))))
            .fresh(2),
        after);
    assertThat(job.table().schema().rowType().getFieldNames())
        .containsExactly("id", "v", "ts", "p", "n");

    if (type == TableType.MERGE_ON_READ) { // by the plan of before, and one of now
      assertThat(Compactions.compact(Storages.of(folder.resolve("t").toString()))).isPresent();
      assertThat(job.table().timeline().pendingCompactions()).isEmpty();
      assertThat(job.rows()).containsExactly(after);
    }
    job.schema(BEFORE);
    assertThat(job.rows())
        .containsExactly("[k1, a2, 2, p1]", "[k2, b, 1, p1]", "[k3, c, 2, p1]", "[k9, old, 1, p2]");
    assertThatThrownBy(() -> job.run(List.of(insert("k1", "x", 9, "p1"))))
        .hasMessageContaining("The table has a column 'n' INT that is not declared");
  }

  @Test
  void filesOfBeforeAndAfterAreClusteredByTheNewColumn() throws Exception {
    SinkJob job =
        SinkJob.on(folder.resolve("t"))
            .type(TableType.COPY_ON_WRITE)
            .parallelism(1)
            .config(config -> config.operation(WriteOperation.INSERT));
    job.run(List.of(insert("k1", "a", 1, "p1")));
    job.schema(AFTER).run(List.of(row("k2", 7, "b", 2)));
    assertThat(job.table().view().latestSlices("p1")).hasSize(2);
    clusterByTheNewColumn(job.table());
    assertThat(job.table().view().latestSlices("p1")).hasSize(1);
    assertThat(job.rows()).containsExactly("[k1, null, a, 1, p1]", "[k2, 7, b, 2, p1]");
  }

  private void clusterByTheNewColumn(HudiTable table) throws Exception {
    ClusteringStrategy strategy = ClusteringStrategy.DEFAULT.sortedBy(Layout.LINEAR, List.of("n"));
    assertThat(
            new ClusteringScheduler(ClusteringTrigger.ALWAYS, strategy, InstantSource.system())
                .schedule(table, clock(table).next()))
        .isInstanceOf(ClusteringScheduler.Result.Planned.class);
    assertThat(
            new TableClustering(
                    table.storage(),
                    BaseFileSettings.DEFAULT,
                    new MergeMemory(0, folder),
                    new TakeOver("test", Duration.ofMinutes(20), "", InstantSource.system()))
                .executePending())
        .hasSize(1)
        .allMatch(TableClustering.Result.Completed.class::isInstance);
  }

  private static InstantClock clock(HudiTable table) {
    InstantClock clock = new InstantClock(InstantSource.system(), table.config().timelineZone());
    table.timeline().newestTime().ifPresent(clock::observe);
    return clock;
  }

  /** The files of before are read to be written anew with the rows that are added. */
  @Test
  void insertsWithANewColumnFillSmallFilesOfBefore() throws Exception {
    SinkJob job =
        SinkJob.on(folder.resolve("t"))
            .type(TableType.COPY_ON_WRITE)
            .parallelism(1)
            .config(config -> config.operation(WriteOperation.INSERT_INTO_SMALL_FILES));
    job.run(List.of(insert("k1", "a", 1, "p1")));
    job.schema(AFTER).run(List.of(row("k2", 7, "b", 2)));
    assertThat(job.rows()).containsExactly("[k1, null, a, 1, p1]", "[k2, 7, b, 2, p1]");
    assertThat(job.table().view().latestSlices("p1")).hasSize(1);
  }

  private static void planCompaction(HudiTable table) throws Exception {
    new CompactionScheduler(CompactionTrigger.ALWAYS, PlanLimits.DEFAULT)
        .schedule(table, clock(table).next());
    assertThat(table.refresh().timeline().pendingCompactions()).hasSize(1);
  }

  /** The index remembers which columns of a key have a value, across the change. */
  @Test
  void lateRowsFillTheNewColumn() throws Exception {
    SinkJob job =
        SinkJob.on(folder.resolve("t"))
            .payload("org.apache.hudi.common.model.PartialUpdateAvroPayload")
            .parallelism(1);
    String savepoint =
        until(
            job,
            ScriptedSource.unbounded(
                    List.of(
                        List.of(
                            GenericRowData.of(
                                StringData.fromString("k1"),
                                null,
                                5L,
                                StringData.fromString("p1")))))
                .fresh(1),
            "[k1, null, 5, p1]");
    from(savepoint, job).schema(AFTER);
    savepoint =
        until(
            job,
            ScriptedSource.unbounded(
                    List.of(List.of(row("k1", 7, null, 3)), List.of(row("k1", 8, "x", 2))))
                .fresh(2),
            "[k1, 7, x, 5, p1]");
    until(
        from(savepoint, job),
        ScriptedSource.unbounded(
                List.of(List.of(row("k1", 9, "y", 4)), List.of(row("k2", 1, "z", 1))))
            .fresh(3),
        "[k1, 7, x, 5, p1]",
        "[k2, 1, z, 1, p1]");
  }
}
