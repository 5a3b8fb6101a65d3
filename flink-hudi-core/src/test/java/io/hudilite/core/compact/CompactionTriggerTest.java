package io.hudilite.core.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Seconds on a timeline in, answers out. */
final class CompactionTriggerTest {
  private final List<Instant> instants = new ArrayList<>();

  private static InstantTime second(int second) {
    return InstantTime.ofUtcMillis(1_767_225_600_000L + second * 1000L);
  }

  private void delta(int second) {
    instants.add(
        Instant.Completed.of(
            second(second),
            InstantTime.ofUtcMillis(second(second).toMillis(ZoneOffset.UTC) + 10),
            Action.DELTA_COMMIT));
  }

  private void plan(int second) {
    instants.add(new Instant.Requested(second(second), Action.COMPACTION));
  }

  private void compaction(int second, int completed) {
    plan(second);
    instants.add(Instant.Completed.of(second(second), second(completed), Action.COMPACTION));
  }

  private Optional<String> early(TriggerStrategy strategy, int now) {
    return new CompactionTrigger(strategy, 5, Duration.ofSeconds(60))
        .tooEarly(CompactionHistory.of(Timeline.of(instants)), second(now), ZoneOffset.UTC);
  }

  @Test
  void requirement67NumCommitsCountsFromTheLastCompletedCompaction() {
    compaction(0, 1);
    for (int i = 2; i <= 5; i++) {
      delta(i);
    }
    assertThat(early(TriggerStrategy.NUM_COMMITS, 5))
        .contains("4 of 5 delta commits since compaction " + second(0));
    delta(6);
    assertThat(early(TriggerStrategy.NUM_COMMITS, 6)).isEmpty();
  }

  @Test
  void aCommitThatCompletedWhileTheCompactionRanIsNotInIt() {
    compaction(10, 20);
    for (int i = 11; i <= 15; i++) {
      delta(i);
    }
    assertThat(early(TriggerStrategy.NUM_COMMITS, 21)).isEmpty();
  }

  @Test
  void requirement67TimeElapsedNeedsOneCommitAndTheTime() {
    assertThat(early(TriggerStrategy.TIME_ELAPSED, 0)).isPresent();
    delta(0);
    assertThat(early(TriggerStrategy.TIME_ELAPSED, 59)).isPresent();
    assertThat(early(TriggerStrategy.TIME_ELAPSED, 60)).isEmpty();
  }

  @Test
  void requirement67NumAndTimeNeedsBoth() {
    for (int i = 0; i < 5; i++) {
      delta(i * 2);
    }
    assertThat(early(TriggerStrategy.NUM_AND_TIME, 10)).isPresent();
    assertThat(early(TriggerStrategy.NUM_AND_TIME, 60)).isEmpty();
  }

  @Test
  void requirement67NumOrTimeTakesWhicheverIsFirst() {
    delta(0);
    assertThat(early(TriggerStrategy.NUM_OR_TIME, 59)).isPresent();
    assertThat(early(TriggerStrategy.NUM_OR_TIME, 60)).isEmpty();
    for (int i = 1; i < 5; i++) {
      delta(i);
    }
    assertThat(early(TriggerStrategy.NUM_OR_TIME, 5)).isEmpty();
  }

  @Test
  void requirement67AfterLastRequestCountsFromAPlanThatIsStuck() {
    for (int i = 0; i < 5; i++) {
      delta(i);
    }
    plan(6);
    assertThat(early(TriggerStrategy.NUM_COMMITS, 10))
        .hasValueSatisfying(reason -> assertThat(reason).contains("planned and not completed"));
    for (int i = 7; i < 11; i++) {
      delta(i);
    }
    assertThat(early(TriggerStrategy.NUM_COMMITS_AFTER_LAST_REQUEST, 11)).isPresent();
    delta(11);
    assertThat(early(TriggerStrategy.NUM_COMMITS_AFTER_LAST_REQUEST, 12)).isEmpty();
  }

  @Test
  void unknownStrategyNamesTheKnownOnes() {
    assertThat(TriggerStrategy.of("num_or_time")).isEqualTo(TriggerStrategy.NUM_OR_TIME);
    assertThatThrownBy(() -> TriggerStrategy.of("often"))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("num_commits_after_last_request");
  }
}
