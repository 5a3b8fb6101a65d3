package io.hudilite.core.timeline;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;

/**
 * Which log files a compaction folds into which base files. Source: HoodieCompactionPlan of Hudi
 * 1.0.2, plan version 2.
 */
public record CompactionPlan(List<Operation> operations) {
  public CompactionPlan {
    operations = List.copyOf(operations);
  }

  /**
   * The work on one file group.
   *
   * @param baseInstant base instant of the slice
   * @param dataFileName name of the base file, or {@code ""} for a slice without one
   * @param logFileNames in reading order
   * @param metrics holds {@code TOTAL_LOG_FILES_SIZE} in bytes when other engines may execute it
   */
  public record Operation(
      String partitionPath,
      String fileId,
      String baseInstant,
      String dataFileName,
      List<String> logFileNames,
      Map<String, Double> metrics) {
    public Operation {
      requireNonNull(partitionPath, "partitionPath");
      requireNonNull(fileId, "fileId");
      requireNonNull(baseInstant, "baseInstant");
      requireNonNull(dataFileName, "dataFileName");
      logFileNames = List.copyOf(logFileNames);
      metrics = Map.copyOf(metrics);
    }
  }
}
