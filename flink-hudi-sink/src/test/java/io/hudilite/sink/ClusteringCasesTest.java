package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.after;
import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.clustering.ClusteringStrategy;
import io.hudilite.core.clustering.ClusteringTrigger;
import io.hudilite.core.clustering.Layout;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableType;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.sink.config.ClusteringConfig;
import io.hudilite.sink.config.IndexKind;
import io.hudilite.sink.config.WriteOperation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clustering in the job that writes, and offline; cases F51 and F54. */
class ClusteringCasesTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SinkJob.cluster();

  private static final ClusteringConfig EVERY_TWO =
      ClusteringConfig.ON.toBuilder()
          .trigger(new ClusteringTrigger(2))
          .strategy(ClusteringStrategy.DEFAULT.sortedBy(Layout.LINEAR, List.of("id")))
          .build();

  @TempDir Path folder;

  @AfterEach
  void mendStorage() {
    FaultyFileSystem.set(new FaultyFileSystem.Fault() {});
  }

  /** Each commit has ten rows of its own. */
  private static List<List<RowData>> inserts(int from, int to) {
    List<List<RowData>> commits = new ArrayList<>();
    for (int i = from; i <= to; i++) {
      List<RowData> rows = new ArrayList<>();
      for (int k = 0; k < 10; k++) {
        rows.add(insert("k%03d".formatted(i * 10 + k), "v" + i, i, "p" + k % 2));
      }
      commits.add(rows);
    }
    return commits;
  }

  private static List<String> rows(int from, int to) {
    List<String> rows = new ArrayList<>();
    for (int i = from; i <= to; i++) {
      for (int k = 0; k < 10; k++) {
        rows.add("[k%03d, v%d, %d, p%d]".formatted(i * 10 + k, i, i, k % 2));
      }
    }
    return rows.stream().sorted().toList();
  }

  private SinkJob appending() {
    return SinkJob.on(folder).config(config -> config.operation(WriteOperation.INSERT));
  }

  private static long clusterings(HudiTable table) {
    return table.timeline().completedWrites().stream()
        .filter(write -> write.action() == Action.REPLACE_COMMIT)
        .count();
  }

  private static int groups(HudiTable table) throws IOException {
    int groups = 0;
    for (String partition : table.view().partitions()) {
      groups += table.view().latestSlices(partition).size();
    }
    return groups;
  }

  private static void maintain(String... args) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    env.setParallelism(2);
    HudiMaintenance.run(env, System.out, args);
  }

  @ParameterizedTest
  @EnumSource(TableType.class)
  void f54SmallFilesOfAppendsAreHealedWhileTheJobWrites(TableType type) throws Exception {
    SinkJob job = appending().type(type).clustering(EVERY_TWO);
    job.run(ScriptedSource.bounded(inserts(0, 9)));
    HudiTable table = job.table();
    assertThat(job.rows()).isEqualTo(rows(0, 9));
    assertThat(clusterings(table)).isPositive();
    assertThat(table.timeline().pendingClusterings()).hasSizeLessThanOrEqualTo(1);
    job.assertNothingIsPendingBut(Action.CLUSTERING);
    for (CommitMetadata commit : job.commits()) {
      if (commit.operationType().equals(CommitMetadata.CLUSTER)) {
        assertThat(commit.replacedFileIds()).isNotEmpty();
      }
    }

    maintain("cluster", "--path", folder.toString());
    maintain("cluster", "--path", folder.toString());
    assertThat(groups(job.table())).isEqualTo(2);
    assertThat(job.rows()).isEqualTo(rows(0, 9));
  }

  @Test
  void f51SchedulingAloneLeavesOnePlanThatAnotherJobExecutes() throws Exception {
    SinkJob job = appending().clustering(EVERY_TWO.toBuilder().executes(false).build());
    job.run(ScriptedSource.bounded(inserts(0, 4)));
    assertThat(job.table().timeline().pendingClusterings())
        .singleElement()
        .isInstanceOf(Instant.Requested.class);
    maintain("cluster", "--path", folder.toString(), "--schedule", "false");
    assertThat(job.table().timeline().pendingClusterings()).isEmpty();
    assertThat(clusterings(job.table())).isEqualTo(1);
    assertThat(job.rows()).isEqualTo(rows(0, 4));

    // And the other way round.
    maintain("schedule_clustering", "--path", folder.toString());
    assertThat(job.table().timeline().pendingClusterings()).hasSizeLessThanOrEqualTo(1);
    SinkJob second = appending().clustering(EVERY_TWO);
    second.run(ScriptedSource.bounded(inserts(5, 5)));
    assertThat(second.rows()).isEqualTo(rows(0, 5));
  }

  @Test
  void failureIsToldThePlanStaysAndALaterTrySucceeds() throws Exception {
    String path = FaultyFileSystem.SCHEME + "://" + folder.toUri().getPath();
    SinkJob job = SinkJob.on(path).config(config -> config.operation(WriteOperation.INSERT));
    job.run(ScriptedSource.bounded(inserts(0, 2)));
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public Pattern files() {
            return Pattern.compile(".*\\.parquet");
          }

          @Override
          public void before(int n) throws IOException {
            if (n == 1) {
              throw new IOException("planned");
            }
          }
        });
    assertThatThrownBy(() -> maintain("cluster", "--path", path))
        .hasStackTraceContaining("planned");
    assertThat(job.table().timeline().pendingClusterings())
        .singleElement()
        .isInstanceOf(Instant.Requested.class);
    assertThat(job.rows()).isEqualTo(rows(0, 2));
    maintain("cluster", "--path", path, "--schedule", "false");
    assertThat(clusterings(job.table())).isEqualTo(1);
    assertThat(groups(job.table())).isEqualTo(2);
    assertThat(job.rows()).isEqualTo(rows(0, 2));
  }

  /** Some rows change in each commit, some now and then, those of p2 at the end only. */
  private static boolean isChanged(int row, int commit) {
    return commit == 1
        || (row % 3 == 2 ? commit > 11 : row < 5 || (row < 20 && (row + commit) % 5 == 0));
  }

  /** Updates come while the table is clustered under the writer's feet, again and again. */
  @ParameterizedTest
  @EnumSource(TableType.class)
  void updatesOfClusteredRowsAreNeitherLostNorDoubled(TableType type) throws Exception {
    List<List<RowData>> commits = new ArrayList<>();
    for (int i = 1; i <= 14; i++) {
      List<RowData> rows = new ArrayList<>();
      for (int k = 0; k < 30; k++) {
        if (isChanged(k, i)) {
          rows.add(after("k" + k, "v" + i, i, "p" + k % 3));
        }
      }
      commits.add(rows);
    }
    SinkJob job =
        SinkJob.on(folder)
            .type(type)
            .parallelism(3)
            .flink("restart-strategy.fixed-delay.attempts", "100")
            .config(config -> config.smallFileLimit(org.apache.flink.configuration.MemorySize.ZERO))
            .clustering(EVERY_TWO.toBuilder().trigger(new ClusteringTrigger(1)).build());
    job.run(ScriptedSource.bounded(commits));
    List<String> expected = new ArrayList<>();
    for (int k = 0; k < 30; k++) {
      int row = k;
      int last = IntStream.rangeClosed(1, 14).filter(i -> isChanged(row, i)).max().orElseThrow();
      expected.add("[k%d, v%d, %d, p%d]".formatted(k, last, last, k % 3));
    }
    assertThat(job.rows()).isEqualTo(expected.stream().sorted().toList());

    // Clustered by another job, then written by one without state, and by one with old state.
    maintain("cluster", "--path", folder.toString());
    job.run(List.of(after("k29", "new", 100, "p2"), after("k28", "new", 100, "p1")));
    assertThat(job.rows())
        .hasSize(30)
        .contains("[k29, new, 100, p2]")
        .contains("[k28, new, 100, p1]");
  }

  @Test
  void aRunningWriterFollowsWhatAnotherJobClusters() throws Exception {
    List<List<RowData>> commits = new ArrayList<>(inserts(0, 1));
    Object clustered = new Object();
    boolean[] isClustered = new boolean[1];
    for (int i = 0; i < 10; i++) {
      commits.add(List.of(after("k%03d".formatted(i), "new", 50 + i, "p" + i % 2)));
    }
    SinkJob job =
        SinkJob.on(folder)
            .parallelism(2)
            .config(
                config -> config.smallFileLimit(org.apache.flink.configuration.MemorySize.ZERO));
    JobClient client =
        job.start(
            ScriptedSource.unbounded(commits)
                .hook(
                    (group, row) -> {
                      if (group == 2) {
                        synchronized (clustered) {
                          while (!isClustered[0]) {
                            clustered.wait(1_000);
                          }
                        }
                      }
                    }));
    SinkJob.await("two commits are visible", () -> job.exists() && job.rows().equals(rows(0, 1)));
    // In this process: the slots of the cluster are taken.
    ClusteringCases.cluster(folder.toUri().toString());
    assertThat(clusterings(job.table())).isEqualTo(1);
    synchronized (clustered) {
      isClustered[0] = true;
      clustered.notifyAll();
    }
    SinkJob.await("the last update is visible", () -> job.rows().contains("[k009, new, 59, p1]"));
    assertThat(job.rows()).hasSize(20);
    assertThat(job.rows().stream().filter(row -> row.contains("new"))).hasSize(10);
    client.cancel().get();
  }

  @Test
  void tablesInBucketsAndUnknownColumnsAreRefusedAtPlanning() {
    assertThatThrownBy(
            () ->
                SinkJob.on(folder)
                    .config(config -> config.index(IndexKind.BUCKET))
                    .clustering(EVERY_TWO)
                    .run(List.of(insert("a", "b", 1, "p"))))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("buckets");
    assertThatThrownBy(
            () ->
                appending()
                    .clustering(
                        EVERY_TWO.toBuilder()
                            .strategy(
                                ClusteringStrategy.DEFAULT.sortedBy(
                                    Layout.HILBERT, List.of("id", "nmae")))
                            .build())
                    .run(List.of(insert("a", "b", 1, "p"))))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("nmae");
  }
}
