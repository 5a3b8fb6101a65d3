package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.source.config.PartitionFilter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.flink.table.api.ExplainDetail;
import org.apache.flink.table.plan.stats.TableStats;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
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
    randomQueriesGiveTheSame(sql, all, random);
    String nested = sql.batch().explainSql("SELECT id, r.a FROM t");
    assertThat(nested).contains("project=[id, r_a]");
    assertThat(sql.batch().explainSql("SELECT COUNT(*) FROM t")).contains("aggregates=[");
    assertThat(sql.batch().explainSql("SELECT COUNT(*) FROM t WHERE p = 'p1'"))
        .doesNotContain("aggregates=[");
  }

  /** Random conditions, alone and under a limit; one job for those that are pushed, one for not. */
  private static void randomQueriesGiveTheSame(SqlSession sql, String all, Random random)
      throws Exception {
    List<String> pushed = new ArrayList<>();
    List<String> whole = new ArrayList<>();
    List<Integer> limits = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String query =
          "SELECT %d, %s FROM %%s WHERE %s"
              .formatted(100 + i, COLUMN_LISTS.get(i % COLUMN_LISTS.size()), condition(random, 3));
      int limit = i % 3 == 0 ? random.nextInt(20) : Integer.MAX_VALUE;
      limits.add(limit);
      pushed.add("(" + query.formatted("t") + (i % 3 == 0 ? " LIMIT " + limit : "") + ")");
      whole.add(query.formatted(all));
    }
    String union = " UNION ALL ";
    List<String> found = sql.query(String.join(union, pushed));
    List<String> wanted = sql.query(String.join(union, whole));
    for (int i = 0; i < limits.size(); i++) {
      String number = (100 + i) + ",";
      List<String> here = found.stream().filter(row -> row.startsWith(number)).toList();
      List<String> there = wanted.stream().filter(row -> row.startsWith(number)).toList();
      assertThat(here).as(pushed.get(i)).hasSize(Math.min(limits.get(i), there.size()));
      assertThat(there).as(pushed.get(i)).containsAll(here);
    }
  }

  /** All of the same types. */
  private static final List<String> COLUMN_LISTS =
      List.of("id, v, r.c.d, p", "id + 1, r.b, ts, r.c.e", "r.a, p, ts, v");

  private static String condition(Random random, int depth) {
    if (depth > 0 && random.nextInt(3) > 0) {
      String left = condition(random, depth - 1);
      String right = condition(random, depth - 1);
      return switch (random.nextInt(3)) {
        case 0 -> "(" + left + " AND " + right + ")";
        case 1 -> "(" + left + " OR " + right + ")";
        default -> "NOT (" + left + ")";
      };
    }
    String operator = List.of("=", "<>", "<", "<=", ">", ">=").get(random.nextInt(6));
    return switch (random.nextInt(8)) {
      case 0 -> "id " + operator + " " + random.nextInt(60);
      case 1 -> "id IN (%d, %d, 99)".formatted(random.nextInt(60), random.nextInt(60));
      case 2 -> "v " + operator + " 'v" + random.nextInt(5) + "'";
      case 3 -> "ts BETWEEN %d AND %d".formatted(random.nextInt(25), 25 + random.nextInt(25));
      case 4 -> "p " + operator + " 'p" + random.nextInt(4) + "'";
      case 5 -> "p IN ('p%d', 'p9')".formatted(random.nextInt(4));
      case 6 -> "r.c.d " + operator + " " + random.nextInt(5);
      default -> "r IS" + (random.nextBoolean() ? "" : " NOT") + " NULL";
    };
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

  @Test
  void plannerKnowsTheValuesOfColumnsAsLongAsNoLogChangesThem() throws Exception {
    SqlSession sql =
        session(
            "id INT, v STRING, ts BIGINT, p STRING, PRIMARY KEY (id) NOT ENFORCED",
            ", 'table.type' = 'MERGE_ON_READ'");
    List<String> rows = new ArrayList<>();
    for (int i = 1; i <= 100; i++) {
      rows.add(
          "(%d, %s, %d, 'p%d')"
              .formatted(i, i % 4 == 0 ? "CAST(NULL AS STRING)" : "'v'", 500 + i, i % 2));
    }
    sql.insert("INSERT INTO t VALUES " + String.join(", ", rows));
    TableStats all = estimate(path -> true);
    assertThat(all.getRowCount()).isEqualTo(100);
    assertThat(all.getColumnStats().get("id").getMin()).isEqualTo(1);
    assertThat(all.getColumnStats().get("id").getMax()).isEqualTo(100);
    assertThat(all.getColumnStats().get("ts").getMin()).isEqualTo(501L);
    assertThat(all.getColumnStats().get("ts").getMax()).isEqualTo(600L);
    assertThat(all.getColumnStats().get("v").getNullCount()).isEqualTo(25);
    assertThat(all.getColumnStats().get("v").getMin()).isNull();
    TableStats even = estimate("p0"::equals);
    assertThat(even.getRowCount()).isEqualTo(50);
    assertThat(even.getColumnStats().get("id").getMin()).isEqualTo(2);
    assertThat(
            sql.batch().explainSql("SELECT id FROM t WHERE id > 90", ExplainDetail.ESTIMATED_COST))
        .containsPattern("Calc.*rowcount = (9|10|11)[.]");

    sql.insert("INSERT INTO t VALUES (1, 'v', 9000, 'p1')");
    TableStats changed = estimate(path -> true);
    assertThat(changed.getRowCount()).isEqualTo(100);
    assertThat(changed.getColumnStats()).isEmpty();
    assertThat(estimate("p0"::equals).getColumnStats().get("ts").getMax()).isEqualTo(600L);
  }

  private TableStats estimate(PartitionFilter partitions) {
    return TableEstimate.of(
        folder.resolve("t").toString(),
        partitions,
        RowType.of(
            new LogicalType[] {
              new IntType(), new VarCharType(VarCharType.MAX_LENGTH), new BigIntType()
            },
            new String[] {"id", "v", "ts"}));
  }
}
