package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.lease.LeaseHolder;
import io.hudilite.core.lease.WriterLease;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.catalog.CatalogDatabase;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Databases and tables of a catalog, as a user of SQL has them. */
class CatalogTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  private static final String ORDERS =
      "CREATE TABLE orders (id STRING, amount DECIMAL(10, 2), ts TIMESTAMP(3), dt STRING,"
          + " PRIMARY KEY (id) NOT ENFORCED) COMMENT 'what was bought' PARTITIONED BY (dt) WITH ("
          + "'table.type' = 'MERGE_ON_READ', 'ordering.fields' = 'ts',"
          + " 'compaction.delta_commits' = '7')";

  @TempDir Path folder;
  private SqlSession sql;
  private TableEnvironment tables;

  @BeforeEach
  void open() {
    sql =
        SqlSession.open()
            .create(
                "CREATE CATALOG lake WITH ('type' = 'hudi-lite', 'catalog.path' = '%s')"
                    .formatted(folder.toUri()))
            .create("USE CATALOG lake");
    tables = sql.batch();
  }

  private List<String> rows(String statement) throws Exception {
    List<String> rows = new ArrayList<>();
    try (CloseableIterator<Row> iterator = tables.executeSql(statement).collect()) {
      iterator.forEachRemaining(row -> rows.add(SqlSession.text(row)));
    }
    return rows;
  }

  private void refused(String statement, String... parts) {
    assertThatThrownBy(() -> tables.executeSql(statement))
        .satisfies(
            e -> {
              for (String part : parts) {
                assertThat(e).hasStackTraceContaining(part);
              }
            });
  }

  private TableConfig config(String table) throws Exception {
    return TableConfigStore.load(Storages.of(folder.resolve(table).toString()));
  }

  @Test
  void databasesAreFoldersWithCommentAndProperties() throws Exception {
    assertThat(rows("SHOW DATABASES")).containsExactly("default");
    tables.executeSql("CREATE DATABASE sales COMMENT 'of shops' WITH ('owner' = 'me')");
    tables.executeSql("CREATE DATABASE IF NOT EXISTS sales");
    tables.executeSql("ALTER DATABASE sales SET ('owner' = 'you')");
    assertThat(rows("SHOW DATABASES")).containsExactlyInAnyOrder("default", "sales");
    CatalogDatabase sales = tables.getCatalog("lake").orElseThrow().getDatabase("sales");
    assertThat(sales.getComment()).isEqualTo("of shops");
    assertThat(sales.getProperties()).containsEntry("owner", "you");
    assertThat(folder.resolve("sales")).isDirectory();
    refused("CREATE DATABASE sales", "already exists");
    refused("CREATE DATABASE sys", "name under which its procedures are called");
    refused("CREATE DATABASE `a/b`", "cannot be called 'a/b'", "Use letters");
    refused("DROP DATABASE `default`", "default");
    refused("DROP DATABASE nothing", "does not exist");
    tables.executeSql("DROP DATABASE IF EXISTS nothing");
    tables.executeSql("CREATE TABLE sales.t (id INT PRIMARY KEY NOT ENFORCED)");
    refused("DROP DATABASE sales RESTRICT", "not empty");
    Files.writeString(folder.resolve("sales/mine.txt"), "x");
    refused("DROP DATABASE sales CASCADE", "mine.txt", "move or delete them first");
    Files.delete(folder.resolve("sales/mine.txt"));
    tables.executeSql("DROP DATABASE sales CASCADE");
    assertThat(folder.resolve("sales")).doesNotExist();
  }

  @Test
  void aTableCanBeReadAsItWasAtAMoment() throws Exception {
    tables = sql.set("table.local-time-zone", "Asia/Tokyo").batch();
    tables.executeSql("CREATE TABLE items (id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED)");
    tables.executeSql("INSERT INTO items VALUES (1, 'a'), (2, 'b')").await();
    HudiTable table = HudiTable.open(Storages.of(folder.resolve("default/items").toString()));
    long first =
        table.timeline().lastCompletion().orElseThrow().toMillis(table.config().timelineZone());
    String then =
        LocalDateTime.ofInstant(Instant.ofEpochMilli(first), ZoneId.of("Asia/Tokyo"))
            .format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS"));
    tables.executeSql("INSERT INTO items VALUES (2, 'c'), (3, 'd')").await();
    String query = "SELECT * FROM items";
    assertThat(rows(query)).containsExactlyInAnyOrder("1,a", "2,c", "3,d");
    assertThat(rows(query + " FOR SYSTEM_TIME AS OF TIMESTAMP '" + then + "'"))
        .containsExactlyInAnyOrder("1,a", "2,b");
    assertThat(rows(query + " FOR SYSTEM_TIME AS OF TIMESTAMP '2020-01-01 00:00:00'")).isEmpty();
  }

  @Test
  void aTableIsThereAtOnceAndKeepsItsOptions() throws Exception {
    tables.executeSql(ORDERS);
    TableConfig config = config("default/orders");
    assertThat(config.recordKeyFields()).containsExactly("id");
    assertThat(config.partitionFields()).containsExactly("dt");
    assertThat(config.orderingFields()).containsExactly("ts");
    assertThat(config.tableName()).isEqualTo("orders");
    assertThat(folder.resolve("default/orders/.hoodie/.aux/table_option.properties"))
        .content()
        .contains("pk.columns=id", "partition.columns=dt", "compaction.delta_commits=7")
        .doesNotContain("connector");
    assertThat(rows("SHOW TABLES")).containsExactly("orders");
    assertThat(rows("SELECT * FROM orders")).isEmpty();
    // Another session knows it, too.
    tables = sql.batch();
    assertThat(rows("SHOW CREATE TABLE orders").get(0))
        .contains(
            "`amount` DECIMAL(10, 2)",
            "`ts` TIMESTAMP(3)",
            "PRIMARY KEY (`id`) NOT ENFORCED",
            "PARTITIONED BY (`dt`)",
            "COMMENT 'what was bought'",
            "'ordering.fields' = 'ts'",
            "'compaction.delta_commits' = '7'");
    sql.insert(
        "INSERT INTO orders VALUES ('a', 1.5, TIMESTAMP '2026-01-01 00:00:01', 'd1'),"
            + " ('b', 2.5, TIMESTAMP '2026-01-01 00:00:01', 'd2')");
    assertThat(sql.query("SELECT id, amount, dt FROM orders"))
        .containsExactly("a,1.50,d1", "b,2.50,d2");
    assertThat(rows("SHOW PARTITIONS orders")).containsExactlyInAnyOrder("dt=d1", "dt=d2");
    assertThat(rows("SHOW PARTITIONS orders PARTITION (dt = 'd2')")).containsExactly("dt=d2");
    refused("CREATE TABLE orders (id INT PRIMARY KEY NOT ENFORCED)", "already exists");
    tables.executeSql("CREATE TABLE IF NOT EXISTS orders (id INT PRIMARY KEY NOT ENFORCED)");
    refused("ALTER TABLE orders ADD PARTITION (dt = 'd3')", "INSERT INTO it makes it");
    tables.executeSql("DROP TABLE orders");
    assertThat(folder.resolve("default/orders")).doesNotExist();
    refused("DROP TABLE orders", "does not exist");
    tables.executeSql("DROP TABLE IF EXISTS orders");
  }

  @Test
  void whatIsNoStoredColumnIsKeptToo() throws Exception {
    tables.executeSql(
        "CREATE TABLE t (id STRING COMMENT 'a name', n INT, twice AS n * 2, ts TIMESTAMP(3),"
            + " `_hoodie_commit_time` STRING METADATA VIRTUAL,"
            + " WATERMARK FOR ts AS ts - INTERVAL '5' SECOND, PRIMARY KEY (id) NOT ENFORCED)"
            + " WITH ('ordering.fields' = 'ts')");
    sql.insert("INSERT INTO t VALUES ('a', 21, TIMESTAMP '2026-01-01 00:00:01')");
    assertThat(sql.query("SELECT id, twice, CHAR_LENGTH(`_hoodie_commit_time`) FROM t"))
        .containsExactly("a,42,17");
    assertThat(rows("SHOW CREATE TABLE t").get(0)).contains("WATERMARK FOR `ts`", "'a name'");
  }

  @Test
  void columnsAreAddedAndWidened() throws Exception {
    tables.executeSql(
        "CREATE TABLE t (id STRING, n INT, p STRING, PRIMARY KEY (id) NOT ENFORCED)"
            + " PARTITIONED BY (p)");
    sql.insert("INSERT INTO t VALUES ('a', 1, 'p1'), ('b', 2, 'p1')");
    tables.executeSql("ALTER TABLE t ADD (note STRING COMMENT 'why' AFTER n, r ROW<x INT>)");
    assertThat(rows("SELECT * FROM t"))
        .containsExactlyInAnyOrder("a,1,null,p1,null", "b,2,null,p1,null");
    tables.executeSql("ALTER TABLE t MODIFY (n BIGINT, r ROW<x INT, y STRING>)");
    assertThat(rows("SHOW CREATE TABLE t").get(0))
        .contains("`n` BIGINT,\n  `note` VARCHAR(2147483647) COMMENT 'why',\n  `p`");
    sql.insert("INSERT INTO t VALUES ('b', 3000000000, 'new', 'p1', ROW(1, 'y'))");
    assertThat(rows("SELECT * FROM t"))
        .containsExactlyInAnyOrder("a,1,null,p1,null", "b,3000000000,new,p1,(1,y)");
    refused("ALTER TABLE t ADD m INT NOT NULL", "'m' INT NOT NULL is new", "cannot be NOT NULL");
    refused("ALTER TABLE t ADD NOTE STRING", "which has 'note'");
    refused("ALTER TABLE t DROP note", "has a column 'note' STRING that is not declared");
    refused("ALTER TABLE t RENAME note TO remark", "has a column 'note' STRING");
    refused("ALTER TABLE t MODIFY n INT", "'n' is declared as INT, but BIGINT in the table");
    refused("ALTER TABLE t MODIFY n BIGINT NOT NULL", "whether there may be nulls stays");
    Storage storage = Storages.of(folder.resolve("default/t").toString());
    int commits = HudiTable.open(storage).timeline().completedWrites().size();
    tables.executeSql("ALTER TABLE t MODIFY note VARCHAR(10)"); // stored alike
    assertThat(HudiTable.open(storage).timeline().completedWrites()).hasSize(commits);
  }

  @Test
  void optionsAreSetAndResetIfTheyFitTheTable() throws Exception {
    tables.executeSql(ORDERS);
    tables.executeSql("ALTER TABLE orders SET ('compaction.delta_commits' = '3')");
    assertThat(rows("SHOW CREATE TABLE orders").get(0))
        .contains("'compaction.delta_commits' = '3'", "what was bought");
    tables.executeSql("ALTER TABLE orders RESET ('compaction.delta_commits')");
    assertThat(rows("SHOW CREATE TABLE orders").get(0)).doesNotContain("delta_commits");
    refused("ALTER TABLE orders SET ('compaction.delta_commit' = '3')", "compaction.delta_commits");
    refused("ALTER TABLE orders SET ('table.type' = 'COPY_ON_WRITE')", "MERGE_ON_READ");
    refused("ALTER TABLE orders SET ('connector' = 'kafka')", "kafka", "CREATE TEMPORARY TABLE");
    refused("ALTER TABLE orders SET ('path' = '/tmp/other')", "cannot have 'path'");
    refused("ALTER TABLE orders DROP PRIMARY KEY", "primary key");
    refused(
        "ALTER TABLE orders MODIFY amount STRING",
        "'amount' is declared as STRING, but DECIMAL(10, 2) in the table");
    refused("ALTER TABLE nothing SET ('a' = 'b')", "nothing");
    tables.executeSql("ALTER TABLE IF EXISTS nothing SET ('a' = 'b')");
    assertThat(rows("SHOW CREATE TABLE orders").get(0)).contains("'table.type' = 'MERGE_ON_READ'");
  }

  @Test
  void tablesThatAreWrittenAreNeitherDroppedNorRenamed() throws Exception {
    tables.executeSql(ORDERS);
    Storage storage = Storages.of(folder.resolve("default/orders").toString());
    WriterLease lease =
        WriterLease.acquire(
            storage,
            new LeaseHolder("run", "nightly load", "process 1", "now", Duration.ofSeconds(60)),
            System::nanoTime,
            millis -> {});
    ScheduledExecutorService beats = Executors.newSingleThreadScheduledExecutor();
    try {
      var unused =
          beats.scheduleWithFixedDelay(
              () -> {
                try {
                  lease.beat();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              },
              0,
              50,
              TimeUnit.MILLISECONDS);
      refused("DROP TABLE orders", "nightly load", "Stop that job first");
      refused("ALTER TABLE orders RENAME TO bought", "nightly load");
    } finally {
      beats.shutdown();
      assertThat(beats.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }
    lease.release();
    tables.executeSql("ALTER TABLE orders RENAME TO bought");
    tables.executeSql("DROP TABLE bought");
    assertThat(rows("SHOW TABLES")).isEmpty();
  }

  @Test
  void tablesAreRenamedCopiedAndMadeOfQueries() throws Exception {
    tables.executeSql(ORDERS);
    sql.insert("INSERT INTO orders VALUES ('a', 1.5, TIMESTAMP '2026-01-01 00:00:01', 'd1')");
    tables.executeSql("CREATE TABLE copy WITH ('compaction.delta_commits' = '9') LIKE orders");
    assertThat(rows("SHOW CREATE TABLE copy").get(0))
        .contains("PRIMARY KEY (`id`)", "'compaction.delta_commits' = '9'");
    assertThat(rows("SELECT * FROM copy")).isEmpty();
    tables.executeSql("ALTER TABLE orders RENAME TO bought");
    assertThat(rows("SHOW TABLES")).containsExactly("bought", "copy");
    sql.insert("INSERT INTO bought VALUES ('b', 2.5, TIMESTAMP '2026-01-01 00:00:02', 'd1')");
    assertThat(sql.query("SELECT id FROM bought")).containsExactly("a", "b");
    refused("ALTER TABLE bought RENAME TO copy", "already exists");
    tables
        .executeSql(
            "CREATE TABLE sums WITH ('hoodie.datasource.write.recordkey.field' = 'dt')"
                + " AS SELECT dt, SUM(amount) AS total FROM bought GROUP BY dt")
        .await();
    assertThat(sql.query("SELECT dt, total FROM sums")).containsExactly("d1,4.00");
    assertThat(rows("SHOW CREATE TABLE sums").get(0)).contains("PRIMARY KEY (`dt`)");
  }

  @Test
  void whatIsNoTableOfHudiIsRefusedWithAdvice() {
    refused(
        "CREATE TABLE g (id INT) WITH ('connector' = 'datagen')",
        "'connector'='datagen'",
        "Use CREATE TEMPORARY TABLE");
    tables.executeSql(
        "CREATE TEMPORARY TABLE g (id INT) WITH ('connector' = 'datagen', 'number-of-rows' = '1')");
    tables.executeSql("SELECT * FROM g");
    refused("CREATE VIEW v AS SELECT 1", "CREATE TEMPORARY VIEW");
    refused("CREATE FUNCTION f AS 'a.B'", "CREATE TEMPORARY FUNCTION");
    refused(
        "CREATE TABLE t (id INT PRIMARY KEY NOT ENFORCED) WITH ('path' = '/tmp/x')",
        "Leave 'path' out");
    refused("CREATE TABLE `a b` (id INT PRIMARY KEY NOT ENFORCED)", "cannot be called 'a b'");
    refused(
        "CREATE TABLE t (id INT PRIMARY KEY NOT ENFORCED) WITH ('tabel.type' = 'x')", "table.type");
    refused("CREATE TABLE t (id INT, x TIME(0), PRIMARY KEY (id) NOT ENFORCED)", "TIME");
    refused("CREATE TABLE t (id INT)", "PRIMARY KEY");
    assertThat(folder.resolve("default/t/.hoodie/hoodie.properties")).doesNotExist();
    refused("CREATE CATALOG c WITH ('type' = 'hudi-lite')", "catalog.path");
    refused(
        "CREATE CATALOG c WITH ('type' = 'hudi-lite', 'catalog.path' = 'lake')",
        "Catalog c: 'catalog.path'='lake' is relative",
        "such as file:///data/orders");
    refused(
        "CREATE CATALOG c WITH ('type' = 'hudi-lite', 'catalog.path' = '/tmp/x', 'mode' = 'hms')",
        "Leave 'mode' out");
  }
}
