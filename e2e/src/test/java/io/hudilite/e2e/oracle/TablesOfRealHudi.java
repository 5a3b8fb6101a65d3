package io.hudilite.e2e.oracle;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Scenarios of tables that no stored fixture has: name of the table to what makes it. */
final class TablesOfRealHudi {
  private static final String SCHEMA = "id INT, name STRING, n INT, ts BIGINT, dt STRING";

  private static final String BY_EVENT_TIME =
      "'hoodie.datasource.write.payload.class':"
          + " 'org.apache.hudi.common.model.DefaultHoodieRecordPayload',";

  private final String version;
  private final Map<String, String> scenarios = new LinkedHashMap<>();

  private TablesOfRealHudi(String version) {
    this.version = version;
  }

  /** Those that this version can make. */
  static Map<String, String> of(String version) {
    TablesOfRealHudi tables = new TablesOfRealHudi(version);
    tables.unfinishedServices();
    tables.writes();
    tables.orderings();
    if (version.equals("0.15.0")) {
      tables.version6();
    } else {
      tables.partialUpdates();
      tables.schemaEvolution();
    }
    return tables.scenarios;
  }

  private void unfinishedServices() {
    add(
        "failed compaction",
        "",
        FIRST,
        SECOND,
        "{'do': 'compact', 'as': 'lost'}",
        "{'do': 'uncommit', 'instant': '${lost}'}",
        "{'do': 'upsert', 'rows': [[1, 'after', 9, 9, 'p1'], [7, 'g', 7, 9, 'p2']]}");
    add(
        "compaction that was run again",
        "",
        FIRST,
        SECOND,
        "{'do': 'compact', 'as': 'lost'}",
        "{'do': 'uncommit', 'instant': '${lost}'}",
        "{'do': 'run_compaction'}",
        "{'do': 'upsert', 'rows': [[1, 'after', 9, 9, 'p1']]}");
    add(
        "pending clustering",
        "",
        FIRST,
        SECOND,
        "{'do': 'schedule_clustering'}",
        "{'do': 'upsert', 'rows': [[8, 'h', 8, 9, 'p3']]}");
    add(
        "clustering of slices with log files",
        "",
        FIRST,
        SECOND,
        "{'do': 'cluster'}",
        "{'do': 'upsert', 'rows': [[1, 'after', 9, 9, 'p1']]}",
        "{'do': 'delete', 'rows': [[4, null, 0, 9, 'p2']]}");
    add(
        "savepoint and restore",
        "",
        FIRST,
        SECOND,
        "{'do': 'savepoint', 'as': 'kept'}",
        "{'do': 'upsert', 'rows': [[1, 'lost', 9, 9, 'p1'], [9, 'lost', 9, 9, 'p4']]}",
        "{'do': 'sql', 'sql': \"CALL rollback_to_savepoint(table => '${table}', instant_time =>"
            + " '${kept}')\"}",
        "{'do': 'upsert', 'rows': [[2, 'again', 9, 9, 'p1']]}");
  }

  private void writes() {
    add(
        "Parquet log blocks",
        "'hoodie.logfile.data.block.format': 'parquet',",
        FIRST,
        SECOND,
        LAST);
    add("record positions", "'hoodie.write.record.positions': 'true',", FIRST, SECOND, LAST);
    add(
        "consistent hashing",
        "'hoodie.index.type': 'BUCKET', 'hoodie.bucket.index.num.buckets': '2',"
            + " 'hoodie.index.bucket.engine': 'CONSISTENT_HASHING',",
        FIRST,
        SECOND,
        LAST);
    add(
        "metadata table",
        "'hoodie.metadata.enable': 'true', 'hoodie.metadata.record.index.enable': 'true',",
        FIRST,
        SECOND,
        LAST);
    add(
        "insert overwrite of log files",
        "",
        FIRST,
        SECOND,
        "{'do': 'insert_overwrite', 'rows': [[20, 'over', 1, 1, 'p1']]}",
        "{'do': 'upsert', 'rows': [[20, 'over2', 2, 2, 'p1'], [4, 'after', 9, 9, 'p2']]}",
        "{'do': 'insert_overwrite_table', 'rows': [[21, 'whole', 1, 1, 'p5']]}",
        "{'do': 'upsert', 'rows': [[21, 'whole2', 2, 2, 'p5'], [1, 'new', 1, 1, 'p1']]}");
    add(
        "archived",
        "'hoodie.clean.automatic': 'true', 'hoodie.clean.commits.retained': '2',"
            + " 'hoodie.keep.min.commits': '4', 'hoodie.keep.max.commits': '5',"
            + " 'hoodie.archive.automatic': 'true', 'hoodie.commits.archival.batch': '1',"
            + " 'hoodie.compact.inline': 'true', 'hoodie.compact.inline.max.delta.commits': '3',",
        FIRST,
        "{'do': 'upsert', 'repeat': 11, 'rows': [[1, 'r', '${i}', 9, 'p1'], ['${i}', 's', 1, 9,"
            + " 'p3']]}");
  }

