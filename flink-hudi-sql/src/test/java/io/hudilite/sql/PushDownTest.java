package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.flink.table.api.ExplainDetail;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the planner hands to the source changes the cost of a query, never its result. */
class PushDownTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  @TempDir private Path folder;

  private static final String COLUMNS =
      "id INT, v STRING, r ROW<a INT, b STRING, c ROW<d BIGINT, e STRING>>, ts BIGINT, p STRING,"
          + " PRIMARY KEY (id) NOT ENFORCED";

  private SqlSession session(String columns, String options) {
    return SqlSession.open()
        .create(
            """
            CREATE TABLE t (%s) PARTITIONED BY (p) WITH (
              'connector' = 'hudi-lite', 'path' = '%s', 'ordering.fields' = 'ts' %s)
            """
                .formatted(columns, folder.resolve("t").toUri(), options));
  }

  private static String row(int id, Random random) {
    String fields =
        random.nextInt(4) == 0
            ? "CAST(NULL AS ROW<a INT, b STRING, c ROW<d BIGINT, e STRING>>)"
            : "CAST(ROW(%s, 'b%d', ROW(%s, 'e%d')) AS ROW<a INT, b STRING, c ROW<d BIGINT, e STRING>>)"
                .formatted(
                    random.nextInt(3) == 0 ? "CAST(NULL AS INT)" : random.nextInt(5),
                    id,
                    random.nextInt(3) == 0 ? "CAST(NULL AS BIGINT)" : random.nextInt(5),
                    random.nextInt(9));
    return "(%d, 'v%d', %s, CAST(%d AS BIGINT), 'p%d')"
        .formatted(id, random.nextInt(5), fields, random.nextInt(50), id % 4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ", 'table.type' = 'MERGE_ON_READ'",
        ", 'table.type' = 'COPY_ON_WRITE', 'index.type' = 'BUCKET',"
            + " 'hoodie.bucket.index.num.buckets' = '3',"
            + " 'hoodie.bucket.index.partition.expressions' = 'p1,2'"
      })
  void resultIsThatOfTheSameQueryOverAllRows(String options) throws Exception {
    SqlSession sql = session(COLUMNS, options);
    Random random = new Random(7);
    for (int commit = 0; commit < 2; commit++) {
      List<String> rows = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        rows.add(row(random.nextInt(60), random));
      }
      sql.insert("INSERT INTO t VALUES " + String.join(", ", rows));
    }
    // A view with a function that is not known to give the same each time is not pushed through.
    String all = "(SELECT *, RAND() AS x FROM t) AS whole";
    for (String query :
        List.of(
            "SELECT r.c.e, id, r.c, p FROM %s",
            "SELECT r.c.d, r.b, r FROM %s WHERE r.c.d > 1",
            "SELECT COUNT(*), COUNT(1) FROM %s",
            "SELECT COUNT(r.a), SUM(r.c.d) FROM %s WHERE id IN (1, 5, 9, 77)",
            "SELECT id, v FROM %s WHERE id = 7 OR (id = 12 AND v <> 'v9')",
            "SELECT v, id FROM %s WHERE id IN (1, 2, 3, 4) AND p IN ('p1', 'p2') AND ts > 5",
            "SELECT id FROM %s WHERE ts BETWEEN 10 AND 30 AND v >= 'v2'")) {
      assertThat(sql.query(query.formatted("t")))
          .as(query)
          .isEqualTo(sql.query(query.formatted(all)));
    }
    String nested = sql.batch().explainSql("SELECT id, r.a FROM t");
    assertThat(nested).contains("project=[id, r_a]");
    assertThat(sql.batch().explainSql("SELECT COUNT(*) FROM t")).contains("aggregates=[");
    assertThat(sql.batch().explainSql("SELECT COUNT(*) FROM t WHERE p = 'p1'"))
        .doesNotContain("aggregates=[");
  }

  @Test
  void joinReadsOnlyThePartitionsThatTheOtherSideHas() throws Exception {
    SqlSession sql = session("id INT, ts BIGINT, p STRING, PRIMARY KEY (id) NOT ENFORCED", "");
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      rows.add("(%d, 1, 'p%d')".formatted(i, i % 4));
    }
    sql.insert("INSERT INTO t VALUES " + String.join(", ", rows));
    sql.create(
        """
        CREATE TABLE days (name STRING, kind STRING, PRIMARY KEY (name) NOT ENFORCED) WITH (
          'connector' = 'hudi-lite', 'path' = '%s')
        """
            .formatted(folder.resolve("days").toUri()));
    sql.insert("INSERT INTO days VALUES ('p1', 'x'), ('p2', 'y'), ('p9', 'x')");
    String join = "SELECT t.id FROM t JOIN days ON t.p = days.name WHERE days.kind = 'x'";
    sql.set("table.optimizer.join.broadcast-threshold", "0");
    String plan = sql.batch().explainSql(join);
    if (JoinedPartitions.canBeTold()) {
      assertThat(plan).contains("DynamicFilteringTableSourceScan");
      // What cannot be read of a partition that is left out does no harm.
      try (Stream<Path> files = Files.list(folder.resolve("t/p2"))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".parquet")).toList()) {
          Files.writeString(file, "no parquet");
        }
      }
    } else {
      assertThat(plan).doesNotContain("DynamicFiltering");
    }
    assertThat(sql.query(join))
        .containsExactlyInAnyOrder("1", "5", "9", "13", "17", "21", "25", "29", "33", "37");
  }

  @Test
  void plannerKnowsHowManyRowsThereAre() throws Exception {
    SqlSession sql = session("id INT, ts BIGINT, p STRING, PRIMARY KEY (id) NOT ENFORCED", "");
    sql.insert("INSERT INTO t VALUES (1, 1, 'a'), (2, 1, 'a'), (3, 1, 'b')");
    assertThat(sql.batch().explainSql("SELECT id FROM t", ExplainDetail.ESTIMATED_COST))
        .contains("rowcount = 3.0");
  }
}
