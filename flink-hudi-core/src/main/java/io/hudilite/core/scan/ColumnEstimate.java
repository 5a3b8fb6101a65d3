package io.hudilite.core.scan;

import io.hudilite.core.base.BaseFileReader;
import io.hudilite.core.base.ColumnSummary;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.view.FileSystemView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.flink.table.types.logical.RowType;

/**
 * The least and greatest values of columns, and how many are null, by the footers of base files.
 * Nothing is told where a log file may change them, or where it would take more than few requests.
 */
public final class ColumnEstimate {
  /** Each costs one request to the storage, while a query is planned. */
  private static final int MAX_FOOTERS = 16;

  private ColumnEstimate() {}

  /**
   * What is known of these columns in some partitions, by name; empty if nothing is.
   *
   * @param partitions of partition paths: which ones count
   */
  public static Map<String, ColumnSummary> of(
      HudiTable table, Predicate<String> partitions, List<String> columns) throws IOException {
    FileSystemView view = table.view();
    List<BaseFile> files = new ArrayList<>();
    for (String partition : view.partitions().stream().filter(partitions).toList()) {
      for (FileSlice slice : view.latestSlices(partition)) {
        Optional<BaseFile> base = slice.baseFile();
        if (base.isEmpty() || !slice.logFiles().isEmpty() || files.size() == MAX_FOOTERS) {
          return Map.of();
        }
        files.add(base.get());
      }
    }
    Map<String, ColumnSummary> known = new HashMap<>();
    for (BaseFile file : files) {
      try (BaseFileReader reader =
          BaseFileReader.open(table.storage(), file.path(), file.lengthBytes(), RowType.of())) {
        for (String column : columns) {
          known.merge(column, reader.summary(column), ColumnSummary::and);
        }
      }
    }
    known.values().removeIf(ColumnSummary.UNKNOWN::equals);
    return known;
  }
}
