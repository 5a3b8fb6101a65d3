package io.hudilite.sql;

import static org.apache.flink.configuration.ConfigOptions.key;

import org.apache.flink.configuration.ConfigOption;

/**
 * Clustering beside the writers. With Hudi's keys, types and defaults; what becomes of all other
 * options of Hudi is written in {@link OptionCatalog}.
 */
public final class ClusteringOptions {
  public static final ConfigOption<Boolean> CLUSTERING_SCHEDULE_ENABLED =
      key("clustering.schedule.enabled")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Whether the job that writes plans clusterings, which make few large files of many"
                  + " small ones.");

  public static final ConfigOption<Boolean> CLUSTERING_ASYNC_ENABLED =
      key("clustering.async.enabled")
          .booleanType()
          .defaultValue(false)
          .withFallbackKeys("hoodie.clustering.async.enabled")
          .withDescription("Whether it carries them out, too, while it writes.");

  public static final ConfigOption<Integer> CLUSTERING_DELTA_COMMITS =
      key("clustering.delta_commits")
          .intType()
          .defaultValue(4)
          .withFallbackKeys(
              "hoodie.clustering.async.max.commits", "hoodie.clustering.inline.max.commits")
          .withDescription("Commits between two clusterings.");

  public static final ConfigOption<Integer> CLUSTERING_TASKS =
      key("clustering.tasks")
          .intType()
          .noDefaultValue()
          .withDescription("Parallelism of clusterings; that of the writer by default.");

  public static final ConfigOption<Integer> CLUSTERING_MAX_MEMORY =
      key("clustering.max_memory")
          .intType()
          .defaultValue(256)
          .withDescription(
              "MB of rows that one task sorts in memory, beyond it in local files; at most a tenth"
                  + " of the heap for all.");

  public static final ConfigOption<String> CLUSTERING_STRATEGY_CLASS =
      key("clustering.plan.strategy.class")
          .stringType()
          .defaultValue("FlinkSizeBasedClusteringPlanStrategy")
          .withFallbackKeys("hoodie.clustering.plan.strategy.class")
          .withDescription(
              "By size; RecentDays or SelectedPartitions in the name set the partition filter mode,"
                  + " too.");

  public static final ConfigOption<String> CLUSTERING_FILTER_MODE =
      key("clustering.plan.partition.filter.mode")
          .stringType()
          .defaultValue("NONE")
          .withFallbackKeys("hoodie.clustering.plan.partition.filter.mode")
          .withDescription(
              "NONE for all partitions, RECENT_DAYS, SELECTED_PARTITIONS or DAY_ROLLING.");

  public static final ConfigOption<Integer> CLUSTERING_LOOKBACK =
      key("clustering.plan.strategy.daybased.lookback.partitions")
          .intType()
          .defaultValue(2)
          .withFallbackKeys("hoodie.clustering.plan.strategy.daybased.lookback.partitions")
          .withDescription("Partitions that RECENT_DAYS takes.");

  public static final ConfigOption<Integer> CLUSTERING_SKIP_LATEST =
      key("clustering.plan.strategy.daybased.skipfromlatest.partitions")
          .intType()
          .defaultValue(0)
          .withFallbackKeys("hoodie.clustering.plan.strategy.daybased.skipfromlatest.partitions")
          .withDescription("Newest partitions that RECENT_DAYS leaves alone.");

  public static final ConfigOption<String> CLUSTERING_BEGIN_PARTITION =
      key("clustering.plan.strategy.cluster.begin.partition")
          .stringType()
          .defaultValue("")
          .withFallbackKeys("hoodie.clustering.plan.strategy.cluster.begin.partition")
          .withDescription("First partition path of SELECTED_PARTITIONS.");

  public static final ConfigOption<String> CLUSTERING_END_PARTITION =
      key("clustering.plan.strategy.cluster.end.partition")
          .stringType()
          .defaultValue("")
          .withFallbackKeys("hoodie.clustering.plan.strategy.cluster.end.partition")
          .withDescription("Last partition path of SELECTED_PARTITIONS.");

  public static final ConfigOption<String> CLUSTERING_PARTITION_PATTERN =
      key("clustering.plan.strategy.partition.regex.pattern")
          .stringType()
          .defaultValue("")
          .withFallbackKeys("hoodie.clustering.plan.strategy.partition.regex.pattern")
          .withDescription(
              "Only partition paths that this regular expression matches are clustered.");

  public static final ConfigOption<String> CLUSTERING_PARTITION_SELECTED =
      key("clustering.plan.strategy.partition.selected")
          .stringType()
          .defaultValue("")
          .withFallbackKeys("hoodie.clustering.plan.strategy.partition.selected")
          .withDescription("Only these partition paths, parted by commas, are clustered.");

  public static final ConfigOption<Long> CLUSTERING_TARGET_FILE_BYTES =
      key("clustering.plan.strategy.target.file.max.bytes")
          .longType()
          .defaultValue(1073741824L)
          .withFallbackKeys("hoodie.clustering.plan.strategy.target.file.max.bytes")
          .withDescription("Size of the files that a clustering makes.");

  public static final ConfigOption<Long> CLUSTERING_SMALL_FILE_LIMIT =
      key("clustering.plan.strategy.small.file.limit")
          .longType()
          .defaultValue(600L)
          .withDescription("MB below which a base file is clustered.");

  public static final ConfigOption<String> CLUSTERING_SORT_COLUMNS =
      key("clustering.plan.strategy.sort.columns")
          .stringType()
          .defaultValue("")
          .withFallbackKeys("hoodie.clustering.plan.strategy.sort.columns")
          .withDescription("Columns, parted by commas, that rows are sorted by.");

  public static final ConfigOption<Integer> CLUSTERING_MAX_GROUPS =
      key("clustering.plan.strategy.max.num.groups")
          .intType()
          .defaultValue(30)
          .withFallbackKeys("hoodie.clustering.plan.strategy.max.num.groups")
          .withDescription("Tasks in one plan at most.");

  public static final ConfigOption<Long> CLUSTERING_MAX_GROUP_BYTES =
      key("hoodie.clustering.plan.strategy.max.bytes.per.group")
          .longType()
          .defaultValue(2147483648L)
          .withDescription("Bytes that one task reads at most.");

  public static final ConfigOption<String> CLUSTERING_LAYOUT =
      key("hoodie.layout.optimize.strategy")
          .stringType()
          .defaultValue("linear")
          .withDescription(
              "How the sort columns count: linear (one after the other), z-order or hilbert (all"
                  + " alike).");

  public static final ConfigOption<String> CLUSTERING_UPDATES =
      key("hoodie.clustering.updates.strategy")
          .stringType()
          .defaultValue("SparkAllowUpdateStrategy")
          .withDescription(
              "What becomes of updates of rows that are being clustered: with"
                  + " SparkAllowUpdateStrategy they are written and their files left out of the"
                  + " clustering, with SparkRejectUpdateStrategy they fail the job.");

  private ClusteringOptions() {}
}
