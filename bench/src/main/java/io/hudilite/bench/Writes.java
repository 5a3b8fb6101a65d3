package io.hudilite.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.table.api.TableEnvironment;

/** The jobs that write generated rows into the table, each a phase of the run. */
final class Writes {
  /** How commits follow each other where the rows of a commit are given. */
  enum Pace {
    /** As fast as rows and checkpoints go. */
    FAST,
    /** With pauses, so that a reader sees one commit after the other. */
    PAUSED
  }

  /** The rows that the table must hold after all jobs so far. */
  private final Gen.Expected expected = new Gen.Expected();

  private final Run run;
  private final Cluster cluster;
  private final Tables tables;

  Writes(Run run, Cluster cluster, Tables tables) {
    this.run = run;
    this.cluster = cluster;
    this.tables = tables;
  }

  Gen.Expected expected() {
    return expected;
  }

  /** Writes rows into another table, so that code is compiled when the measured ones come. */
  void warmUp(String section) throws Exception {
    long rows = run.flags.number("warmup", 200_000);
    if (rows <= 0) {
      return;
    }
    Gen.Mode mode = section.equals("append") ? Gen.Mode.APPEND : Gen.Mode.LOAD;
    Gen.Spec spec = run.spec(mode, rows - rows % run.parallelism, 0);
    spec.keys = spec.rows;
    new Job("warm", spec, section, "warm_t", Map.of()).runToEnd(Pace.FAST);
    run.report.forgetPhases();
  }

  /** Loads all keys. */
  Map<String, Object> load(String section) throws Exception {
    Gen.Spec spec = run.spec(Gen.Mode.LOAD, run.keys, 0);
    if (run.workload.equals("upsert-load")) {
      spec.perCommit = run.flags.number("rows-per-commit", 0);
    } else { // the same number of commits everywhere, however busy the machine
      spec.perCommit = Math.max(2, run.keys / run.flags.number("load-commits", 4));
      spec.perCommit -= spec.perCommit % run.parallelism;
    }
    return write("load", spec, section, Pace.FAST);
  }

  Map<String, Object> write(String name, Gen.Spec spec, String section, Pace pace)
      throws Exception {
    expected.apply(spec);
    return new Job(name, spec, section, Run.TABLE, Map.of()).runToEnd(pace);
  }

  /** Loads all keys, checkpoints once, and cancels the job when its commit can be seen. */
  Map<String, Object> writeAndCancel(String name, Gen.Spec spec, String section) throws Exception {
    spec.hold = true;
    try (CommitWatch commits = run.watchCommits()) {
      return new Job(name, spec, section, Run.TABLE, Map.of()).runToCheckpoint(commits);
    }
  }

  /**
   * Goes on from a checkpoint; {@code spec} begins with the rows of the job that left it. What is
   * expected does not take them in, since that takes its time.
   */
  Map<String, Object> resume(String name, Gen.Spec spec, String section, String checkpoint)
      throws Exception {
    Map<String, String> conf = new HashMap<>();
    conf.put("execution.savepoint.path", checkpoint);
    conf.put("execution.state-recovery.path", checkpoint);
    // Paimon fails once on purpose after it has committed what the checkpoint held
    conf.put("restart-strategy", "fixed-delay");
    conf.put("restart-strategy.type", "fixed-delay");
    conf.put("restart-strategy.fixed-delay.attempts", "3");
    conf.put("restart-strategy.fixed-delay.delay", "100 ms");
    return new Job(name, spec, section, Run.TABLE, conf).runToEnd(Pace.FAST);
  }

  /** One job, from its submission to what it has to tell. */
  private final class Job {
    private final Gen.Spec spec;
    private final Control.Run progress;
    private final Map<String, Object> phase = new LinkedHashMap<>();
    private final List<Long> bytesPerCommit = new ArrayList<>();
    private final List<Double> checkpointMillis = new ArrayList<>();
    private final DiskUse diskBefore = DiskUse.of(run);
    private final Usage usage = new Usage(run.flags);
    private final long submitting = System.nanoTime();
    private final long submitted;
    private final JobID id;
    private final CompletableFuture<JobResult> result;
    private final long bytesBefore;
    private long bytesCounted;
    private long batches;

