package io.hudilite.sink.commit;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import java.util.List;
import java.util.Optional;

/**
 * What one writer wrote between two checkpoint barriers. The writer keeps it in its state until the
 * instant is committed, so the rows of a complete checkpoint can always be committed again.
 *
 * @param run id of the job start that wrote it
 * @param job name of the job, for people who look at the timeline
 * @param subtask of the writer
 * @param attempt of the writer
 * @param checkpoint whose barrier ended the interval; {@link #END_OF_INPUT} in jobs without
 *     checkpoints
 * @param epoch checkpoint whose barrier began the interval
 * @param instant that the files belong to; empty if nothing was written
 * @param stats one per file
 * @param keysMoved whether a key changed its file group, or may do so unseen, so that changes of
 *     one file group cannot be read without regard to those of others
 * @param isEndOfInput whether this writer will write nothing more
 */
public record WriteReport(
    String run,
    String job,
    int subtask,
    int attempt,
    long checkpoint,
    long epoch,
    Optional<InstantTime> instant,
    List<WriteStat> stats,
    boolean keysMoved,
    boolean isEndOfInput) {

  /** Stands for the checkpoint where there are none. */
  public static final long END_OF_INPUT = Long.MAX_VALUE;

  public WriteReport {
    requireNonNull(run, "run");
    requireNonNull(job, "job");
    requireNonNull(instant, "instant");
    stats = List.copyOf(stats);
  }
}
