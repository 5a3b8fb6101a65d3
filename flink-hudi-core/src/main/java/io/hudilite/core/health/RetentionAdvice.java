package io.hudilite.core.health;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.readerlease.ReaderLease;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.Timeline;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * How many commits a clean has to retain, so that whoever reads the table longest still finds its
 * files: the time of that read divided by the time between two commits. Some more are advised,
 * since commits do not come evenly. Leases hold files for readers of ours in any case, as long as
 * they are renewed; what reads the table without one has nothing but the retention.
 *
 * @param lookBack of the read that looks back longest
 * @param commitGap between two commits, on average
 * @param needed commits at least
 * @param advised commits with a margin: a fifth more, and two at least
 */
public record RetentionAdvice(Duration lookBack, Duration commitGap, int needed, int advised) {
  private static final int SMALLEST_MARGIN = 2;
  private static final int PART_OF_MARGIN = 5;

  public RetentionAdvice {
    requireNonNull(lookBack, "lookBack");
    requireNonNull(commitGap, "commitGap");
  }

  /**
   * For a read that is known.
   *
   * @param commitGap longer than nothing
   */
  public static RetentionAdvice of(Duration lookBack, Duration commitGap) {
    long gap = commitGap.toMillis();
    if (gap <= 0) {
      throw new IllegalArgumentException("Commits follow each other by " + commitGap);
    }
    long commits = Math.max(1, (lookBack.toMillis() + gap - 1) / gap);
    int needed = (int) Math.min(commits, Integer.MAX_VALUE / 2);
    int margin = Math.max(SMALLEST_MARGIN, (needed + PART_OF_MARGIN - 1) / PART_OF_MARGIN);
    return new RetentionAdvice(lookBack, commitGap, needed, needed + margin);
  }

  /**
   * For the readers that hold leases now. Empty if there is none, or there are too few commits to
   * tell how often they come.
   *
   * @param zone of the timeline
   * @param nowMillis epoch milliseconds
   */
  public static Optional<RetentionAdvice> of(
      Timeline timeline, ZoneId zone, List<ReaderLease> leases, long nowMillis) {
    List<Instant.Completed> writes = timeline.completedWrites();
    if (leases.isEmpty() || writes.size() < 2) {
      return Optional.empty();
    }
    long first = writes.get(0).completionTime().toMillis(zone);
    long last = writes.get(writes.size() - 1).completionTime().toMillis(zone);
    long gap = Math.max(1, (last - first) / (writes.size() - 1));
    long oldest =
        leases.stream().mapToLong(lease -> lease.position().toMillis(zone)).min().orElseThrow();
    // Who has all up to the newest commit waits for the next one, and looks back at nothing.
    long lookBack = oldest >= last ? 0 : nowMillis - oldest;
    return Optional.of(of(Duration.ofMillis(Math.max(0, lookBack)), Duration.ofMillis(gap)));
  }

  /**
   * What is wrong with a retention; empty if nothing is.
   *
   * @param retained commits, option {@code clean.retain_commits}
   */
  public Optional<String> warning(int retained) {
    if (retained >= needed) {
      return Optional.empty();
    }
    return Optional.of(
        ("%d commits are retained, and a reader looks back %d s, which is %d commits, one every %d"
                + " s: a reader without a lease would lose its files. Set 'clean.retain_commits' to"
                + " %d")
            .formatted(
                retained,
                lookBack.toSeconds(),
                needed,
                Math.max(1, commitGap.toSeconds()),
                advised));
  }
}
