package io.hudilite.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.scan.IncrementalPlanner;
import io.hudilite.core.scan.ScanRange;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.scan.SplitReader;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;

/** Folds changes as a streaming reader does. */
public final class Changes {
  private Changes() {}

  /** Changes {@code folded}; a row that comes twice without a change is an error. */
  public static void fold(HudiTable table, ScanRange range, TreeMap<String, String> folded)
      throws IOException {
    for (List<ScanSplit> stage : range.stages()) {
      for (ScanSplit split : stage) {
        try (SplitReader reader = SplitReader.open(table.readContext(), split, MorTable.ROW_TYPE)) {
          for (RowData row = reader.next(); row != null; row = reader.next()) {
            String key = row.getString(3) + "/" + row.getString(0);
            if (row.getRowKind() == RowKind.DELETE) {
              folded.remove(key);
            } else {
              String value = key + "=" + row.getString(1) + "@" + row.getLong(2);
              assertThat(folded.put(key, value)).as("emitted twice").isNotEqualTo(value);
            }
          }
        }
      }
    }
  }

  /**
   * Changes {@code folded} by all that came after a position.
   *
   * @return the position up to which all is read now
   */
  public static InstantTime foldAll(
      HudiTable table, InstantTime from, TreeMap<String, String> folded) throws IOException {
    IncrementalPlanner planner = new IncrementalPlanner(path -> true);
    InstantTime position = from;
    Optional<ScanRange> range = planner.next(table, position);
    while (range.isPresent()) {
      position = range.get().end();
      fold(table, range.get(), folded);
      range = planner.next(table, position);
    }
    return position;
  }
}
