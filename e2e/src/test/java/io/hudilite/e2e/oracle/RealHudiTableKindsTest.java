package io.hudilite.e2e.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real Hudi on Spark judges copy-on-write tables, tables in buckets and Parquet log blocks: it
 * reads them after every kind of commit, upserts into them, and reads what we make of that.
 */
@Tag("oracle")
class RealHudiTableKindsTest {
  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(4)
              .build());

  @TempDir static Path folder;

  private static final JudgedTables TABLES = new JudgedTables();
  private static final Map<Kind, Path> BY_KIND = new EnumMap<>(Kind.class);
  private static int copies;

  /** Kinds of tables: the options of ours and, behind a bar, those of Hudi. */
  private enum Kind {
    COPY_ON_WRITE("'table.type' = 'COPY_ON_WRITE'", "COPY_ON_WRITE", ""),
    COPY_ON_WRITE_BUCKETS(
        "'table.type' = 'COPY_ON_WRITE', 'index.type' = 'BUCKET'",
        "COPY_ON_WRITE",
        "\"hoodie.index.type\": \"BUCKET\", \"hoodie.bucket.index.num.buckets\": \"4\","),
    PARQUET_LOG_BLOCKS(
        "'table.type' = 'MERGE_ON_READ', 'hoodie.logfile.data.block.format' = 'parquet'",
        "MERGE_ON_READ",
        "\"hoodie.logfile.data.block.format\": \"parquet\","),
    LOG_BLOCKS_BY_SIZE(
        "'table.type' = 'MERGE_ON_READ', 'hoodie.logfile.data.block.format' = 'auto'",
        "MERGE_ON_READ",
        ""),
    MERGE_ON_READ_BUCKETS(
        "'table.type' = 'MERGE_ON_READ', 'index.type' = 'BUCKET'",
        "MERGE_ON_READ",
        "\"hoodie.index.type\": \"BUCKET\", \"hoodie.bucket.index.num.buckets\": \"4\",");

    private final String options;
    private final String type;
    private final String hudiOptions;

    Kind(String options, String type, String hudiOptions) {
      this.options = options;
      this.type = type;
      this.hudiOptions = hudiOptions;
    }

    private TableJobs jobs() {
      return new TableJobs(
          "items",
          """
          CREATE TABLE items (
            id BIGINT, name STRING, ts BIGINT, p STRING, PRIMARY KEY (id) NOT ENFORCED
          ) PARTITIONED BY (p) WITH (
            'connector' = 'hudi-lite', 'path' = '%s', 'ordering.fields' = 'ts',\
          """
              + options
              + ")");
    }

    private String upsert() {
      return """
      {"table": "items",
       "schema": "id BIGINT, name STRING, ts BIGINT, p STRING",
       "options": {"hoodie.datasource.write.table.type": "%s", %s
                   "hoodie.datasource.write.recordkey.field": "id",
                   "hoodie.datasource.write.partitionpath.field": "p",
                   "hoodie.datasource.write.precombine.field": "ts",
                   "hoodie.write.table.version": "8",
                   "hoodie.write.auto.upgrade": "false"},
       "steps": [{"do": "upsert", "rows": [
         [1, "spark", 10, "p1"], [5, "late", 0, "p1"], [9, "new", 10, "p2"], [10, "new", 10, "p3"]]}]}
      """
          .formatted(type, hudiOptions);
    }
  }

  /** Once: each Hudi version judges the same. */
  @BeforeAll
  static void write() throws Exception {
    for (Kind kind : Kind.values()) {
      BY_KIND.put(kind, write(kind));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.0.2", "1.1.1", "1.2.0"})
  void hudiReadsWritesAndReadsAgain(String version) throws Exception {
    HudiOracle hudi = new HudiOracle(version, folder.resolve("judge-" + version));
    TABLES.judge(hudi);

    Map<Kind, Path> tables = new EnumMap<>(Kind.class);
    for (Map.Entry<Kind, Path> made : BY_KIND.entrySet()) {
      String name = made.getKey() + "-shared-" + version;
      tables.put(made.getKey(), TableJobs.copy(made.getValue(), folder.resolve(name)));
    }
    for (Map.Entry<Kind, Path> table : tables.entrySet()) {
      hudi.write(table.getValue(), table.getKey().upsert());
    }
    hudi.run();
    JudgedTables after = new JudgedTables();
    for (Map.Entry<Kind, Path> table : tables.entrySet()) {
      Kind kind = table.getKey();
      Path path = table.getValue();
      assertThat(kind.jobs().read(path, "*"))
          .as("%s after an upsert by Hudi %s", kind, version)
          .containsExactly(
              "+I[1, spark, 10, p1]",
              "+I[10, new, 10, p3]",
              "+I[5, e5, 5, p1]",
              "+I[8, e8, 5, p2]",
              "+I[9, new, 10, p2]");
      kind.jobs()
          .insert(
              path,
              "SELECT * FROM (VALUES (CAST(1 AS BIGINT), 'ours', CAST(20 AS BIGINT), 'p1'),"
                  + " (CAST(9 AS BIGINT), 'late', CAST(9 AS BIGINT), 'p2'),"
                  + " (CAST(11 AS BIGINT), 'ours', CAST(20 AS BIGINT), 'p3'))");
      after.add(
          kind + " after both",
          path,
          List.of(
              item(1, "ours", 20, "p1"),
              item(5, "e5", 5, "p1"),
              item(8, "e8", 5, "p2"),
              item(9, "new", 10, "p2"),
              item(10, "new", 10, "p3"),
              item(11, "ours", 20, "p3")));
    }
    after.judge(hudi);
  }

  /** Inserts, updates, a delete and an overwrite of a partition. */
  private static Path write(Kind kind) throws Exception {
    TableJobs jobs = kind.jobs();
    Path table = folder.resolve(kind.name());
    jobs.insert(
        table,
        "SELECT CAST(n AS BIGINT), CONCAT('a', CAST(n AS STRING)), CAST(1 AS BIGINT), p FROM"
            + " (VALUES (1, 'p1'), (2, 'p1'), (3, 'p1'), (4, 'p2'), (5, 'p1')) AS v (n, p)");
    remember(
        kind,
        table,
        List.of(
            item(1, "a1", 1, "p1"),
            item(2, "a2", 1, "p1"),
            item(3, "a3", 1, "p1"),
            item(4, "a4", 1, "p2"),
            item(5, "a5", 1, "p1")));
    jobs.insert(
        table,
        "SELECT CAST(n AS BIGINT), CONCAT('e', CAST(n AS STRING)), CAST(t AS BIGINT), p FROM"
            + " (VALUES (1, 5, 'p1'), (2, 0, 'p1'), (5, 5, 'p1'), (6, 5, 'p2')) AS v (n, t, p)");
    jobs.execute(table, "DELETE FROM items WHERE id = 3");
    if (kind == Kind.LOG_BLOCKS_BY_SIZE) {
      rememberManyMore(kind, table);
    }
    remember(
        kind,
        table,
        List.of(
            item(1, "e1", 5, "p1"),
            item(2, "a2", 1, "p1"),
            item(4, "a4", 1, "p2"),
            item(5, "e5", 5, "p1"),
            item(6, "e6", 5, "p2")));
    jobs.execute(table, "DELETE FROM items WHERE id = 2");
    jobs.execute(
        table,
        "INSERT OVERWRITE items PARTITION (p = 'p2')"
            + " SELECT CAST(8 AS BIGINT), 'e8', CAST(5 AS BIGINT)");
    remember(
        kind,
        table,
        List.of(item(1, "e1", 5, "p1"), item(5, "e5", 5, "p1"), item(8, "e8", 5, "p2")));
    return table;
  }

  /** A state with so many rows more that their log blocks are large. */
  private static void rememberManyMore(Kind kind, Path table) throws Exception {
    String name = kind + "-many";
    Path many = TableJobs.copy(table, folder.resolve(name));
    String digits = "(VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9))";
    kind.jobs()
        .insert(
            many,
            "SELECT CAST(1000 + 100 * a.n + 10 * b.n + c.n AS BIGINT), 'many', CAST(7 AS BIGINT),"
                + " 'p1' FROM %1$s AS a (n), %1$s AS b (n), %1$s AS c (n)".formatted(digits));
    List<String> rows = new ArrayList<>();
    rows.add(item(1, "e1", 5, "p1"));
    rows.add(item(2, "a2", 1, "p1"));
    rows.add(item(4, "a4", 1, "p2"));
    rows.add(item(5, "e5", 5, "p1"));
    rows.add(item(6, "e6", 5, "p2"));
    for (int id = 1000; id < 2000; id++) {
      rows.add(item(id, "many", 7, "p1"));
    }
    TABLES.add(name, many, rows);
  }

  private static void remember(Kind kind, Path table, List<String> rows) throws Exception {
    TABLES.addCopy(kind + "-" + ++copies, table, rows);
  }

  private static String item(long id, String name, long ts, String p) {
    return "{\"id\":%d,\"name\":\"%s\",\"ts\":%d,\"p\":\"%s\"}".formatted(id, name, ts, p);
  }
}
