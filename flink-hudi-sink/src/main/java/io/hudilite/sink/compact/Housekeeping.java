package io.hudilite.sink.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.archive.TimelineArchiver;
import io.hudilite.core.clean.CleanPolicy;
import io.hudilite.core.clean.Cleaner;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.sink.config.HousekeepingConfig;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cleans, then archives, then looks how the table is. What fails is told, and tried again after the
 * next commit; it never fails a job. Not safe for use by several threads.
 */
final class Housekeeping {
  private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

  private final HousekeepingConfig config;
  private final String path;
  private final Cleaner cleaner;
  private final TimelineArchiver archiver;
  private final Storage storage;
  private final HealthGauges health;

  /** Whether the readers' need is told already. */
  private boolean isWarned;

  Housekeeping(
      HousekeepingConfig config,
      String path,
      Storage storage,
      InstantSource wall,
      HealthGauges health) {
    this.config = requireNonNull(config, "config");
    this.path = requireNonNull(path, "path");
    this.storage = requireNonNull(storage, "storage");
    this.health = requireNonNull(health, "health");
    this.cleaner = new Cleaner(storage, config.retention(), wall, config.cleansEvery());
    this.archiver = new TimelineArchiver(storage, config.limits(), wall);
  }

  /**
   * @param clock of the table
   */
  void run(InstantClock clock) {
    try {
      if (config.cleans()) {
        Cleaner.Result result = cleaner.clean(clock);
        if (result instanceof Cleaner.Result.Cleaned cleaned) {
          LOG.info(
              "Cleaned '{}': {} files are gone, all since {} stays readable",
              path,
              cleaned.metadata().deletedFiles(),
              cleaned.metadata().earliestToRetain());
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.error("Cleaning '{}' failed; it is tried again after the next commit", path, e);
    }
    try {
      if (config.archives()) {
        archiver.archive();
      }
    } catch (IOException | RuntimeException e) {
      LOG.error("Archiving '{}' failed; it is tried again after the next commit", path, e);
    }
    try {
      health.update(storage);
      warnOfRetention();
    } catch (IOException | RuntimeException e) {
      LOG.warn("The health of '{}' is not known; it is looked at after the next commit", path, e);
    }
  }

  /** Once, as long as it stays so. */
  private void warnOfRetention() {
    if (!config.cleans() || config.retention().policy() != CleanPolicy.KEEP_LATEST_COMMITS) {
      return;
    }
    Optional<String> warning =
        health.retention().flatMap(advice -> advice.warning(config.retention().commits()));
    if (warning.isPresent() && !isWarned) {
      LOG.warn("'{}': {}", path, warning.get());
    }
    isWarned = warning.isPresent();
  }
}
