package io.hudilite.sql;

import io.hudilite.core.config.HudiTableException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;

/**
 * The options of readers.
 *
 * @param start first instant to read, as the option says it
 * @param end last instant to read
 * @param tasks parallelism, if it is not that of the job
 */
record ReadSettings(
    Extent extent,
    Layer layer,
    Optional<String> start,
    Optional<String> end,
    Duration checkInterval,
    Optional<Integer> tasks) {

  /** How long a read goes on, and what it starts from. */
  enum Extent {
    /** The rows of the table at one moment. */
    SNAPSHOT,
    /** The rows that some commits changed, then the end. */
    CHANGES,
    /** Changes for ever. */
    STREAMING
  }

  /** Which files count. */
  enum Layer {
    BASE_AND_LOG_FILES,
    BASE_FILES_ONLY
  }

  boolean isStreaming() {
    return extent == Extent.STREAMING;
  }

  /**
   * @throws HudiTableException if the options contradict each other
   */
  static ReadSettings of(EffectiveOptions options) {
    Optional<String> start = options.given(HudiOptions.READ_START_COMMIT);
    Optional<String> end = options.given(HudiOptions.READ_END_COMMIT);
    String type = options.get(HudiOptions.QUERY_TYPE).toLowerCase(Locale.ROOT);
    boolean streaming = options.get(HudiOptions.READ_STREAMING_ENABLED);
    boolean baseOnly = type.equals("read_optimized");
    if (baseOnly && (streaming || start.isPresent())) {
      throw clash(
          options,
          HudiOptions.QUERY_TYPE,
          type,
          streaming ? HudiOptions.READ_STREAMING_ENABLED : HudiOptions.READ_START_COMMIT,
          "base files show no changes; use 'snapshot'");
    }
    if (streaming && end.isPresent()) {
      throw clash(
          options,
          HudiOptions.READ_END_COMMIT,
          end.get(),
          HudiOptions.READ_STREAMING_ENABLED,
          "a streaming read has no end; leave one of them out");
    }
    Extent extent = Extent.SNAPSHOT;
    if (streaming) {
      extent = Extent.STREAMING;
    } else if (start.isPresent() || type.equals("incremental")) {
      extent = Extent.CHANGES;
    }
    return new ReadSettings(
        extent,
        baseOnly ? Layer.BASE_FILES_ONLY : Layer.BASE_AND_LOG_FILES,
        start,
        end,
        Duration.ofSeconds(options.get(HudiOptions.READ_STREAMING_CHECK_INTERVAL)),
        options.given(HudiOptions.READ_TASKS));
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
