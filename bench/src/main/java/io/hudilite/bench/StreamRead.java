package io.hudilite.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.flink.table.api.TableEnvironment;

/**
 * A streaming read: of rows that are there already, in several commits; then of small commits while
 * it waits, from the commit to its rows.
 */
final class StreamRead {
  private final Run run;
  private final Cluster cluster;
  private final Tables tables;
  private final Writes writes;

  StreamRead(Run run, Cluster cluster, Tables tables, Writes writes) {
    this.run = run;
    this.cluster = cluster;
    this.tables = tables;
    this.writes = writes;
  }

  void execute() throws Exception {
    Gen.Spec spec = run.spec(Gen.Mode.APPEND, run.rows, 0);
    spec.perCommit = run.rows / run.flags.number("commits", 10);
    spec.perCommit -= spec.perCommit % 2;
    writes.write("write", spec, "append", Writes.Pace.FAST);
    JobID reader = readAll();
    waitForCommits();
    run.report.put("stream_rows_seen", Control.SEEN.get());
    cluster.cancel(reader);
    new Queries(run, cluster, tables, "append").check(writes.expected());
  }

  /** Starts the reader and returns when it has seen all rows. */
  private JobID readAll() throws Exception {
    TableEnvironment env = tables.streaming(Map.of("execution.checkpointing.interval", "5 s"));
    tables.declare(env, "append", Run.TABLE);
    env.executeSql(
        "CREATE TEMPORARY TABLE bh (" + Run.COLUMNS + ") WITH ('connector' = 'blackhole')");
    Map<String, Object> phase = new LinkedHashMap<>();
    phase.put("phase", "stream-read");
    Usage usage = new Usage(run.flags);
    long start = System.nanoTime();
    JobID reader =
        env.executeSql(
                "INSERT INTO bh SELECT * FROM %s %s WHERE bench_seen(ts)"
                    .formatted(Run.TABLE, run.template.hint("stream", "append")))
            .getJobClient()
            .get()
            .getJobID();
    long deadline = System.nanoTime() + run.flags.number("timeout-s", 180) * 1_000_000_000L;
    while (Control.SEEN.get() < run.rows) {
      cluster.requireRunning(reader);
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "stream read saw " + Control.SEEN.get() + " of " + run.rows + " rows");
      }
      Thread.sleep(5);
    }
    usage.done(phase);
    long first = Control.seenFirstNanos;
    long last = Control.seenLastNanos;
    phase.put("rows", Control.SEEN.get());
    phase.put("first_row_s", Numbers.seconds(first - start));
    phase.put("wall_s", Numbers.seconds(last - start));
    phase.put("rows_per_s", Math.round(run.rows / ((last - first) / 1e9)));
    run.report.isAbout(phase);
    return reader;
  }

  private void waitForCommits() throws Exception {
    int commits = (int) run.flags.number("latency-commits", 8);
    long perCommit = run.flags.number("latency-rows", 2000);
    Gen.Spec spec = run.spec(Gen.Mode.APPEND, commits * perCommit, run.rows);
    spec.perCommit = perCommit;
    Control.seenBaseSeq = run.rows;
    Control.SEEN_BATCH.clear();
    Control.perCommit = perCommit;
    CommitWatch watch = run.watchCommits();
    writes.write("latency-write", spec, "append", Writes.Pace.PAUSED);
    long until = System.nanoTime() + 30_000_000_000L;
    while (Control.SEEN.get() < run.rows + commits * perCommit && System.nanoTime() < until) {
      Thread.sleep(5);
    }
    watch.close();
    tellLatency(commits, perCommit, watch.times());
  }

  private void tellLatency(int commits, long perCommit, List<Long> times) {
    List<Double> seconds = new ArrayList<>();
    for (int commit = 0; commit < commits && commit < times.size(); commit++) {
      long[] seen = Control.SEEN_BATCH.get((long) commit);
      if (seen != null && seen[0] >= perCommit) {
        seconds.add((seen[1] - times.get(commit)) / 1e9);
      }
    }
    Collections.sort(seconds);
    run.report.put("latency_commits", seconds.size());
    if (!seconds.isEmpty()) {
      run.report.put(
          "latency_commit_to_row_p50_s", Numbers.round(seconds.get(seconds.size() / 2), 3));
      run.report.put(
          "latency_commit_to_row_max_s", Numbers.round(seconds.get(seconds.size() - 1), 3));
    }
  }
}
