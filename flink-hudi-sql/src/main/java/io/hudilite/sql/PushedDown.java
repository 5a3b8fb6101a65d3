package io.hudilite.sql;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.ColumnCondition;
import io.hudilite.core.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;

/**
 * What the planner told of a query. Immutable.
 *
 * @param partitions a condition of the query over partition columns; null if there is none
 * @param rows a condition of the query over other columns; null if there is none
 * @param limit so many rows are enough
 * @param counts 0 if rows are wanted; else only their number, in so many columns
 * @param joinedPartitions partition columns whose values a join will tell
 */
record PushedDown(
    ColumnSelection columns,
    @Nullable PartitionCondition partitions,
    @Nullable ColumnCondition rows,
    long limit,
    int counts,
    List<String> joinedPartitions) {
  PushedDown {
    requireNonNull(columns, "columns");
    // The planner's lists are of classes that only it knows.
    joinedPartitions = new ArrayList<>(joinedPartitions);
  }

  static PushedDown nothing(TableSchema schema) {
    return new PushedDown(ColumnSelection.all(schema), null, null, Long.MAX_VALUE, 0, List.of());
  }

  PushedDown withColumns(ColumnSelection selection) {
    return new PushedDown(selection, partitions, rows, limit, counts, joinedPartitions);
  }

  PushedDown withConditions(
      @Nullable PartitionCondition ofPartitions, @Nullable ColumnCondition ofRows) {
    return new PushedDown(columns, ofPartitions, ofRows, limit, counts, joinedPartitions);
  }

  PushedDown withLimit(long rowLimit) {
    return new PushedDown(columns, partitions, rows, rowLimit, counts, joinedPartitions);
  }

  PushedDown withCounts(int howMany) {
    return new PushedDown(columns, partitions, rows, limit, howMany, joinedPartitions);
  }

  PushedDown withJoinedPartitions(List<String> partitionColumns) {
    return new PushedDown(columns, partitions, rows, limit, counts, partitionColumns);
  }
}