  /** Each kind of ordering value in data and delete blocks: a later, an earlier, an equal one. */
  private void orderings() {
    ordering("INT", "1", "5", "9");
    ordering("DOUBLE", "-1.5", "0.25", "1e10");
    ordering("FLOAT", "-1.5", "0.25", "2.5");
    ordering("STRING", "'a'", "'b'", "'bb'");
    ordering("DATE", "'1969-12-30'", "'2024-02-29'", "'2024-03-01'");
    ordering(
        "TIMESTAMP",
        "'1969-12-31T23:59:59Z'",
        "'2024-02-29T00:00:00.000001Z'",
        "'2025-01-01T00:00:00Z'");
    ordering("DECIMAL(12,2)", "-1.50", "100.00", "100.01");
  }

  private void ordering(String type, String early, String middle, String late) {
    // Hudi 1.x fails to write deletes that are ordered by a date, 1.0.2 to read those by a decimal.
    boolean cannotDelete =
        type.equals("DATE") && version.startsWith("1.")
            || type.startsWith("DECIMAL") && version.equals("1.0.2");
    String schema = "id INT, name STRING, ts %s, _hoodie_is_deleted BOOLEAN, dt STRING";
    String row = "[%d, '%s', %s, %s, 'p1']";
    StringBuilder first = new StringBuilder();
    StringBuilder second = new StringBuilder();
    int id = 0;
    for (boolean deleted : cannotDelete ? new boolean[] {false} : new boolean[] {false, true}) {
      for (String order : List.of(early, middle, late)) {
        String comma = id == 0 ? "" : ", ";
        first.append(comma).append(row.formatted(id, "first", middle, false));
        second.append(comma).append(row.formatted(id, "second", order, deleted));
        id++;
      }
    }
    String third = cannotDelete ? "" : row.formatted(3, "third", middle, false);
    scenario(
        "ordered by " + type,
        schema.formatted(type),
        "'hoodie.write.record.merge.mode': 'EVENT_TIME_ORDERING'," + BY_EVENT_TIME,
        "{'do': 'upsert', 'rows': [" + first + "]}",
        "{'do': 'upsert', 'rows': [" + second + "]}",
        "{'do': 'upsert', 'rows': [" + (third.isEmpty() ? second : third) + "]}");
  }

  /** Rollbacks are blocks in log files there. */
  private void version6() {
    add(
        "rolled back",
        "",
        FIRST,
        SECOND,
        "{'do': 'upsert', 'rows': [[1, 'lost', 9, 9, 'p1'], [5, 'lost', 9, 9, 'p2']]}",
        "{'do': 'uncommit'}",
        "{'do': 'upsert', 'rows': [[2, 'after', 9, 9, 'p1']]}",
        "{'do': 'delete', 'rows': [[5, null, 0, 9, 'p2']]}");
  }

  private void partialUpdates() {
    String merge =
        "{'do': 'sql', 'sql': \"MERGE INTO ${table} t USING (SELECT %d AS id, '%s' AS name,"
            + " CAST(%d AS BIGINT) AS ts, '%s' AS dt) s ON t.id = s.id WHEN MATCHED THEN UPDATE"
            + " SET %s, ts = s.ts\"}";
    add(
        "partial updates",
        "'hoodie.spark.sql.merge.into.partial.updates': 'true',",
        FIRST,
        SECOND,
        merge.formatted(1, "partial", 9, "p1", "name = s.name"),
        merge.formatted(2, "x", 9, "p1", "n = 77"),
        merge.formatted(2, "both", 10, "p1", "name = s.name"));
    add(
        "partial updates, compacted",
        "'hoodie.spark.sql.merge.into.partial.updates': 'true',",
        FIRST,
        SECOND,
        merge.formatted(1, "partial", 9, "p1", "name = s.name"),
        "{'do': 'compact'}",
        merge.formatted(1, "x", 10, "p1", "n = 77"));
  }

  private void schemaEvolution() {
    String alter =
        "{'do': 'sql', 'sql': 'ALTER TABLE ${table} %s',"
            + " 'options': {'hoodie.schema.on.read.enable': 'true',"
            + " 'hoodie.datasource.write.schema.allow.auto.evolution.column.drop': 'true'}}";
    scenario(
        "renamed, reordered, widened and dropped columns",
        SCHEMA,
        "'hoodie.schema.on.read.enable': 'true',"
            + " 'hoodie.datasource.write.schema.allow.auto.evolution.column.drop': 'true',",
        FIRST,
        alter.formatted("RENAME COLUMN name TO title"),
        alter.formatted("ADD COLUMNS (note STRING AFTER id)"),
        alter.formatted("ALTER COLUMN n TYPE BIGINT"),
        "{'do': 'upsert', 'schema': 'id INT, note STRING, title STRING, n BIGINT, ts BIGINT,"
            + " dt STRING', 'rows': [[1, 'new', 'renamed', 3000000000, 9, 'p1'],"
            + " [6, null, 'f', 6, 1, 'p2']]}",
        alter.formatted("ALTER COLUMN n AFTER id"),
        alter.formatted("DROP COLUMN note"));
  }

