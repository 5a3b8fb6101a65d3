package io.hudilite.core.scan;

import io.hudilite.core.base.BaseFileReader;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFile;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.view.FileSystemView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.apache.flink.table.types.logical.RowType;

/**
 * About how many rows a table has: exact where commits on the timeline tell of the base files, else
 * by the bytes of a row. Costs the listings that planning costs too, the commits on the timeline,
 * and few footers.
 */
public final class RowEstimate {
  /** A plan is no better for what takes longer to find out. */
  private static final int MAX_PARTITIONS = 500;

  private static final int MAX_FOOTERS = 8;

  private RowEstimate() {}

  /**
   * The rows in some partitions; empty if it takes too long to tell.
   *
   * @param partitions of partition paths: which ones count
   */
  public static OptionalLong of(HudiTable table, Predicate<String> partitions) throws IOException {
    FileSystemView view = table.view();
    List<String> counted = view.partitions().stream().filter(partitions).toList();
    if (counted.size() > MAX_PARTITIONS) {
      return OptionalLong.empty();
    }
    Map<String, WriteStat> stats = stats(table);
    long rows = 0;
    long knownBytes = 0;
    long logRows = 0;
    List<BaseFile> unknown = new ArrayList<>();
    for (String partition : counted) {
      for (FileSlice slice : view.latestSlices(partition)) {
        WriteStat stat = slice.baseFile().map(file -> stats.get(file.path())).orElse(null);
        if (stat != null && stat.numWrites() >= 0) {
          rows += stat.numWrites();
          knownBytes += slice.baseFile().get().lengthBytes();
        } else {
          slice.baseFile().ifPresent(unknown::add);
        }
        logRows += changeOfRows(slice, stats);
      }
    }
    for (int i = 0; i < unknown.size(); i++) {
      BaseFile file = unknown.get(i);
      if (i < MAX_FOOTERS) {
        rows += rowsOf(table, file);
        knownBytes += file.lengthBytes();
      } else {
        rows += (long) (file.lengthBytes() * ((double) rows / Math.max(1, knownBytes)));
      }
    }
    return OptionalLong.of(Math.max(0, rows + logRows));
  }

  private static Map<String, WriteStat> stats(HudiTable table) throws IOException {
    Map<String, WriteStat> stats = new HashMap<>();
    for (Instant.Completed write : table.timeline().completedWrites()) {
      for (WriteStat stat : table.timelineStore().readCommit(write).writeStats()) {
        stats.put(stat.path(), stat);
      }
    }
    return stats;
  }

  private static long changeOfRows(FileSlice slice, Map<String, WriteStat> stats) {
    long change = 0;
    for (LogFile log : slice.logFiles()) {
      WriteStat stat = stats.get(log.path());
      if (stat != null) {
        change += Math.max(0, stat.numInserts()) - Math.max(0, stat.numDeletes());
      }
    }
    return change;
  }

  private static long rowsOf(HudiTable table, BaseFile file) throws IOException {
    try (BaseFileReader reader =
        BaseFileReader.open(table.storage(), file.path(), file.lengthBytes(), RowType.of())) {
      return reader.rowCount();
    }
  }
}
