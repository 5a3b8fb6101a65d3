package io.hudilite.sink.write;

/** What makes the names of a writer's files and markers its own. Not safe for several threads. */
final class WriterName {
  private final int subtask;
  private final int subtasks;
  private final int attempt;
  private long tokens;
  private long markers;

  WriterName(int subtask, int subtasks, int attempt) {
    this.subtask = subtask;
    this.subtasks = subtasks;
    this.attempt = attempt;
  }

  int subtask() {
    return subtask;
  }

  /** A write token that no other flush has. */
  String nextToken() {
    return subtask + "-" + attempt + "-" + tokens++;
  }

  /** A number of a marker file that no other flush of the instant has. */
  long nextMarkerNumber() {
    return ((attempt * 1_000_000L) + markers++) * subtasks + subtask;
  }
}
