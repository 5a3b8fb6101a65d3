package io.hudilite.core.clustering;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.timeline.ClusteringPlan;
import io.hudilite.core.timeline.InstantTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Packs small file groups into groups of a plan. Pure: no I/O and no clock, so equal input gives an
 * equal plan. Source: Hudi 1.0.2 FlinkSizeBasedClusteringPlanStrategy and
 * PartitionAwareClusteringPlanStrategy. A file that would be rewritten alone is left alone, and so
 * are files that an earlier clustering made and that would not become fewer.
 */
public final class ClusteringPlanner {
  /** Where Hudi's Spark executes plans; its Flink does not ask. */
  private static final String EXECUTION_CLASS =
      "org.apache.hudi.client.clustering.run.strategy.SparkSortAndSizeExecutionStrategy";

  /** Keys of ours in a plan, so that it is executed as it was meant, whoever does it. */
  static final String LAYOUT = "hoodie.layout.optimize.strategy";

  static final String TARGET_BYTES = "hoodie.clustering.plan.strategy.target.file.max.bytes";

  private static final double MEGABYTE = 1024 * 1024;

  private final ClusteringStrategy strategy;

  public ClusteringPlanner(ClusteringStrategy strategy) {
    this.strategy = requireNonNull(strategy, "strategy");
  }

  /**
   * Plans which slices to write anew, and in which groups.
   *
   * @param partitions the newest slices of each partition that may be clustered, without those that
   *     another plan has
   * @param isOfClustering whether a base file of this instant was made by a clustering
   * @param pathOf full path of a path in the table
   * @return empty if there is nothing worth it
   */
  public Optional<ClusteringPlan> plan(
      Map<String, List<FileSlice>> partitions,
      Predicate<InstantTime> isOfClustering,
      PathOf pathOf) {
    List<ClusteringPlan.Group> groups = new ArrayList<>();
    for (List<FileSlice> slices : new TreeMap<>(partitions).values()) {
      for (List<FileSlice> packed : pack(slices)) {
        if (groups.size() < strategy.maxGroups() && isWorthIt(packed, isOfClustering)) {
          groups.add(group(packed, pathOf));
        }
      }
    }
    if (groups.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> parameters = new TreeMap<>();
    parameters.put(TARGET_BYTES, Long.toString(strategy.targetFileBytes()));
    if (!strategy.sortColumns().isEmpty()) {
      parameters.put(ClusteringPlan.SORT_COLUMNS, String.join(",", strategy.sortColumns()));
      parameters.put(LAYOUT, strategy.layout().word());
    }
    return Optional.of(new ClusteringPlan(groups, EXECUTION_CLASS, parameters));
  }

  /** Whether slices of one partition would get into a plan that has room. */
  boolean findsWork(List<FileSlice> slices, Predicate<InstantTime> isOfClustering) {
    return pack(slices).stream().anyMatch(packed -> isWorthIt(packed, isOfClustering));
  }

  /** Names files as plans do. */
  @FunctionalInterface
  public interface PathOf {
    String full(String path);
  }

  /** Large ones first, so that groups are filled well. */
  private List<List<FileSlice>> pack(List<FileSlice> slices) {
    List<FileSlice> small =
        slices.stream()
            .filter(slice -> !slice.isEmpty() && baseBytes(slice) < strategy.smallFileBytes())
            .sorted(
                Comparator.comparingLong(ClusteringPlanner::bytes)
                    .reversed()
                    .thenComparing(FileSlice::groupId))
            .toList();
    List<List<FileSlice>> packed = new ArrayList<>();
    List<FileSlice> current = new ArrayList<>();
    long bytes = 0;
    for (FileSlice slice : small) {
      if (!current.isEmpty() && bytes + bytes(slice) > strategy.maxGroupBytes()) {
        packed.add(current);
        current = new ArrayList<>();
        bytes = 0;
      }
      current.add(slice);
      bytes += bytes(slice);
    }
    packed.add(current);
    return packed;
  }

  private boolean isWorthIt(List<FileSlice> slices, Predicate<InstantTime> isOfClustering) {
    if (slices.size() < 2) {
      return false;
    }
    boolean isDone =
        slices.stream()
            .allMatch(
                slice ->
                    slice.logFiles().isEmpty()
                        && slice
                            .baseFile()
                            .filter(file -> isOfClustering.test(file.name().instant()))
                            .isPresent());
    return !isDone || outputGroups(slices) < slices.size();
  }

  private int outputGroups(List<FileSlice> slices) {
    long bytes = slices.stream().mapToLong(ClusteringPlanner::bytes).sum();
    return (int) Math.max(1, (bytes + strategy.targetFileBytes() - 1) / strategy.targetFileBytes());
  }

  private ClusteringPlan.Group group(List<FileSlice> slices, PathOf pathOf) {
    long bytes = slices.stream().mapToLong(FileSlice::totalBytes).sum();
    long logBytes = slices.stream().mapToLong(FileSlice::logBytes).sum();
    long logs = slices.stream().mapToLong(slice -> slice.logFiles().size()).sum();
    return new ClusteringPlan.Group(
        slices.stream().map(slice -> slice(slice, pathOf)).toList(),
        outputGroups(slices),
        Map.of(
            "TOTAL_LOG_FILES", (double) logs,
            "TOTAL_LOG_FILES_SIZE", (double) logBytes,
            "TOTAL_IO_READ_MB", bytes / MEGABYTE,
            "TOTAL_IO_WRITE_MB", bytes / MEGABYTE,
            "TOTAL_IO_MB", 2 * bytes / MEGABYTE));
  }

  private static ClusteringPlan.Slice slice(FileSlice slice, PathOf pathOf) {
    return new ClusteringPlan.Slice(
        slice.groupId().partitionPath(),
        slice.groupId().fileId().value(),
        slice.baseFile().map(file -> pathOf.full(file.path())).orElse(""),
        slice.logFiles().stream().map(log -> pathOf.full(log.path())).toList());
  }

  /** As Hudi counts: what log files add is not known before they are merged. */
  private static long bytes(FileSlice slice) {
    return slice.baseFile().map(BaseFile::lengthBytes).orElseGet(slice::logBytes);
  }

  private static long baseBytes(FileSlice slice) {
    return slice.baseFile().map(BaseFile::lengthBytes).orElse(0L);
  }
}
