package io.hudilite.source.config;

import io.hudilite.core.config.HudiTableException;
import java.io.Serializable;

/**
 * How reads of changes cut the timeline into ranges, and what they leave out.
 *
 * @param maxCommits instants that are read at once at most
 * @param maxSplits file groups that are read at once at most, if these are not of one instant
 */
public record RangeConfig(int maxCommits, int maxSplits, Overwrites overwrites, Deletes deletes)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Everything, at whatever pace. */
  public static final RangeConfig DEFAULT =
      new RangeConfig(Integer.MAX_VALUE, Integer.MAX_VALUE, Overwrites.READ, Deletes.READ);

  /** What becomes of instants that put new rows in place of all rows of a partition. */
  public enum Overwrites {
    /** The old rows are deletes, the new ones inserts. */
    READ,
    SKIP
  }

  /** Whether rows of kind DELETE are given. */
  public enum Deletes {
    READ,
    SKIP
  }

  public RangeConfig {
    if (maxCommits < 1 || maxSplits < 1) {
      throw new HudiTableException(
          "'read.commits.limit' is %d and 'read.splits.limit' is %d; set them to 1 or more."
              .formatted(maxCommits, maxSplits));
    }
  }

  public RangeConfig withMaxCommits(int commits) {
    return new RangeConfig(commits, maxSplits, overwrites, deletes);
  }

  public RangeConfig withMaxSplits(int splits) {
    return new RangeConfig(maxCommits, splits, overwrites, deletes);
  }

  public RangeConfig withoutOverwrites() {
    return new RangeConfig(maxCommits, maxSplits, Overwrites.SKIP, deletes);
  }

  public RangeConfig withoutDeletes() {
    return new RangeConfig(maxCommits, maxSplits, overwrites, Deletes.SKIP);
  }
}
