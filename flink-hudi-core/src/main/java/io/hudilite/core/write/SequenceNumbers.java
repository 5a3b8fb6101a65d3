package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;

/**
 * Numbers the rows that one task writes in one instant: {@code <instant>_<task>_<row>}, the form of
 * {@code _hoodie_commit_seqno}. Shared by all files of the task and instant, so that numbers are
 * unique. Not safe for use by several threads.
 */
public final class SequenceNumbers {
  private final InstantTime instant;
  private final int task;
  private long rows;

  /**
   * @param instant requested time
   * @param task number of the writer among those of the instant
   */
  public SequenceNumbers(InstantTime instant, int task) {
    this.instant = requireNonNull(instant, "instant");
    this.task = task;
  }

  public InstantTime instant() {
    return instant;
  }

  int task() {
    return task;
  }

  /** The next row's number, from 0. */
  long nextRow() {
    return rows++;
  }
}
