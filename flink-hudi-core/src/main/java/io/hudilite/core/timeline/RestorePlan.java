package io.hudilite.core.timeline;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What a restore takes back. Source: HoodieRestorePlan of Hudi 1.0.2.
 *
 * @param savepoint what is restored: digits of its instant; {@code ""} if the plan does not say
 * @param targets what is taken back, in this order
 */
public record RestorePlan(String savepoint, List<Target> targets) {
  public RestorePlan {
    requireNonNull(savepoint, "savepoint");
    targets = List.copyOf(targets);
  }

  /**
   * An instant that goes.
   *
   * @param action word of its action: of the completed one if it is completed
   */
  public record Target(InstantTime instant, String action) {
    public Target {
      requireNonNull(instant, "instant");
      requireNonNull(action, "action");
    }
  }
}
