package io.hudilite.core.clustering;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import java.io.Serializable;
import java.util.List;
import org.apache.flink.table.types.logical.RowType;

/**
 * What gets into a plan, and how its rows are to lie.
 *
 * @param targetFileBytes option {@code clustering.plan.strategy.target.file.max.bytes}: size of the
 *     new files
 * @param smallFileBytes option {@code clustering.plan.strategy.small.file.limit}: file groups whose
 *     base file has fewer are taken
 * @param maxGroupBytes option {@code hoodie.clustering.plan.strategy.max.bytes.per.group}: what one
 *     task reads at most, but for one file
 * @param maxGroups option {@code clustering.plan.strategy.max.num.groups}: tasks of a plan
 * @param sortColumns option {@code clustering.plan.strategy.sort.columns}; empty to keep the order
 *     in which rows were written
 * @param layout option {@code hoodie.layout.optimize.strategy}
 * @param partitions where
 */
public record ClusteringStrategy(
    long targetFileBytes,
    long smallFileBytes,
    long maxGroupBytes,
    int maxGroups,
    List<String> sortColumns,
    Layout layout,
    PartitionFilter partitions)
    implements Serializable {

  /** Defaults of Hudi's Flink: files below 600 MB into files of 1 GB, 2 GB a task, 30 tasks. */
  public static final ClusteringStrategy DEFAULT =
      new ClusteringStrategy(
          1L << 30, 600L << 20, 2L << 30, 30, List.of(), Layout.LINEAR, PartitionFilter.ALL);

  public ClusteringStrategy {
    requireNonNull(layout, "layout");
    requireNonNull(partitions, "partitions");
    sortColumns = List.copyOf(sortColumns);
    if (targetFileBytes < 1 || smallFileBytes < 0 || maxGroupBytes < 1 || maxGroups < 1) {
      throw new HudiTableException(
          "'clustering.plan.strategy.target.file.max.bytes' is %d, 'hoodie.clustering.plan.strategy.max.bytes.per.group' %d, 'clustering.plan.strategy.max.num.groups' %d, 'clustering.plan.strategy.small.file.limit' %d bytes; set them to 1 or more"
              .formatted(targetFileBytes, maxGroupBytes, maxGroups, smallFileBytes));
    }
  }

  public ClusteringStrategy withTargetFileBytes(long bytes) {
    return new ClusteringStrategy(
        bytes, smallFileBytes, maxGroupBytes, maxGroups, sortColumns, layout, partitions);
  }

  public ClusteringStrategy withSmallFileBytes(long bytes) {
    return new ClusteringStrategy(
        targetFileBytes, bytes, maxGroupBytes, maxGroups, sortColumns, layout, partitions);
  }

  public ClusteringStrategy withMaxGroupBytes(long bytes) {
    return new ClusteringStrategy(
        targetFileBytes, smallFileBytes, bytes, maxGroups, sortColumns, layout, partitions);
  }

  public ClusteringStrategy withMaxGroups(int number) {
    return new ClusteringStrategy(
        targetFileBytes, smallFileBytes, maxGroupBytes, number, sortColumns, layout, partitions);
  }

  public ClusteringStrategy sortedBy(Layout order, List<String> columns) {
    return new ClusteringStrategy(
        targetFileBytes, smallFileBytes, maxGroupBytes, maxGroups, columns, order, partitions);
  }

  public ClusteringStrategy withPartitions(PartitionFilter filter) {
    return new ClusteringStrategy(
        targetFileBytes, smallFileBytes, maxGroupBytes, maxGroups, sortColumns, layout, filter);
  }

  /**
   * Makes sure that rows can be sorted so.
   *
   * @param columns of the table
   * @throws HudiTableException if a sort column is not one of them, or has no order
   */
  public void requireSortable(RowType columns) {
    if (!sortColumns.isEmpty()) {
      var unused = SortOrder.of(layout, sortColumns, columns);
    }
  }
}
