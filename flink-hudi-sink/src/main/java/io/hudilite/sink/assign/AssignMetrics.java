package io.hudilite.sink.assign;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** What an assigner tells of itself. Thread of the task, but for gauges. */
final class AssignMetrics {
  private final Counter known;
  private final Counter fresh;
  private final Counter moved;
  private final Counter late;
  private final Counter nothingToDelete;
  private final Counter duplicates;

  AssignMetrics(MetricGroup group, GroupDictionary groups) {
    MetricGroup own = group.addGroup("hudi");
    known = own.counter("knownRows");
    fresh = own.counter("newRows");
    moved = own.counter("movedRows");
    late = own.counter("lateRows");
    nothingToDelete = own.counter("deletesOfNothing");
    duplicates = own.counter("duplicateRows");
    own.gauge("knownFileGroups", groups::size);
  }

  void count(Assignment.Outcome outcome) {
    switch (outcome) {
      case NEW -> fresh.inc();
      case KNOWN -> known.inc();
      case MOVED -> moved.inc();
      case LATE -> late.inc();
      case NOTHING_TO_DELETE -> nothingToDelete.inc();
      case DUPLICATE -> duplicates.inc();
      case WAITS -> {} // counted when it comes again
    }
  }
}
