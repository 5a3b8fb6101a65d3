package io.hudilite.sink.compact;

import io.hudilite.core.compact.CompactionHistory;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;

/**
 * What the coordinator of compactions and clusterings tells of itself. Safe for use by several
 * threads.
 */
final class CompactionMetrics {
  private static final long NONE = -1;

  private final InstantSource clock;
  private final Counter planned = new SimpleCounter();
  private final Counter completed = new SimpleCounter();
  private final Counter failed = new SimpleCounter();
  private final Counter rows = new SimpleCounter();
  private final Counter clusteringsPlanned = new SimpleCounter();
  private final Counter clusteringsCompleted = new SimpleCounter();
  private final Counter clusteringsFailed = new SimpleCounter();
  private final Counter clusteredRows = new SimpleCounter();
  private volatile int clusteringsPending;
  private volatile long oldestPendingClusteringMillis = NONE;
  private volatile int pending;
  private volatile long oldestPendingMillis = NONE;
  private volatile long oldestUncompactedMillis = NONE;
  private volatile long lastMillis;

  CompactionMetrics(InstantSource clock) {
    this.clock = clock;
  }

  void register(MetricGroup group) {
    MetricGroup own = group.addGroup("hudi");
    registerClustering(own);
    own.counter("compactionsPlanned", planned);
    own.counter("compactionsCompleted", completed);
    own.counter("compactionsFailed", failed);
    own.counter("compactedRows", rows);
    own.gauge("compactionsPending", () -> pending);
    own.gauge("oldestPendingCompactionAgeMs", () -> age(oldestPendingMillis));
    own.gauge("oldestUncompactedDeltaCommitAgeMs", () -> age(oldestUncompactedMillis));
    own.gauge("lastCompactionMs", () -> lastMillis);
  }

  private void registerClustering(MetricGroup own) {
    own.counter("clusteringsPlanned", clusteringsPlanned);
    own.counter("clusteringsCompleted", clusteringsCompleted);
    own.counter("clusteringsFailed", clusteringsFailed);
    own.counter("clusteredRows", clusteredRows);
    own.gauge("clusteringsPending", () -> clusteringsPending);
    own.gauge("oldestPendingClusteringAgeMs", () -> age(oldestPendingClusteringMillis));
  }

  private long age(long sinceMillis) {
    return sinceMillis == NONE ? 0 : Math.max(0, clock.millis() - sinceMillis);
  }

  /** As the timeline of the table is now. */
  void update(CompactionHistory history, HudiTable table) {
    ZoneId zone = table.config().timelineZone();
    pending = table.timeline().pendingCompactions().size();
    oldestPendingMillis = history.pending().map(time -> time.toMillis(zone)).orElse(NONE);
    oldestUncompactedMillis =
        history.oldestUncompacted().map((InstantTime time) -> time.toMillis(zone)).orElse(NONE);
    List<Instant> clusterings = table.timeline().pendingClusterings();
    clusteringsPending = clusterings.size();
    oldestPendingClusteringMillis =
        clusterings.isEmpty() ? NONE : clusterings.get(0).requestedTime().toMillis(zone);
  }

  void onPlanned(Action action) {
    (isClustering(action) ? clusteringsPlanned : planned).inc();
  }

  void onCompleted(Action action, List<WriteStat> stats, long millis) {
    (isClustering(action) ? clusteringsCompleted : completed).inc();
    Counter counted = isClustering(action) ? clusteredRows : rows;
    stats.forEach(stat -> counted.inc(stat.numWrites()));
    if (!isClustering(action)) {
      lastMillis = millis;
    }
  }

  void onFailed(Action action) {
    (isClustering(action) ? clusteringsFailed : failed).inc();
  }

  /** What failed is not known. */
  void onFailed() {
    failed.inc();
  }

  private static boolean isClustering(Action action) {
    return action == Action.CLUSTERING;
  }
}
