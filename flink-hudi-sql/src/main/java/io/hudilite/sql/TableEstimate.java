package io.hudilite.sql;

import io.hudilite.core.base.ColumnSummary;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.scan.ColumnEstimate;
import io.hudilite.core.scan.RowEstimate;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.source.config.PartitionFilter;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.flink.table.plan.stats.ColumnStats;
import org.apache.flink.table.plan.stats.TableStats;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the planner wants to know for choosing between joins. Never a reason to fail. */
final class TableEstimate {
  private static final Logger LOG = LoggerFactory.getLogger(TableEstimate.class);

  private TableEstimate() {}

  /**
   * About how many rows these partitions have now, and what values their columns have.
   *
   * @param wanted the columns that matter
   */
  static TableStats of(String path, PartitionFilter partitions, RowType wanted) {
    try {
      HudiTable table = HudiTable.open(Storages.of(path));
      OptionalLong rows = RowEstimate.of(table, partitions);
      return rows.isEmpty()
          ? TableStats.UNKNOWN
          : new TableStats(rows.getAsLong(), columns(table, partitions, wanted));
    } catch (IOException | HudiTableException e) {
      LOG.info("Planning without statistics of '{}'", path, e);
      return TableStats.UNKNOWN;
    }
  }

  private static Map<String, ColumnStats> columns(
      HudiTable table, PartitionFilter partitions, RowType wanted) throws IOException {
    Map<String, ColumnStats> stats = new HashMap<>();
    ColumnEstimate.of(table, partitions, wanted.getFieldNames())
        .forEach(
            (column, summary) ->
                stats.put(column, stats(summary, wanted.getTypeAt(wanted.getFieldIndex(column)))));
    return stats;
  }

  /** The planner computes with numbers alone. */
  private static ColumnStats stats(ColumnSummary summary, LogicalType type) {
    ColumnStats.Builder stats = ColumnStats.Builder.builder();
    summary.nulls().ifPresent(stats::setNullCount);
    if (summary.range().min() instanceof Long min && summary.range().max() instanceof Long max) {
      switch (type.getTypeRoot()) {
        case TINYINT, SMALLINT, INTEGER ->
            stats.setMin(Math.toIntExact(min)).setMax(Math.toIntExact(max));
        case BIGINT -> stats.setMin(min).setMax(max);
        default -> {
          // Others have no numbers that the planner takes.
        }
      }
    }
    return stats.build();
  }
}
