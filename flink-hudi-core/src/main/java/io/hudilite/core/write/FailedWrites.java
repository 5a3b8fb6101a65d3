package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.time.Duration;

/**
 * When a write counts as failed that is pending and not one of this writer's.
 *
 * @param policy option {@code hoodie.clean.failed.writes.policy}
 * @param beatInterval option {@code hoodie.client.heartbeat.interval_in_ms}: how often a write
 *     shows that it is alive, if the policy is lazy
 * @param tolerance how old its last sign of life may be; all writers of a table need the same
 */
public record FailedWrites(Policy policy, Duration beatInterval, Duration tolerance)
    implements Serializable {

  /** Hudi's word for it. */
  public enum Policy {
    /** Always: nobody else writes the table. */
    EAGER,
    /** If it has shown no sign of life for too long. */
    LAZY
  }

  /** For a writer that is alone. */
  public static final FailedWrites EAGER =
      new FailedWrites(Policy.EAGER, Duration.ofSeconds(60), Duration.ofSeconds(120));

  /** Beside others, with Hudi's defaults: a sign of life each minute, and one may be missing. */
  public static final FailedWrites LAZY = lazy(Duration.ofSeconds(60), 2);

  public FailedWrites {
    requireNonNull(policy, "policy");
    requireNonNull(beatInterval, "beatInterval");
    requireNonNull(tolerance, "tolerance");
  }

  /**
   * Beside others.
   *
   * @param misses intervals after which a write counts as failed, option {@code
   *     hoodie.client.heartbeat.tolerable.misses}
   */
  public static FailedWrites lazy(Duration beatInterval, int misses) {
    return new FailedWrites(Policy.LAZY, beatInterval, beatInterval.multipliedBy(misses));
  }
}
