package io.hudilite.sink.commit;

import java.time.InstantSource;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;

/** What the coordinator tells of itself. Safe for use by several threads. */
final class CommitMetrics {
  private final InstantSource clock;
  private final Counter commits = new SimpleCounter();
  private final Counter failures = new SimpleCounter();
  private volatile int pendingCommits;
  private volatile long lastCommitMillis;

  CommitMetrics(InstantSource clock) {
    this.clock = clock;
    this.lastCommitMillis = clock.millis();
  }

  void register(MetricGroup group) {
    MetricGroup own = group.addGroup("hudi");
    // Before the first commit it counts from the start of the job.
    own.gauge("secondsSinceLastCommit", () -> (clock.millis() - lastCommitMillis) / 1000);
    own.gauge("commitsPending", () -> pendingCommits);
    own.counter("commits", commits);
    own.counter("commitFailures", failures);
  }

  void setPendingCommits(int pending) {
    pendingCommits = pending;
  }

  /** Thread of commits. */
  void onCommit() {
    lastCommitMillis = clock.millis();
    commits.inc();
  }

  /** Thread of commits. */
  void onFailure() {
    failures.inc();
  }
}
