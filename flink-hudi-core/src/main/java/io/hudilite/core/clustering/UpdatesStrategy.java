package io.hudilite.core.clustering;

import io.hudilite.core.config.HudiTableException;

/**
 * What becomes of changes of rows in file groups that a pending clustering takes, by the class
 * names of {@code hoodie.clustering.updates.strategy}.
 */
public enum UpdatesStrategy {
  /** They are written, and the clustering leaves their file groups out. */
  ALLOW,
  /** They fail the writer, so that another engine may execute the plan. */
  REJECT;

  /**
   * By a class name of Hudi, with or without its package, or by the name of a constant.
   *
   * @throws HudiTableException if it is neither
   */
  public static UpdatesStrategy of(String name) {
    String simple = name.trim().substring(name.trim().lastIndexOf('.') + 1);
    return switch (simple) {
      case "SparkAllowUpdateStrategy", "ALLOW", "allow" -> ALLOW;
      case "SparkRejectUpdateStrategy", "REJECT", "reject" -> REJECT;
      default ->
          throw new HudiTableException(
              "'hoodie.clustering.updates.strategy' is '%s', which is not known here; set it to SparkAllowUpdateStrategy or SparkRejectUpdateStrategy"
                  .formatted(name));
    };
  }
}
