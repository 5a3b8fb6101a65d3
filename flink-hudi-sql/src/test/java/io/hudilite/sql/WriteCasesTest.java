package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.testkit.Compactions;
import io.hudilite.core.testkit.LogLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures that users of other connectors reported of writing, and errors at planning. */
class WriteCasesTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  private static final String COLUMNS =
      "id STRING, v STRING, ts BIGINT, p STRING, PRIMARY KEY (id) NOT ENFORCED";

  @TempDir private Path folder;

  private SqlSession session(String columns, String moreOptions) {
    return session(columns, "PARTITIONED BY (p)", "'table.type' = 'MERGE_ON_READ'" + moreOptions);
  }

  private SqlSession session(String columns, String partitionedBy, String options) {
    return SqlSession.open()
        .create(
            "CREATE TABLE t (%s) %s WITH ('connector' = 'hudi-lite', 'path' = '%s', %s)"
                .formatted(columns, partitionedBy, folder.resolve("t").toUri(), options));
  }

  private static final String FIVE =
      "INSERT INTO t VALUES ('k1', 'x', 1, 'p1'), ('k2', 'x', 1, 'p1'), ('k3', 'x', 1, 'p1'),"
          + " ('k4', 'x', 1, 'p1'), ('k5', 'x', 1, 'p1')";

  @Test
  void f05aLastRowsOfAStreamAreCommittedBeforeTheFirstCheckpoint() throws Exception {
    SqlSession sql =
        session(COLUMNS, ", 'ordering.fields' = 'ts'")
            .set("execution.checkpointing.interval", "10 min");
    sql.insert(FIVE);
    assertThat(sql.query("SELECT COUNT(*) FROM t")).containsExactly("5");
  }

  @Test
  void f05bIdleWritersOfABatchJobDoNoHarm() throws Exception {
    SqlSession sql = session(COLUMNS, ", 'ordering.fields' = 'ts', 'write.tasks' = '4'");
    sql.insertInBatch(FIVE);
    assertThat(sql.query("SELECT COUNT(*) FROM t")).containsExactly("5");
  }

  @Test
  void f05cBatchJobWithoutRowsLeavesAnEmptyTable() throws Exception {
    SqlSession sql = session(COLUMNS, "");
    sql.insertInBatch(
        "INSERT INTO t SELECT * FROM (VALUES ('k1', 'x', CAST(1 AS BIGINT), 'p1'))"
            + " AS v (id, v, ts, p) WHERE CHAR_LENGTH(v) > 1");
    assertThat(sql.query("SELECT * FROM t")).isEmpty();
    sql.insertInBatch(FIVE);
    assertThat(sql.query("SELECT COUNT(*) FROM t")).containsExactly("5");
  }

  @Test
  void f05dEndlessInputWithoutCheckpointsIsRefused() {
    SqlSession sql =
        session(COLUMNS, "")
            .withoutCheckpoints()
            .create(
                "CREATE TABLE endless (id STRING, v STRING, ts BIGINT, p STRING)"
                    + " WITH ('connector' = 'datagen', 'rows-per-second' = '1')");
    assertThatThrownBy(() -> sql.insert("INSERT INTO t SELECT * FROM endless"))
        .hasStackTraceContaining("execution.checkpointing.interval");
  }

  @Test
  void f21bWithoutAnOrderingFieldTheLaterWriteWins() throws Exception {
    SqlSession sql = session(COLUMNS, "");
    sql.insert("INSERT INTO t VALUES ('k2', 'x', 9, 'p')");
    sql.insert("INSERT INTO t VALUES ('k2', 'y', 1, 'p')");
    assertThat(sql.query("SELECT v, ts FROM t")).containsExactly("y,1");
  }

  /** Row 18 of the requirements: and the mode that was chosen stands once in the log. */
  @ParameterizedTest
  @ValueSource(strings = {"insert", "upsert"})
  void row18OperationsNeedNoOrderingColumnAndTellTheModeOnce(String operation) throws Exception {
    SqlSession sql =
        session(
            "id STRING, v STRING, p STRING, PRIMARY KEY (id) NOT ENFORCED",
            ", 'write.operation' = '" + operation + "'");
    try (LogLines lines = LogLines.of(HudiDynamicSink.class.getName())) {
      sql.insert("INSERT INTO t VALUES ('k1', 'a', 'p1')");
      assertThat(lines.texts())
          .filteredOn(text -> text.contains("hoodie.write.record.merge.mode"))
          .singleElement()
          .asString()
          .contains(
              "hoodie.write.record.merge.mode = COMMIT_TIME_ORDERING (columns of the DDL)",
              "write.operation = " + operation);
    }
    sql.insert("INSERT INTO t VALUES ('k1', 'b', 'p1')");
    assertThat(sql.query("SELECT v FROM t"))
        .isEqualTo(operation.equals("insert") ? List.of("a", "b") : List.of("b"));
  }

  /** Whatever they say, a job without state knows all keys of the table. */
  @Test
  void keysAreLoadedWhateverTheOptionsOfTheBootstrapSay() throws Exception {
    session(COLUMNS, "").insert(FIVE);
    SqlSession sql =
        session(
            COLUMNS,
            ", 'index.bootstrap.enabled' = 'false', 'index.partition.regex' = 'p2',"
                + " 'index.bootstrap.rocksdb.path' = '/nowhere', 'write.index_bootstrap.tasks' = '3'");
    try (LogLines lines = LogLines.of(HudiDynamicSink.class.getName())) {
      sql.insert("INSERT INTO t VALUES ('k1', 'y', 2, 'p1'), ('k2', 'y', 2, 'p2')");
      assertThat(lines.texts())
          .filteredOn(text -> text.contains("has no effect"))
          .singleElement()
          .asString()
          .contains(
              "'index.partition.regex'='p2' has no effect. The keys of all partitions are loaded",
              "'index.bootstrap.rocksdb.path'='/nowhere' has no effect. Keys are loaded into Flink's",
              "'write.index_bootstrap.tasks'='3' has no effect. Keys are loaded by the tasks of");
    }
    assertThat(sql.query("SELECT id, v, p FROM t"))
        .containsExactly("k1,y,p1", "k2,y,p2", "k3,x,p1", "k4,x,p1", "k5,x,p1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge_on_read", "copy_on_write"})
  void f43LetterCaseReservedWordsMetadataColumns(String tableType) throws Exception {
    String columns =
        "`Id` INT, `order` INT, `partition` STRING, `Timestamp` BIGINT,"
            + " `_hoodie_commit_time` STRING METADATA VIRTUAL, PRIMARY KEY (`Id`) NOT ENFORCED";
    String options =
        "'table.type' = '%s', 'ordering.fields' = 'Timestamp', 'index.type' = '%s'"
            .formatted(tableType, tableType.startsWith("copy") ? "bucket" : "flink_state");
    SqlSession sql = session(columns, "PARTITIONED BY (`partition`)", options);
    sql.insert("INSERT INTO t VALUES (1, 10, 'x', 5)");
    assertThat(sql.query("SELECT CHAR_LENGTH(_hoodie_commit_time) FROM t")).containsExactly("17");
    sql.insert("INSERT INTO t VALUES (1, 11, 'x', 6)");
    assertThat(sql.query("SELECT `Id`, `order`, `partition`, `Timestamp` FROM t"))
        .containsExactly("1,11,x,6");
    assertThat(sql.query("SELECT CHAR_LENGTH(_hoodie_commit_time) FROM t")).containsExactly("17");
    if (tableType.equals("merge_on_read")) {
      Compactions.compact(Storages.of(folder.resolve("t").toString()));
      assertThat(sql.query("SELECT `order`, CHAR_LENGTH(_hoodie_commit_time) FROM t"))
          .containsExactly("11,17");
    }
    try (SqlSession.Following following =
        sql.follow(
            "SELECT `order`, CHAR_LENGTH(_hoodie_commit_time) FROM t /*+ OPTIONS("
                + "'read.streaming.enabled' = 'true', 'read.start-commit' = 'earliest') */")) {
      following.awaitRows("11,17");
    }

    SqlSession wrong =
        session(
            "`Id` INT, `order` INT",
            "",
            "'table.type' = 'MERGE_ON_READ', 'hoodie.datasource.write.recordkey.field' = 'ID'");
    assertThatThrownBy(() -> wrong.insert("INSERT INTO t VALUES (1, 1)"))
        .hasStackTraceContaining("[Id, order]")
        .hasStackTraceContaining("the nearest one is 'Id'");
    SqlSession bucket =
        session(columns, "PARTITIONED BY (`partition`)", options + ", 'index.type' = 'bloom'");
    assertThatThrownBy(() -> bucket.insert("INSERT INTO t VALUES (1, 1, 'x', 7)"))
        .hasStackTraceContaining("'index.type'='bloom'");
  }

  /** The only member of group a goes over to b. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT g, COUNT(*) FROM %s GROUP BY g",
        "SELECT l.g, r.n FROM (SELECT g, COUNT(*) AS n FROM %s GROUP BY g) AS l"
            + " LEFT JOIN (VALUES ('a', CAST(1 AS BIGINT)), ('b', 2)) AS r (g, n) ON l.g = r.g"
      })
  void f20WhatAQueryWithdrawsIsGone(String query) throws Exception {
    String members =
        "(SELECT id, LAST_VALUE(CAST(g AS STRING)) AS g FROM (VALUES (1, 'a'), (2, 'b'), (1, 'b')) AS v (id, g)"
            + " GROUP BY id)";
    for (String type : List.of("MERGE_ON_READ", "COPY_ON_WRITE")) {
      SqlSession sql =
          SqlSession.open()
              // Flink 2.3 wants an ON CONFLICT that Flink 1.20 does not know, unless told so.
              .set("table.exec.sink.require-on-conflict", "false")
              .create(
                  ("CREATE TABLE t (g STRING, n BIGINT, PRIMARY KEY (g) NOT ENFORCED) WITH ("
                          + "'connector' = 'hudi-lite', 'path' = '%s', 'table.type' = '%s',"
                          + " 'changelog.enabled' = '%s')")
                      .formatted(folder.resolve(type).toUri(), type, type.equals("MERGE_ON_READ")));
      sql.insert("INSERT INTO t " + query.formatted(members));
      assertThat(sql.query("SELECT * FROM t")).as(type).containsExactly("b,2");
    }
  }

  @Test
  void changesOfAQueryAreUpsertsAndDeletes() throws Exception {
    SqlSession sql =
        session(
            "p STRING, n BIGINT, PRIMARY KEY (p) NOT ENFORCED",
            "",
            "'table.type' = 'MERGE_ON_READ'");
    sql.insert(
        "INSERT INTO t SELECT p, COUNT(*) FROM (VALUES ('a'), ('b'), ('a')) AS v (p) GROUP BY p");
    assertThat(sql.query("SELECT * FROM t")).containsExactly("a,2", "b,1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"insert_overwrite", "delete"})
  void operationsOfOtherStatementsAreRefused(String operation) {
    refuses(
        session(COLUMNS, ", 'write.operation' = '" + operation + "'"),
        "'write.operation'='" + operation + "'",
        "upsert");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ordering.fields",
        "precombine.field",
        "write.precombine.field",
        "hoodie.datasource.write.precombine.field"
      })
  void row2GreatestOrderingValueOfABatchCounts(String option) throws Exception {
    SqlSession sql =
        session(
            "id INT, name STRING, price DOUBLE, ts BIGINT, PRIMARY KEY (id) NOT ENFORCED",
            "",
            "'table.type' = 'MERGE_ON_READ', '" + option + "' = 'ts'");
    sql.insert(
        "INSERT INTO t VALUES (7, 'name12', 1.21, 106), (7, 'name2', 2.22, 108),"
            + " (7, 'name3', 3.45, 107)");
    assertThat(sql.query("SELECT * FROM t")).containsExactly("7,name2,2.22,108");
  }

  // ---- planning ----

  private static void refuses(SqlSession sql, String... parts) {
    // Some of Flink's steps wrap what is thrown in them.
    var thrown =
        assertThatThrownBy(() -> sql.insert(FIVE))
            .satisfies(
                e ->
                    assertThat(ExceptionUtils.findThrowable(e, HudiTableException.class))
                        .isPresent());
    for (String part : parts) {
      thrown.hasStackTraceContaining(part);
    }
  }

  @Test
  void row40AnotherKeyThanTheTablesIsRefusedAndNoneIsInherited() throws Exception {
    session(COLUMNS, ", 'ordering.fields' = 'ts'").insert(FIVE);
    refuses(
        session(
            "id STRING, v STRING, ts BIGINT, p STRING, PRIMARY KEY (v) NOT ENFORCED",
            ", 'ordering.fields' = 'ts'"),
        "id",
        "'v'");
    refuses(session(COLUMNS, ", 'ordering.fields' = 'v'"), "ts");
    refuses(
        session(COLUMNS, ", 'hoodie.table.name' = 'users'"),
        "'hoodie.table.name' is 'users' in the declaration, but 't' in the table");
    refuses(
        session(COLUMNS, ", 'hoodie.write.record.merge.mode' = 'COMMIT_TIME_ORDERING'"),
        "EVENT_TIME");
    refuses(session(COLUMNS, "PARTITIONED BY (v)", "'table.type' = 'MERGE_ON_READ'"), "'p'", "'v'");
    refuses(
        session(COLUMNS, "PARTITIONED BY (p)", "'table.type' = 'COPY_ON_WRITE'"),
        "MERGE_ON_READ",
        "COPY_ON_WRITE");
    refuses(
        session("id STRING, v STRING, ts INT, p STRING, PRIMARY KEY (id) NOT ENFORCED", ""),
        "Column 'ts' is declared as INT, but BIGINT in the table");

    // What is not said is inherited.
    SqlSession inherits =
        session("id STRING, v STRING, ts BIGINT, p STRING", "", "'write.tasks' = '1'");
    inherits.insert("INSERT INTO t VALUES ('k1', 'late', 0, 'p1'), ('k6', 'new', 1, 'p2')");
    assertThat(inherits.query("SELECT id, v FROM t WHERE id IN ('k1', 'k6')"))
        .containsExactly("k1,x", "k6,new");
  }

  @Test
  void writesNeedAKey() {
    refuses(session("id STRING, v STRING, ts BIGINT, p STRING", ""), "PRIMARY KEY");
  }

  @Test
  void missingOrderingColumnIsNamedWithTheColumnsThereAre() {
    refuses(
        session(COLUMNS, ", 'ordering.fields' = 'tss'"),
        "'ordering.fields' names 'tss'",
        "[id, v, ts, p]",
        "the nearest one is 'ts'");
  }

  @Test
  void foldersThatAreNoTableAreRefused() throws Exception {
    Path table = folder.resolve("t");
    Files.createDirectories(table);
    Files.writeString(table.resolve("notes.txt"), "mine");
    refuses(session(COLUMNS, ""), "holds files, but no table");
    assertThatThrownBy(() -> session(COLUMNS, "").query("SELECT * FROM t"))
        .hasStackTraceContaining("there is no table at 'path'");
  }

  @Test
  void pathThroughAFileIsRefused() throws Exception {
    Files.writeString(folder.resolve("t"), "a file");
    refuses(session(COLUMNS, ""), "is a file");
  }

  @Test
  void tableVersionsThatAreUnknownAreRefused() throws Exception {
    session(COLUMNS, "").insert(FIVE);
    Path properties = folder.resolve("t/.hoodie/hoodie.properties");
    Files.writeString(
        properties,
        Files.readString(properties).replace("hoodie.table.version=8", "hoodie.table.version=12"));
    refuses(session(COLUMNS, ""), "12");
    assertThatThrownBy(() -> session(COLUMNS, "").query("SELECT * FROM t"))
        .hasStackTraceContaining("12");
  }

  @Test
  void streamingReadOfAKeyedTableNeedsThePrimaryKey() throws Exception {
    session(COLUMNS, "").insert(FIVE);
    SqlSession sql =
        session(
            "id STRING, v STRING, ts BIGINT, p STRING", "", "'read.streaming.enabled' = 'true'");
    assertThatThrownBy(() -> sql.follow("SELECT * FROM t"))
        .hasStackTraceContaining("PRIMARY KEY (id) NOT ENFORCED");
  }

  @Test
  void unknownOptionIsAnsweredByTheNearestOne() {
    refuses(session(COLUMNS, ", 'write.taks' = '2'"), "'write.taks'", "'write.tasks'");
  }
}
