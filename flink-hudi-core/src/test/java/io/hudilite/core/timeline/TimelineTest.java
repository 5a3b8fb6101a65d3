package io.hudilite.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TimelineTest {
  private static InstantTime t(int number) {
    return new InstantTime("20260101000000%03d".formatted(number));
  }

  private static Instant.Completed done(int requested, int completed, Action action) {
    return Instant.Completed.of(t(requested), t(completed), action);
  }

  private static Instant.Inflight inflight(int requested, Action action) {
    return new Instant.Inflight(t(requested), action);
  }

  private static Instant.Requested requested(int requested, Action action) {
    return new Instant.Requested(t(requested), action);
  }

  @Test
  void onlyTheHighestStateCounts() {
    Timeline timeline =
        Timeline.of(
            List.of(
                requested(1, Action.COMPACTION),
                done(1, 2, Action.COMPACTION),
                inflight(1, Action.COMPACTION),
                requested(3, Action.DELTA_COMMIT),
                inflight(3, Action.DELTA_COMMIT)));

    assertThat(timeline.instants())
        .containsExactly(done(1, 2, Action.COMMIT), inflight(3, Action.DELTA_COMMIT));
    assertThat(timeline.pendingWrites()).containsExactly(inflight(3, Action.DELTA_COMMIT));
    assertThat(timeline.startedAs(done(1, 2, Action.COMMIT))).isEqualTo(Action.COMPACTION);
  }

  @Test
  void lateWriterComesByItsCompletionTime() {
    Timeline timeline =
        Timeline.of(
            List.of(
                done(1, 9, Action.DELTA_COMMIT),
                done(2, 3, Action.DELTA_COMMIT),
                done(4, 5, Action.CLEAN)));

    assertThat(timeline.completedWrites())
        .containsExactly(done(2, 3, Action.DELTA_COMMIT), done(1, 9, Action.DELTA_COMMIT));
    assertThat(timeline.completedAfter(t(3))).containsExactly(done(1, 9, Action.DELTA_COMMIT));
    assertThat(timeline.completedFrom(t(3))).hasSize(2);
    assertThat(timeline.completedBetween(t(2), t(8)))
        .containsExactly(done(2, 3, Action.DELTA_COMMIT));
    assertThat(timeline.lastCompletion()).contains(t(9));
    assertThat(timeline.completionTimeOf(t(1))).contains(t(9));
    assertThat(timeline.completionTimeOf(t(4))).isEmpty();
  }

  @Test
  void whatIsOlderThanTheFirstWriteIsArchivedAndSoCommitted() {
    Timeline timeline =
        Timeline.of(
            List.of(
                requested(3, Action.CLEAN),
                inflight(5, Action.DELTA_COMMIT),
                done(6, 7, Action.DELTA_COMMIT)));

    assertThat(timeline.isCommitted(t(4))).isTrue();
    assertThat(timeline.isCommitted(t(5))).isFalse();
    assertThat(timeline.isCommitted(t(6))).isTrue();
    assertThat(timeline.isCommitted(t(8))).isFalse();
    assertThat(Timeline.of(List.of()).isCommitted(t(1))).isFalse();
  }

  @Test
  void commitKeptForItsSavepointIsNotTheStart() {
    Timeline timeline =
        Timeline.of(
            List.of(
                done(2, 3, Action.COMMIT),
                done(2, 4, Action.SAVEPOINT),
                done(8, 9, Action.COMMIT)));

    assertThat(timeline.isCommitted(t(5))).isTrue();
    assertThat(timeline.isCommitted(t(2))).isTrue();
    assertThat(timeline.completedWrites()).hasSize(2);
  }

  @Test
  void secondCompletionOfAnInstantIsIgnored() {
    Timeline timeline =
        Timeline.of(List.of(done(1, 5, Action.DELTA_COMMIT), done(1, 3, Action.DELTA_COMMIT)));

    assertThat(timeline.completedWrites()).containsExactly(done(1, 3, Action.DELTA_COMMIT));
  }

  @Test
  void timeTravelForgetsLaterRequests() {
    Timeline timeline =
        Timeline.of(
            List.of(
                done(1, 6, Action.DELTA_COMMIT),
                done(2, 3, Action.DELTA_COMMIT),
                done(4, 5, Action.DELTA_COMMIT)));

    assertThat(timeline.requestedUpTo(t(2)).completedWrites())
        .containsExactly(done(2, 3, Action.DELTA_COMMIT), done(1, 6, Action.DELTA_COMMIT));
    assertThat(timeline.newestTime()).contains(t(6));
  }
}