    Job(String name, Gen.Spec spec, String section, String table, Map<String, String> extra)
        throws Exception {
      this.spec = spec;
      progress = new Control.Run(spec);
      Control.RUNS.put(name, progress);
      phase.put("phase", name);
      phase.put("rows", spec.rows);
      Map<String, String> conf = new HashMap<>(extra);
      conf.put(
          "execution.checkpointing.interval",
          isGated() ? "1000000 s" : run.flags.text("interval", "5 s"));
      TableEnvironment env = tables.streaming(conf);
      tables.declare(env, section, table);
      env.executeSql(
          "CREATE TEMPORARY TABLE gen_src (%s, PRIMARY KEY (%s) NOT ENFORCED) WITH ('connector' = 'benchgen', 'run' = '%s')"
              .formatted(Run.COLUMNS, run.fill("${PK}", table), name));
      id =
          env.executeSql(
                  "INSERT INTO %s %s SELECT %s FROM gen_src"
                      .formatted(table, run.template.hint("sink", section), Run.NAMES))
              .getJobClient()
              .get()
              .getJobID();
      submitted = System.nanoTime();
      result = cluster.result(id);
      bytesBefore = Usage.bytesWritten(); // without what the submission wrote
      bytesCounted = bytesBefore;
    }

    private boolean isGated() {
      return spec.perCommit > 0;
    }

    Map<String, Object> runToEnd(Pace pace) throws Exception {
      boolean rested = pace == Pace.FAST;
      while (!result.isDone()) {
        if (isBatchOut() && !progress.allDone()) {
          checkpointBatch(pace);
        } else if (progress.allDone()) { // the source ends with the next checkpoint
          if (!rested) {
            Thread.sleep(1100);
            rested = true;
          }
          cluster.checkpoint(id, result);
          Thread.sleep(5);
        } else {
          Thread.sleep(1);
        }
      }
      if (!result.get().isSuccess()) {
        throw Cluster.failure("job " + phase.get("phase") + " failed", result.get());
      }
      return tell();
    }

    Map<String, Object> runToCheckpoint(CommitWatch commits) throws Exception {
      while (!result.isDone() && !(progress.allDone() && batches > 0)) {
        if (isBatchOut()) {
          checkpointBatch(Pace.FAST);
        } else {
          Thread.sleep(1);
        }
      }
      phase.put("external_path", cluster.newestCheckpoint(id, result));
      for (int tries = 0; tries < 3000 && commits.times().isEmpty(); tries++) {
        Thread.sleep(10); // the commit follows the checkpoint
      }
      Thread.sleep(run.flags.number("settle-ms", 500));
      cluster.cancel(id);
      result.get();
      return tell();
    }

    private boolean isBatchOut() {
      return isGated() && progress.minBatch() > batches;
    }

    private void checkpointBatch(Pace pace) throws Exception {
      batches++;
      if (pace == Pace.PAUSED) {
        Thread.sleep(700 + 137 * batches % 1000);
      }
      long start = System.nanoTime();
      cluster.checkpoint(id, result);
      checkpointMillis.add((System.nanoTime() - start) / 1e6);
      countBytes();
    }

    private void countBytes() {
      long bytes = Usage.bytesWritten();
      bytesPerCommit.add(bytes - bytesCounted);
      bytesCounted = bytes;
    }

    private Map<String, Object> tell() throws Exception {
      long end = System.nanoTime();
      countBytes();
      long first = progress.firstNanos == 0 ? end : progress.firstNanos;
      phase.put("wall_s", Numbers.seconds(end - first));
      phase.put("rows_per_s", Math.round(spec.rows / ((end - first) / 1e9)));
      phase.put("plan_s", Numbers.seconds(submitted - submitting));
      phase.put("submit_to_first_row_s", Numbers.seconds(first - submitted));
      usage.done(phase);
      double cpuSeconds = Math.max(0.001, (Double) phase.get("cpu_s"));
      phase.put("rows_per_cpu_s", Math.round(spec.rows / cpuSeconds));
      phase.put("io_written", bytesCounted - bytesBefore);
      if (isGated()) {
        phase.put("bytes_per_commit", bytesPerCommit);
        phase.put("ckpt_trigger_to_done_ms", checkpointMillis);
      }
      DiskUse disk = DiskUse.of(run);
      disk.tell(phase);
      phase.put("disk_bytes_added", disk.bytes() - diskBefore.bytes());
      cluster.tellCheckpoints(id, phase);
      run.report.addPhase(phase);
      return phase;
    }
  }
}
