package io.hudilite.sink.commit;

import io.hudilite.core.timeline.WriteStat;
import java.time.InstantSource;
import java.util.List;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;

/** What the coordinator tells of itself. Safe for use by several threads. */
final class CommitMetrics {
  private final InstantSource clock;
  private final Counter commits = new SimpleCounter();
  private final Counter commitMillis = new SimpleCounter();
  private final Counter rows = new SimpleCounter();
  private final Counter files = new SimpleCounter();
  private final Counter bytes = new SimpleCounter();
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
    own.counter("commitMillis", commitMillis);
    own.counter("rowsCommitted", rows);
    own.counter("filesCommitted", files);
    own.counter("bytesCommitted", bytes);
    own.counter("commitFailures", failures);
  }

  void setPendingCommits(int pending) {
    pendingCommits = pending;
  }

  /** Thread of commits. */
  void onCommit(long tookMillis, Size size) {
    lastCommitMillis = clock.millis();
    commits.inc();
    commitMillis.inc(tookMillis);
    rows.inc(size.rows());
    files.inc(size.files());
    bytes.inc(size.bytes());
  }

  /** Thread of commits. */
  void onFailure() {
    failures.inc();
  }

  /** How much a commit holds. */
  record Size(long rows, long files, long bytes) {
    static Size of(List<WriteReport> reports) {
      long files = 0;
      long rows = 0;
      long bytes = 0;
      for (WriteReport report : reports) {
        for (WriteStat stat : report.stats()) {
          files++;
          rows += Math.max(0, stat.numWrites()) + Math.max(0, stat.numDeletes());
          bytes += Math.max(0, stat.fileSizeInBytes());
        }
      }
      return new Size(rows, files, bytes);
    }
  }
}
