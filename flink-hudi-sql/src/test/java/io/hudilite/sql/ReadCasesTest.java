package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.types.DataType;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures that users of other connectors reported of reading. */
class ReadCasesTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  private static final String FOLLOWING =
      " /*+ OPTIONS('read.streaming.enabled' = 'true', 'read.streaming.check-interval' = '1'%s) */"
          + " ";

  @TempDir private Path folder;

  private static final String STREAMING =
      ", 'read.streaming.enabled' = 'true', 'read.streaming.check-interval' = '1',"
          + " 'read.start-commit' = 'earliest'";

  private SqlSession session(String columns, String partitionedBy) {
    return session(columns, partitionedBy, "");
  }

  private SqlSession session(String columns, String partitionedBy, String options) {
    return SqlSession.open()
        .create(
            """
            CREATE TABLE t (%s) %s WITH (
              'connector' = 'hudi-lite', 'path' = '%s', 'table.type' = 'MERGE_ON_READ',
              'ordering.fields' = 'ts' %s)
            """
                .formatted(columns, partitionedBy, folder.resolve("t").toUri(), options));
  }

  private List<String> commits() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("t/.hoodie/timeline"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".deltacommit"))
          .sorted()
          .map(name -> name.substring(0, 17))
          .toList();
    }
  }

  private static String from(String start) {
    return FOLLOWING.formatted(start.isEmpty() ? "" : ", 'read.start-commit' = '" + start + "'");
  }

  @Test
  void f31StartAndEndPositions() throws Exception {
    SqlSession sql = session("id STRING, ts BIGINT, PRIMARY KEY (id) NOT ENFORCED", "");
    for (String row : List.of("A", "B", "C", "D", "E")) {
      sql.insert("INSERT INTO t VALUES ('" + row + "', 1)");
    }
    String third = commits().get(2);
    long afterFifth = new InstantTime(commits().get(4)).toMillis(ZoneOffset.UTC) + 1000;
    String secondAfterFifth = InstantTime.ofUtcMillis(afterFifth).toString();
    String query = "SELECT id FROM t";
    try (SqlSession.Following earliest = sql.follow(query + from("earliest"));
        SqlSession.Following fromThird = sql.follow(query + from(third));
        SqlSession.Following latest = sql.follow(query + from(""));
        SqlSession.Following later = sql.follow(query + from(secondAfterFifth))) {
      earliest.awaitRows("A", "B", "C", "D", "E");
      fromThird.awaitRows("C", "D", "E");
      latest.awaitRows("E");
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (System.currentTimeMillis() <= afterFifth && System.nanoTime() < end) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
      sql.insert("INSERT INTO t VALUES ('F', 1)");
      earliest.awaitRows("A", "B", "C", "D", "E", "F");
      fromThird.awaitRows("C", "D", "E", "F");
      latest.awaitRows("E", "F");
      later.awaitRows("F");
    }
    String bounded = "SELECT id FROM t /*+ OPTIONS(%s) */";
    assertThat(
            sql.query(
                bounded.formatted(
                    "'read.start-commit' = '"
                        + third
                        + "', 'read.end-commit' = '"
                        + commits().get(3)
                        + "'")))
        .containsExactly("C", "D");
    // Only an end: the table as it was then.
    assertThat(sql.query(bounded.formatted("'read.end-commit' = '" + third + "'")))
        .containsExactly("A", "B", "C");
    // 14 digits mean the whole second, ISO times the same moment.
    assertThat(
            sql.query(bounded.formatted("'read.start-commit' = '" + third.substring(0, 14) + "'")))
        .contains("C", "D", "E", "F");
  }

  @Test
  void parquetLogBlocksAreFollowed() throws Exception {
    SqlSession sql =
        session(
            "id STRING, ts BIGINT, PRIMARY KEY (id) NOT ENFORCED",
            "",
            ", 'hoodie.logfile.data.block.format' = 'parquet'");
    sql.insert("INSERT INTO t VALUES ('A', 1), ('B', 1), ('C', 1)");
    int first = commits().size(); // a checkpoint may come between the rows of one statement
    int second;
    try (SqlSession.Following rows = sql.follow("SELECT id, ts FROM t" + from("earliest"))) {
      rows.awaitRows("A,1", "B,1", "C,1");
      sql.insert("INSERT INTO t VALUES ('A', 2), ('B', 0), ('D', 2)");
      second = commits().size();
      rows.awaitRows("A,2", "B,1", "C,1", "D,2");
      sql.insert("INSERT INTO t VALUES ('C', 3)");
      rows.awaitRows("A,2", "B,1", "C,3", "D,2");
    }
    assertThat(
            sql.query(
                "SELECT id, ts FROM t /*+ OPTIONS('read.start-commit' = '"
                    + commits().get(first)
                    + "', 'read.end-commit' = '"
                    + commits().get(second - 1)
                    + "') */"))
        .containsExactlyInAnyOrder("A,2", "D,2");
  }

  /** Rows of the readers stay in their output for long, so that they overtake each other. */
  @Test
  void f23f24KeysThatMoveAreThereOnceWhateverTheParallelism() throws Exception {
    SqlSession sql =
        session(
            "id INT, v STRING, ts BIGINT, p STRING, PRIMARY KEY (id) NOT ENFORCED",
            "PARTITIONED BY (p)");
    sql.insert("INSERT INTO t VALUES (0, 'x', 0, 'p0')");
    SqlSession reading =
        session(
                "id INT, v STRING, ts BIGINT, p STRING, PRIMARY KEY (id) NOT ENFORCED",
                "PARTITIONED BY (p)")
            .set("parallelism.default", "4")
            .set("table.exec.resource.default-parallelism", "4")
            .set("execution.buffer-timeout.interval", "700 ms");
    String query = "SELECT COUNT(*), SUM(ts) FROM t" + from("earliest");
    try (SqlSession.Following following = reading.follow(query)) {
      following.awaitRows("1,0");
      for (int round = 1; round <= 4; round++) {
        List<String> rows = new ArrayList<>();
        for (int id = 0; id < 20; id++) {
          rows.add("(%d, 'v', %d, 'p%d')".formatted(id, round, (id + round) % 4));
        }
        sql.insert("INSERT INTO t VALUES " + String.join(", ", rows));
        following.awaitRows("20," + 20 * round);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "3"})
  void f34WindowsFireWithAllTheirRows(String parallelism) throws Exception {
    String columns =
        "id STRING, ts BIGINT, t AS TO_TIMESTAMP_LTZ(ts, 3), f STRING,"
            + " WATERMARK FOR t AS t - INTERVAL '0' SECOND, PRIMARY KEY (id) NOT ENFORCED";
    SqlSession sql =
        session("id STRING, ts BIGINT, f STRING, PRIMARY KEY (id) NOT ENFORCED", "")
            .insert("INSERT INTO t VALUES ('a1', 0, '1'), ('a2', 0, '1'), ('a3', 0, '1')")
            .insert(
                "INSERT INTO t VALUES ('c1', 130000, '3'), ('b1', 30000, '2'), ('b2', 60000, '2')");
    String alignment =
        parallelism.equals("1")
            ? ""
            : ", 'scan.watermark.alignment.group' = 'all',"
                + " 'scan.watermark.alignment.max-drift' = '1 min',"
                + " 'scan.watermark.alignment.update-interval' = '100 ms'";
    SqlSession reading =
        session(columns, "", STREAMING + alignment)
            .set("parallelism.default", parallelism)
            .set("table.exec.resource.default-parallelism", parallelism);
    String plan = reading.streaming().explainSql("SELECT id FROM t");
    assertThat(plan).contains("watermark=[");
    try (SqlSession.Following windows =
        reading.follow(
            """
            SELECT UNIX_TIMESTAMP(CAST(window_start AS STRING)) / 60, COUNT(*)
            FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(t), INTERVAL '1' MINUTE))
            GROUP BY window_start, window_end
            """)) {
      sql.insert("INSERT INTO t VALUES ('z', 600000, '4')");
      windows.awaitRows("0,4", "1,1", "2,1");
    }
  }

  /** The newer rows are in the files that are read first. */
  @Test
  void f34WindowsOfAReadThatEndsHaveAllTheirRows() throws Exception {
    String columns =
        "id STRING, ts BIGINT, t AS TO_TIMESTAMP_LTZ(ts, 3), p STRING,"
            + " WATERMARK FOR t AS t - INTERVAL '0' SECOND, PRIMARY KEY (id) NOT ENFORCED";
    session("id STRING, ts BIGINT, p STRING, PRIMARY KEY (id) NOT ENFORCED", "PARTITIONED BY (p)")
        .insert(
            "INSERT INTO t VALUES ('a', 600000, 'p1'), ('b', 0, 'p2'), ('c', 60000, 'p3'),"
                + " ('d', 1000, 'p4')");
    SqlSession reading =
        session(columns, "PARTITIONED BY (p)", ", 'scan.watermark.emit.strategy' = 'on-event'");
    assertThat(
            reading.queryAsAStream(
                """
                SELECT UNIX_TIMESTAMP(CAST(window_start AS STRING)) / 60, COUNT(*)
                FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(t), INTERVAL '1' MINUTE))
                GROUP BY window_start, window_end
                """))
        .containsExactly("0,2", "1,1", "10,1");
  }

  @Test
  void f32PartitionsCreatedAfterTheReaderStarted() throws Exception {
    SqlSession sql =
        session(
            "id STRING, v STRING, ts BIGINT, `day` STRING, typ STRING,"
                + " PRIMARY KEY (id) NOT ENFORCED",
            "PARTITIONED BY (`day`, typ)");
    sql.insert("INSERT INTO t VALUES ('k1', 'x', 1, '11', 'login'), ('k2', 'x', 1, '11', 'pay')");
    String query = "SELECT id FROM t" + from("earliest") + "WHERE ";
    try (SqlSession.Following notNull = sql.follow(query + "`day` IS NOT NULL");
        SqlSession.Following greater = sql.follow(query + "`day` >= '11'");
        SqlSession.Following login = sql.follow(query + "typ = 'login'")) {
      notNull.awaitRows("k1", "k2");
      greater.awaitRows("k1", "k2");
      login.awaitRows("k1");
      sql.insert("INSERT INTO t VALUES ('k3', 'x', 2, '12', 'login'), ('k4', 'x', 2, '12', 'pay')");
      notNull.awaitRows("k1", "k2", "k3", "k4");
      greater.awaitRows("k1", "k2", "k3", "k4");
      login.awaitRows("k1", "k3");
    }
  }

  @Test
  void streamWaitsForATableThatIsNotThereYet() throws Exception {
    SqlSession sql = session("id STRING, ts BIGINT, PRIMARY KEY (id) NOT ENFORCED", "");
    try (SqlSession.Following following = sql.follow("SELECT id FROM t" + from("earliest"))) {
      sql.insert("INSERT INTO t VALUES ('A', 1)");
      following.awaitRows("A");
    }
  }

  /** Of merge-on-read tables with a log file and without, and of copy-on-write tables. */
  @Test
  void f41ProjectionPartitionColumnFirstPartitionOnlyCount() throws Exception {
    TableKinds tables = new TableKinds(SqlSession.open(), folder);
    tables.create(
        "t",
        "p STRING, id STRING, v STRING, ts BIGINT, PRIMARY KEY (id) NOT ENFORCED",
        "PARTITIONED BY (p)",
        ", 'ordering.fields' = 'ts'");
    DataType row =
        DataTypes.ROW(
            DataTypes.FIELD("p", DataTypes.STRING()),
            DataTypes.FIELD("id", DataTypes.STRING().notNull()),
            DataTypes.FIELD("v", DataTypes.STRING()),
            DataTypes.FIELD("ts", DataTypes.BIGINT()));
    tables.insert(
        "INSERT INTO t VALUES ('p1', 'k1', 'a', 1), ('p1', 'k2', 'b', 1), ('p2', 'k3', 'c', 1)");
    assertThat(tables.query("SELECT p FROM t")).containsExactly("p1", "p1", "p2");
    assertThat(tables.query("SELECT COUNT(*) FROM t")).containsExactly("3");
    tables.change(
        new TableKinds.Changes(
            "t", row, "id", List.of(Row.ofKind(RowKind.DELETE, "p1", "k2", "b", 1L))));

    assertThat(tables.queries("SELECT p FROM t", "SELECT id FROM t WHERE p = 'p1'"))
        .containsExactly(List.of("p1", "p2"), List.of("k1"));
    assertThat(tables.query("SELECT v, id FROM t")).containsExactly("a,k1", "c,k3");
    assertThat(tables.query("SELECT COUNT(*) FROM t")).containsExactly("2");
    assertThat(tables.query("SELECT COUNT(1), MAX(ts) FROM t")).containsExactly("2,1");
    assertThat(tables.query("SELECT ts, p, v FROM t WHERE id = 'k3'")).containsExactly("1,p2,c");
    try (SqlSession.Following counts =
        tables.sql().follow("SELECT COUNT(*), MAX(p) FROM t_mor" + from("earliest"))) {
      counts.awaitRows("2,p2");
    }
  }

  @Test
  void f35QueriesEndInEveryModeWithTheirRows() throws Exception {
    SqlSession sql =
        session("id INT, ts BIGINT, p STRING, PRIMARY KEY (id) NOT ENFORCED", "PARTITIONED BY (p)");
    sql.set("table.exec.resource.default-parallelism", "8").set("parallelism.default", "8");
    assertThatThrownBy(() -> sql.query("SELECT id FROM t"))
        .hasStackTraceContaining(folder.resolve("t").toString());
    sql.insertInBatch(
        "INSERT INTO t SELECT * FROM (VALUES (1, CAST(1 AS BIGINT), 'p1'))"
            + " AS v (id, ts, p) WHERE CHAR_LENGTH(p) > 2");
    assertThat(sql.query("SELECT id FROM t")).isEmpty();
    assertThat(sql.queryAsAStream("SELECT id FROM t")).isEmpty();
    sql.insert("INSERT INTO t VALUES (1, 1, 'p1')");
    assertThat(sql.query("SELECT id FROM t")).containsExactly("1");
    assertThat(sql.queryAsAStream("SELECT id FROM t")).containsExactly("1");
    sql.insert("INSERT INTO t VALUES (2, 1, 'p2'), (3, 1, 'p3')");
    assertThat(sql.query("SELECT id FROM t")).containsExactly("1", "2", "3");
    assertThat(sql.queryAsAStream("SELECT id FROM t")).containsExactly("1", "2", "3");
  }

  /** What a query finds is what was committed when it began. */
  @Test
  void f35QueriesEndWhileAWriterIsActive() throws Exception {
    SqlSession sql =
        session("id INT, ts BIGINT, PRIMARY KEY (id) NOT ENFORCED", "")
            .set("execution.checkpointing.interval", "1 s");
    sql.create(
        "CREATE TABLE source (id INT, ts BIGINT) WITH ('connector' = 'datagen',"
            + " 'rows-per-second' = '20', 'fields.id.kind' = 'sequence', 'fields.id.start' = '0',"
            + " 'fields.id.end' = '9000')");
    JobClient writer =
        sql.streaming().executeSql("INSERT INTO t SELECT * FROM source").getJobClient().get();
    try {
      try (SqlSession.Following rows =
          sql.follow("SELECT COUNT(*) > 0 FROM t" + from("earliest"))) {
        rows.awaitRows("true");
      }
      int before = 0;
      for (int i = 0; i < 2; i++) {
        List<String> batch = sql.query("SELECT id FROM t");
        List<String> stream = sql.queryAsAStream("SELECT id FROM t");
        assertThat(batch).hasSizeGreaterThan(before).doesNotHaveDuplicates();
        assertThat(stream).doesNotHaveDuplicates().containsAll(batch);
        before = batch.size() - 1;
      }
    } finally {
      writer.cancel().get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void partitionsAreLeftOutByThePlan() throws Exception {
    SqlSession sql =
        session(
            "id STRING, v STRING, ts BIGINT, p STRING, PRIMARY KEY (id) NOT ENFORCED",
            "PARTITIONED BY (p)");
    sql.insert("INSERT INTO t VALUES ('k1', 'x', 1, 'a'), ('k2', 'x', 1, 'b')");
    assertThat(sql.batch().explainSql("SELECT id FROM t WHERE p = 'a' AND ts > 0"))
        .contains("filter=[=(p, _UTF-16LE'a'", "project=[id, ts, p]");
    assertThat(sql.query("SELECT id FROM t WHERE p = 'a' AND ts > 0")).containsExactly("k1");
    // What cannot be read of a partition that is left out does no harm.
    Path other = folder.resolve("t/b");
    try (Stream<Path> files = Files.list(other)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".parquet")).toList()) {
        Files.writeString(file, "no parquet");
      }
    }
    assertThat(sql.query("SELECT id FROM t WHERE p IN ('a', 'c')")).containsExactly("k1");
  }

  @Test
  void f46FilterIsAppliedAfterMerging() throws Exception {
    SqlSession sql = session("id STRING, qty INT, ts BIGINT, PRIMARY KEY (id) NOT ENFORCED", "");
    sql.insert("INSERT INTO t VALUES ('k1', 5, 10), ('k2', 1, 10)");
    sql.insert("INSERT INTO t VALUES ('k1', 9, 7)");
    assertThat(sql.query("SELECT id FROM t WHERE qty = 9")).isEmpty();
    assertThat(sql.query("SELECT id FROM t WHERE qty = 5")).containsExactly("k1");
    sql.insert("INSERT INTO t VALUES ('k1', 7, 20)");
    assertThat(sql.query("SELECT id FROM t WHERE qty = 5")).isEmpty();
    assertThat(sql.query("SELECT id FROM t WHERE qty = 7")).containsExactly("k1");
    assertThat(sql.query("SELECT id FROM t WHERE qty > 0")).containsExactly("k1", "k2");
  }

  @Test
  void f47LimitCountsWhatIsLeft() throws Exception {
    SqlSession sql =
        session(
            "id INT, v INT, ts BIGINT, p STRING, PRIMARY KEY (id) NOT ENFORCED",
            "PARTITIONED BY (p)");
    List<String> rows = new ArrayList<>();
    List<Row> deletes = new ArrayList<>();
    for (int i = 1; i <= 100; i++) {
      String partition = i <= 60 ? "p1" : "p2";
      rows.add("(%d, %d, 1, '%s')".formatted(i, i % 2, partition));
      if (i % 4 == 0) {
        deletes.add(Row.ofKind(RowKind.DELETE, i, i % 2, 2L, partition));
      }
    }
    sql.insert("INSERT INTO t VALUES " + String.join(", ", rows));
    sql.change(
        "t",
        DataTypes.ROW(
            DataTypes.FIELD("id", DataTypes.INT().notNull()),
            DataTypes.FIELD("v", DataTypes.INT()),
            DataTypes.FIELD("ts", DataTypes.BIGINT()),
            DataTypes.FIELD("p", DataTypes.STRING())),
        "id",
        deletes.toArray(new Row[0]));
    assertThat(sql.batch().explainSql("SELECT id FROM t LIMIT 10")).contains("limit=[10]");
    assertThat(sql.query("SELECT id FROM t LIMIT 10")).hasSize(10).doesNotHaveDuplicates();
    assertThat(sql.query("SELECT id, v FROM t WHERE v = 0 LIMIT 10"))
        .hasSize(10)
        .allMatch(row -> row.endsWith(",0"));
    assertThat(sql.query("SELECT id, p FROM t WHERE p = 'p2' LIMIT 10"))
        .hasSize(10)
        .allMatch(row -> row.endsWith(",p2"));
    assertThat(sql.query("SELECT id FROM t LIMIT 1000")).hasSize(75);
    assertThat(sql.query("SELECT id FROM t LIMIT 0")).isEmpty();
  }

  @Test
  void readerMayLeaveColumnsOut() throws Exception {
    session(
            "id STRING, v STRING, ts BIGINT, p STRING, PRIMARY KEY (id) NOT ENFORCED",
            "PARTITIONED BY (p)")
        .insert("INSERT INTO t VALUES ('k1', 'a', 5, 'x'), ('k2', 'b', 5, 'y')")
        .insert("INSERT INTO t VALUES ('k1', 'late', 4, 'x')");
    SqlSession few =
        SqlSession.open()
            .create(
                "CREATE TABLE t (v STRING) WITH ('connector' = 'hudi-lite', 'path' = '%s')"
                    .formatted(folder.resolve("t").toUri()));
    assertThat(few.query("SELECT v FROM t WHERE v <> ''")).containsExactly("a", "b");
  }
}
