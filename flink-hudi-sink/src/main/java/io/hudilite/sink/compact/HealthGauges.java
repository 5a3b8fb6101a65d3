package io.hudilite.sink.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.health.HealthLimits;
import io.hudilite.core.health.RetentionAdvice;
import io.hudilite.core.health.SliceSizes;
import io.hudilite.core.health.TableHealth;
import io.hudilite.core.readerlease.ReaderLease;
import io.hudilite.core.readerlease.ReaderLeaseStore;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.metrics.MetricGroup;

/**
 * Shows {@link TableHealth} as metrics. An update costs a listing of the timeline and of the
 * leases, and a read of each new commit. Updates come from one thread; metrics are read by others.
 */
final class HealthGauges {
  private final InstantSource wall;
  private final SliceSizes sizes = new SliceSizes();
  private volatile TableHealth health = TableHealth.EMPTY;
  private volatile Optional<RetentionAdvice> retention = Optional.empty();

  HealthGauges(InstantSource wall) {
    this.wall = requireNonNull(wall, "wall");
  }

  void register(MetricGroup group) {
    MetricGroup own = group.addGroup("hudi");
    own.gauge("tableLastCommitAgeMs", () -> age(health.lastCommitMillis()));
    own.gauge("oldestUncompactedLogFileAgeMs", () -> age(health.oldestUncompactedMillis()));
    own.gauge("logFilesPerSliceMax", () -> health.logFiles().max());
    own.gauge("logFilesPerSliceP95", () -> health.logFiles().p95());
    own.gauge("logBytesPerSliceMax", () -> health.logBytes().max());
    own.gauge("logBytesPerSliceP95", () -> health.logBytes().p95());
    own.gauge("smallFileRatio", () -> health.smallFileRatio());
    own.gauge("readerLeases", () -> health.readerLeases());
    own.gauge("readerLeasesAtRisk", () -> health.readerLeasesAtRisk());
    own.gauge("commitsNeededByReaders", () -> retention.map(RetentionAdvice::needed).orElse(0));
  }

  private long age(OptionalLong sinceMillis) {
    return sinceMillis.isEmpty() ? 0 : Math.max(0, wall.millis() - sinceMillis.getAsLong());
  }

  /** As the table is now. */
  void update(Storage storage) throws IOException {
    HudiTable table = HudiTable.open(storage);
    sizes.update(table.timeline(), table.timelineStore());
    List<ReaderLease> leases = new ReaderLeaseStore(storage, wall).held();
    retention =
        RetentionAdvice.of(table.timeline(), table.config().timelineZone(), leases, wall.millis());
    health =
        TableHealth.of(
            table.timeline(),
            table.config().timelineZone(),
            sizes.sizes(),
            sizes.oldestUncompacted(),
            leases,
            HealthLimits.DEFAULT,
            wall.millis());
  }

  /** What the readers need of a clean, as of the last update; empty if there is none. */
  Optional<RetentionAdvice> retention() {
    return retention;
  }
}
