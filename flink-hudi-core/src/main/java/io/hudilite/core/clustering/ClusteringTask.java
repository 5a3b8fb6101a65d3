package io.hudilite.core.clustering;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.compact.ServiceTask;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.timeline.InstantTime;
import java.util.List;

/**
 * One group of a clustering, for one execution of it.
 *
 * @param instant of the plan
 * @param claim number of the execution
 * @param number of the group in the plan, from 0
 * @param slices the files whose rows are written anew, all of one partition; at least one
 * @param targetBytes size of the new files, about
 * @param layout how the sort columns count
 * @param sortColumns empty to keep the order of the slices
 */
public record ClusteringTask(
    InstantTime instant,
    int claim,
    int number,
    List<FileSlice> slices,
    long targetBytes,
    Layout layout,
    List<String> sortColumns)
    implements ServiceTask {
  public ClusteringTask {
    requireNonNull(instant, "instant");
    requireNonNull(layout, "layout");
    slices = List.copyOf(slices);
    sortColumns = List.copyOf(sortColumns);
    if (slices.isEmpty() || targetBytes < 1) {
      throw new IllegalArgumentException(slices.size() + " slices into " + targetBytes + " bytes");
    }
  }

  @Override
  public String describe() {
    return "%d file groups of partition '%s'".formatted(slices.size(), partitionPath());
  }

  String partitionPath() {
    return slices.get(0).groupId().partitionPath();
  }

  /** In the names of the files of this task; other executions have others. */
  String token(int file) {
    return number + "-" + claim + "-" + file;
  }

  /** Whether the file of a token was written by this task. */
  static boolean isOfClaim(String token, int claim) {
    String[] parts = token.split("-", -1);
    return parts.length == 3 && parts[1].equals(Integer.toString(claim));
  }

  /** Of a marker, distinct among all files of all executions of the plan. */
  long markerNumber(int file) {
    return (claim * 100_000L + number) * 1_000_000L + file;
  }
}
