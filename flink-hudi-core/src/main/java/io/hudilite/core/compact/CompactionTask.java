package io.hudilite.core.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.timeline.InstantTime;

/**
 * One file group of a compaction, for one execution of it.
 *
 * @param instant of the plan
 * @param claim number of the execution
 * @param number of the task in the plan, from 0
 * @param slice the files to fold into one
 */
public record CompactionTask(InstantTime instant, int claim, int number, FileSlice slice)
    implements ServiceTask {
  public CompactionTask {
    requireNonNull(instant, "instant");
    requireNonNull(slice, "slice");
  }

  @Override
  public String describe() {
    return "file group " + slice.groupId();
  }

  /** Of the file to be written; other executions give other names. */
  BaseFileName fileName() {
    return new BaseFileName(slice.groupId().fileId(), number + "-" + claim + "-0", instant);
  }

  String path() {
    return slice.groupId().pathOf(fileName().toString());
  }

  /** Of the marker, distinct among all executions of the plan. */
  long markerNumber() {
    return claim * 10_000_000L + number;
  }
}
