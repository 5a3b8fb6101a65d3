package io.hudilite.core.compact;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.InstantSource;

/**
 * When an execution of a plan that has not ended may be taken for dead.
 *
 * @param owner how this process names itself in claims, such as {@code job 4711}
 * @param timeout option {@code compaction.timeout.seconds}: so long without a sign of life
 * @param predecessor beginning of the owner names whose executions are dead for certain, because
 *     this process has taken their place; empty if there are none such
 */
public record TakeOver(String owner, Duration timeout, String predecessor, InstantSource clock) {
  public TakeOver {
    requireNonNull(owner, "owner");
    requireNonNull(timeout, "timeout");
    requireNonNull(predecessor, "predecessor");
    requireNonNull(clock, "clock");
  }

  boolean mayTakeOver(String other, long lastSeenMillis) {
    return (!predecessor.isEmpty() && other.startsWith(predecessor))
        || clock.millis() - lastSeenMillis > timeout.toMillis();
  }
}
