package io.hudilite.bench;

import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.CheckpointType;
import org.apache.flink.runtime.checkpoint.AbstractCheckpointStats;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.checkpoint.TaskStateStats;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;

/** The Flink cluster of a run, in this JVM: its jobs and their checkpoints. */
final class Cluster {
  private final MiniCluster cluster;
  private final URI rest;

  private Cluster(MiniCluster cluster, URI rest) {
    this.cluster = cluster;
    this.rest = rest;
  }

  static Cluster start(Run run) throws Exception {
    Map<String, String> conf = new HashMap<>();
    conf.put("rest.port", "0");
    conf.put("rest.bind-port", "0");
    conf.put("rest.address", "localhost");
    conf.put("web.checkpoints.history", "2000");
    conf.put("taskmanager.memory.managed.size", run.flags.text("managed", "512m"));
    conf.put("taskmanager.memory.network.min", "128m");
    conf.put("taskmanager.memory.network.max", "128m");
    conf.put("io.tmp.dirs", Files.createDirectories(run.work.resolve("tmp")).toString());
    conf.put("heartbeat.timeout", "300000");
    conf.putAll(run.template.conf);
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(Configuration.fromMap(conf))
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(4 * run.parallelism)
                .build());
    cluster.start();
    URI rest = cluster.getRestAddress().get();
    ContextEnv.install(
        Map.of(
            "rest.address", rest.getHost(),
            "rest.port", Integer.toString(rest.getPort()),
            "parallelism.default", Integer.toString(run.parallelism)));
    return new Cluster(cluster, rest);
  }

  /** What a client needs to submit jobs here. */
  Map<String, String> clientConf() {
    return Map.of(
        "execution.target",
        "remote",
        "execution.attached",
        "false",
        "rest.address",
        rest.getHost(),
        "rest.port",
        Integer.toString(rest.getPort()));
  }

  CompletableFuture<JobResult> result(JobID job) {
    return cluster.requestJobResult(job);
  }

  void cancel(JobID job) throws Exception {
    cluster.cancelJob(job).get();
  }

  void awaitAllJobs() throws Exception {
    while (cluster.listJobs().get().stream()
        .anyMatch(job -> !job.getJobState().isGloballyTerminalState())) {
      Thread.sleep(10);
    }
  }

  /** Fails if the job has ended, whatever its end was. */
  void requireRunning(JobID job) throws Exception {
    JobStatus status = cluster.getJobStatus(job).get();
    if (status.isGloballyTerminalState()) {
      throw failure("job ended: " + status, result(job).get());
    }
  }

  static IllegalStateException failure(String what, JobResult result) {
    return new IllegalStateException(
        what,
        result
            .getSerializedThrowable()
            .map(cause -> cause.deserializeError(Cluster.class.getClassLoader()))
            .orElse(null));
  }

  /** Returns when a checkpoint is complete or the job has ended. */
  void checkpoint(JobID job, CompletableFuture<JobResult> result) throws Exception {
    while (!result.isDone()) {
      try {
        CompletableFuture.anyOf(trigger(job), result).get();
        return;
      } catch (ExecutionException e) {
        Thread.sleep(50); // another checkpoint is under way, or tasks are not all running
      }
    }
  }

  /** MiniCluster.triggerCheckpoint takes one argument in Flink 1.17, two later. */
  private CompletableFuture<?> trigger(JobID job) throws ReflectiveOperationException {
    for (Method method : MiniCluster.class.getMethods()) {
      if (method.getName().equals("triggerCheckpoint")) {
        if (method.getParameterCount() == 1) {
          return (CompletableFuture<?>) method.invoke(cluster, job);
        }
        if (method.getParameterCount() == 2
            && method.getParameterTypes()[1] == CheckpointType.class) {
          return (CompletableFuture<?>) method.invoke(cluster, job, CheckpointType.CONFIGURED);
        }
      }
    }
    throw new IllegalStateException("no triggerCheckpoint");
  }

  /** Where the newest completed checkpoint lies; statistics may lag behind it. */
  String newestCheckpoint(JobID job, CompletableFuture<JobResult> result) throws Exception {
    for (int tries = 0; tries < 1000 && !result.isDone(); tries++) {
      CompletedCheckpointStats newest = statistics(job).getHistory().getLatestCompletedCheckpoint();
      if (newest != null) {
        return newest.getExternalPath();
      }
      Thread.sleep(10);
    }
    requireRunning(job);
    throw new IllegalStateException("no completed checkpoint");
  }

  private CheckpointStatsSnapshot statistics(JobID job) throws Exception {
    return cluster.getExecutionGraph(job).get().getCheckpointStatsSnapshot();
  }

  /** Tells times and bytes of the completed checkpoints; sync and async of the worst subtask. */
  void tellCheckpoints(JobID job, Map<String, Object> phase) throws Exception {
    CheckpointStatsSnapshot statistics = statistics(job);
    if (statistics == null) {
      return;
    }
    List<Double> whole = new ArrayList<>();
    List<Double> sync = new ArrayList<>();
    List<Double> async = new ArrayList<>();
    long stateBytes = 0;
    for (AbstractCheckpointStats checkpoint : statistics.getHistory().getCheckpoints()) {
      if (!(checkpoint instanceof CompletedCheckpointStats)) {
        continue;
      }
      long worstSync = 0;
      long worstAsync = 0;
      for (TaskStateStats task : checkpoint.getAllTaskStateStats()) {
        TaskStateStats.TaskStateStatsSummary summary = task.getSummaryStats();
        worstSync = Math.max(worstSync, summary.getSyncCheckpointDurationStats().getMaximum());
        worstAsync = Math.max(worstAsync, summary.getAsyncCheckpointDurationStats().getMaximum());
      }
      whole.add((double) checkpoint.getEndToEndDuration());
      sync.add((double) worstSync);
      async.add((double) worstAsync);
      stateBytes += checkpoint.getStateSize();
    }
    phase.put("ckpt_count", whole.size());
    phase.put("ckpt_failed", statistics.getCounts().getNumberOfFailedCheckpoints());
    phase.put("ckpt_p50_ms", Numbers.quantile(whole, 0.5));
    phase.put("ckpt_p99_ms", Numbers.quantile(whole, 0.99));
    phase.put("ckpt_sync_p99_ms", Numbers.quantile(sync, 0.99));
    phase.put("ckpt_async_p99_ms", Numbers.quantile(async, 0.99));
    phase.put("ckpt_state_bytes", stateBytes);
  }
}
