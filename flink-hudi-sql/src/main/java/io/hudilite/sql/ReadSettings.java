package io.hudilite.sql;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.source.config.RangeConfig;
import io.hudilite.source.config.RowOutput.Times;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;

/**
 * The options of readers.
 *
 * @param start first instant to read, as the option says it
 * @param end last instant to read
 * @param tasks parallelism, if it is not that of the job
 * @param ranges how changes are read
 * @param times what the digits of timestamps are
 * @param lookupLife how old the rows of a lookup join may be
 */
record ReadSettings(
    Extent extent,
    Optional<String> start,
    Optional<String> end,
    Duration checkInterval,
    Optional<Integer> tasks,
    RangeConfig ranges,
    Times times,
    Duration lookupLife) {

  /** How long a read goes on, and what it starts from. */
  enum Extent {
    /** The rows of the table at one moment. */
    SNAPSHOT,
    /** The rows of the newest base files, without what log files change. */
    BASE_FILES,
    /** The rows that some commits changed, then the end. */
    CHANGES,
    /** Changes for ever. */
    STREAMING
  }

  boolean isStreaming() {
    return extent == Extent.STREAMING;
  }

  /**
   * @throws HudiTableException if the options contradict each other
   */
  static ReadSettings of(EffectiveOptions options) {
    Optional<String> start = options.given(ReadOptions.READ_START_COMMIT);
    Optional<String> end = options.given(ReadOptions.READ_END_COMMIT);
    String type = options.get(ReadOptions.QUERY_TYPE).toLowerCase(Locale.ROOT);
    boolean streaming = options.get(ReadOptions.READ_STREAMING_ENABLED);
    boolean baseOnly = type.equals("read_optimized");
    if (baseOnly && (streaming || start.isPresent() || end.isPresent())) {
      ConfigOption<?> position =
          start.isPresent() ? ReadOptions.READ_START_COMMIT : ReadOptions.READ_END_COMMIT;
      throw clash(
          options,
          ReadOptions.QUERY_TYPE,
          type,
          streaming ? ReadOptions.READ_STREAMING_ENABLED : position,
          "base files show neither changes nor earlier states; use 'snapshot'");
    }
    Extent extent = Extent.SNAPSHOT;
    if (streaming) {
      extent = Extent.STREAMING;
    } else if (baseOnly) {
      extent = Extent.BASE_FILES;
    } else if (start.isPresent() || type.equals("incremental")) {
      extent = Extent.CHANGES;
    }
    return new ReadSettings(
        extent,
        start,
        end,
        Duration.ofSeconds(options.get(ReadOptions.READ_STREAMING_CHECK_INTERVAL)),
        options.given(ReadOptions.READ_TASKS),
        ranges(options, streaming),
        options.get(ReadOptions.READ_UTC_TIMEZONE) ? Times.AS_STORED : Times.ON_THE_CLOCK_HERE,
        options.get(ReadOptions.LOOKUP_CACHE_TTL));
  }

  private static RangeConfig ranges(EffectiveOptions options, boolean streaming) {
    RangeConfig ranges =
        RangeConfig.DEFAULT
            .withMaxCommits(options.given(ReadOptions.READ_COMMITS_LIMIT).orElse(Integer.MAX_VALUE))
            .withMaxSplits(options.get(ReadOptions.READ_SPLITS_LIMIT))
            .withSplitBytes((long) options.get(ReadOptions.READ_SPLIT_SIZE) << 20);
    if (options.get(ReadOptions.READ_SKIP_OVERWRITE)) {
      ranges = ranges.withoutOverwrites();
    }
    if (options.get(ReadOptions.CHANGELOG_ENABLED)) {
      ranges = ranges.oneByOne();
    }
    return streaming ? ranges : ranges.withoutDeletes(); // a bounded query knows rows only
  }

  /**
   * A time with an offset as a time of the table's own clock.
   *
   * @param position of an option, in any form
   */
  static String inZone(String position, ZoneId zone) {
    try {
      return InstantTime.ofMillis(
              OffsetDateTime.parse(position.trim().replace(' ', 'T')).toInstant().toEpochMilli(),
              zone)
          .digits();
    } catch (DateTimeException e) {
      return position; // no offset
    }
  }

  private static HudiTableException clash(
      EffectiveOptions options,
      ConfigOption<?> one,
      String value,
      ConfigOption<?> other,
      String why) {
    return new HudiTableException(
        "Table %s: '%s'='%s' does not go with '%s'='%s': %s."
            .formatted(options.table(), one.key(), value, other.key(), options.get(other), why));
  }
}
