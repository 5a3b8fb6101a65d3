package io.hudilite.core.archive;

import io.hudilite.core.config.HudiTableException;
import java.io.Serializable;

/**
 * When the active timeline is too long, and how long it is afterwards.
 *
 * @param minCommits option {@code archive.min_commits}: so many completed writes stay
 * @param maxCommits option {@code archive.max_commits}: with more, instants are archived
 */
public record ArchiveLimits(int minCommits, int maxCommits) implements Serializable {

  /** Hudi's defaults for Flink. */
  public static final ArchiveLimits DEFAULT = new ArchiveLimits(40, 50);

  private static final int MIN_ABOVE_RETAINED = 10;
  private static final int MAX_ABOVE_RETAINED = 20;

  public ArchiveLimits {
    if (minCommits < 1 || maxCommits <= minCommits) {
      throw new HudiTableException(
          "'archive.min_commits' is %d and 'archive.max_commits' %d; set the first to 1 or more and the second above it"
              .formatted(minCommits, maxCommits));
    }
  }

  /**
   * These limits, raised so that cleaning finds its retained commits on the active timeline.
   *
   * @param retainedCommits of the clean
   */
  public ArchiveLimits above(int retainedCommits) {
    return retainedCommits < minCommits
        ? this
        : new ArchiveLimits(
            retainedCommits + MIN_ABOVE_RETAINED, retainedCommits + MAX_ABOVE_RETAINED);
  }
}
