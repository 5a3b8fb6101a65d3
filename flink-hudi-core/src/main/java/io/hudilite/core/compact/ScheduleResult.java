package io.hudilite.core.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.CompactionPlan;
import io.hudilite.core.timeline.InstantTime;

/** What came of looking for something to compact. That there is nothing is no error. */
public sealed interface ScheduleResult {

  /** A plan is on the timeline now. */
  record Planned(InstantTime instant, CompactionPlan plan) implements ScheduleResult {
    public Planned {
      requireNonNull(instant, "instant");
      requireNonNull(plan, "plan");
    }
  }

  /**
   * There is no plan.
   *
   * @param reason for people, such as {@code 3 of 5 delta commits since compaction 2026…}
   */
  record Nothing(String reason) implements ScheduleResult {
    public Nothing {
      requireNonNull(reason, "reason");
    }
  }
}
