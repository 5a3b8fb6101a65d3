package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.testkit.Fixtures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * What people try first: a DDL that was written for Hudi, with all the options that are usual
 * there; tables that Hudi has made; and the mistakes that are made with them. Each answer names the
 * table or the option, the values, and a way out.
 */
class FirstStatementsTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  private static final String COLUMNS =
      "id STRING, v STRING, ts BIGINT, p STRING, PRIMARY KEY (id) NOT ENFORCED";
  private static final String BY_P = "PARTITIONED BY (p)";
  private static final String ROW = "INSERT INTO t VALUES ('k1', 'x', 1, 'p1')";
  private static final String ORDERS =
      "order_id BIGINT, user_id STRING, amount DECIMAL(10, 2), status STRING, ts BIGINT, dt STRING,"
          + " PRIMARY KEY (order_id) NOT ENFORCED";
  private static final String ORDER =
      "INSERT INTO t VALUES (15001, 'u1', 1.00, 'DONE', 9000, '2025-10-18')";

  @TempDir private Path folder;

  private static SqlSession on(Path path, String columns, String partitionedBy, String options) {
    return SqlSession.open()
        .create(
            "CREATE TABLE t (%s) %s WITH ('connector' = 'hudi-lite', 'path' = '%s'%s)"
                .formatted(
                    columns, partitionedBy, path.toUri(), options.isEmpty() ? "" : ", " + options));
  }

  private SqlSession orders(Path table, String options) {
    return on(table, ORDERS, "PARTITIONED BY (dt)", options);
  }

  /** The message of what we throw, for the first of the statements that fails. */
  private static String answer(SqlSession sql, String statement) {
    Throwable thrown = catchThrowable(() -> sql.insert(statement));
    assertThat(thrown).as(statement).isNotNull();
    return ExceptionUtils.findThrowable(thrown, HudiTableException.class)
        .orElseThrow(() -> new AssertionError("Another error", thrown))
        .getMessage();
  }

  @Test
  void ddlOfHudiWithAllThatIsUsualWritesAndReads() throws Exception {
    Map<String, String> options = new TreeMap<>();
    options.put("table.type", "MERGE_ON_READ");
    options.put("hoodie.datasource.write.recordkey.field", "id");
    options.put("hoodie.datasource.write.hive_style_partitioning", "true");
    options.put(
        "hoodie.datasource.write.keygenerator.class",
        "org.apache.hudi.keygen.ComplexAvroKeyGenerator");
    options.put("hoodie.datasource.write.keygenerator.type", "COMPLEX");
    options.put("precombine.field", "ts");
    options.put("write.operation", "upsert");
    options.put("write.tasks", "2");
    options.put("write.bucket_assign.tasks", "2");
    options.put("write.task.max.size", "512");
    options.put("write.batch.size", "64");
    options.put("write.rate.limit", "20000");
    options.put("write.merge.max_memory", "256");
    options.put("index.type", "FLINK_STATE");
    options.put("index.bootstrap.enabled", "true");
    options.put("index.global.enabled", "true");
    options.put("index.state.ttl", "0");
    options.put("compaction.async.enabled", "true");
    options.put("compaction.schedule.enabled", "true");
    options.put("compaction.trigger.strategy", "num_commits");
    options.put("compaction.delta_commits", "3");
    options.put("compaction.tasks", "2");
    options.put("compaction.max_memory", "1024");
    options.put("clean.async.enabled", "true");
    options.put("clean.retain_commits", "10");
    options.put("archive.min_commits", "20");
    options.put("archive.max_commits", "30");
    options.put("hive_sync.enable", "false");
    options.put("hive_sync.mode", "hms");
    options.put("hive_sync.metastore.uris", "thrift://metastore:9083");
    options.put("hive_sync.db", "sales");
    options.put("hive_sync.table", "orders");
    options.put("read.streaming.enabled", "false");
    options.put("read.streaming.check-interval", "4");
    options.put("read.streaming.start-commit", "earliest");
    options.put("read.tasks", "2");
    options.put("changelog.enabled", "true");
    options.put("metadata.enabled", "false");
    options.put(
        "hoodie.write.lock.provider",
        "org.apache.hudi.client.transaction.lock.InProcessLockProvider");
    options.put("hoodie.metrics.on", "false");
    options.put("hoodie.parquet.max.file.size", "134217728");
    StringBuilder text = new StringBuilder();
    options.forEach(
        (key, value) ->
            text.append(text.isEmpty() ? "" : ", ").append("'%s' = '%s'".formatted(key, value)));
    SqlSession sql = on(folder.resolve("t"), COLUMNS, BY_P, text.toString());
    sql.insert(ROW);
    sql.insert("INSERT INTO t VALUES ('k1', 'y', 2, 'p1'), ('k2', 'x', 1, 'p2')");
    assertThat(sql.query("SELECT * FROM t")).containsExactly("k1,y,2,p1", "k2,x,1,p2");
    assertThat(folder.resolve("t/p=p1")).exists();
  }

  @Test
  void tableOfHudiIsWrittenOnWithoutRepeatingWhatItSays() throws Exception {
    SqlSession sql = orders(Fixtures.unpack("mor_compacted", folder), "");
    sql.insert(ORDER);
    assertThat(sql.query("SELECT status FROM t WHERE order_id = 15001")).containsExactly("DONE");
  }

  @Test
  void bucketsOfHudisTablesAreKeptToOrRefusedWithBothNumbers() throws Exception {
    Path table = Fixtures.unpack("mor_bucket_index", folder);
    assertThat(answer(orders(table, ""), ORDER))
        .contains("called as buckets are")
        .contains("Set 'index.type' to BUCKET")
        .contains("'hoodie.bucket.index.num.buckets'");
    assertThat(
            answer(
                orders(table, "'index.type' = 'BUCKET', 'hoodie.bucket.index.num.buckets' = '8'"),
                ORDER))
        .contains("has 4 buckets in partition 'dt=2025-10-18'")
        .contains("'hoodie.bucket.index.num.buckets' is 8");
    SqlSession right =
        orders(table, "'index.type' = 'BUCKET', 'hoodie.bucket.index.num.buckets' = '4'");
    right.insert(ORDER);
    String query = "SELECT status FROM t WHERE order_id = 15001";
    assertThat(right.query(query)).containsExactly("DONE");
  }

  /** Hudi 1.1 keeps them in a file of their own. */
  @Test
  void bucketsByPartitionOfHudisTablesAreTakenFromTheTable() throws Exception {
    Path table = Fixtures.unpack("cow_bucket_index", folder);
    Path configs = table.resolve(".hoodie/.bucket_index/partition_bucket_index_meta/configs");
    Files.createDirectories(configs);
    Files.writeString(
        configs.resolve("00000000000000.hashing_config"),
        "{\"expressions\":\"dt=2026.*,2\",\"defaultBucketNumber\":4,\"rule\":\"regex\","
            + "\"version\":1,\"instant\":\"00000000000000\"}");
    SqlSession sql = orders(table, "");
    sql.insert(
        ORDER.replace(
            "(15001",
            "(1, 'u', 1.00, 'NEW', 1, '2026-01-01'), (2, 'u', 1.00, 'NEW', 1,"
                + " '2026-01-01'), (3, 'u', 1.00, 'NEW', 1, '2026-01-01'), (15001"));
    assertThat(sql.query("SELECT status FROM t WHERE order_id = 15001")).containsExactly("DONE");
    assertThat(sql.query("SELECT COUNT(*) FROM t WHERE dt = '2026-01-01'")).containsExactly("3");
    try (var files = Files.list(table.resolve("dt=2026-01-01"))) {
      assertThat(files.map(file -> file.getFileName().toString().substring(0, 8)))
          .filteredOn(name -> name.startsWith("0"))
          .isSubsetOf("00000000", "00000001");
    }
    assertThat(
            answer(
                orders(
                    table,
                    "'index.type' = 'BUCKET',"
                        + " 'hoodie.bucket.index.partition.expressions' = 'dt=2026.*,16'"),
                ORDER))
        .contains("'dt=2026.*,16'")
        .contains("'dt=2026.*,2'");
    assertThat(answer(orders(table, "'index.type' = 'FLINK_STATE'"), ORDER))
        .contains("is in dt=2026.*,2; else 4 buckets")
        .contains("Set 'index.type' to BUCKET");
  }

  @Test
  void otherDeclarationsOfATableAreRefusedWithBothValues() throws Exception {
    Path table = folder.resolve("t");
    on(table, COLUMNS, BY_P, "'table.type' = 'MERGE_ON_READ', 'ordering.fields' = 'ts'")
        .insert(ROW);
    Map<String, String[]> answers =
        Map.of(
            "'table.type' = 'COPY_ON_WRITE'",
            new String[] {"COPY_ON_WRITE", "MERGE_ON_READ"},
            "'hoodie.datasource.write.hive_style_partitioning' = 'true'",
            new String[] {"is 'true' in the declaration, but 'false' in the table"},
            "'hoodie.write.record.merge.mode' = 'COMMIT_TIME_ORDERING', 'ordering.fields' = 'ts'",
            new String[] {"COMMIT_TIME_ORDERING", "EVENT_TIME_ORDERING"},
            "'payload.class' = 'PartialUpdateAvroPayload'",
            new String[] {"PartialUpdateAvroPayload", "DefaultHoodieRecordPayload"},
            "'ordering.fields' = 'v'",
            new String[] {"is 'v' in the declaration, but 'ts' in the table"},
            "'ordering.fields' = 'no_precombine'",
            new String[] {"COMMIT_TIME_ORDERING", "EVENT_TIME_ORDERING"});
    answers.forEach(
        (options, parts) -> {
          String answer = answer(on(table, COLUMNS, BY_P, options), ROW);
          assertThat(answer).as(options).contains(table.getFileName().toString()).contains(parts);
          assertThat(answer).contains("or give another path for a new table");
        });
    assertThat(answer(on(table, COLUMNS, BY_P, "'index.type' = 'BUCKET'"), ROW))
        .contains("'index.type'")
        .contains("FLINK_STATE");
    on(table, COLUMNS, "", "").insert(ROW.replace("'x', 1", "'y', 2"));
    assertThat(on(table, COLUMNS, "", "").query("SELECT v FROM t")).containsExactly("y");
  }

  @Test
  void rowsThatCannotBeWrittenAreToldOfByTableColumnAndWayOut() {
    String keyOption = "'hoodie.datasource.write.recordkey.field' = 'id'";
    assertThat(
            answer(
                on(folder.resolve("a"), "id STRING, v STRING", "", keyOption),
                "INSERT INTO t VALUES (CAST(NULL AS STRING), 'x')"))
        .contains("Table 't'")
        .contains("'id' is null")
        .contains("COALESCE");
    assertThat(
            answer(
                on(folder.resolve("b"), COLUMNS, BY_P, "'ordering.fields' = 'ts'"),
                "INSERT INTO t VALUES ('k', 'x', CAST(NULL AS BIGINT), 'p1')"))
        .contains("Table 't'")
        .contains("'k'")
        .contains("'ts'")
        .contains("'hoodie.write.record.merge.mode'");
  }

  /** Before the table is made: with a wrong one at the path the right DDL would be refused, too. */
  @Test
  void columnsThatCannotHaveTheirRoleAreRefusedBeforeTheTableIsMade() throws Exception {
    Path table = folder.resolve("t");
    String key = "id INT, ts %s, PRIMARY KEY (id) NOT ENFORCED";
    String array = "INSERT INTO t SELECT 1, ARRAY[1]";
    assertThat(
            answer(on(table, key.formatted("ARRAY<INT>"), "", "'ordering.fields' = 'ts'"), array))
        .contains("The ordering field 'ts' has the type ARRAY<INT>")
        .contains("'hoodie.write.record.merge.mode' to COMMIT_TIME_ORDERING");
    assertThat(answer(on(table, key.formatted("ARRAY<INT>"), "PARTITIONED BY (ts)", ""), array))
        .contains("The partition field 'ts' has the type ARRAY<INT>")
        .contains("CAST it to STRING");
    assertThat(
            answer(
                on(table, "id ARRAY<INT>, v INT, PRIMARY KEY (id) NOT ENFORCED", "", ""),
                "INSERT INTO t SELECT ARRAY[1], 1"))
        .contains("The record key field 'id' has the type ARRAY<INT>")
        .contains("CAST it to STRING");
    assertThat(table).doesNotExist();
    on(table, key.formatted("BIGINT"), "", "'ordering.fields' = 'ts'")
        .insert("INSERT INTO t VALUES (1, 1)");
  }

  @Test
  void pathsThatAreNotWholeAreRefused() {
    for (String path : new String[] {"orders", "./orders", "file:orders"}) {
      for (String statement : new String[] {ROW, "INSERT INTO s SELECT * FROM t"}) {
        assertThat(answer(at(path), statement))
            .contains("'path'='" + path + "' is relative")
            .contains("such as file:///data/orders");
      }
    }
    assertThat(answer(at("file://tmp/orders"), ROW))
        .contains("'tmp' as a host")
        .contains("Write file:///tmp/orders.");
  }

  private static SqlSession at(String path) {
    return SqlSession.open()
        .create("CREATE TABLE s (%s) WITH ('connector' = 'blackhole')".formatted(COLUMNS))
        .create(
            "CREATE TABLE t (%s) WITH ('connector' = 'hudi-lite', 'path' = '%s')"
                .formatted(COLUMNS, path));
  }

  @Test
  void foldersWithoutRightsAreToldWithTheWayOut() {
    Throwable thrown =
        catchThrowable(() -> on(Path.of("/proc/no-rights"), COLUMNS, BY_P, "").insert(ROW));
    assertThat(thrown)
        .hasStackTraceContaining("/proc/no-rights")
        .satisfiesAnyOf(
            t ->
                assertThat(t)
                    .hasStackTraceContaining("check the path, and that the JobManager may"),
            t ->
                assertThat(t)
                    .hasStackTraceContaining("Change its permissions or use another path"));
  }
}