  /**
   * Takes over Parquet files that Spark writes before: keeps pointing to them, or copies their
   * rows.
   *
   * @param source their folder
   * @param mode "MetadataOnly" or "FullRecord"
   */
  static String bootstrap(Path source, String mode) {
    return json(
        """
        {'table': 'bootstrapped', 'schema': 'id INT, name STRING, ts BIGINT',
         'options': {'hoodie.datasource.write.table.type': 'COPY_ON_WRITE',
           'hoodie.datasource.write.recordkey.field': 'id',
           'hoodie.datasource.write.partitionpath.field': '',
           'hoodie.datasource.write.precombine.field': 'ts',
           'hoodie.datasource.write.keygenerator.class': '%2$s'},
         'steps': [
           {'do': 'sql', 'sql': "INSERT OVERWRITE DIRECTORY '%1$s' USING parquet SELECT 1 AS id,
             'a' AS name, CAST(1 AS BIGINT) AS ts UNION ALL SELECT 2, 'b', CAST(1 AS BIGINT)"},
           {'do': 'bootstrap', 'options': {'hoodie.bootstrap.base.path': '%1$s',
             'hoodie.bootstrap.mode.selector':
               'org.apache.hudi.client.bootstrap.selector.%3$sBootstrapModeSelector',
             'hoodie.bootstrap.full.input.provider':
               'org.apache.hudi.bootstrap.SparkParquetBootstrapDataProvider',
             'hoodie.bootstrap.keygen.class': '%2$s', 'hoodie.bootstrap.parallelism': '1'}}]}
        """
            .formatted(source, "org.apache.hudi.keygen.NonpartitionedKeyGenerator", mode)
            .replaceAll("\\s+", " "));
  }

  /** Base files that are not Parquet. */
  static String orc() {
    return json(
        """
        {'table': 'orc', 'schema': 'id INT, name STRING, ts BIGINT, dt STRING',
         'options': {'hoodie.datasource.write.table.type': 'COPY_ON_WRITE',
           'hoodie.datasource.write.recordkey.field': 'id',
           'hoodie.datasource.write.partitionpath.field': 'dt',
           'hoodie.datasource.write.precombine.field': 'ts',
           'hoodie.table.base.file.format': 'ORC'},
         'steps': [{'do': 'upsert', 'rows': [[1, 'a', 1, 'p1'], [2, 'b', 1, 'p2']]}]}
        """);
  }

  private static final String FIRST =
      "{'do': 'upsert', 'rows': [[1, 'a', 1, 1, 'p1'], [2, 'b', 2, 1, 'p1'], [3, null, 3, 1, 'p1'],"
          + " [4, 'd', 4, 1, 'p2'], [5, 'e', 5, 1, 'p2']]}";
  private static final String SECOND =
      "{'do': 'upsert', 'rows': [[1, 'a2', 10, 2, 'p1'], [2, 'late', 20, 0, 'p1'],"
          + " [5, 'e2', 50, 2, 'p2']]}";
  private static final String LAST =
      "{'do': 'delete', 'rows': [[3, null, 0, 3, 'p1'], [4, null, 0, 3, 'p2']]}";

  private void add(String name, String options, String... steps) {
    scenario(name, SCHEMA, options + (version.equals("0.15.0") ? BY_EVENT_TIME : ""), steps);
  }

  private void scenario(String name, String schema, String options, String... steps) {
    String tableVersion =
        version.equals("1.0.2") || version.equals("0.15.0")
            ? ""
            : "'hoodie.write.table.version': '9',";
    scenarios.put(
        name,
        json(
            """
            {'table': 't%d', 'schema': '%s',
             'options': {'hoodie.datasource.write.table.type': 'MERGE_ON_READ', %s %s
                         'hoodie.datasource.write.recordkey.field': 'id',
                         'hoodie.datasource.write.partitionpath.field': 'dt',
                         'hoodie.datasource.write.precombine.field': 'ts',
                         'hoodie.datasource.write.hive_style_partitioning': 'true'},
             'steps': [%s]}
            """
                .formatted(
                    scenarios.size(), schema, tableVersion, options, String.join(",\n", steps))));
  }

  /** With double quotes for single ones, but for those within double quotes. */
  private static String json(String text) {
    StringBuilder json = new StringBuilder();
    boolean within = false;
    for (char c : text.toCharArray()) {
      within ^= c == '"';
      json.append(c == '\'' && !within ? '"' : c);
    }
    return json.toString();
  }
}
