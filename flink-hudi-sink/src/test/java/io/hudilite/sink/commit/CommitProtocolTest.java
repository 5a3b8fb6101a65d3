package io.hudilite.sink.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.timeline.InstantTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Single histories; {@link CommitSimulation} makes the many. */
class CommitProtocolTest {
  private static final InstantTime FIRST = new InstantTime("20260101000000001");
  private static final InstantTime SECOND = new InstantTime("20260101000000002");

  private static WriteReport report(
      int subtask, long checkpoint, long epoch, Optional<InstantTime> instant) {
    return new WriteReport(
        "run",
        "job",
        subtask,
        0,
        checkpoint,
        epoch,
        instant,
        List.of(),
        false,
        checkpoint == WriteReport.END_OF_INPUT);
  }

  private static CommitProtocol started(CommitTiming timing, int writers) {
    CommitProtocol protocol = new CommitProtocol("run", timing, writers);
    protocol.onStarted(List.of());
    for (int i = 0; i < writers; i++) {
      protocol.onResume(i, 0, -1, 0);
    }
    return protocol;
  }

  @Test
  void lastInstantOfARunThatCommitsAtItsEndIsMarked() {
    CommitProtocol protocol = started(CommitTiming.AT_END, 1);
    protocol.onRequest(1, 0, 0, -1);
    protocol.onOpened(0, FIRST);
    protocol.onReport(report(0, 5, -1, Optional.of(FIRST))); // a savepoint
    protocol.onRequest(2, 0, 0, 5);
    protocol.onOpened(1, SECOND);
    List<Effect> effects =
        protocol.onEnd(3, report(0, WriteReport.END_OF_INPUT, 5, Optional.of(SECOND)));
    assertThat(effects)
        .extracting(effect -> ((Effect.Commit) effect).isLast())
        .containsExactly(false, true);

    protocol.onCommitted(FIRST);
    assertThat(protocol.onRequest(4, 0, 0, 5)).as("not done yet").isEmpty();
    assertThat(protocol.onCommitted(SECOND))
        .contains(new Effect.AnswerDone(4), new Effect.AnswerCommitted(3));
  }

  @Test
  void rowsBehindABarrierWaitForThoseBeforeIt() {
    CommitProtocol protocol = started(CommitTiming.PER_CHECKPOINT, 2);
    protocol.onReport(report(0, 1, -1, Optional.empty()));
    assertThat(protocol.onRequest(1, 0, 0, 1)).as("writer 1 may still ask").isEmpty();
    assertThat(protocol.onRequest(2, 1, 0, -1)).containsExactly(new Effect.Open(0));
    assertThat(protocol.onOpened(0, FIRST)).containsExactly(new Effect.Answer(2, FIRST));
    assertThat(protocol.onReport(report(1, 1, -1, Optional.of(FIRST))))
        .containsExactly(new Effect.Open(1));
    assertThat(protocol.onOpened(1, SECOND)).containsExactly(new Effect.Answer(1, SECOND));
    assertThat(protocol.onCheckpointComplete(1))
        .extracting(effect -> ((Effect.Commit) effect).instant())
        .containsExactly(FIRST);
    assertThat(protocol.onRequest(3, 1, 0, 1)).containsExactly(new Effect.Answer(3, SECOND));
  }

  @Test
  void barrierOfAnAbortedCheckpointPartsNothing() {
    CommitProtocol protocol = started(CommitTiming.PER_CHECKPOINT, 2);
    protocol.onRequest(1, 0, 0, -1);
    protocol.onOpened(0, FIRST);
    protocol.onReport(report(0, 1, -1, Optional.of(FIRST)));
    assertThat(protocol.onRequest(2, 0, 0, 1)).as("writer 1 may still ask").isEmpty();
    assertThat(protocol.onCheckpointAborted(1)).containsExactly(new Effect.Answer(2, FIRST));
    assertThat(protocol.onRequest(3, 1, 0, -1)).containsExactly(new Effect.Answer(3, FIRST));
    protocol.onReport(report(0, 2, 1, Optional.of(FIRST)));
    protocol.onReport(report(1, 2, -1, Optional.of(FIRST)));
    assertThat(protocol.onCheckpointComplete(2))
        .singleElement()
        .satisfies(
            effect ->
                assertThat(((Effect.Commit) effect).reports())
                    .as("one before and one behind the barrier of writer 0")
                    .hasSize(3));
  }

  @Test
  void lateReportDoesNotEndTheIntervalBehindIt() {
    CommitProtocol protocol = started(CommitTiming.PER_CHECKPOINT, 1);
    protocol.onRequest(1, 0, 0, -1);
    protocol.onOpened(0, FIRST);
    WriteReport first = report(0, 1, -1, Optional.of(FIRST));
    protocol.onReport(first);
    protocol.onCheckpointAborted(1);
    assertThat(protocol.onRequest(2, 0, 0, 1)).containsExactly(new Effect.Answer(2, FIRST));
    protocol.onReport(first); // again
    assertThat(protocol.onCheckpointComplete(2)).as("writer 0 has not reported").isEmpty();
    assertThat(protocol.onReport(report(0, 2, 1, Optional.of(FIRST))))
        .hasOnlyElementsOfType(Effect.Commit.class)
        .hasSize(1);
  }

  @Test
  void writerThatBeginsWithoutAllOfItsStateFailsTheJob() {
    CommitProtocol protocol = new CommitProtocol("run", CommitTiming.PER_CHECKPOINT, 1);
    protocol.onStarted(List.of());
    protocol.onRestored(0, 0, report(0, 1, -1, Optional.of(FIRST)));
    assertThat(protocol.onResume(0, 0, 1, 2)).hasOnlyElementsOfType(Effect.FailJob.class);
  }
}
