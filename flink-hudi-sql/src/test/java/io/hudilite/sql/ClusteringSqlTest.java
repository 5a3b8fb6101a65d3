package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clustering by options; case F27. */
class ClusteringSqlTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  @TempDir Path folder;

  private SqlSession session(String options) {
    return SqlSession.open()
        .create(
            ("CREATE TABLE t (id STRING, v STRING, ts BIGINT, p STRING,"
                    + " PRIMARY KEY (id) NOT ENFORCED) PARTITIONED BY (p) WITH"
                    + " ('connector' = 'hudi-lite', 'path' = '%s', 'write.operation' = 'insert',"
                    + " 'ordering.fields' = 'ts', %s)")
                .formatted(folder.resolve("t").toUri(), options));
  }

  private HudiTable table() throws Exception {
    return HudiTable.open(Storages.of(folder.resolve("t").toString()));
  }

  private List<Instant.Completed> writes(Action action) throws Exception {
    return table().timeline().completedWrites().stream()
        .filter(write -> write.action() == action)
        .toList();
  }

  private static String insert(int i) {
    return "INSERT INTO t VALUES ('a%d', 'x', %d, 'p1'), ('b%d', 'x', %d, 'p1')"
        .formatted(i, i, i, i);
  }

  private static String[] rows(int from, int to) {
    List<String> rows = new ArrayList<>();
    for (int i = from; i <= to; i++) {
      rows.add("a" + i + "," + i);
      if (i < 5) {
        rows.add("b" + i + "," + i);
      }
    }
    return rows.toArray(new String[0]);
  }

  @ParameterizedTest
  @CsvSource({"linear, true", "z-order, false"})
  void f27ClusteringMakesNoRowNew(String layout, boolean skips) throws Exception {
    SqlSession sql =
        session(
            "'table.type' = 'COPY_ON_WRITE', 'clustering.schedule.enabled' = 'true',"
                + " 'clustering.async.enabled' = 'true', 'clustering.delta_commits' = '4',"
                + " 'clustering.plan.strategy.sort.columns' = 'id,ts',"
                + " 'hoodie.layout.optimize.strategy' = '"
                + layout
                + "'");
    String changes =
        "SELECT id, ts FROM t /*+ OPTIONS('read.streaming.enabled' = 'true',"
            + " 'read.streaming.check-interval' = '1', 'read.streaming.skip_clustering' = '"
            + skips
            + "', 'read.start-commit' = '%s') */";
    sql.insert(insert(1));
    // An insert may be one commit or two.
    List<Integer> before = new ArrayList<>();
    try (SqlSession.Following all = sql.follow(changes.formatted("earliest"))) {
      all.awaitRows(rows(1, 1));
      for (int i = 2; i <= 4; i++) {
        before.add(writes(Action.COMMIT).size());
        sql.insert(insert(i));
      }
      assertThat(writes(Action.REPLACE_COMMIT)).isNotEmpty();
      assertThat(table().view().latestSlices("p1")).hasSizeLessThan(3);
      List<Instant.Completed> commits = writes(Action.COMMIT);
      String second = commits.get(before.get(0)).requestedTime().digits();
      String third = commits.get(before.get(1)).requestedTime().digits();
      String endOfThird = commits.get(before.get(2) - 1).requestedTime().digits();
      try (SqlSession.Following fromThird = sql.follow(changes.formatted(third))) {
        fromThird.awaitRows(rows(3, 4));
        sql.insert("INSERT INTO t VALUES ('a5', 'x', 5, 'p1')");
        fromThird.awaitRows(rows(3, 5));
        assertThat(fromThird.changes()).hasSize(5);
      }
      all.awaitRows(rows(1, 5));
      assertThat(all.changes()).hasSize(9);
      assertThat(
              sql.query(
                  "SELECT id, ts FROM t /*+ OPTIONS('read.start-commit' = '%s', 'read.end-commit' = '%s') */"
                      .formatted(second, endOfThird)))
          .containsExactlyInAnyOrder(rows(2, 3));
    }
    assertThat(sql.query("SELECT id, ts FROM t")).containsExactlyInAnyOrder(rows(1, 5));
  }

  @Test
  void optionsThatCannotWorkAreRefusedAtPlanning() {
    assertThatThrownBy(
            () ->
                session(
                        "'clustering.async.enabled' = 'true',"
                            + " 'clustering.plan.strategy.sort.columns' = 'nmae'")
                    .insert(insert(1)))
        .hasStackTraceContaining("nmae");
    assertThatThrownBy(
            () -> session("'clustering.plan.strategy.class' = 'org.acme.Mine'").insert(insert(1)))
        .hasStackTraceContaining("org.acme.Mine");
    assertThatThrownBy(
            () -> session("'hoodie.clustering.updates.strategy' = 'Hope'").insert(insert(1)))
        .hasStackTraceContaining("SparkRejectUpdateStrategy");
  }
}
