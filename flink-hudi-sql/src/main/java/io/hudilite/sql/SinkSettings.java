package io.hudilite.sql;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.config.SinkConfig;
import io.hudilite.sink.config.WriteOperation;
import java.time.Duration;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.MemorySize;

/** Turns options of writers into the sink's config. */
final class SinkSettings {
  private static final long MEBIBYTE = 1024 * 1024;

  private SinkSettings() {}

  static SinkConfig of(EffectiveOptions options) {
    double ttlDays = options.get(HudiOptions.INDEX_STATE_TTL);
    if (ttlDays > 0) {
      options.warn(
          "'%s'='%s': a key that is not written for so long is forgotten, and becomes a second row when it comes again"
              .formatted(HudiOptions.INDEX_STATE_TTL.key(), ttlDays));
    }
    SinkConfig.Builder config =
        SinkConfig.builder()
            .operation(operation(options))
            .indexScope(
                options.get(HudiOptions.INDEX_GLOBAL_ENABLED)
                    ? IndexScope.TABLE
                    : IndexScope.PARTITION)
            .indexTtl(Duration.ofMillis(Math.round(ttlDays * Duration.ofDays(1).toMillis())))
            .taskMaxSize(megabytes(options.get(HudiOptions.WRITE_TASK_MAX_SIZE)))
            .batchSize(megabytes(options.get(HudiOptions.WRITE_BATCH_SIZE)))
            .mergeMemory(megabytes(options.get(HudiOptions.WRITE_MERGE_MAX_MEMORY)))
            .logBlockSize(megabytes(options.get(HudiOptions.WRITE_LOG_BLOCK_SIZE)))
            .parquetRowGroupSize(megabytes(options.get(HudiOptions.WRITE_PARQUET_BLOCK_SIZE)))
            .parquetPageSize(megabytes(options.get(HudiOptions.WRITE_PARQUET_PAGE_SIZE)))
            .maxFileSize(
                options
                    .given(HudiOptions.PARQUET_MAX_FILE_SIZE_BYTES)
                    .map(MemorySize::new)
                    .orElseGet(
                        () -> megabytes(options.get(HudiOptions.WRITE_PARQUET_MAX_FILE_SIZE))))
            .smallFileLimit(new MemorySize(options.get(HudiOptions.PARQUET_SMALL_FILE_LIMIT)))
            .rowsPerSecond(options.get(HudiOptions.WRITE_RATE_LIMIT))
            .commitRetries(options.get(HudiOptions.RETRY_TIMES))
            .commitRetryInterval(Duration.ofMillis(options.get(HudiOptions.RETRY_INTERVAL_MILLIS)));
    requireOneSize(options);
    options.given(HudiOptions.WRITE_TASKS).ifPresent(config::writeTasks);
    options.given(HudiOptions.BUCKET_ASSIGN_TASKS).ifPresent(config::assignTasks);
    options
        .given(HudiOptions.PARQUET_COMPRESSION_CODEC)
        .ifPresent(codec -> config.compression(codec.toUpperCase(Locale.ROOT)));
    return config.build();
  }

  /** Rows of one key are always merged by readers of log files, so there is no "insert" yet. */
  private static WriteOperation operation(EffectiveOptions options) {
    String operation = options.get(HudiOptions.OPERATION);
    if (!operation.equalsIgnoreCase("upsert")) {
      throw new HudiTableException(
          "Table %s: '%s'='%s' is not possible in this version; upsert is, by which the rows of a key become one."
              .formatted(options.table(), HudiOptions.OPERATION.key(), operation));
    }
    return WriteOperation.UPSERT;
  }

  private static void requireOneSize(EffectiveOptions options) {
    ConfigOption<Long> bytes = HudiOptions.PARQUET_MAX_FILE_SIZE_BYTES;
    ConfigOption<Integer> mebibytes = HudiOptions.WRITE_PARQUET_MAX_FILE_SIZE;
    if (options.given(bytes).isPresent()
        && options.given(mebibytes).isPresent()
        && options.get(bytes) != options.get(mebibytes) * MEBIBYTE) {
      throw new HudiTableException(
          "Table %s: '%s'='%s' (bytes) and '%s'='%s' (MB) are two names of one size, with different values. Keep one."
              .formatted(
                  options.table(),
                  bytes.key(),
                  options.get(bytes),
                  mebibytes.key(),
                  options.get(mebibytes)));
    }
  }

  private static MemorySize megabytes(double megabytes) {
    return new MemorySize(Math.round(megabytes * MEBIBYTE));
  }
}
