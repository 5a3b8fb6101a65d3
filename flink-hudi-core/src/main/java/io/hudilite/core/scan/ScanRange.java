package io.hudilite.core.scan;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;
import java.util.List;

/**
 * The changes between two positions of the timeline.
 *
 * @param end the position behind the range: the completion time of its last instant. The next range
 *     begins after it
 * @param stages splits that may be read at the same time; all of a stage before the first of the
 *     next. Empty if the range has no rows, as that of a compaction
 * @param movesKeys whether a key may be deleted in one file group because it is in another one now:
 *     who reads both at the same time must take the delete for the older change
 */
public record ScanRange(InstantTime end, List<List<ScanSplit>> stages, boolean movesKeys) {
  public ScanRange {
    requireNonNull(end, "end");
    stages = stages.stream().filter(stage -> !stage.isEmpty()).map(List::copyOf).toList();
  }

  /** A range in whose stages the changes of each key are in order. */
  public ScanRange(InstantTime end, List<List<ScanSplit>> stages) {
    this(end, stages, stages.size() > 1);
  }

  public static ScanRange ofOneStage(InstantTime end, List<ScanSplit> splits) {
    return new ScanRange(end, List.of(splits));
  }
}
