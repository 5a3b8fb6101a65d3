package io.hudilite.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** Table environments of the system that is measured, with its catalogs and tables. */
final class Tables {
  private final Run run;
  private final Cluster cluster;

  Tables(Run run, Cluster cluster) {
    this.run = run;
    this.cluster = cluster;
  }

  TableEnvironment streaming(Map<String, String> extra) {
    return environment(extra, EnvironmentSettings.newInstance().inStreamingMode(), "STREAMING");
  }

  TableEnvironment batch() {
    return environment(Map.of(), EnvironmentSettings.newInstance().inBatchMode(), "BATCH");
  }

  private TableEnvironment environment(
      Map<String, String> extra, EnvironmentSettings.Builder settings, String mode) {
    Map<String, String> values = new HashMap<>(cluster.clientConf());
    values.put("parallelism.default", Integer.toString(run.parallelism));
    values.put("table.exec.sink.upsert-materialize", "NONE");
    values.put("table.local-time-zone", "UTC");
    String checkpoints = run.work.resolve("ckpt").toUri().toString();
    values.put("state.checkpoints.dir", checkpoints);
    values.put("execution.checkpointing.dir", checkpoints);
    values.put(
        "execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
    values.put("execution.checkpointing.mode", "EXACTLY_ONCE");
    values.put("restart-strategy", "none");
    values.put("restart-strategy.type", "none");
    values.putAll(run.template.conf);
    values.putAll(extra);
    values.put("execution.runtime-mode", mode);
    Configuration conf = Configuration.fromMap(values);
    TableEnvironment env =
        StreamTableEnvironment.create(
            new StreamExecutionEnvironment(conf), settings.withConfiguration(conf).build());
    env.createTemporarySystemFunction("row_hash", RowHash.class);
    env.createTemporarySystemFunction("bench_seen", Seen.class);
    for (String statement : run.template.sections.get("setup")) {
      env.executeSql(run.fill(statement, Run.TABLE));
    }
    return env;
  }

  /** Declares a table of this section of the template: append, upsert or partial. */
  void declare(TableEnvironment env, String section, String table) {
    List<String> statements = run.template.sections.get("table " + section);
    if (statements == null) {
      throw new IllegalStateException("no section 'table " + section + "'");
    }
    for (String statement : statements) {
      env.executeSql(run.fill(statement, table));
    }
  }
}
