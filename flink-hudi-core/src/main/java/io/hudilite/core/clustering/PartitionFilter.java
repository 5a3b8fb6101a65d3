package io.hudilite.core.clustering;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.IntStream;

/**
 * Which partitions are clustered. Pure. Source: Hudi 1.0.2 ClusteringPlanPartitionFilter and
 * PartitionAwareClusteringPlanStrategy.
 *
 * @param mode option {@code clustering.plan.partition.filter.mode}
 * @param lookback option {@code clustering.plan.strategy.daybased.lookback.partitions}
 * @param skipFromLatest option {@code clustering.plan.strategy.daybased.skipfromlatest.partitions}
 * @param begin option {@code clustering.plan.strategy.cluster.begin.partition}, or {@code ""}
 * @param end option {@code clustering.plan.strategy.cluster.end.partition}, or {@code ""}
 * @param pattern option {@code clustering.plan.strategy.partition.regex.pattern}, or {@code ""}
 * @param selected option {@code clustering.plan.strategy.partition.selected}; empty for all
 */
public record PartitionFilter(
    Mode mode,
    int lookback,
    int skipFromLatest,
    String begin,
    String end,
    String pattern,
    List<String> selected)
    implements Serializable {

  /** What is done with the sorted partition paths. */
  public enum Mode {
    /** All are taken. */
    NONE,
    /** The newest ones, by the order of their paths. */
    RECENT_DAYS,
    /** Those of a range. */
    SELECTED_PARTITIONS,
    /** In each hour of the day another 24th of them. */
    DAY_ROLLING;

    /**
     * The mode of a word in the options.
     *
     * @throws HudiTableException if there is no such word; letter case does not matter
     */
    public static Mode of(String word) {
      try {
        return valueOf(word.trim().toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException e) {
        throw new HudiTableException(
            "'clustering.plan.partition.filter.mode' is '%s'; set it to one of %s"
                .formatted(word, Arrays.toString(values())),
            e);
      }
    }

    /**
     * What a class of Hudi's for {@code clustering.plan.strategy.class} looks at.
     *
     * @throws HudiTableException if it is not known here
     */
    public static Mode ofStrategyClass(String name) {
      String simple = name.trim().substring(name.trim().lastIndexOf('.') + 1);
      return switch (simple.replaceFirst("^(Flink|Spark)", "")) {
        case "SizeBasedClusteringPlanStrategy", "SizeBasedClusteringPlanStrategyRecently" -> NONE;
        case "RecentDaysClusteringPlanStrategy" -> RECENT_DAYS;
        case "SelectedPartitionsClusteringPlanStrategy" -> SELECTED_PARTITIONS;
        default ->
            throw new HudiTableException(
                "'clustering.plan.strategy.class' is '%s', which is not known here; set it to FlinkSizeBasedClusteringPlanStrategy, FlinkRecentDaysClusteringPlanStrategy or FlinkSelectedPartitionsClusteringPlanStrategy"
                    .formatted(name));
      };
    }
  }

  /** All partitions. */
  public static final PartitionFilter ALL =
      new PartitionFilter(Mode.NONE, 2, 0, "", "", "", List.of());

  public PartitionFilter {
    requireNonNull(mode, "mode");
    requireNonNull(begin, "begin");
    requireNonNull(end, "end");
    requireNonNull(pattern, "pattern");
    selected = List.copyOf(selected);
    if (lookback < 1 || skipFromLatest < 0) {
      throw new HudiTableException(
          "'clustering.plan.strategy.daybased.lookback.partitions' is %d, '….skipfromlatest.partitions' %d; set them to 1 and 0 or more"
              .formatted(lookback, skipFromLatest));
    }
    try {
      Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      throw new HudiTableException(
          "'clustering.plan.strategy.partition.regex.pattern' is no regular expression: "
              + e.getMessage(),
          e);
    }
  }

  /** These partitions alone. */
  public static PartitionFilter of(List<String> partitions) {
    return new PartitionFilter(Mode.NONE, 2, 0, "", "", "", partitions);
  }

  /** Whether it does not matter to a partition which others there are. */
  boolean looksAtEachAlone() {
    return switch (mode) {
      case NONE, SELECTED_PARTITIONS -> true;
      case RECENT_DAYS, DAY_ROLLING -> false;
    };
  }

  /**
   * The partitions to look at, sorted.
   *
   * @param hour of the day, for {@link Mode#DAY_ROLLING}
   */
  List<String> apply(List<String> partitions, int hour) {
    List<String> sorted = partitions.stream().filter(this::matches).sorted().toList();
    return switch (mode) {
      case NONE -> sorted;
      case RECENT_DAYS ->
          sorted.stream()
              .sorted(Comparator.reverseOrder())
              .skip(skipFromLatest)
              .limit(lookback)
              .sorted()
              .toList();
      case SELECTED_PARTITIONS ->
          sorted.stream()
              .filter(path -> begin.isEmpty() || path.compareTo(begin) >= 0)
              .filter(path -> end.isEmpty() || path.compareTo(end) <= 0)
              .toList();
      case DAY_ROLLING ->
          IntStream.range(0, sorted.size())
              .filter(i -> i % 24 == hour)
              .mapToObj(sorted::get)
              .toList();
    };
  }

  private boolean matches(String path) {
    if (!selected.isEmpty()) {
      return selected.contains(path);
    }
    return pattern.isEmpty() || Pattern.matches(pattern, path);
  }
}
