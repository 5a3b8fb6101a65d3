package io.hudilite.core.timeline;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which file groups a clustering writes anew into others. Source: HoodieClusteringPlan of Hudi
 * 1.0.2.
 *
 * @param groups each of them is done by itself
 * @param executionClass class of Hudi's that another engine executes the plan with
 * @param parameters of the execution, such as the sort columns
 */
public record ClusteringPlan(
    List<Group> groups, String executionClass, Map<String, String> parameters) {

  /** Key in {@link #parameters}: sort columns, parted by commas. */
  public static final String SORT_COLUMNS = "hoodie.clustering.plan.strategy.sort.columns";

  public ClusteringPlan {
    groups = List.copyOf(groups);
    requireNonNull(executionClass, "executionClass");
    parameters = Map.copyOf(parameters);
  }

  /** A plan of overwrites, which name no groups. */
  static final ClusteringPlan NONE = new ClusteringPlan(List.of(), "", Map.of());

  /**
   * File slices whose rows go into new file groups together.
   *
   * @param outputGroups how many new file groups are expected
   * @param metrics sizes in MB, as Hudi's strategies have them
   */
  public record Group(List<Slice> slices, int outputGroups, Map<String, Double> metrics) {
    public Group {
      slices = List.copyOf(slices);
      metrics = java.util.Collections.unmodifiableMap(new TreeMap<>(metrics));
    }
  }

  /**
   * A slice that rows are taken from.
   *
   * @param dataFile full path of the base file, or {@code ""}
   * @param logFiles full paths, in reading order
   */
  public record Slice(String partitionPath, String fileId, String dataFile, List<String> logFiles) {
    public Slice {
      requireNonNull(partitionPath, "partitionPath");
      requireNonNull(fileId, "fileId");
      requireNonNull(dataFile, "dataFile");
      logFiles = List.copyOf(logFiles);
    }

    /** Without the folder; {@code ""} if there is none. The table may have been moved since. */
    public String dataFileName() {
      return nameOf(dataFile);
    }

    public List<String> logFileNames() {
      return logFiles.stream().map(Slice::nameOf).toList();
    }

    private static String nameOf(String path) {
      return path.substring(path.lastIndexOf('/') + 1);
    }
  }
}
