package io.hudilite.e2e.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.repair.OrphanFiles;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.timeline.WriteStat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The connector's one jar in the {@code lib} of a real Flink, used from the SQL client: a
 * TaskManager is killed in the middle, the job is stopped with a savepoint and taken up again.
 */
@Tag("cluster")
class KilledClusterTest {
  private static final int ROWS = 60_000;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final String SETTINGS =
      """
      SET 'execution.checkpointing.interval' = '1 s';
      SET 'restart-strategy.type' = 'fixed-delay';
      SET 'restart-strategy.fixed-delay.attempts' = '100';
      SET 'restart-strategy.fixed-delay.delay' = '1 s';
      SET 'parallelism.default' = '2';
      """;

  private static final String INSERT =
      """
      INSERT INTO numbers SELECT id, CAST(id AS STRING), id, 'd' || CAST(MOD(id, 3) AS STRING)
      FROM source;
      """;

  @ParameterizedTest
  @ValueSource(strings = {"1.20.3", "2.3.0"})
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void everyRowIsThereOnceAfterAKillAndASavepoint(String version, @TempDir Path folder)
      throws Exception {
    Path table = folder.resolve("numbers");
    // Slow, so that it is not over before the stop, however busy the machine is.
    String tables = tables(table, 400, ROWS, "");
    Path connector = Path.of(System.getProperty("connector.jar"));
    try (FlinkCluster flink = FlinkCluster.start(version, connector, 2)) {
      String job = flink.submit(SETTINGS + tables + INSERT);
      FlinkCluster.await("three commits", LIMIT, () -> commits(table) >= 3);

      int commitsAtKill = commits(table);
      flink.kill(1);
      flink.startTaskManager(1);
      FlinkCluster.await("a restart", LIMIT, () -> flink.restarts(job) > 0);
      FlinkCluster.await(
          "three commits after the kill", LIMIT, () -> commits(table) >= commitsAtKill + 3);

      assertThat(flink.jobState(job)).as("the job must not be over yet").isEqualTo("RUNNING");
      String savepoint = flink.stop(job);
      String restore =
          version.startsWith("1.") ? "execution.savepoint.path" : "execution.state-recovery.path";
      String second =
          flink.submit(
              SETTINGS
                  + "SET '%s' = '%s';\n".formatted(restore, savepoint)
                  + tables(table, 20_000, ROWS, "")
                  + INSERT);
      FlinkCluster.await(
          "the end of the job", LIMIT, () -> flink.jobState(second).equals("FINISHED"));

      assertHasAllOnce(flink, tables, ROWS);
    }
    // Neither may a row have been written twice: the index would hide it from the query.
    assertThat(upserts(table)).isEqualTo(ROWS);
    assertThat(timeline(table).load().pendingWrites()).isEmpty();
  }

  /** One of two TaskManagers is lost while a clustering is under way. */
  @ParameterizedTest
  @ValueSource(strings = {"1.20.3", "2.3.0"})
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void clusteringThatAKillInterruptsIsDoneAgain(String version, @TempDir Path folder)
      throws Exception {
    int rows = 24_000;
    Path table = folder.resolve("numbers");
    String tables =
        tables(
            table,
            400,
            rows,
            ", 'clustering.schedule.enabled' = 'true', 'clustering.async.enabled' = 'true',"
                + " 'clustering.delta_commits' = '2',"
                + " 'clustering.plan.strategy.sort.columns' = 'ts'");
    Path connector = Path.of(System.getProperty("connector.jar"));
    try (FlinkCluster flink = FlinkCluster.start(version, connector, 2)) {
      String job = flink.submit(SETTINGS + tables + INSERT);
      FlinkCluster.await(
          "a clustering under way",
          LIMIT,
          () ->
              commits(table) > 0
                  && timeline(table).load().pendingClusterings().stream()
                      .anyMatch(instant -> instant instanceof Instant.Inflight));
      flink.kill(1);
      flink.startTaskManager(1);
      FlinkCluster.await("a restart", LIMIT, () -> flink.restarts(job) > 0);
      FlinkCluster.await("the end of the job", LIMIT, () -> flink.jobState(job).equals("FINISHED"));
      assertHasAllOnce(flink, tables, rows);
    }
    Timeline timeline = timeline(table).load();
    assertThat(timeline.completedWrites())
        .as("a clustering is completed")
        .anyMatch(write -> timeline.startedAs(write) == Action.CLUSTERING);
    assertThat(timeline.pendingWrites())
        .as("nothing but plans is pending")
        .allMatch(
            instant ->
                instant instanceof Instant.Requested
                    && (instant.action() == Action.CLUSTERING
                        || instant.action() == Action.COMPACTION));
    assertThat(OrphanFiles.find(Storages.of(table.toString()), Long.MAX_VALUE))
        .as("files that no instant names")
        .isEmpty();
  }

  /** Rows are the numbers from 1 on. */
  private static void assertHasAllOnce(FlinkCluster flink, String tables, int rows)
      throws Exception {
    String count =
        flink.sql(
            """
            SET 'execution.runtime-mode' = 'batch';
            SET 'sql-client.execution.result-mode' = 'tableau';
            %s
            SELECT 'ROWS', COUNT(*), COUNT(DISTINCT id), SUM(id),
              SUM(CASE WHEN v = CAST(id AS STRING) THEN 0 ELSE 1 END)
            FROM numbers;
            """
                .formatted(tables));
    assertThat(count.replaceAll("\\s+", ""))
        .contains("ROWS|%d|%d|%d|0".formatted(rows, rows, rows * (rows + 1L) / 2));
  }

  private static String tables(Path table, int rowsPerSecond, int rows, String options) {
    return """
        CREATE TABLE source (id BIGINT) WITH (
          'connector' = 'datagen',
          'rows-per-second' = '%d',
          'fields.id.kind' = 'sequence',
          'fields.id.start' = '1',
          'fields.id.end' = '%d'
        );
        CREATE TABLE numbers (
          id BIGINT,
          v STRING,
          ts BIGINT,
          dt STRING,
          PRIMARY KEY (id) NOT ENFORCED
        ) PARTITIONED BY (dt) WITH (
          'connector' = 'hudi-lite',
          'path' = '%s',
          'table.type' = 'MERGE_ON_READ',
          'ordering.fields' = 'ts'
          %s
        );
        """
        .formatted(rowsPerSecond, rows, table.toUri(), options);
  }

  private static int commits(Path table) throws Exception {
    Storage storage = Storages.of(table.toString());
    return TableConfigStore.find(storage).isEmpty()
        ? 0
        : timeline(table).load().completedWrites().size();
  }

  private static long upserts(Path table) throws Exception {
    TimelineStore store = timeline(table);
    Timeline timeline = store.load();
    long upserts = 0;
    for (Instant.Completed commit : timeline.completedWrites()) {
      CommitMetadata metadata = store.readCommit(commit);
      if (!metadata.isCompaction()) {
        upserts += metadata.writeStats().stream().mapToLong(WriteStat::numWrites).sum();
      }
    }
    return upserts;
  }

  private static TimelineStore timeline(Path table) throws Exception {
    Storage storage = Storages.of(table.toString());
    return new TimelineStore(storage, TableConfigStore.load(storage));
  }
}
