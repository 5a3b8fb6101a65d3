package io.hudilite.source.monitor;

import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.table.HudiTable;
import io.hudilite.source.config.PartitionFilter;
import io.hudilite.source.config.ReadMode;
import io.hudilite.source.config.SourceConfig;
import java.io.IOException;
import java.util.List;

/** Plans reads of one state of a table. */
public final class StatePlanner {
  private StatePlanner() {}

  /**
   * @param partitions which ones, of those that the table has now
   * @throws io.hudilite.core.config.HudiTableException if the state that is asked for is gone
   */
  public static List<ScanSplit> plan(HudiTable now, SourceConfig config, PartitionFilter partitions)
      throws IOException {
    ScanPlanner planner = new ScanPlanner(partitions).keepOnly(config.usableHints().condition());
    if (config.mode() instanceof ReadMode.AsOf asOf) {
      return planner.snapshotAsOf(now, asOf.instant());
    }
    return config.mode() instanceof ReadMode.ReadOptimized
        ? planner.readOptimized(now)
        : planner.snapshot(now);
  }
}
