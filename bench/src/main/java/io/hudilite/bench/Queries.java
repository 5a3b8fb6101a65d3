package io.hudilite.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** The batch jobs on the table: queries, its compaction, and the check of its rows. */
final class Queries {
  private final Run run;
  private final Cluster cluster;
  private final Tables tables;
  private final String section;

  Queries(Run run, Cluster cluster, Tables tables, String section) {
    this.run = run;
    this.cluster = cluster;
    this.tables = tables;
    this.section = section;
  }

  /** COUNT, SUM, MAX over eight columns. */
  Map<String, Object> scan(String name) throws Exception {
    Map<String, Object> phase = phase(name);
    String columns =
        "COUNT(*), SUM(CAST(c_int AS BIGINT)), SUM(CAST(c_qty AS BIGINT)), SUM(c_long),"
            + " SUM(c_dbl), SUM(c_dec), MAX(c_name), SUM(CAST(CHAR_LENGTH(c_tag) AS BIGINT)),"
            + " MAX(ts)";
    long read = Usage.bytesRead();
    Usage usage = new Usage(run.flags);
    int times = repeat(select(columns), phase, "");
    tellUsage(usage, read, times, phase);
    DiskUse.of(run).tell(phase);
    return finish(phase);
  }

  /** The sum of one column; and with a filter on partition and key range. */
  Map<String, Object> projected(String name) throws Exception {
    Map<String, Object> phase = phase(name);
    long read = Usage.bytesRead();
    Usage usage = new Usage(run.flags);
    int times = repeat(select("SUM(c_long)"), phase, "");
    tellUsage(usage, read, times, phase);
    String range = " WHERE id < CAST(" + run.keys / 10 + " AS BIGINT)";
    String partition = run.partitions > 0 ? " AND pt = 'p0'" : "";
    repeat(select("SUM(c_long)") + range + partition, phase, "filter_");
    return finish(phase);
  }

  private static Map<String, Object> phase(String name) {
    Map<String, Object> phase = new LinkedHashMap<>();
    phase.put("phase", name);
    return phase;
  }

  private String select(String columns) {
    return "SELECT %s FROM %s %s"
        .formatted(columns, Run.TABLE, run.template.hint("batch", section));
  }

  private static void tellUsage(Usage usage, long read, int times, Map<String, Object> phase) {
    usage.done(phase);
    phase.put("cpu_s", Numbers.round((Double) phase.get("cpu_s") / times, 3));
    phase.put("io_read_per_run", (Usage.bytesRead() - read) / times);
  }

  private Map<String, Object> finish(Map<String, Object> phase) {
    phase.put("rows_per_s", Math.round(run.keys / (Double) phase.get("median_s")));
    run.report.addPhase(phase);
    return phase;
  }

  private int repeat(String query, Map<String, Object> phase, String prefix) throws Exception {
    int times = (int) run.flags.number("repeat", 3);
    List<Double> seconds = new ArrayList<>();
    TableEnvironment env = environment();
    for (int i = 0; i < times; i++) {
      long start = System.nanoTime();
      phase.put(prefix + "result", String.valueOf(firstRow(env, query)));
      seconds.add((System.nanoTime() - start) / 1e9);
    }
    phase.put(prefix + "first_s", Numbers.round(seconds.get(0), 3));
    Collections.sort(seconds);
    phase.put(prefix + "best_s", Numbers.round(seconds.get(0), 3));
    phase.put(prefix + "median_s", Numbers.round(seconds.get(times / 2), 3));
    return times;
  }

  private TableEnvironment environment() {
    TableEnvironment env = tables.batch();
    tables.declare(env, section, Run.TABLE);
    return env;
  }

  private static Row firstRow(TableEnvironment env, String query) throws Exception {
    try (CloseableIterator<Row> rows = env.executeSql(query).collect()) {
      return rows.next();
    }
  }

  boolean canCompact() {
    return run.template.sections.containsKey("compact");
  }

  /** Runs the template's compact section. */
  void compact() throws Exception {
    Map<String, Object> phase = phase("compact");
    TableEnvironment env = environment();
    Usage usage = new Usage(run.flags);
    long written = Usage.bytesWritten();
    long start = System.nanoTime();
    for (String statement : run.template.sections.get("compact")) {
      String filled = run.fill(statement, Run.TABLE);
      if (filled.startsWith("@main ")) {
        String[] words = filled.substring(6).trim().split("\\s+");
        Class.forName(words[0])
            .getMethod("main", String[].class)
            .invoke(null, (Object) Arrays.copyOfRange(words, 1, words.length));
      } else {
        TableResult result = env.executeSql(filled);
        if (result.getJobClient().isPresent()) {
          result.await();
        }
      }
      cluster.awaitAllJobs();
    }
    phase.put("wall_s", Numbers.seconds(System.nanoTime() - start));
    usage.done(phase);
    phase.put("io_written", Usage.bytesWritten() - written);
    DiskUse.of(run).tell(phase);
    run.report.addPhase(phase);
  }

  /** Compares what the table holds with what replaying the generator predicts. */
  void check(Gen.Expected expected) throws Exception {
    if (!expected.isKnown()
        || run.flags.text("verify", "true").equals("false")
        || run.flags.isOn("no-verify")
        || run.template.unsupported.contains("verify")) {
      return;
    }
    expected.finish();
    Row row = firstRow(environment(), select("COUNT(*), SUM(row_hash(" + Run.NAMES + "))"));
    long count = (Long) row.getField(0);
    long hash = row.getField(1) == null ? 0 : (Long) row.getField(1);
    boolean equal = count == expected.count && hash == expected.hash;
    run.report.put("check", equal ? "equal" : "DIFFERENT");
    run.report.put("final_rows", count);
    run.report.put("final_hash", hash);
    if (!equal) {
      run.report.put("expected_rows", expected.count);
      run.report.put("expected_hash", expected.hash);
      run.report.put("status", "wrong-result");
    }
  }
}
