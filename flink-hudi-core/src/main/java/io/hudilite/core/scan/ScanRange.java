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
 */
public record ScanRange(InstantTime end, List<List<ScanSplit>> stages) {
  public ScanRange {
    requireNonNull(end, "end");
    stages = stages.stream().filter(stage -> !stage.isEmpty()).map(List::copyOf).toList();
  }

  public static ScanRange ofOneStage(InstantTime end, List<ScanSplit> splits) {
    return new ScanRange(end, List.of(splits));
  }
}
