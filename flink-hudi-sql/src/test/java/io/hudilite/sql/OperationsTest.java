package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.LogLines;
import io.hudilite.core.timeline.Instant;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements other than an upsert by INSERT INTO; cases F33, F40, F55. */
class OperationsTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  private static final String COLUMNS =
      "id STRING, v STRING, ts BIGINT, p STRING, PRIMARY KEY (id) NOT ENFORCED";

  @TempDir Path folder;
  private final TimeZone zone = TimeZone.getDefault();

  @AfterEach
  void resetZone() {
    TimeZone.setDefault(zone);
  }

  private SqlSession session(String columns, String partitionedBy, String options) {
    return SqlSession.open()
        .create(
            "CREATE TABLE t (%s) %s WITH ('connector' = 'hudi-lite', 'path' = '%s',"
                    .formatted(columns, partitionedBy, folder.resolve("t").toUri())
                + " 'ordering.fields' = 'ts', "
                + options
                + ")");
  }

  private List<Instant.Completed> writes() throws Exception {
    return HudiTable.open(Storages.of(folder.resolve("t").toString())).timeline().completedWrites();
  }

  private long parquetFiles() throws Exception {
    try (Stream<Path> files = Files.walk(folder.resolve("t"))) {
      return files.filter(file -> file.toString().endsWith(".parquet")).count();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY_ON_WRITE", "MERGE_ON_READ"})
  void f55OverwriteOfPartitions(String type) throws Exception {
    SqlSession sql = session(COLUMNS, "PARTITIONED BY (p)", "'table.type' = '" + type + "'");
    sql.insert("INSERT INTO t VALUES ('k1', 'a', 1, 'p1'), ('k2', 'b', 1, 'p2')");
    sql.insertInBatch("INSERT OVERWRITE t VALUES ('k3', 'c', 2, 'p1')");
    assertThat(sql.query("SELECT id, p FROM t")).containsExactly("k2,p2", "k3,p1");
    sql.insertInBatch("INSERT OVERWRITE t PARTITION (p = 'p2') VALUES ('k4', 'd', 2)");
    assertThat(sql.query("SELECT id, p FROM t")).containsExactly("k3,p1", "k4,p2");
    sql.insert("INSERT INTO t VALUES ('k3', 'c2', 3, 'p1')");
    assertThat(sql.query("SELECT id, v, p FROM t")).containsExactly("k3,c2,p1", "k4,d,p2");
    sql.insertInBatch(
        "INSERT OVERWRITE t PARTITION (p = 'p1') SELECT id, v, ts FROM t WHERE FALSE");
    assertThat(sql.query("SELECT id, p FROM t")).containsExactly("k4,p2");
    session(
            COLUMNS,
            "PARTITIONED BY (p)",
            "'table.type' = '" + type + "', 'write.partition.overwrite.mode' = 'STATIC'")
        .insertInBatch("INSERT OVERWRITE t VALUES ('k9', 'z', 9, 'p9')");
    assertThat(sql.query("SELECT id, p FROM t")).containsExactly("k9,p9");
  }

  @ParameterizedTest
  @CsvSource({"COPY_ON_WRITE, FLINK_STATE", "MERGE_ON_READ, BUCKET"})
  void f55OverwriteOfATableWithoutPartitions(String type, String index) throws Exception {
    SqlSession sql =
        session(COLUMNS, "", "'table.type' = '%s', 'index.type' = '%s'".formatted(type, index));
    sql.insert("INSERT INTO t VALUES ('k1', 'a', 1, 'p1'), ('k2', 'b', 1, 'p2')");
    sql.insertInBatch("INSERT OVERWRITE t VALUES ('k9', 'z', 1, 'p1')");
    assertThat(sql.query("SELECT id FROM t")).containsExactly("k9");
    sql.insert("INSERT INTO t VALUES ('k9', 'z2', 2, 'p1'), ('k1', 'back', 0, 'p1')");
    assertThat(sql.query("SELECT id, v FROM t")).containsExactly("k1,back", "k9,z2");
    assertThatThrownBy(() -> sql.insert("INSERT OVERWRITE t VALUES ('k9', 'z', 1, 'p1')"))
        .hasStackTraceContaining("atch");
  }

  @Test
  void insertsFillSmallFilesIfTheyAreToBeClustered() throws Exception {
    SqlSession sql =
        session(
            COLUMNS,
            "PARTITIONED BY (p)",
            "'table.type' = 'COPY_ON_WRITE', 'write.operation' = 'insert',"
                + " 'write.insert.cluster' = 'true', 'write.tasks' = '1'");
    sql.insert("INSERT INTO t VALUES ('k1', 'a', 1, 'p1'), ('k1', 'b', 1, 'p1')");
    sql.insertInBatch("INSERT INTO t VALUES ('k1', 'c', 0, 'p1'), ('k2', 'd', 1, 'p2')");
    assertThat(sql.query("SELECT id, v, p FROM t"))
        .containsExactly("k1,a,p1", "k1,b,p1", "k1,c,p1", "k2,d,p2");
    HudiTable table = HudiTable.open(Storages.of(folder.resolve("t").toString()));
    assertThat(table.view().latestSlices("p1")).hasSize(1);
  }

  @Test
  void rowsAreAddedToTablesWithoutAKey() throws Exception {
    String table =
        "CREATE TABLE %s (v STRING, p STRING) PARTITIONED BY (p) WITH ('connector' = 'hudi-lite',"
            + " 'path' = '%s', 'table.type' = '%s', 'write.operation' = '%s',"
            + " 'read.streaming.enabled' = '%s', 'read.start-commit' = 'earliest',"
            + " 'read.streaming.check-interval' = '1')";
    SqlSession sql =
        SqlSession.open()
            .create(
                table.formatted(
                    "cow", folder.resolve("c").toUri(), "COPY_ON_WRITE", "insert", false))
            .create(
                table.formatted(
                    "mor", folder.resolve("t").toUri(), "MERGE_ON_READ", "bulk_insert", false))
            .create(
                table.formatted(
                    "following", folder.resolve("t").toUri(), "MERGE_ON_READ", "insert", true));
    sql.create(
        "CREATE TABLE with_keys (v STRING, p STRING,"
            + " k STRING METADATA FROM '_hoodie_record_key' VIRTUAL) PARTITIONED BY (p)"
            + " WITH ('connector' = 'hudi-lite', 'path' = '%s')"
                .formatted(folder.resolve("t").toUri()));
    String rows = " VALUES ('a', 'p1'), ('a', 'p1'), (CAST(NULL AS STRING), 'p2')";
    sql.insertAll(List.of("INSERT INTO cow" + rows, "INSERT INTO mor" + rows));
    sql.insertAll(
        List.of("INSERT INTO cow VALUES ('a', 'p1')", "INSERT INTO mor VALUES ('a', 'p1')"));
    for (String name : List.of("cow", "mor")) {
      assertThat(sql.query("SELECT * FROM " + name))
          .containsExactly("a,p1", "a,p1", "a,p1", "null,p2");
    }
    assertThat(writes()).hasSize(2);
    assertThat(sql.query("SELECT COUNT(DISTINCT k), COUNT(*) FROM with_keys"))
        .containsExactly("4,4");
    try (SqlSession.Following reader = sql.follow("SELECT v, COUNT(*) FROM following GROUP BY v")) {
      reader.awaitRows("a,3", "null,1");
      sql.insertInBatch("INSERT OVERWRITE mor PARTITION (p = 'p1') VALUES ('b')");
      reader.awaitRows("a,3", "b,1", "null,1");
    }
    assertThat(sql.query("SELECT * FROM mor")).containsExactly("b,p1", "null,p2");
    assertThatThrownBy(() -> sql.insertInBatch("DELETE FROM cow WHERE v = 'a'"))
        .hasStackTraceContaining(
            "cow has no key, and rows are written, changed and deleted by key");
  }

  @Test
  void tablesWithoutAKeyTakeNoUpserts() {
    for (String options :
        List.of(
            "'table.type' = 'MERGE_ON_READ'",
            "'write.operation' = 'insert', 'index.type' = 'BUCKET'",
            "'write.operation' = 'insert', 'hoodie.datasource.write.insert.drop.duplicates' ="
                + " 'true'")) {
      SqlSession sql = session("v STRING, ts BIGINT", "", options);
      assertThatThrownBy(() -> sql.insert("INSERT INTO t VALUES ('a', 1)"))
          .as(options)
          .hasStackTraceContaining("has no key")
          .hasStackTraceContaining("PRIMARY KEY");
      assertThat(folder.resolve("t")).doesNotExist();
    }
  }

  @Test
  void f40OverwriteOfADatePartition() throws Exception {
    TimeZone.setDefault(TimeZone.getTimeZone("America/Los_Angeles"));
    SqlSession sql =
        session(
            "id STRING, v STRING, ts BIGINT, dt DATE, PRIMARY KEY (id) NOT ENFORCED",
            "PARTITIONED BY (dt)",
            "'table.type' = 'COPY_ON_WRITE'");
    sql.insert(
        "INSERT INTO t VALUES ('k1', 'a', 1, DATE '2024-04-18'),"
            + " ('k2', 'b', 1, DATE '2024-04-19'), ('k3', 'c', 1, DATE '1969-12-31')");
    sql.insertInBatch("INSERT OVERWRITE t PARTITION (dt = '2024-04-18') VALUES ('k9', 'z', 2)");
    assertThat(sql.query("SELECT id, dt FROM t"))
        .containsExactly("k2,2024-04-19", "k3,1969-12-31", "k9,2024-04-18");
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY_ON_WRITE", "MERGE_ON_READ"})
  void f33StreamingReadOverAnOverwriteGivesOldRowsAsDeletes(String type) throws Exception {
    String options =
        "'table.type' = '%s', 'read.streaming.enabled' = 'true', 'read.start-commit' = 'earliest',"
                .formatted(type)
            + " 'read.streaming.check-interval' = '1'";
    SqlSession sql = session(COLUMNS, "PARTITIONED BY (p)", options);
    sql.insert("INSERT INTO t VALUES ('k1', 'a', 1, 'p1'), ('k2', 'b', 1, 'p2')");
    String skipping = " /*+ OPTIONS('read.streaming.skip_insertoverwrite' = 'true') */";
    try (SqlSession.Following reader = sql.follow("SELECT id, v, p FROM t");
        SqlSession.Following skips = sql.follow("SELECT id, v, p FROM t" + skipping)) {
      reader.awaitRows("k1,a,p1", "k2,b,p2");
      skips.awaitRows("k1,a,p1", "k2,b,p2");
      SqlSession writer = session(COLUMNS, "PARTITIONED BY (p)", "'table.type' = '" + type + "'");
      writer.insertInBatch("INSERT OVERWRITE t PARTITION (p = 'p1') VALUES ('k3', 'c', 2)");
      writer.insert("INSERT INTO t VALUES ('k2', 'b2', 3, 'p2')");
      reader.awaitRows("k2,b2,p2", "k3,c,p1");
      skips.awaitRows("k1,a,p1", "k2,b2,p2");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"insert", "bulk_insert"})
  void insertAddsRowsWhateverTheirKeys(String operation) throws Exception {
    SqlSession sql =
        session(
            COLUMNS,
            "PARTITIONED BY (p)",
            "'table.type' = 'COPY_ON_WRITE', 'write.operation' = '%s',".formatted(operation)
                + " 'write.bulk_insert.sort_input.by_record_key' = 'true'");
    String twice =
        "INSERT INTO t VALUES ('k1', 'a', 1, 'p1'), ('k1', 'b', 2, 'p1'), ('k0', 'c', 1, 'p1'),"
            + " ('k2', 'd', 1, 'p2')";
    sql.insertInBatch(twice);
    assertThat(sql.query("SELECT id, v FROM t")).containsExactly("k0,c", "k1,a", "k1,b", "k2,d");
    assertThat(parquetFiles()).isEqualTo(2);
    sql.insert(twice);
    assertThat(sql.query("SELECT id, v FROM t")).hasSize(8);
  }

  @Test
  void bulkInsertOfMoreThanTheMemoryHoldsMakesFewFiles() throws Exception {
    SqlSession sql =
        session(
            COLUMNS,
            "PARTITIONED BY (p)",
            "'table.type' = 'MERGE_ON_READ', 'write.operation' = 'bulk_insert',"
                + " 'write.bulk_insert.sort_input.by_record_key' = 'true',"
                + " 'write.task.max.size' = '1'");
    sql.create(
        "CREATE TEMPORARY TABLE g (n INT, v STRING) WITH ('connector' = 'datagen',"
            + " 'number-of-rows' = '20000', 'fields.n.kind' = 'sequence', 'fields.n.start' = '0',"
            + " 'fields.n.end' = '19999', 'fields.v.length' = '200')");
    sql.insertInBatch(
        "INSERT INTO t SELECT CAST(n AS STRING), v, 1, CAST(MOD(n, 3) AS STRING) FROM g");
    assertThat(sql.query("SELECT COUNT(*), COUNT(DISTINCT id) FROM t"))
        .containsExactly("20000,20000");
    assertThat(parquetFiles()).isEqualTo(3);
    SqlSession upserts = session(COLUMNS, "PARTITIONED BY (p)", "'table.type' = 'MERGE_ON_READ'");
    upserts.insert("INSERT INTO t VALUES ('7', 'new', 2, '1'), ('20000', 'new', 2, '1')");
    assertThat(upserts.query("SELECT COUNT(*), COUNT(DISTINCT id) FROM t"))
        .containsExactly("20001,20001");
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY_ON_WRITE", "MERGE_ON_READ"})
  void deleteUpdateAndTruncate(String type) throws Exception {
    SqlSession sql = session(COLUMNS, "PARTITIONED BY (p)", "'table.type' = '" + type + "'");
    sql.insert(
        "INSERT INTO t VALUES ('k1', 'a', 1, 'p1'), ('k2', 'b', 1, 'p2'), ('k3', 'c', 1, 'p2')");
    sql.insertInBatch("DELETE FROM t WHERE id = 'k1' OR v = 'c'");
    assertThat(sql.query("SELECT id FROM t")).containsExactly("k2");
    sql.insertInBatch("UPDATE t SET v = 'new', p = 'p3' WHERE id = 'k2'");
    assertThat(sql.query("SELECT id, v, p FROM t")).containsExactly("k2,new,p3");
    assertThatThrownBy(() -> sql.insertInBatch("UPDATE t SET id = 'x' WHERE id = 'k2'"))
        .hasStackTraceContaining("belongs to the key");
    int before = writes().size();
    sql.batch().executeSql("TRUNCATE TABLE t").await();
    assertThat(sql.query("SELECT id FROM t")).isEmpty();
    assertThat(writes()).hasSize(before + 1);
    sql.insert("INSERT INTO t VALUES ('k2', 'again', 0, 'p2')");
    assertThat(sql.query("SELECT id, v FROM t")).containsExactly("k2,again");
  }

  @Test
  void row21RowsOfKnownKeysAreLeftOut() throws Exception {
    String type = "'table.type' = 'MERGE_ON_READ'";
    session(COLUMNS, "PARTITIONED BY (p)", type)
        .insert("INSERT INTO t VALUES ('7', 'name2', 1, 'p1')");
    SqlSession sql =
        session(
            COLUMNS,
            "PARTITIONED BY (p)",
            type + ", 'hoodie.datasource.write.insert.drop.duplicates' = 'true'");
    try (LogLines lines = LogLines.of(HudiDynamicSink.class.getName())) {
      sql.insert(
          "INSERT INTO t VALUES ('7', 'nameX', 2, 'p2'), ('8', 'a', 1, 'p1'), ('8', 'b', 2, 'p1')");
      assertThat(lines.texts())
          .filteredOn(text -> text.contains("turns 'write.operation'='upsert' into insert"))
          .hasSize(1);
    }
    assertThat(sql.query("SELECT id, v, p FROM t")).containsExactly("7,name2,p1", "8,a,p1");
    sql.insertInBatch("INSERT INTO t VALUES ('8', 'c', 3, 'p1'), ('9', 'a', 1, 'p1')");
    assertThat(sql.query("SELECT id, v, p FROM t"))
        .containsExactly("7,name2,p1", "8,a,p1", "9,a,p1");
    assertThat(writes()).hasSize(3);

    assertThatThrownBy(
            () ->
                sql.insert(
                    "INSERT INTO t /*+ OPTIONS('index.type' = 'BUCKET') */"
                        + " VALUES ('8', 'c', 3, 'p1')"))
        .hasStackTraceContaining("drop.duplicates");
    assertThatThrownBy(
            () ->
                sql.insert(
                    "INSERT INTO t /*+ OPTIONS('write.operation' = 'bulk_insert') */"
                        + " VALUES ('8', 'c', 3, 'p1')"))
        .hasStackTraceContaining("contradict");
  }

  @ParameterizedTest
  @ValueSource(strings = {"FLINK_STATE", "BUCKET"})
  void f14StreamingUpsertAfterABulkInsertKnowsItsRows(String index) throws Exception {
    String options = "'table.type' = 'MERGE_ON_READ', 'index.type' = '%s'".formatted(index);
    SqlSession bulk =
        session(
                COLUMNS,
                "PARTITIONED BY (p)",
                options + ", 'write.operation' = 'bulk_insert', 'write.tasks' = '3'")
            // Flink 2 starts what commits only after a task that ends before it.
            .set("pipeline.operator-chaining.enabled", "false")
            .create(
                "CREATE TEMPORARY TABLE g (n BIGINT) WITH ('connector' = 'datagen',"
                    + " 'number-of-rows' = '100', 'fields.n.kind' = 'sequence',"
                    + " 'fields.n.start' = '1', 'fields.n.end' = '100')");
    bulk.insertInBatch(
        "INSERT INTO t SELECT 'k' || CAST(n AS STRING), 'a', 1,"
            + " CASE WHEN MOD(n, 2) = 0 THEN 'p1' ELSE 'p2' END FROM g");
    SqlSession stream = session(COLUMNS, "PARTITIONED BY (p)", options);
    stream.create(
        "CREATE TEMPORARY TABLE g (n BIGINT) WITH ('connector' = 'datagen',"
            + " 'number-of-rows' = '51', 'fields.n.kind' = 'sequence',"
            + " 'fields.n.start' = '1', 'fields.n.end' = '51')");
    stream.insert(
        "INSERT INTO t SELECT 'k' || CAST(CASE WHEN n = 51 THEN 102 ELSE n END AS STRING),"
            + " CASE WHEN n = 51 THEN 'c' ELSE 'b' END, 2,"
            + " CASE WHEN MOD(n, 2) = 0 OR n = 51 THEN 'p1' ELSE 'p2' END FROM g");
    assertThat(stream.query("SELECT v, COUNT(*), COUNT(DISTINCT id) FROM t GROUP BY v"))
        .containsExactly("a,50,50", "b,50,50", "c,1,1");
  }
}
