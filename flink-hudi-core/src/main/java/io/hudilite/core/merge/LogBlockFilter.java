package io.hudilite.core.merge;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which blocks of log files count. In table version 8 a log file belongs to one instant, so that
 * choosing files is enough; in version 6 blocks of several instants share a file, committed or not.
 * Source: Hudi 1.0.2 BaseHoodieLogRecordReader.
 *
 * @param start instants before it are committed: they have left the timeline
 * @param completed other instants that are committed
 */
public record LogBlockFilter(InstantTime start, Set<InstantTime> completed) {
  private static final InstantTime END = new InstantTime("99999999999999999");

  /** All blocks: for files that were chosen by their instants. */
  public static final LogBlockFilter ALL = new LogBlockFilter(END, Set.of());

  public LogBlockFilter {
    requireNonNull(start, "start");
    completed = Set.copyOf(completed);
  }

  /** The blocks of instants that are committed on a timeline. */
  public static LogBlockFilter committedOn(Timeline timeline) {
    InstantTime first =
        timeline.instants().stream()
            .filter(instant -> instant.action().writesData())
            .map(Instant::requestedTime)
            .findFirst()
            .orElse(InstantTime.BEGINNING);
    return new LogBlockFilter(
        first,
        timeline.completedWrites().stream()
            .map(Instant.Completed::requestedTime)
            .collect(Collectors.toSet()));
  }

  public boolean accepts(InstantTime instant) {
    return instant.isBefore(start) || completed.contains(instant);
  }
}
