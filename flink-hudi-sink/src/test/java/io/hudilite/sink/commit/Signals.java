package io.hudilite.sink.commit;

import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;

/** Gives signals as the coordinator of commits does. */
public final class Signals {
  private Signals() {}

  public static void ready(CommitSignal signal, InstantClock clock) {
    signal.ready(clock);
  }

  public static void committed(CommitSignal signal, InstantTime reserved) {
    signal.committed(reserved);
  }

  public static void caughtUp(CommitSignal signal, long checkpointId) {
    signal.caughtUp(checkpointId);
  }
}
