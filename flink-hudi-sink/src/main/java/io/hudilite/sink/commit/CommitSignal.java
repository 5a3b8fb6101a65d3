package io.hudilite.sink.commit;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import javax.annotation.Nullable;
import org.apache.flink.runtime.operators.coordination.CoordinatorStore;

/**
 * Connects the coordinators of one sink in the job manager: whoever plans table services hears of
 * commits, and completes its own instants between two of them. Safe for use by several threads.
 */
public final class CommitSignal {
  private final Object completion = new Object();
  @Nullable private Listener listener;
  @Nullable private InstantClock clock;

  private CommitSignal() {}

  /** Hears of commits; must return at once. */
  public interface Listener {

    /**
     * The table is there, and the coordinator of commits has started anew.
     *
     * @param clock that it takes the times of its instants from
     */
    void onReady(InstantClock clock);

    /**
     * A commit is visible.
     *
     * @param reserved a time after it and before all that follow it; nobody else gets it
     */
    void onCommitted(InstantTime reserved);

    /** What the coordinator of commits knew of a checkpoint when it completed is committed. */
    void onCaughtUp(long checkpointId);
  }

  /**
   * The one of a sink.
   *
   * @param run id of the job start and the sink
   */
  public static CommitSignal of(CoordinatorStore store, String run) {
    return (CommitSignal)
        store.compute(
            "hudi-commit-signal-" + run,
            (key, known) -> known == null ? new CommitSignal() : known);
  }

  /** Tells of what is ready already, too. */
  public synchronized void listen(Listener newListener) {
    listener = requireNonNull(newListener, "newListener");
    if (clock != null) {
      listener.onReady(clock);
    }
  }

  synchronized void ready(InstantClock newClock) {
    clock = requireNonNull(newClock, "newClock");
    if (listener != null) {
      listener.onReady(clock);
    }
  }

  synchronized void committed(InstantTime reserved) {
    if (listener != null) {
      listener.onCommitted(reserved);
    }
  }

  synchronized void caughtUp(long checkpointId) {
    if (listener != null) {
      listener.onCaughtUp(checkpointId);
    }
  }

  /**
   * To be held by whoever completes an instant, from the choice of its completion time until it is
   * visible: a reader that has seen a later completion time does not look for an earlier one.
   */
  public Object completion() {
    return completion;
  }
}
