package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroup;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.Compactions;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four commits of orders, looked at from all sides: folders, properties, timeline, meta columns,
 * and every kind of query.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrdersTableTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  private static final String U501 = "'u501', CAST(99.90 AS DECIMAL(10, 2))";
  private static final Pattern COMPLETED = Pattern.compile("(\\d{17})_(\\d{17})\\.deltacommit");

  private Path table;
  private Path copyOnWrite;
  private SqlSession sql;

  @BeforeAll
  void writeFourCommits(@TempDir Path folder) throws Exception {
    table = folder.resolve("orders");
    copyOnWrite = folder.resolve("copy_on_write");
    // A checkpoint could come between the rows of a statement, and make two commits of them.
    sql =
        SqlSession.open()
            .set("execution.checkpointing.interval", "10 min")
            .create(ddl("orders", ""))
            .create(ddl("copy_on_write", copyOnWrite, "COPY_ON_WRITE", ""));
    commit(
        "(15001, "
            + U501
            + ", 'CREATED', 1760783600000, '2025-10-18'),"
            + " (15002, 'u502', CAST(168.00 AS DECIMAL(10, 2)), 'CREATED', 1760783660000,"
            + " '2025-10-18')");
    commit(
        "(15001, "
            + U501
            + ", 'PAID', 1760783960000, '2025-10-18'),"
            + " (15003, 'u503', CAST(49.00 AS DECIMAL(10, 2)), 'CREATED', 1760784020000,"
            + " '2025-10-19')");
    commit("(15001, " + U501 + ", 'SHIPPED', 1760784260000, '2025-10-18')");
    commit("(15001, " + U501 + ", 'FINISHED', 1760784560000, '2025-10-18')");
  }

  private void commit(String rows) throws Exception {
    sql.insertAll(
        List.of("INSERT INTO orders VALUES " + rows, "INSERT INTO copy_on_write VALUES " + rows));
  }

  private String ddl(String name, String moreOptions) {
    return ddl(name, table, "MERGE_ON_READ", moreOptions);
  }

  private static String ddl(String name, Path table, String type, String moreOptions) {
    return """
        CREATE TABLE %s (
          order_id INT, user_id STRING, amount DECIMAL(10, 2), status STRING, ts BIGINT, dt STRING,
          commit_time STRING METADATA FROM '_hoodie_commit_time' VIRTUAL,
          seqno STRING METADATA FROM '_hoodie_commit_seqno' VIRTUAL,
          record_key STRING METADATA FROM '_hoodie_record_key' VIRTUAL,
          partition_path STRING METADATA FROM '_hoodie_partition_path' VIRTUAL,
          file_name STRING METADATA FROM '_hoodie_file_name' VIRTUAL,
          PRIMARY KEY (order_id) NOT ENFORCED
        ) PARTITIONED BY (dt) WITH (
          'connector' = 'hudi-lite', 'path' = '%s', 'table.type' = '%s',
          'ordering.fields' = 'ts'%s)
        """
        .formatted(name, table.toUri(), type, moreOptions);
  }

  private SqlSession with(String moreOptions) {
    return SqlSession.open().create(ddl("orders", moreOptions));
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private List<String> commits() throws IOException {
    return names(table.resolve(".hoodie/timeline")).stream()
        .filter(name -> COMPLETED.matcher(name).matches())
        .toList();
  }

  /** Requested time of the n-th commit, from 1. */
  private String commit(int n) throws IOException {
    return commits().get(n - 1).substring(0, 17);
  }

  private static String start(Path file, int bytes) throws IOException {
    return new String(Files.readAllBytes(file), 0, bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  void row25KeyAndPartitionIdentifyARow() throws Exception {
    assertThat(sql.query("SELECT record_key, partition_path FROM orders"))
        .containsExactly("15001,2025-10-18", "15002,2025-10-18", "15003,2025-10-19");
  }

  @Test
  void row35And36FoldersHoldOneBaseFileAndALogForEachUpdate() throws Exception {
    List<String> first = names(table.resolve("2025-10-18"));
    assertThat(first).hasSize(5).contains(".hoodie_partition_metadata");
    List<LogFileName> logs =
        first.stream().flatMap(name -> LogFileName.parse(name).stream()).toList();
    List<BaseFileName> bases =
        first.stream().flatMap(name -> BaseFileName.parse(name).stream()).toList();
    assertThat(bases).hasSize(1);
    assertThat(logs).hasSize(3);
    assertThat(logs).extracting(LogFileName::fileId).containsOnly(bases.get(0).fileId());
    assertThat(logs).extracting(LogFileName::version).containsOnly(1);
    assertThat(logs)
        .extracting(log -> log.instant().toString())
        .containsExactly(commit(2), commit(3), commit(4));
    assertThat(bases.get(0).instant()).isEqualTo(new InstantTime(commit(1)));

    List<String> second = names(table.resolve("2025-10-19"));
    assertThat(second).hasSize(2).contains(".hoodie_partition_metadata");
    assertThat(second.stream().flatMap(name -> BaseFileName.parse(name).stream())).hasSize(1);
  }

  @Test
  void row34CopyOnWriteMakesAVersionOfTheBaseFileWithEachUpdate() throws Exception {
    List<BaseFileName> versions =
        names(copyOnWrite.resolve("2025-10-18")).stream()
            .peek(name -> assertThat(LogFileName.parse(name)).as(name).isEmpty())
            .flatMap(name -> BaseFileName.parse(name).stream())
            .toList();
    assertThat(versions)
        .hasSize(4)
        .extracting(BaseFileName::fileId)
        .containsOnly(versions.get(0).fileId());
    assertThat(versions.stream().map(BaseFileName::instant).distinct()).hasSize(4);
    assertThat(
            names(copyOnWrite.resolve("2025-10-19")).stream()
                .flatMap(name -> BaseFileName.parse(name).stream()))
        .hasSize(1);
    assertThat(
            names(copyOnWrite.resolve(".hoodie/timeline")).stream()
                .filter(name -> name.endsWith(".commit")))
        .as("row 43")
        .hasSize(4);
    assertThat(sql.query("SELECT order_id, status FROM copy_on_write"))
        .containsExactly("15001,FINISHED", "15002,CREATED", "15003,CREATED");
  }

  @Test
  void row36ACompactionBeginsASecondSliceOfTheGroup(@TempDir Path folder) throws Exception {
    Path copy = folder.resolve("compacted");
    try (Stream<Path> files = Files.walk(table)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(table.relativize(file)));
      }
    }
    Storage storage = Storages.of(copy.toString());
    assertThat(slices(storage)).hasSize(1);
    Compactions.compact(storage);
    assertThat(slices(storage)).hasSize(2);
    SqlSession compacted =
        SqlSession.open()
            .create(
                ddl(
                    "orders",
                    copy,
                    "MERGE_ON_READ",
                    ", 'hoodie.datasource.query.type' = 'read_optimized'"));
    assertThat(compacted.query("SELECT order_id, status FROM orders"))
        .containsExactly("15001,FINISHED", "15002,CREATED", "15003,CREATED");
  }

  /** Of the one file group of the first day. */
  private static List<FileSlice> slices(Storage storage) throws IOException {
    List<FileGroup> groups = HudiTable.open(storage).view().fileGroups("2025-10-18");
    assertThat(groups).hasSize(1);
    return groups.get(0).slices();
  }

  @Test
  void row37BaseFilesAreParquetAndLogFilesAreLogs() throws Exception {
    for (String name : names(table.resolve("2025-10-18"))) {
      Path file = table.resolve("2025-10-18").resolve(name);
      if (BaseFileName.parse(name).isPresent()) {
        assertThat(start(file, 4)).isEqualTo("PAR1");
      } else if (LogFileName.parse(name).isPresent()) {
        assertThat(start(file, 6)).isEqualTo("#HUDI#");
      }
    }
  }

  @Test
  void row38FileNameOfARowInALogIsItsFileGroup() throws Exception {
    List<String> rows = sql.query("SELECT order_id, file_name FROM orders");
    assertThat(rows.get(0)).matches("15001,[0-9a-f-]{36}-0");
    assertThat(rows.get(1)).matches("15002,[0-9a-f-]{36}-0_.+\\.parquet");
    assertThat(rows.get(2)).matches("15003,[0-9a-f-]{36}-0_.+\\.parquet");
    assertThat(sql.query("SELECT commit_time FROM orders WHERE order_id = 15001"))
        .containsExactly(commit(4));
    assertThat(sql.query("SELECT COUNT(*) FROM orders WHERE seqno IS NULL")).containsExactly("0");
  }

  @Test
  void row39PropertiesTellWhatTheTableIs() throws Exception {
    Properties properties = new Properties();
    try (var in = Files.newInputStream(table.resolve(".hoodie/hoodie.properties"))) {
      properties.load(in);
    }
    assertThat(properties)
        .containsEntry("hoodie.table.name", "orders")
        .containsEntry("hoodie.table.type", "MERGE_ON_READ")
        .containsEntry("hoodie.table.recordkey.fields", "order_id")
        .containsEntry("hoodie.table.partition.fields", "dt")
        .containsEntry("hoodie.table.precombine.field", "ts")
        .containsEntry("hoodie.record.merge.mode", "EVENT_TIME_ORDERING")
        .containsEntry("hoodie.table.version", "8")
        .doesNotContainKey("hoodie.database.name");
  }

  @Test
  void row41To43TimelineHasThreeFilesAnInstantWithRisingTimes() throws Exception {
    List<String> files = new ArrayList<>(names(table.resolve(".hoodie/timeline")));
    assertThat(files).contains("history").hasSize(13);
    assertThat(files.stream().filter(name -> name.endsWith(".deltacommit.requested"))).hasSize(4);
    assertThat(files.stream().filter(name -> name.endsWith(".deltacommit.inflight"))).hasSize(4);
    assertThat(commits()).hasSize(4);
    String last = "";
    for (String name : commits()) {
      Matcher matcher = COMPLETED.matcher(name);
      assertThat(matcher.matches()).isTrue();
      assertThat(matcher.group(1)).isGreaterThan(last);
      assertThat(matcher.group(2)).isGreaterThan(matcher.group(1));
      last = matcher.group(2);
    }
  }

  @Test
  void row44StrayFilesAreNotRead() throws Exception {
    List<String> before = sql.query("SELECT order_id, status FROM orders");
    Path partition = table.resolve("2025-10-18");
    String base =
        names(partition).stream()
            .filter(name -> BaseFileName.parse(name).isPresent())
            .findFirst()
            .orElseThrow();
    Path stray =
        partition.resolve("00000000-0000-0000-0000-000000000000-0_0-1-0_20991231235959999.parquet");
    Files.copy(partition.resolve(base), stray);
    try {
      assertThat(sql.query("SELECT order_id, status FROM orders")).isEqualTo(before);
    } finally {
      Files.delete(stray);
    }
  }

  @Test
  void row57SnapshotIsTheNewestStateOfEachKey() throws Exception {
    assertThat(sql.query("SELECT order_id, user_id, amount, status, ts, dt FROM orders"))
        .containsExactly(
            "15001,u501,99.90,FINISHED,1760784560000,2025-10-18",
            "15002,u502,168.00,CREATED,1760783660000,2025-10-18",
            "15003,u503,49.00,CREATED,1760784020000,2025-10-19");
  }

  @Test
  void row57ReadOptimizedSeesBaseFilesOnly() throws Exception {
    assertThat(
            with(", 'hoodie.datasource.query.type' = 'read_optimized'")
                .query("SELECT order_id, status FROM orders"))
        .containsExactly("15001,CREATED", "15002,CREATED", "15003,CREATED");
  }

  @Test
  void row57IncrementalReadGivesTheKeysThatChanged() throws Exception {
    assertThat(
            with(", 'hoodie.datasource.query.type' = 'incremental', 'read.start-commit' = '"
                    + commit(2)
                    + "'")
                .query("SELECT order_id, status FROM orders"))
        .containsExactly("15001,FINISHED", "15003,CREATED");
  }

  @Test
  void row57StreamFromEarliestEndsOnTheSnapshot() throws Exception {
    try (SqlSession.Following following =
        with(", 'read.streaming.enabled' = 'true', 'read.start-commit' = 'earliest',"
                + " 'read.streaming.check-interval' = '1'")
            .follow("SELECT order_id, status FROM orders")) {
      following.awaitRows("15001,FINISHED", "15002,CREATED", "15003,CREATED");
    }
  }

  @Test
  void row47TableCanBeReadAsOfACommit() throws Exception {
    assertThat(
            with(", 'read.end-commit' = '" + commit(2) + "'")
                .query("SELECT order_id, status FROM orders"))
        .containsExactly("15001,PAID", "15002,CREATED", "15003,CREATED");
    assertThat(
            with(", 'read.end-commit' = '" + commit(1) + "'")
                .query("SELECT order_id, status FROM orders"))
        .containsExactly("15001,CREATED", "15002,CREATED");
  }
}
