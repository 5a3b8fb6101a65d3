package io.hudilite.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.readerlease.ReaderLease;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requirements B5 64 and B6 76: how much a clean must retain for those who read. */
class RetentionAdviceTest {
  private static final long NOW = 1_800_000_000_000L;

  private static InstantTime minutesAgo(long minutes) {
    return InstantTime.ofUtcMillis(NOW - minutes * 60_000);
  }

  /** Twelve commits, one every ten minutes. */
  private static Timeline timeline() {
    List<Instant> instants = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      instants.add(
          Instant.Completed.of(
              InstantTime.ofUtcMillis(NOW - i * 600_000L - 1000),
              minutesAgo(i * 10L),
              Action.DELTA_COMMIT));
    }
    return Timeline.of(instants);
  }

  @Test
  void requirement76AnHourOfQueryAtACommitEveryTenMinutesNeedsSixAndAMargin() {
    RetentionAdvice advice = RetentionAdvice.of(Duration.ofMinutes(60), Duration.ofMinutes(10));
    assertThat(advice.needed()).isEqualTo(6);
    assertThat(advice.advised()).isEqualTo(8);
    assertThat(advice.warning(5))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .contains("5 commits", "3600 s", "6 commits", "600 s")
                    .contains("'clean.retain_commits' to 8"));
    assertThat(advice.warning(1)).isPresent();
    assertThat(advice.warning(6)).isEmpty();
    assertThat(RetentionAdvice.of(Duration.ofHours(10), Duration.ofMinutes(10)).advised())
        .isEqualTo(72);
  }

  @Test
  void requirement64TheReaderThatLooksBackLongestIsComparedWithTheRetention() {
    List<ReaderLease> leases =
        List.of(
            new ReaderLease("follows", minutesAgo(0), NOW + 600_000),
            new ReaderLease("slow", minutesAgo(60), NOW + 600_000));
    RetentionAdvice advice =
        RetentionAdvice.of(timeline(), ZoneOffset.UTC, leases, NOW).orElseThrow();
    assertThat(advice).isEqualTo(RetentionAdvice.of(Duration.ofHours(1), Duration.ofMinutes(10)));
    assertThat(advice.warning(5)).isPresent();
    assertThat(advice.warning(30)).isEmpty();
  }

  @Test
  void whoFollowsNeedsNothingOfThePast() {
    List<ReaderLease> follows = List.of(new ReaderLease("r", minutesAgo(0), NOW + 600_000));
    RetentionAdvice advice =
        RetentionAdvice.of(timeline(), ZoneOffset.UTC, follows, NOW + 3_600_000).orElseThrow();
    assertThat(advice.needed()).isEqualTo(1);
    assertThat(advice.warning(1)).isEmpty();
  }

  @Test
  void withoutReadersOrCommitsThereIsNothingToTell() {
    List<ReaderLease> leases = List.of(new ReaderLease("r", minutesAgo(60), NOW + 600_000));
    assertThat(RetentionAdvice.of(timeline(), ZoneOffset.UTC, List.of(), NOW)).isEmpty();
    assertThat(RetentionAdvice.of(Timeline.of(List.of()), ZoneOffset.UTC, leases, NOW)).isEmpty();
  }
}
