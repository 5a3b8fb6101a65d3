package io.hudilite.e2e.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.Compactions;
import io.hudilite.sink.HudiSchemaChange;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real Hudi on Spark reads tables that got new and wider columns by a DDL of ours, and then by a
 * commit without rows; it upserts into them, and we compact what came of it.
 */
@Tag("oracle")
class NewColumnsTest {
  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(4)
              .build());

  private static final Map<String, String> KINDS =
      Map.of(
          "COPY_ON_WRITE", "'table.type' = 'COPY_ON_WRITE'",
          "AVRO_LOG_BLOCKS", "'table.type' = 'MERGE_ON_READ'",
          "PARQUET_LOG_BLOCKS",
              "'table.type' = 'MERGE_ON_READ', 'hoodie.logfile.data.block.format' = 'parquet'");

  private static final String BEFORE = "id INT, name STRING, c INT, f FLOAT, ts BIGINT, p STRING";
  private static final String AFTER =
      "id INT, name STRING, c BIGINT, f DOUBLE, n INT, ts BIGINT, p STRING";

  @TempDir static Path folder;

  private static final JudgedTables TABLES = new JudgedTables();
  private static final Map<String, Path> BY_KIND = new LinkedHashMap<>();

  private static TableJobs jobs(String columns, String options) {
    return new TableJobs(
        "items",
        "CREATE TABLE items ("
            + columns
            + ", PRIMARY KEY (id) NOT ENFORCED) PARTITIONED BY (p) WITH ('connector' ="
            + " 'hudi-lite', 'path' = '%s', 'ordering.fields' = 'ts', "
            + options
            + ")");
  }

  /** Once: each Hudi version judges the same. */
  @BeforeAll
  static void write() throws Exception {
    for (Map.Entry<String, String> kind : KINDS.entrySet()) {
      BY_KIND.put(kind.getKey(), write(kind.getKey(), kind.getValue()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.0.2", "1.1.1", "1.2.0"})
  void hudiReadsAndWritesWhatOurDdlAdded(String version) throws Exception {
    HudiOracle hudi = new HudiOracle(version, folder.resolve("judge-" + version));
    TABLES.judge(hudi);

    Map<String, Path> tables = new LinkedHashMap<>();
    for (Map.Entry<String, Path> made : BY_KIND.entrySet()) {
      String name = made.getKey() + "-shared-" + version;
      tables.put(made.getKey(), TableJobs.copy(made.getValue(), folder.resolve(name)));
    }
    tables.forEach((kind, table) -> upsertByHudi(hudi, kind, table));
    hudi.run();
    JudgedTables after = new JudgedTables();
    for (Map.Entry<String, Path> table : tables.entrySet()) {
      String kind = table.getKey();
      for (int i = 0; i < 2; i++) {
        assertThat(jobs(AFTER + ", m STRING", KINDS.get(kind)).read(table.getValue(), "*"))
            .as("%s after an upsert by Hudi %s", kind, version)
            .containsExactly(
                "+I[1, a2, 3000000000, 0.1, 7, 2, p1, null]",
                "+I[2, spark, 5000000000, 0.2, 8, 3, p1, m2]",
                "+I[3, c, 3, 0.3, null, 2, p1, null]",
                "+I[4, new, 4, 0.4, null, 3, p2, m4]");
        Compactions.compact(Storages.of(table.getValue().toString()));
      }
      after.add(
          kind + " after both",
          table.getValue(),
          List.of(
              withM(1, "a2", "3000000000", "0.1", "7", 2, "p1", "null"),
              withM(2, "spark", "5000000000", "0.2", "8", 3, "p1", "\"m2\""),
              withM(3, "c", "3", "0.3", "null", 2, "p1", "null"),
              withM(4, "new", "4", "0.4", "null", 3, "p2", "\"m4\"")));
    }
    after.judge(hudi);
  }

  private static Path write(String kind, String options) throws Exception {
    Path table = folder.resolve(kind);
    TableJobs before = jobs(BEFORE, options);
    before.insert(
        table,
        "VALUES (1, 'a', 0, CAST(0.5 AS FLOAT), CAST(0 AS BIGINT), 'p1'),"
            + " (2, 'b', 2, CAST(2.5 AS FLOAT), CAST(1 AS BIGINT), 'p1')");
    before.insert(table, "VALUES (1, 'a', 1, CAST(1.5 AS FLOAT), CAST(1 AS BIGINT), 'p1')");
    jobs(AFTER, options)
        .insert(
            table,
            "SELECT id, name, c, f, n, CAST(2 AS BIGINT), 'p1' FROM (VALUES"
                + " (1, 'a2', CAST(3000000000 AS BIGINT), CAST(0.1 AS DOUBLE), 7),"
                + " (3, 'c', CAST(3 AS BIGINT), CAST(0.3 AS DOUBLE), CAST(NULL AS INT)))"
                + " AS v (id, name, c, f, n)");
    remember(
        kind + " with n",
        table,
        item(1, "a2", "3000000000", "0.1", 2, "p1", "7"),
        item(2, "b", "2", "2.5", 1, "p1", "null"),
        item(3, "c", "3", "0.3", 2, "p1", "null"));
    Path compacted = TableJobs.copy(table, folder.resolve(kind + "-compacted"));
    Compactions.compact(Storages.of(compacted.toString()));
    TABLES.add(kind + " compacted", compacted, TABLES.last().rows());

    TableSchema schema = HudiTable.open(Storages.of(table.toString())).schema();
    List<RowType.RowField> fields = new ArrayList<>(schema.rowType().getFields());
    fields.add(new RowType.RowField("m", VarCharType.STRING_TYPE));
    HudiSchemaChange.run(table.toString(), new RowType(fields));
    remember(
        kind + " with n and m",
        table,
        withM(1, "a2", "3000000000", "0.1", "7", 2, "p1", "null"),
        withM(2, "b", "2", "2.5", "null", 1, "p1", "null"),
        withM(3, "c", "3", "0.3", "null", 2, "p1", "null"));
    return table;
  }

  private static void upsertByHudi(HudiOracle hudi, String kind, Path table) {
    try {
      hudi.write(
          table,
          """
          {"table": "items",
           "schema": "id INT, name STRING, c BIGINT, f DOUBLE, ts BIGINT, p STRING, n INT, m STRING",
           "options": {"hoodie.datasource.write.table.type": "%s",
                       "hoodie.datasource.write.recordkey.field": "id",
                       "hoodie.datasource.write.partitionpath.field": "p",
                       "hoodie.datasource.write.precombine.field": "ts",
                       "hoodie.write.table.version": "8",
                       "hoodie.write.auto.upgrade": "false"},
           "steps": [{"do": "upsert", "rows": [
             [2, "spark", 5000000000, 0.2, 3, "p1", 8, "m2"], [4, "new", 4, 0.4, 3, "p2", null, "m4"]]}]}
          """
              .formatted(kind.equals("COPY_ON_WRITE") ? kind : "MERGE_ON_READ"));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void remember(String name, Path table, String... rows) throws Exception {
    TABLES.addCopy(name, table, List.of(rows));
  }

  private static String item(int id, String name, String c, String f, long ts, String p, String n) {
    return "{\"id\":%d,\"name\":\"%s\",\"c\":%s,\"f\":%s,\"ts\":%d,\"p\":\"%s\",\"n\":%s}"
        .formatted(id, name, c, f, ts, p, n);
  }

  private static String withM(
      int id, String name, String c, String f, String n, long ts, String p, String m) {
    return item(id, name, c, f, ts, p, n).replace("}", ",\"m\":" + m + "}");
  }
}
