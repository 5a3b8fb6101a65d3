package io.hudilite.sink.compact;

/**
 * How a worker goes on that gets no answer from the coordinator: it asks ever more seldom. Pure;
 * not safe for use by several threads.
 */
final class AskPolicy {
  private static final long FIRST_PAUSE_MILLIS = 200;
  private static final long LONGEST_PAUSE_MILLIS = 30_000;

  /** Together some seven minutes. */
  private static final int HOPELESS = 20;

  private int failures;

  /** Returns the pause before the next question. */
  long onFailure() {
    failures++;
    return Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures - 1, 20));
  }

  void onAnswer() {
    failures = 0;
  }

  /** Questions without an answer, one after the other. */
  int failures() {
    return failures;
  }

  /** Whether it is to be said now that nothing goes on: once, until there is an answer. */
  boolean hasBecomeHopeless() {
    return failures == HOPELESS;
  }
}
