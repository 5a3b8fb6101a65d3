package io.hudilite.source.config;

import io.hudilite.core.config.HudiTableException;
import java.io.Serializable;

/**
 * How reads are cut into pieces, and what reads of changes leave out.
 *
 * @param maxCommits instants that are read at once at most
 * @param commits whether each instant is a range by itself; then {@code maxCommits} says nothing
 * @param maxSplits file groups that are read at once at most, if these are not of one instant
 * @param splitBytes of a base file without log files, that one reader reads at most
 */
public record RangeConfig(
    int maxCommits,
    int maxSplits,
    Commits commits,
    Overwrites overwrites,
    Deletes deletes,
    long splitBytes)
    implements Serializable {
  private static final long serialVersionUID = 2L;
  private static final long DEFAULT_SPLIT_BYTES = 128L << 20;

  /** Everything, at whatever pace. */
  public static final RangeConfig DEFAULT =
      new RangeConfig(
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Commits.TOGETHER,
          Overwrites.READ,
          Deletes.READ,
          DEFAULT_SPLIT_BYTES);

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
    if (splitBytes < 1) {
      throw new HudiTableException(
          "'read.split.size' is %d bytes; set it to 1 MB or more.".formatted(splitBytes));
    }
  }

  public RangeConfig withMaxCommits(int limit) {
    return new RangeConfig(limit, maxSplits, commits, overwrites, deletes, splitBytes);
  }

  public RangeConfig withMaxSplits(int splits) {
    return new RangeConfig(maxCommits, splits, commits, overwrites, deletes, splitBytes);
  }

  public RangeConfig withSplitBytes(long bytes) {
    return new RangeConfig(maxCommits, maxSplits, commits, overwrites, deletes, bytes);
  }

  public RangeConfig oneByOne() {
    return new RangeConfig(
        maxCommits, maxSplits, Commits.ONE_BY_ONE, overwrites, deletes, splitBytes);
  }

  public RangeConfig withoutOverwrites() {
    return new RangeConfig(maxCommits, maxSplits, commits, Overwrites.SKIP, deletes, splitBytes);
  }

  public RangeConfig withoutDeletes() {
    return new RangeConfig(maxCommits, maxSplits, commits, overwrites, Deletes.SKIP, splitBytes);
  }
}
