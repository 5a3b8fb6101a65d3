package io.hudilite.sql;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.scan.RowEstimate;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.source.config.PartitionFilter;
import java.io.IOException;
import org.apache.flink.table.plan.stats.TableStats;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the planner wants to know for choosing between joins. Never a reason to fail. */
final class TableEstimate {
  private static final Logger LOG = LoggerFactory.getLogger(TableEstimate.class);

  private TableEstimate() {}

  /** About how many rows these partitions have now. */
  static TableStats of(String path, PartitionFilter partitions) {
    try {
      HudiTable table = HudiTable.open(Storages.of(path));
      return RowEstimate.of(table, partitions).stream()
          .mapToObj(TableStats::new)
          .findFirst()
          .orElse(TableStats.UNKNOWN);
    } catch (IOException | HudiTableException e) {
      LOG.info("Planning without statistics of '{}'", path, e);
      return TableStats.UNKNOWN;
    }
  }
}
