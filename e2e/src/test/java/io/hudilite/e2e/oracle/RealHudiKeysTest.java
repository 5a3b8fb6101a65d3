package io.hudilite.e2e.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables that real Hudi wrote with each of its key generators, nulls and odd texts in partition
 * columns: we read the rows that Hudi reads, and conditions on keys and partitions hide none.
 */
@Tag("oracle")
class RealHudiKeysTest {
  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(4)
              .build());

  private static final String SCHEMA =
      "\"schema\": \"id INT, sub STRING, v STRING, ts BIGINT, r STRING, d DATE\"";
  private static final String COLUMNS = "id INT, sub STRING, v STRING, ts BIGINT, r STRING, d DATE";

  /** Rows of two commits; the second changes some of the first. */
  private static final String STEPS =
      """
      "steps": [
        {"do": "upsert", "rows": [
          [1, "a", "one", 1700000000000, "eu", "2024-01-31"],
          [2, "b:c", "two", 1700086400000, "us/east", "2024-02-29"],
          [3, "x,y", "three", 1600000000000, %1$s, %2$s],
          [4, "a", "four", 1700000000000, "eu", "1969-12-31"]]},
        {"do": "upsert", "rows": [
          [1, "a", "one2", 1700000000000, "eu", "2024-01-31"],
          [3, "x,y", "three2", 1600000000000, %1$s, %2$s],
          [5, "z", "five", 1700086400001, "x=y 100%%", "2024-02-29"]]}]}
      """;

  private static final Map<String, String> KINDS = new LinkedHashMap<>();

  static {
    KINDS.put("simple", options("SimpleKeyGenerator", "id", "r", "") + steps(true));
    KINDS.put(
        "complex",
        options(
                "ComplexKeyGenerator",
                "id,sub",
                "r,d",
                ", \"hoodie.datasource.write.hive_style_partitioning\": \"true\","
                    + " \"hoodie.datasource.write.partitionpath.urlencode\": \"true\"")
            + steps(true));
    KINDS.put("none", options("NonpartitionedKeyGenerator", "id,sub", "", "") + steps(true));
    KINDS.put(
        "time",
        options(
                "TimestampBasedKeyGenerator",
                "id",
                "ts",
                ", \"hoodie.keygen.timebased.timestamp.type\": \"EPOCHMILLISECONDS\","
                    + " \"hoodie.keygen.timebased.output.dateformat\": \"yyyy-MM-dd\"")
            + steps(false));
    KINDS.put(
        "custom",
        options(
                "CustomKeyGenerator",
                "id",
                "r:SIMPLE,ts:TIMESTAMP",
                ", \"hoodie.keygen.timebased.timestamp.type\": \"EPOCHMILLISECONDS\","
                    + " \"hoodie.keygen.timebased.output.dateformat\": \"yyyyMM\","
                    + " \"hoodie.datasource.write.partitionpath.urlencode\": \"true\"")
            + steps(false));
  }

  private static final List<String> CONDITIONS =
      List.of(
          "id = 3",
          "id IN (1, 5) AND sub <> 'q'",
          "id = 2 AND sub = 'b:c'",
          "r = 'eu'",
          "r = 'us/east' OR r = 'x=y 100%'",
          "r IS NULL",
          "d = DATE '2024-02-29'",
          "d < DATE '2000-01-01'",
          "ts > 1690000000000",
          "ts = 1700000000000 AND r = 'eu'");

  @TempDir Path folder;

  private static String options(String generator, String key, String partition, String more) {
    return """
           {"table": "items", %s,
            "options": {"hoodie.datasource.write.table.type": "MERGE_ON_READ",
              "hoodie.datasource.write.recordkey.field": "%s",
              "hoodie.datasource.write.partitionpath.field": "%s",
              "hoodie.datasource.write.precombine.field": "ts",
              "hoodie.datasource.write.keygenerator.class": "org.apache.hudi.keygen.%s"%s},
           """
        .formatted(SCHEMA, key, partition, generator, more);
  }

  private static String steps(boolean withNulls) {
    return withNulls
        ? STEPS.formatted("null", "null")
        : STEPS.formatted("\"asia\"", "\"2020-09-13\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.0.2", "1.1.1", "1.2.0"})
  void rowsAreThoseOfHudiAndConditionsHideNone(String version) throws Exception {
    HudiOracle hudi = new HudiOracle(version, folder.resolve("hudi"));
    Map<String, HudiOracle.Result> reads = new LinkedHashMap<>();
    for (Map.Entry<String, String> kind : KINDS.entrySet()) {
      Path table = folder.resolve(kind.getKey());
      hudi.write(table, kind.getValue());
      reads.put(kind.getKey(), hudi.read(table, "--columns", "id,sub,v"));
    }
    hudi.run();
    for (Map.Entry<String, HudiOracle.Result> read : reads.entrySet()) {
      String kind = read.getKey();
      TableJobs jobs =
          new TableJobs(
              "items",
              "CREATE TABLE items ("
                  + COLUMNS
                  + ") WITH ('connector' = 'hudi-lite', 'path' = '%s')");
      Path table = folder.resolve(kind);
      List<String> all = jobs.read(table, "id, sub, v, ts, r, d");
      assertThat(all)
          .as("%s of Hudi %s", kind, version)
          .allMatch(row -> !row.contains("HIVE_DEFAULT"))
          .filteredOn(row -> row.startsWith("+I[1, "))
          .containsExactly("+I[1, a, one2, 1700000000000, eu, 2024-01-31]");
      assertThat(jobs.read(table, "id, sub, v"))
          .as("%s of Hudi %s", kind, version)
          .isEqualTo(rows(read.getValue()));
      // A view with a function that gives another value each time is not pushed through.
      assertThat(jobs.select(table, allConditions("items")))
          .as("%s of Hudi %s, each condition", kind, version)
          .isEqualTo(jobs.select(table, allConditions("(SELECT *, RAND() AS x FROM items)")));
    }
  }

  /** What each condition leaves, with its text: one job for all. */
  private static String allConditions(String table) {
    return CONDITIONS.stream()
        .map(
            condition ->
                "SELECT '%s' AS c, id, sub, v FROM %s WHERE %s"
                    .formatted(condition.replace("'", "''"), table, condition))
        .collect(Collectors.joining(" UNION ALL "));
  }

  private static List<String> rows(HudiOracle.Result result) throws Exception {
    List<String> rows = new ArrayList<>();
    for (JsonNode row : result.rows()) {
      rows.add(
          "+I[%s, %s, %s]"
              .formatted(row.get("id").asText(), row.get("sub").asText(), row.get("v").asText()));
    }
    rows.sort(null);
    return rows;
  }
}
