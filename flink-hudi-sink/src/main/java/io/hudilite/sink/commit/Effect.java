package io.hudilite.sink.commit;

import io.hudilite.core.timeline.InstantTime;
import java.util.List;
import java.util.OptionalLong;

/** What {@link CommitProtocol} wants done. Effects are carried out in the order given. */
sealed interface Effect {

  /** Begin a new instant, then {@link CommitProtocol#onOpened}. */
  record Open(long slot) implements Effect {}

  /**
   * Make an instant visible, then {@link CommitProtocol#onCommitted}. Commits are carried out one
   * after the other.
   *
   * @param checkpoint the newest checkpoint among the reports
   * @param reports all reports of the instant, by writer
   * @param isRepeated whether reports came out of restored state, so that all may be done already
   * @param isLast whether the job's rows are all in the table with it; known only in jobs that
   *     commit at their end
   */
  record Commit(
      InstantTime instant,
      long checkpoint,
      List<WriteReport> reports,
      boolean isRepeated,
      boolean isLast)
      implements Effect {
    public Commit {
      reports = List.copyOf(reports);
    }
  }

  /** Remove an instant that no checkpoint will ever need. */
  record RollBack(InstantTime instant) implements Effect {}

  /** Answer a writer's request for an instant. */
  record Answer(long request, InstantTime instant) implements Effect {}

  /** Answer that all is committed already, so that the writer may drop its rows. */
  record AnswerDone(long request) implements Effect {}

  /** Answer that the writer that asked is gone. */
  record AnswerStale(long request) implements Effect {}

  /** Answer that the instants that a writer waits for are committed. */
  record AnswerCommitted(long request) implements Effect {}

  /**
   * Fail the whole job.
   *
   * @param checkpoint that was to be committed, if one was
   */
  record FailJob(String reason, OptionalLong checkpoint) implements Effect {}
}
