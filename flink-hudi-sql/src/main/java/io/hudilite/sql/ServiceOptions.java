package io.hudilite.sql;

import static org.apache.flink.configuration.ConfigOptions.key;

import org.apache.flink.configuration.ConfigOption;

/**
 * Compaction, cleaning and archiving beside the writers. With Hudi's keys, types and defaults; what
 * becomes of all other options of Hudi is written in {@link OptionCatalog}.
 */
public final class ServiceOptions {
  // ---- compaction ----

  public static final ConfigOption<Boolean> COMPACTION_SCHEDULE_ENABLED =
      key("compaction.schedule.enabled")
          .booleanType()
          .defaultValue(true)
          .withDescription("Whether the job that writes plans compactions (MERGE_ON_READ).");

  public static final ConfigOption<Boolean> COMPACTION_ASYNC_ENABLED =
      key("compaction.async.enabled")
          .booleanType()
          .defaultValue(true)
          .withDescription("Whether it carries them out, too, while it writes.");

  public static final ConfigOption<Integer> COMPACTION_TASKS =
      key("compaction.tasks")
          .intType()
          .noDefaultValue()
          .withDescription("Parallelism of compactions; that of the writer by default.");

  public static final ConfigOption<String> COMPACTION_TRIGGER_STRATEGY =
      key("compaction.trigger.strategy")
          .stringType()
          .defaultValue("num_commits")
          .withFallbackKeys("hoodie.compact.inline.trigger.strategy")
          .withDescription(
              "num_commits, num_commits_after_last_request, time_elapsed, num_and_time or"
                  + " num_or_time.");

  public static final ConfigOption<Integer> COMPACTION_DELTA_COMMITS =
      key("compaction.delta_commits")
          .intType()
          .defaultValue(5)
          .withFallbackKeys("hoodie.compact.inline.max.delta.commits")
          .withDescription("Delta commits between two compactions.");

  public static final ConfigOption<Integer> COMPACTION_DELTA_SECONDS =
      key("compaction.delta_seconds")
          .intType()
          .defaultValue(3600)
          .withFallbackKeys("hoodie.compact.inline.max.delta.seconds")
          .withDescription("Seconds between two compactions.");

  public static final ConfigOption<Integer> COMPACTION_TIMEOUT_SECONDS =
      key("compaction.timeout.seconds")
          .intType()
          .defaultValue(1200)
          .withDescription(
              "Seconds without a sign of life after which another job's compaction is done again.");

  public static final ConfigOption<Integer> COMPACTION_MAX_MEMORY =
      key("compaction.max_memory")
          .intType()
          .defaultValue(100)
          .withDescription(
              "MB of log records that a compaction holds; at most a tenth of the heap for all.");

  public static final ConfigOption<Long> COMPACTION_TARGET_IO =
      key("compaction.target_io")
          .longType()
          .defaultValue(512_000L)
          .withFallbackKeys("hoodie.compaction.target.io")
          .withDescription("MB that one compaction reads and writes at most.");

  public static final ConfigOption<String> COMPACTION_STRATEGY =
      key("hoodie.compaction.strategy")
          .stringType()
          .defaultValue("LogFileSizeBasedCompactionStrategy")
          .withDescription("Which file groups come first, by Hudi's class for it.");

  public static final ConfigOption<Long> COMPACTION_LOG_SIZE_THRESHOLD =
      key("hoodie.compaction.logfile.size.threshold")
          .longType()
          .defaultValue(0L)
          .withDescription("Bytes of log files below which a file group is left alone.");

  // ---- cleaning and archiving ----

  public static final ConfigOption<Boolean> CLEAN_ASYNC_ENABLED =
      key("clean.async.enabled")
          .booleanType()
          .defaultValue(true)
          .withFallbackKeys(
              "hoodie.clean.async.enabled", "hoodie.clean.async", "hoodie.clean.automatic")
          .withDescription("Whether the job that writes deletes old file slices after commits.");

  public static final ConfigOption<String> CLEAN_POLICY =
      key("clean.policy")
          .stringType()
          .defaultValue("KEEP_LATEST_COMMITS")
          .withFallbackKeys("hoodie.clean.policy", "hoodie.cleaner.policy")
          .withDescription(
              "KEEP_LATEST_COMMITS, KEEP_LATEST_FILE_VERSIONS or KEEP_LATEST_BY_HOURS.");

  public static final ConfigOption<Integer> CLEAN_RETAIN_COMMITS =
      key("clean.retain_commits")
          .intType()
          .defaultValue(30)
          .withFallbackKeys(
              "hoodie.clean.commits.retained",
              "clean.commits.retained",
              "hoodie.cleaner.commits.retained")
          .withDescription("Commits whose view of the table stays readable.");

  public static final ConfigOption<Integer> CLEAN_RETAIN_HOURS =
      key("clean.retain_hours")
          .intType()
          .defaultValue(24)
          .withFallbackKeys("hoodie.clean.hours.retained", "hoodie.cleaner.hours.retained")
          .withDescription("Hours that stay readable with KEEP_LATEST_BY_HOURS.");

  public static final ConfigOption<Integer> CLEAN_RETAIN_FILE_VERSIONS =
      key("clean.retain_file_versions")
          .intType()
          .defaultValue(5)
          .withFallbackKeys(
              "hoodie.clean.fileversions.retained", "hoodie.cleaner.fileversions.retained")
          .withDescription("Slices of each file group with KEEP_LATEST_FILE_VERSIONS.");

  public static final ConfigOption<Integer> CLEAN_MAX_COMMITS =
      key("hoodie.clean.max.commits")
          .intType()
          .defaultValue(1)
          .withDescription("Commits after which the next clean is planned.");

  public static final ConfigOption<Boolean> ARCHIVE_AUTOMATIC =
      key("hoodie.archive.automatic")
          .booleanType()
          .defaultValue(true)
          .withDescription("Whether the job that writes archives old instants.");

  public static final ConfigOption<Integer> ARCHIVE_MAX_COMMITS =
      key("archive.max_commits")
          .intType()
          .defaultValue(50)
          .withFallbackKeys("hoodie.keep.max.commits")
          .withDescription("Commits on the active timeline above which it is archived.");

  public static final ConfigOption<Integer> ARCHIVE_MIN_COMMITS =
      key("archive.min_commits")
          .intType()
          .defaultValue(40)
          .withFallbackKeys("hoodie.keep.min.commits")
          .withDescription(
              "Commits that stay on it; 10 more than those retained by the clean, if that is"
                  + " more.");

  private ServiceOptions() {}
}
