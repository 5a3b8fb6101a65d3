package io.hudilite.sink;

import io.hudilite.core.clustering.ClusteringStrategy;
import io.hudilite.core.clustering.ClusteringTrigger;
import io.hudilite.core.clustering.Layout;
import io.hudilite.core.clustering.PartitionFilter;
import io.hudilite.core.clustering.UpdatesStrategy;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.sink.config.ClusteringConfig;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.MemorySize;

/** Reads the options of a clustering from the arguments of a job. */
final class ClusteringArguments {
  private static final String PLAN = "clustering.plan.strategy.";
  private static final String FILTER_MODE = "clustering.plan.partition.filter.mode";
  private static final String LOOKBACK = PLAN + "daybased.lookback.partitions";
  private static final String SKIP_LATEST = PLAN + "daybased.skipfromlatest.partitions";
  private static final String BEGIN = PLAN + "cluster.begin.partition";
  private static final String END = PLAN + "cluster.end.partition";
  private static final String PATTERN = PLAN + "partition.regex.pattern";
  private static final String SELECTED = PLAN + "partition.selected";
  private static final String TARGET_BYTES = PLAN + "target.file.max.bytes";
  private static final String SMALL_LIMIT = PLAN + "small.file.limit";
  private static final String SORT_COLUMNS = PLAN + "sort.columns";
  private static final String MAX_GROUPS = PLAN + "max.num.groups";
  private static final String MAX_GROUP_BYTES = "hoodie." + PLAN + "max.bytes.per.group";
  private static final String LAYOUT = "hoodie.layout.optimize.strategy";
  private static final String COMMITS = "clustering.delta_commits";
  private static final String MEMORY = "clustering.max_memory";
  private static final String TIMEOUT = "clustering.timeout.seconds";

  /** Those of a clustering. */
  static final Set<String> KEYS =
      Set.of(
          FILTER_MODE,
          LOOKBACK,
          SKIP_LATEST,
          BEGIN,
          END,
          PATTERN,
          SELECTED,
          TARGET_BYTES,
          SMALL_LIMIT,
          SORT_COLUMNS,
          MAX_GROUPS,
          MAX_GROUP_BYTES,
          LAYOUT,
          COMMITS,
          MEMORY,
          TIMEOUT);

  private final Map<String, String> options;

  private ClusteringArguments(Map<String, String> options) {
    this.options = options;
  }

  /**
   * Offline, a plan is made whatever commits there were: somebody has asked for it now.
   *
   * @throws HudiTableException if one of them is wrong
   */
  static ClusteringConfig parse(
      boolean schedules, boolean executes, int tasks, Map<String, String> options) {
    ClusteringArguments arguments = new ClusteringArguments(options);
    return new ClusteringConfig(
        schedules,
        executes,
        tasks,
        new ClusteringTrigger((int) arguments.number(COMMITS, 0)),
        arguments.strategy(),
        Duration.ofSeconds(arguments.number(TIMEOUT, 1_200)),
        UpdatesStrategy.ALLOW,
        MemorySize.ofMebiBytes(
            arguments.number(MEMORY, ClusteringConfig.OFF.maxMemory().getMebiBytes())));
  }

  private ClusteringStrategy strategy() {
    ClusteringStrategy standard = ClusteringStrategy.DEFAULT;
    return new ClusteringStrategy(
        number(TARGET_BYTES, standard.targetFileBytes()),
        number(SMALL_LIMIT, standard.smallFileBytes() >> 20) << 20,
        number(MAX_GROUP_BYTES, standard.maxGroupBytes()),
        (int) number(MAX_GROUPS, standard.maxGroups()),
        words(SORT_COLUMNS),
        Layout.of(text(LAYOUT, standard.layout().word())),
        new PartitionFilter(
            PartitionFilter.Mode.of(text(FILTER_MODE, PartitionFilter.Mode.NONE.name())),
            (int) number(LOOKBACK, standard.partitions().lookback()),
            (int) number(SKIP_LATEST, standard.partitions().skipFromLatest()),
            text(BEGIN, ""),
            text(END, ""),
            text(PATTERN, ""),
            words(SELECTED)));
  }

  private String text(String key, String whenAbsent) {
    return options.getOrDefault(key, whenAbsent);
  }

  private List<String> words(String key) {
    return Arrays.stream(text(key, "").split(","))
        .map(String::trim)
        .filter(word -> !word.isEmpty())
        .toList();
  }

  private long number(String key, long whenAbsent) {
    return HudiMaintenance.number(options, key, whenAbsent);
  }
}
