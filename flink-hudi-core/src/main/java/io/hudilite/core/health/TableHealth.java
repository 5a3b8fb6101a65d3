package io.hudilite.core.health;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.readerlease.ReaderLease;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * Whether the services of a table keep up with its writers. Moments are epoch milliseconds, so that
 * ages can be told at any later time.
 *
 * @param lastCommitMillis completion of the newest write; empty if there is none
 * @param oldestUncompactedMillis request of the oldest delta commit with a log file that no base
 *     file holds; empty if there is none
 * @param compactions that are planned and not completed
 * @param clusterings that are planned and not completed
 * @param slices how many were looked at
 * @param logFiles per slice
 * @param logBytes per slice
 * @param baseFiles how many were looked at
 * @param smallBaseFiles among them
 * @param readerLeases that hold
 * @param readerLeasesAtRisk among them, which end soon and have not been renewed
 */
public record TableHealth(
    OptionalLong lastCommitMillis,
    OptionalLong oldestUncompactedMillis,
    Pending compactions,
    Pending clusterings,
    int slices,
    Spread logFiles,
    Spread logBytes,
    int baseFiles,
    int smallBaseFiles,
    int readerLeases,
    int readerLeasesAtRisk) {

  /** Of a table without commits. */
  public static final TableHealth EMPTY =
      new TableHealth(
          OptionalLong.empty(),
          OptionalLong.empty(),
          Pending.NONE,
          Pending.NONE,
          0,
          Spread.NONE,
          Spread.NONE,
          0,
          0,
          0,
          0);

  public TableHealth {
    requireNonNull(lastCommitMillis, "lastCommitMillis");
    requireNonNull(oldestUncompactedMillis, "oldestUncompactedMillis");
    requireNonNull(compactions, "compactions");
    requireNonNull(clusterings, "clusterings");
    requireNonNull(logFiles, "logFiles");
    requireNonNull(logBytes, "logBytes");
  }

  /**
   * Plans that wait.
   *
   * @param oldestMillis request of the oldest; empty if there is none
   */
  public record Pending(int count, OptionalLong oldestMillis) {
    /** No plan. */
    public static final Pending NONE = new Pending(0, OptionalLong.empty());

    public Pending {
      requireNonNull(oldestMillis, "oldestMillis");
    }
  }

  /**
   * Of a value that each slice has.
   *
   * @param p95 95 of 100 slices have no more
   */
  public record Spread(long max, long p95) {
    /** No slices. */
    public static final Spread NONE = new Spread(0, 0);

    static Spread of(Collection<SliceSize> slices, ToLongFunction<SliceSize> value) {
      long[] sorted = slices.stream().mapToLong(value).sorted().toArray();
      return sorted.length == 0
          ? NONE
          : new Spread(
              sorted[sorted.length - 1], sorted[(int) Math.ceil(sorted.length * 0.95) - 1]);
    }
  }

  /**
   * Computes it; no I/O and no clock.
   *
   * @param zone of the timeline
   * @param slices the newest of each file group that is known
   * @param oldestUncompacted as {@link SliceSizes#oldestUncompacted()}
   * @param leases that hold
   * @param nowMillis epoch milliseconds
   */
  public static TableHealth of(
      Timeline timeline,
      ZoneId zone,
      Collection<SliceSize> slices,
      Optional<InstantTime> oldestUncompacted,
      List<ReaderLease> leases,
      HealthLimits limits,
      long nowMillis) {
    List<Instant.Completed> writes = timeline.completedWrites();
    long margin = nowMillis + limits.leaseMargin().toMillis();
    int baseFiles = (int) slices.stream().filter(slice -> slice.baseBytes() > 0).count();
    return new TableHealth(
        writes.isEmpty()
            ? OptionalLong.empty()
            : OptionalLong.of(writes.get(writes.size() - 1).completionTime().toMillis(zone)),
        millis(oldestUncompacted, zone),
        pending(timeline, zone, Action.COMPACTION, Action.LOG_COMPACTION),
        pending(timeline, zone, Action.CLUSTERING, Action.CLUSTERING),
        slices.size(),
        Spread.of(slices, SliceSize::logFiles),
        Spread.of(slices, SliceSize::logBytes),
        baseFiles,
        (int)
            slices.stream()
                .filter(s -> s.baseBytes() > 0 && s.baseBytes() < limits.smallFileBytes())
                .count(),
        leases.size(),
        (int) leases.stream().filter(lease -> lease.expiresMillis() < margin).count());
  }

  private static Pending pending(Timeline timeline, ZoneId zone, Action one, Action other) {
    List<InstantTime> times =
        timeline.pendingWrites().stream()
            .filter(instant -> instant.action() == one || instant.action() == other)
            .map(Instant::requestedTime)
            .toList();
    return new Pending(times.size(), millis(times.stream().min(InstantTime::compareTo), zone));
  }

  private static OptionalLong millis(Optional<InstantTime> time, ZoneId zone) {
    return time.isEmpty() ? OptionalLong.empty() : OptionalLong.of(time.get().toMillis(zone));
  }

  /** Part of the base files that are small, from 0 to 1; 0 if there is none. */
  public double smallFileRatio() {
    return baseFiles == 0 ? 0 : (double) smallBaseFiles / baseFiles;
  }
}
