package io.hudilite.sql;

import io.hudilite.core.archive.ArchiveLimits;
import io.hudilite.core.clean.CleanPolicy;
import io.hudilite.core.clean.CleanRetention;
import io.hudilite.core.clustering.ClusteringStrategy;
import io.hudilite.core.clustering.ClusteringTrigger;
import io.hudilite.core.clustering.Layout;
import io.hudilite.core.clustering.PartitionFilter;
import io.hudilite.core.clustering.UpdatesStrategy;
import io.hudilite.core.compact.CompactionTrigger;
import io.hudilite.core.compact.PlanLimits;
import io.hudilite.core.compact.PlanOrder;
import io.hudilite.core.compact.TriggerStrategy;
import io.hudilite.sink.config.ClusteringConfig;
import io.hudilite.sink.config.CompactionConfig;
import io.hudilite.sink.config.HousekeepingConfig;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.MemorySize;

/** Turns options of table services into the sink's config. */
final class ServiceSettings {
  private static final long MEBIBYTE = 1024 * 1024;

  private ServiceSettings() {}

  static CompactionConfig compaction(EffectiveOptions options) {
    long targetMegabytes =
        Math.min(options.get(ServiceOptions.COMPACTION_TARGET_IO), Long.MAX_VALUE / MEBIBYTE);
    return new CompactionConfig(
        options.get(ServiceOptions.COMPACTION_SCHEDULE_ENABLED),
        options.get(ServiceOptions.COMPACTION_ASYNC_ENABLED),
        options.given(ServiceOptions.COMPACTION_TASKS).orElse(0),
        new CompactionTrigger(
            TriggerStrategy.of(options.get(ServiceOptions.COMPACTION_TRIGGER_STRATEGY)),
            options.get(ServiceOptions.COMPACTION_DELTA_COMMITS),
            Duration.ofSeconds(options.get(ServiceOptions.COMPACTION_DELTA_SECONDS))),
        new PlanLimits(
            PlanOrder.of(options.get(ServiceOptions.COMPACTION_STRATEGY)),
            targetMegabytes * MEBIBYTE,
            options.get(ServiceOptions.COMPACTION_LOG_SIZE_THRESHOLD),
            options.get(WriteOptions.WRITE_PARQUET_MAX_FILE_SIZE) * MEBIBYTE),
        Duration.ofSeconds(options.get(ServiceOptions.COMPACTION_TIMEOUT_SECONDS)),
        MemorySize.ofMebiBytes(options.get(ServiceOptions.COMPACTION_MAX_MEMORY)));
  }

  static ClusteringConfig clustering(EffectiveOptions options) {
    String columns = options.get(ClusteringOptions.CLUSTERING_SORT_COLUMNS);
    return new ClusteringConfig(
        options.get(ClusteringOptions.CLUSTERING_SCHEDULE_ENABLED),
        options.get(ClusteringOptions.CLUSTERING_ASYNC_ENABLED),
        options.given(ClusteringOptions.CLUSTERING_TASKS).orElse(0),
        new ClusteringTrigger(options.get(ClusteringOptions.CLUSTERING_DELTA_COMMITS)),
        new ClusteringStrategy(
            options.get(ClusteringOptions.CLUSTERING_TARGET_FILE_BYTES),
            options.get(ClusteringOptions.CLUSTERING_SMALL_FILE_LIMIT) * MEBIBYTE,
            options.get(ClusteringOptions.CLUSTERING_MAX_GROUP_BYTES),
            options.get(ClusteringOptions.CLUSTERING_MAX_GROUPS),
            words(columns),
            Layout.of(options.get(ClusteringOptions.CLUSTERING_LAYOUT)),
            partitions(options)),
        Duration.ofSeconds(options.get(ServiceOptions.COMPACTION_TIMEOUT_SECONDS)),
        UpdatesStrategy.of(options.get(ClusteringOptions.CLUSTERING_UPDATES)),
        MemorySize.ofMebiBytes(options.get(ClusteringOptions.CLUSTERING_MAX_MEMORY)));
  }

  private static PartitionFilter partitions(EffectiveOptions options) {
    PartitionFilter.Mode ofClass =
        PartitionFilter.Mode.ofStrategyClass(
            options.get(ClusteringOptions.CLUSTERING_STRATEGY_CLASS));
    return new PartitionFilter(
        options
            .given(ClusteringOptions.CLUSTERING_FILTER_MODE)
            .map(PartitionFilter.Mode::of)
            .orElse(ofClass),
        options.get(ClusteringOptions.CLUSTERING_LOOKBACK),
        options.get(ClusteringOptions.CLUSTERING_SKIP_LATEST),
        options.get(ClusteringOptions.CLUSTERING_BEGIN_PARTITION),
        options.get(ClusteringOptions.CLUSTERING_END_PARTITION),
        options.get(ClusteringOptions.CLUSTERING_PARTITION_PATTERN),
        words(options.get(ClusteringOptions.CLUSTERING_PARTITION_SELECTED)));
  }

  private static List<String> words(String text) {
    return Arrays.stream(text.split(",")).map(String::trim).filter(w -> !w.isEmpty()).toList();
  }

  static HousekeepingConfig housekeeping(EffectiveOptions options) {
    boolean cleans = options.get(ServiceOptions.CLEAN_ASYNC_ENABLED);
    CleanRetention retention =
        new CleanRetention(
            CleanPolicy.valueOf(options.get(ServiceOptions.CLEAN_POLICY).toUpperCase(Locale.ROOT)),
            options.get(ServiceOptions.CLEAN_RETAIN_COMMITS),
            options.get(ServiceOptions.CLEAN_RETAIN_HOURS),
            options.get(ServiceOptions.CLEAN_RETAIN_FILE_VERSIONS));
    ArchiveLimits wanted =
        new ArchiveLimits(
            options.get(ServiceOptions.ARCHIVE_MIN_COMMITS),
            options.get(ServiceOptions.ARCHIVE_MAX_COMMITS));
    HousekeepingConfig config =
        new HousekeepingConfig(
            cleans,
            retention,
            options.get(ServiceOptions.CLEAN_MAX_COMMITS),
            options.get(ServiceOptions.ARCHIVE_AUTOMATIC),
            wanted);
    if (!config.limits().equals(wanted)) {
      options.warn(
          "'%s'=%d needs more commits on the timeline: '%s' is %d and '%s' %d"
              .formatted(
                  ServiceOptions.CLEAN_RETAIN_COMMITS.key(),
                  retention.commits(),
                  ServiceOptions.ARCHIVE_MIN_COMMITS.key(),
                  config.limits().minCommits(),
                  ServiceOptions.ARCHIVE_MAX_COMMITS.key(),
                  config.limits().maxCommits()));
    }
    if (cleans
        && retention.policy() == CleanPolicy.KEEP_LATEST_COMMITS
        && retention.commits() == 1) {
      options.warn(
          "'%s'=1: a query that takes longer than the time between two commits loses its files"
              .formatted(ServiceOptions.CLEAN_RETAIN_COMMITS.key()));
    }
    return config;
  }
}
