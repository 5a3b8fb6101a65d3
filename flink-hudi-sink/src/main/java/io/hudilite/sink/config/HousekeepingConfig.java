package io.hudilite.sink.config;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.archive.ArchiveLimits;
import io.hudilite.core.clean.CleanPolicy;
import io.hudilite.core.clean.CleanRetention;
import java.io.Serializable;

/**
 * What the job that writes a table tidies up after its commits.
 *
 * @param cleans option {@code clean.async.enabled}: deletes old file slices
 * @param retention how much of the past stays readable
 * @param cleansEvery option {@code hoodie.clean.max.commits}: commits between two cleans
 * @param archives option {@code hoodie.archive.automatic}: shortens the active timeline
 * @param limits how long the timeline is; raised above what the clean retains
 */
public record HousekeepingConfig(
    boolean cleans,
    CleanRetention retention,
    int cleansEvery,
    boolean archives,
    ArchiveLimits limits)
    implements Serializable {

  /** What a user gets who sets nothing: 30 commits stay readable, 40 to 50 on the timeline. */
  public static final HousekeepingConfig DEFAULT =
      new HousekeepingConfig(true, CleanRetention.DEFAULT, true, ArchiveLimits.DEFAULT);

  /** Nothing is tidied up by this job. */
  public static final HousekeepingConfig OFF =
      new HousekeepingConfig(false, CleanRetention.DEFAULT, false, ArchiveLimits.DEFAULT);

  /** Cleans after each commit. */
  public HousekeepingConfig(
      boolean cleans, CleanRetention retention, boolean archives, ArchiveLimits limits) {
    this(cleans, retention, 1, archives, limits);
  }

  public HousekeepingConfig {
    requireNonNull(retention, "retention");
    limits =
        cleans && retention.policy() == CleanPolicy.KEEP_LATEST_COMMITS
            ? limits.above(retention.commits())
            : limits;
  }

  /** Whether there is anything to do. */
  public boolean isOn() {
    return cleans || archives;
  }
}
