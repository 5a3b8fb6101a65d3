package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Requirement B5 62, and failed writes of several writers, as a user of SQL meets them. */
class ServiceRequirementsTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  @TempDir Path folder;

  /** Fails the first time that a query sees the amount 30. */
  public static final class FailOnce extends ScalarFunction {
    private static final Set<String> FAILED = ConcurrentHashMap.newKeySet();

    public Integer eval(Integer amount, String query) {
      if (amount == 30 && FAILED.add(query)) {
        throw new IllegalStateException("planned");
      }
      return amount;
    }
  }

  private SqlSession session(String options) {
    return SqlSession.open()
        .create(
            "CREATE CATALOG lake WITH ('type' = 'hudi-lite', 'catalog.path' = '%s')"
                .formatted(folder.toUri()))
        .create("USE CATALOG lake")
        .create(
            ("CREATE TABLE IF NOT EXISTS t (id INT, amount INT, ts BIGINT,"
                    + " PRIMARY KEY (id) NOT ENFORCED) WITH ('table.type' = 'MERGE_ON_READ',"
                    + " 'ordering.fields' = 'ts', 'compaction.schedule.enabled' = 'false',"
                    + " 'compaction.async.enabled' = 'false', 'clean.async.enabled' = 'false'%s)")
                .formatted(options));
  }

  private static void call(SqlSession sql, String procedure) throws Exception {
    sql.batch().executeSql("CALL sys." + procedure).await();
  }

  @Test
  void requirement62SumsAreRightWhateverIsSkippedAndWhateverRestarts() throws Exception {
    SqlSession sql =
        session("")
            .create(
                "CREATE TEMPORARY SYSTEM FUNCTION fail_once AS '%s'"
                    .formatted(FailOnce.class.getName()))
            .set("restart-strategy.type", "fixed-delay")
            .set("restart-strategy.fixed-delay.attempts", "5")
            .set("restart-strategy.fixed-delay.delay", "100 ms");
    List<String> orders = new ArrayList<>();
    for (int i = 1; i <= 10; i++) {
      orders.add("(%d, 10, 1)".formatted(i));
    }
    sql.insert("INSERT INTO t VALUES " + String.join(", ", orders));
    List<SqlSession.Following> queries = new ArrayList<>();
    for (String options :
        List.of(
            "",
            ", 'read.streaming.skip_compaction' = 'true', 'changelog.enabled' = 'true'",
            ", 'read.streaming.skip_compaction' = 'false', 'changelog.enabled' = 'true'",
            ", 'read.streaming.skip_compaction' = 'false',"
                + " 'read.streaming.skip_clustering' = 'false'")) {
      queries.add(
          sql.follow(
              ("SELECT SUM(fail_once(amount, 'query %d')), COUNT(*) FROM t"
                      + " /*+ OPTIONS('read.streaming.enabled' = 'true',"
                      + " 'read.start-commit' = 'earliest',"
                      + " 'read.streaming.check-interval' = '1'%s) */")
                  .formatted(queries.size(), options)));
    }
    try {
      for (SqlSession.Following query : queries) {
        query.awaitRows("100,10");
      }
      sql.insert("INSERT INTO t VALUES (1, 30, 2)");
      call(sql, "compact('default.t')");
      for (SqlSession.Following query : queries) {
        query.awaitRows("120,10");
      }
      call(sql, "cluster('default.t')");
      sql.insert("INSERT INTO t VALUES (11, 0, 3)");
      call(sql, "compact('default.t')");
      sql.insert("INSERT INTO t VALUES (12, 0, 4)");
      for (SqlSession.Following query : queries) {
        query.awaitRows("120,12");
      }
    } finally {
      for (SqlSession.Following query : queries) {
        query.close();
      }
    }
    assertThat(FailOnce.FAILED).as("each query has restarted").hasSize(queries.size());
    assertThat(sql.query("SELECT SUM(amount), COUNT(*) FROM t")).containsExactly("120,12");
  }

  /** A write of Hudi's is under way, and then its writer shows no sign of life any more. */
  @Test
  void failedWritesOfOthersAreRolledBackLazily() throws Exception {
    SqlSession sql =
        session(
            ", 'hoodie.cleaner.policy.failed.writes' = 'LAZY',"
                + " 'hoodie.client.heartbeat.interval_in_ms' = '60000',"
                + " 'hoodie.client.heartbeat.tolerable.misses' = '2'");
    sql.insert("INSERT INTO t VALUES (1, 10, 1)");
    Storage storage = Storages.of(folder.resolve("default/t").toString());
    HudiTable table = HudiTable.open(storage);
    InstantTime foreign = InstantTime.ofUtcMillis(System.currentTimeMillis());
    Path heartbeat = folder.resolve("default/t/.hoodie/.heartbeat").resolve(foreign.digits());
    assertThat(heartbeat.getParent()).as("that of the insert is gone").isEmptyDirectory();
    storage.createNew(".hoodie/.heartbeat/" + foreign, new byte[0]);
    table
        .timelineStore()
        .createRequested(new Instant.Requested(foreign, Action.DELTA_COMMIT), new byte[0]);

    sql.insert("INSERT INTO t VALUES (1, 20, 2)");
    assertThat(HudiTable.open(storage).timeline().pending(foreign)).as("it lives").isPresent();

    Files.setLastModifiedTime(heartbeat, FileTime.fromMillis(System.currentTimeMillis() - 121_000));
    sql.insert("INSERT INTO t VALUES (1, 30, 3)");
    assertThat(HudiTable.open(storage).timeline().pending(foreign)).as("it is dead").isEmpty();
    assertThat(heartbeat.getParent()).isEmptyDirectory();
    assertThat(sql.query("SELECT amount FROM t")).containsExactly("30");
  }
}
