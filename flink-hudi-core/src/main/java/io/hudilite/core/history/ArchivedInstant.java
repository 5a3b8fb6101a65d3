package io.hudilite.core.history;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;

/**
 * A completed instant that has left the active timeline. Source: HoodieLSMTimelineInstant of Hudi
 * 1.0.2.
 *
 * @param action word of the completed action
 * @param metadata content of the completed file
 * @param plan content of the requested file of services that have one; empty for others
 */
@SuppressWarnings("ArrayRecordComponent") // passed on, never compared
public record ArchivedInstant(
    InstantTime requestedTime,
    InstantTime completionTime,
    String action,
    byte[] metadata,
    byte[] plan) {
  public ArchivedInstant {
    requireNonNull(requestedTime, "requestedTime");
    requireNonNull(completionTime, "completionTime");
    requireNonNull(action, "action");
    requireNonNull(metadata, "metadata");
    requireNonNull(plan, "plan");
  }

  /** What tells instants apart. */
  String id() {
    return requestedTime + "." + action;
  }
}
