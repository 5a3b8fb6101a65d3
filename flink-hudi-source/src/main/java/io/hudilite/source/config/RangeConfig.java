package io.hudilite.source.config;

import io.hudilite.core.config.HudiTableException;
import java.io.Serializable;

/**
 * How reads of changes cut the timeline into ranges, and what they leave out.
 *
 * @param maxCommits instants that are read at once at most
 * @param commits whether each instant is a range by itself; then {@code maxCommits} says nothing
 * @param maxSplits file groups that are read at once at most, if these are not of one instant
 */
public record RangeConfig(
    int maxCommits, int maxSplits, Commits commits, Overwrites overwrites, Deletes deletes)
    implements Serializable {
  private static final long serialVersionUID = 2L;

  /** Everything, at whatever pace. */
  public static final RangeConfig DEFAULT =
      new RangeConfig(
          Integer.MAX_VALUE, Integer.MAX_VALUE, Commits.TOGETHER, Overwrites.READ, Deletes.READ);

  /** Whether a key that several instants changed is given once, or once for each of them. */
  public enum Commits {
    /** All that completed since the last look make one change of a key. */
    TOGETHER,
    /** One after the other, at the pace of the readers, not of the looks. */
    ONE_BY_ONE
  }

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

  public RangeConfig withMaxCommits(int limit) {
    return new RangeConfig(limit, maxSplits, commits, overwrites, deletes);
  }

  public RangeConfig withMaxSplits(int splits) {
    return new RangeConfig(maxCommits, splits, commits, overwrites, deletes);
  }

  public RangeConfig oneByOne() {
    return new RangeConfig(maxCommits, maxSplits, Commits.ONE_BY_ONE, overwrites, deletes);
  }

  public RangeConfig withoutOverwrites() {
    return new RangeConfig(maxCommits, maxSplits, commits, Overwrites.SKIP, deletes);
  }

  public RangeConfig withoutDeletes() {
    return new RangeConfig(maxCommits, maxSplits, commits, overwrites, Deletes.SKIP);
  }
}
