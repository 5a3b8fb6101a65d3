package io.hudilite.core.timeline;

import static java.util.Objects.requireNonNull;

/** One entry of the timeline in the highest state that it has reached. */
public sealed interface Instant {

  InstantTime requestedTime();

  Action action();

  /** Name of the file that shows this state, in the timeline folder of table version 8. */
  String fileName();

  default boolean isCompleted() {
    return this instanceof Completed;
  }

  /** Planned, nothing done yet. */
  record Requested(InstantTime requestedTime, Action action) implements Instant {
    public Requested {
      requireNonNull(requestedTime, "requestedTime");
      requireNonNull(action, "action");
    }

    @Override
    public String fileName() {
      return requestedTime + action.requestedSuffix();
    }
  }

  /** Under way, or left by a writer that died. */
  record Inflight(InstantTime requestedTime, Action action) implements Instant {
    public Inflight {
      requireNonNull(requestedTime, "requestedTime");
      requireNonNull(action, "action");
    }

    @Override
    public String fileName() {
      return requestedTime + action.inflightSuffix();
    }
  }

  /**
   * Done and visible. {@code action} is the completed one: a compaction counts as {@link
   * Action#COMMIT}.
   *
   * @param fileName as it is in the folder; legacy names have no completion time in them
   */
  record Completed(
      InstantTime requestedTime, InstantTime completionTime, Action action, String fileName)
      implements Instant {
    public Completed {
      requireNonNull(requestedTime, "requestedTime");
      requireNonNull(completionTime, "completionTime");
      requireNonNull(action, "action");
      requireNonNull(fileName, "fileName");
    }

    public static Completed of(
        InstantTime requestedTime, InstantTime completionTime, Action action) {
      return new Completed(
          requestedTime,
          completionTime,
          action.completedAs(),
          requestedTime + "_" + completionTime + action.completedSuffix());
    }
  }
}
