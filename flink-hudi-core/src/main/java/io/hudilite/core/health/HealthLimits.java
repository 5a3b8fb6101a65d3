package io.hudilite.core.health;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.time.Duration;

/**
 * What counts as bad.
 *
 * @param smallFileBytes base files below it are small, option {@code
 *     hoodie.parquet.small.file.limit}
 * @param leaseMargin a reader's lease is at risk if it ends within this time, since readers that
 *     live renew it long before
 */
public record HealthLimits(long smallFileBytes, Duration leaseMargin) implements Serializable {
  /** Hudi's limit of small files, 100 MiB; and a third of a lease's life. */
  public static final HealthLimits DEFAULT = new HealthLimits(104_857_600, Duration.ofSeconds(200));

  public HealthLimits {
    requireNonNull(leaseMargin, "leaseMargin");
  }
}
