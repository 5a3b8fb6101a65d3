package io.hudilite.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * The {@code write} command: the steps of a scenario file, one after the other, on one table, new
 * or not. README.md describes the file.
 */
final class Scenario {

  /**
   * Below what a scenario says: no server, no metadata table, no compaction by itself, and bloom
   * filters for as few keys as there are.
   */
  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("hoodie.metadata.enable", "false"),
          Map.entry("hoodie.embed.timeline.server", "false"),
          Map.entry("hoodie.write.markers.type", "DIRECT"),
          Map.entry("hoodie.insert.shuffle.parallelism", "1"),
          Map.entry("hoodie.upsert.shuffle.parallelism", "1"),
          Map.entry("hoodie.bulkinsert.shuffle.parallelism", "1"),
          Map.entry("hoodie.delete.shuffle.parallelism", "1"),
          Map.entry("hoodie.parquet.compression.codec", "snappy"),
          Map.entry("hoodie.compact.inline", "false"),
          Map.entry("hoodie.index.bloom.num_entries", "1000"));

  private static final Map<String, String> CALLS =
      Map.of(
          "compact", "CALL run_compaction(op => 'scheduleAndExecute', table => '${table}')",
          "schedule_compaction", "CALL run_compaction(op => 'schedule', table => '${table}')",
          "run_compaction", "CALL run_compaction(op => 'execute', table => '${table}')",
          "cluster", "CALL run_clustering(table => '${table}')",
          "schedule_clustering", "CALL run_clustering(table => '${table}', op => 'schedule')",
          "run_clustering", "CALL run_clustering(table => '${table}', op => 'execute')",
          "savepoint", "CALL create_savepoint(table => '${table}', commit_time => '${last}')",
          "rollback", "CALL rollback_to_instant(table => '${table}', instant_time => '${last}')");

  private final SparkSession spark;
  private final String path;
  private final JsonNode scenario;
  private final PrintStream out;
  private final String table;
  private final Map<String, String> values = new LinkedHashMap<>();

  private Scenario(SparkSession spark, String path, JsonNode scenario, PrintStream out) {
    this.spark = spark;
    this.path = path;
    this.scenario = scenario;
    this.out = out;
    this.table = scenario.path("table").asText("oracle_table");
    values.put("table", table);
    values.put("path", path);
  }

  static void run(SparkSession spark, Args args, PrintStream out) throws Exception {
    String path = args.path("PATH");
    String script =
        args.option("--script").orElseThrow(() -> new Args.Misuse("--script is missing"));
    args.end();
    JsonNode scenario = Oracle.JSON.readTree(Path.of(script).toFile());
    new Scenario(spark, path, scenario, out).run();
  }

  private void run() throws Exception {
    spark.sql("DROP TABLE IF EXISTS " + table);
    int number = 0;
    for (JsonNode step : scenario.get("steps")) {
      number++;
      int repeat = step.path("repeat").asInt(1);
      for (int i = 1; i <= repeat; i++) {
        values.put("i", Integer.toString(i));
        List<String> before = instants();
        ObjectNode told = Oracle.JSON.createObjectNode().put("step", number);
        told.put("do", step.get("do").asText());
        run(step, told);
        List<String> now = instants();
        now.removeAll(before);
        now.forEach(told.withArray("instants")::add);
        if (now.isEmpty() && step.get("do").asText().matches("compact|cluster|schedule_.*")) {
          throw new IllegalStateException("Hudi found nothing to do: " + step);
        }
        remember(step, now);
        out.println(Oracle.JSON.writeValueAsString(told));
      }
    }
  }

  private void run(JsonNode step, ObjectNode told) throws Exception {
    boolean mustFail = step.path("fails").asBoolean(false);
    try {
      perform(step, told);
    } catch (Exception e) {
      if (!mustFail) {
        throw e;
      }
      told.put("failed", rootCause(e).toString().lines().findFirst().orElse(""));
      return;
    }
    if (mustFail) {
      throw new IllegalStateException("a step that should fail did not: " + step);
    }
  }

  private void perform(JsonNode step, ObjectNode told) throws Exception {
    String what = step.get("do").asText();
    switch (what) {
      case "upsert":
      case "insert":
      case "bulk_insert":
      case "delete":
      case "insert_overwrite":
      case "insert_overwrite_table":
      case "delete_partition":
      case "bootstrap":
        write(what, step);
        break;
      case "sql":
        sql(step.get("sql").asText(), step, told);
        break;
      case "uncommit":
        uncommit(filled(step.path("instant").asText("${last}")));
        break;
      case "sleep":
        Thread.sleep(step.path("millis").asLong(1000));
        break;
      case "clean":
      case "archive":
        // The procedures read these settings from their own arguments only.
        sql(what.equals("clean") ? clean(step) : archive(step), step, told);
        break;
      default:
        if (!CALLS.containsKey(what)) {
          throw new Args.Misuse("no such step: " + what);
        }
        sql(CALLS.get(what), step, told);
    }
  }

  private static String clean(JsonNode step) {
    return "CALL run_clean(table => '${table}', clean_policy => 'KEEP_LATEST_COMMITS', "
        + "retain_commits => "
        + step.path("retain").asInt(1)
        + ")";
  }

  private static String archive(JsonNode step) {
    int min = step.path("min").asInt(2);
    return "CALL archive_commits(table => '${table}', min_commits => "
        + min
        + ", max_commits => "
        + step.path("max").asInt(min + 1)
        + ", retain_commits => "
        + step.path("retain").asInt(1)
        + ", enable_metadata => "
        + step.path("metadata").asBoolean(false)
        + ")";
  }

  private void write(String operation, JsonNode step) throws IOException {
    Map<String, String> options = new LinkedHashMap<>(DEFAULTS);
    options.put("hoodie.table.name", table);
    options.putAll(options(scenario));
    options.put("hoodie.datasource.write.operation", operation);
    options.putAll(options(step));
    boolean create = !Tables.exists(path);
    rows(step)
        .write()
        .format("hudi")
        .options(options)
        .mode(create ? SaveMode.Overwrite : SaveMode.Append)
        .save(path);
  }

  private Dataset<Row> rows(JsonNode step) throws IOException {
    StructType schema =
        StructType.fromDDL(step.path("schema").asText(scenario.path("schema").asText()));
    List<String> lines = new ArrayList<>();
    for (JsonNode row : step.path("rows")) {
      JsonNode object = row;
      if (row.isArray()) {
        ObjectNode named = Oracle.JSON.createObjectNode();
        for (int i = 0; i < row.size(); i++) {
          named.set(schema.fields()[i].name(), row.get(i));
        }
        object = named;
      }
      lines.add(filled(Oracle.JSON.writeValueAsString(object)));
    }
    return spark
        .read()
        .schema(schema)
        .option("mode", "FAILFAST")
        .json(spark.createDataset(lines, Encoders.STRING()).coalesce(1));
  }

  private void sql(String statement, JsonNode step, ObjectNode told) {
    Map<String, String> options = new LinkedHashMap<>(DEFAULTS);
    options.put("hoodie.compact.inline.max.delta.commits", "1");
    options.putAll(options(step));
    options.forEach((k, v) -> spark.conf().set(k, v));
    try {
      if (Tables.exists(path) && !spark.catalog().tableExists(table)) {
        spark.sql("CREATE TABLE " + table + " USING hudi LOCATION '" + path + "'");
      }
      spark.catalog().clearCache();
      for (String json : spark.sql(filled(statement)).toJSON().collectAsList()) {
        told.withArray("result")
            .addRawValue(new com.fasterxml.jackson.databind.util.RawValue(json));
      }
    } finally {
      options.keySet().forEach(k -> spark.conf().unset(k));
    }
  }

  /** Takes back the end of an action, as if its writer had died just before it. */
  private void uncommit(String instant) throws IOException {
    Path folder = Path.of(path, ".hoodie", "timeline");
    if (!Files.isDirectory(folder)) {
      folder = folder.getParent();
    }
    try (var files = Files.newDirectoryStream(folder, instant + "*")) {
      for (Path f : files) {
        String name = f.getFileName().toString();
        if (!name.contains(".inflight") && !name.contains(".requested")) {
          Files.delete(f);
        }
      }
    }
  }

  private List<String> instants() {
    return Tables.exists(path) ? Tables.timeline(spark, path) : new ArrayList<>();
  }

  /** {@code ${last}} is the newest action that this step completed; "as" gives it a name too. */
  private void remember(JsonNode step, List<String> added) {
    for (Tables.Done action : Tables.completed(added)) {
      values.put("last", action.requested);
      if (step.has("as")) {
        values.put(step.get("as").asText(), action.requested);
      }
    }
  }

  /** {@code "${i}"} with its quotes becomes a number, so that rows can count. */
  private String filled(String text) {
    String s = text.replace("\"${i}\"", values.get("i"));
    for (Map.Entry<String, String> v : values.entrySet()) {
      s = s.replace("${" + v.getKey() + "}", v.getValue());
    }
    return s;
  }

  private static Map<String, String> options(JsonNode node) {
    Map<String, String> options = new LinkedHashMap<>();
    node.path("options")
        .fields()
        .forEachRemaining(e -> options.put(e.getKey(), e.getValue().asText()));
    return options;
  }

  private static Throwable rootCause(Throwable e) {
    return e.getCause() == null ? e : rootCause(e.getCause());
  }
}
