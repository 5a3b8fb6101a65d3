package io.hudilite.sql;

import static org.apache.flink.configuration.ConfigOptions.key;

import java.time.Duration;
import org.apache.flink.configuration.ConfigOption;

/**
 * How rows are read. With Hudi's keys, types and defaults; what becomes of all other options of
 * Hudi is written in {@link OptionCatalog}.
 */
public final class ReadOptions {
  public static final ConfigOption<Integer> READ_TASKS =
      key("read.tasks")
          .intType()
          .noDefaultValue()
          .withFallbackKeys("scan.parallelism")
          .withDescription("Parallelism of the source; that of the job by default.");

  public static final ConfigOption<String> QUERY_TYPE =
      key("hoodie.datasource.query.type")
          .stringType()
          .defaultValue("snapshot")
          .withDescription("snapshot, read_optimized (base files only) or incremental.");

  public static final ConfigOption<Boolean> READ_STREAMING_ENABLED =
      key("read.streaming.enabled")
          .booleanType()
          .defaultValue(false)
          .withDescription("Whether the read goes on with what is committed later.");

  public static final ConfigOption<Integer> READ_STREAMING_CHECK_INTERVAL =
      key("read.streaming.check-interval")
          .intType()
          .defaultValue(60)
          .withDescription("Seconds between looks at the timeline.");

  public static final ConfigOption<String> READ_START_COMMIT =
      key("read.start-commit")
          .stringType()
          .noDefaultValue()
          .withFallbackKeys("read.streaming.start-commit")
          .withDescription("First instant to read, included; 'earliest' or 'latest'.");

  public static final ConfigOption<String> READ_END_COMMIT =
      key("read.end-commit")
          .stringType()
          .noDefaultValue()
          .withDescription("Last instant to read, included.");

  public static final ConfigOption<Integer> READ_COMMITS_LIMIT =
      key("read.commits.limit")
          .intType()
          .noDefaultValue()
          .withDescription("Commits that a streaming read takes at once at most.");

  public static final ConfigOption<Integer> READ_SPLITS_LIMIT =
      key("read.splits.limit")
          .intType()
          .defaultValue(Integer.MAX_VALUE)
          .withDescription("File groups that a streaming read takes at once at most.");

  public static final ConfigOption<Integer> READ_SPLIT_SIZE =
      key("read.split.size")
          .intType()
          .defaultValue(128)
          .withDescription(
              "MB of a base file without log files that one reader takes at most, of a state of the table;"
                  + " larger files are divided by row group.");

  public static final ConfigOption<Duration> LOOKUP_CACHE_TTL =
      key("lookup.join.cache.ttl")
          .durationType()
          .defaultValue(Duration.ofMinutes(60))
          .withDescription(
              "How old the rows of a lookup join may be before it looks for new commits; every task"
                  + " keeps the table in its memory.");

  public static final ConfigOption<Boolean> READ_SKIP_OVERWRITE =
      key("read.streaming.skip_insertoverwrite")
          .booleanType()
          .defaultValue(false)
          .withDescription("Whether changes leave out what INSERT OVERWRITE did.");

  public static final ConfigOption<Boolean> READ_UTC_TIMEZONE =
      key("read.utc-timezone")
          .booleanType()
          .defaultValue(true)
          .withDescription(
              "Whether a TIMESTAMP shows the digits that are stored; else these are taken for UTC"
                  + " and shown on the clock of the machine that reads.");

  public static final ConfigOption<Boolean> CHANGELOG_ENABLED =
      key("changelog.enabled")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Whether a streaming read gives the changes of each commit by itself, also if several"
                  + " were made since it last looked.");

  /** All options above, in the order of this class. */
  private ReadOptions() {}
}
