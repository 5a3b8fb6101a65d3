package io.hudilite.core.compact;

import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.CommitOutcome;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * One try to carry out a plan: each of {@link #tasks} is done, anywhere; {@link #complete} makes
 * what they wrote visible at once; if one fails, {@link #giveUp} sets the plan back to requested.
 * Not safe for use by several threads.
 */
public interface ServiceExecution {

  /** Of the plan. */
  InstantTime instant();

  /** The parts of the plan. */
  List<? extends ServiceTask> tasks();

  /**
   * All tasks are done: tells writers of the table that care. Nothing, unless it takes their file
   * groups away.
   */
  default void announce() throws IOException {}

  /**
   * Makes the new files visible.
   *
   * @param results the files of each task, by its number
   * @return REFUSED if another execution has taken the place of this one, or the plan turned out to
   *     be one that would lose rows: the files of this one are deleted; UNKNOWN: call again
   */
  CommitOutcome complete(Map<Integer, List<WriteStat>> results);

  /**
   * Ends a try that failed: deletes what it wrote, and sets the plan back to requested. All its
   * workers must have ended.
   *
   * @throws IOException if that did not work out; the next execution, or the commit of the plan,
   *     deletes what is left
   */
  void giveUp() throws IOException;
}
