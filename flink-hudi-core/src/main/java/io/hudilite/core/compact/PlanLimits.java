package io.hudilite.core.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import java.io.Serializable;

/**
 * How much goes into one plan.
 *
 * @param targetIoBytes option {@code compaction.target_io}: bytes that a plan reads and writes at
 *     most; one file group is taken in any case
 * @param minLogBytes option {@code hoodie.compaction.logfile.size.threshold}: slices with fewer
 *     bytes of log files are left out by {@link PlanOrder#LOG_SIZE}
 * @param baseFileBytes what a slice without a base file is expected to become
 */
public record PlanLimits(PlanOrder order, long targetIoBytes, long minLogBytes, long baseFileBytes)
    implements Serializable {

  /** Hudi's defaults: 500 GB, most log bytes first. */
  public static final PlanLimits DEFAULT =
      new PlanLimits(PlanOrder.LOG_SIZE, 512_000L << 20, 0, 120L << 20);

  public PlanLimits {
    requireNonNull(order, "order");
    if (targetIoBytes < 1) {
      throw new HudiTableException(
          "'compaction.target_io' is " + targetIoBytes + " bytes; set it to 1 MB or more");
    }
    if (minLogBytes < 0 || baseFileBytes < 0) {
      throw new IllegalArgumentException(
          "Sizes are not negative: " + minLogBytes + ", " + baseFileBytes);
    }
  }
}
