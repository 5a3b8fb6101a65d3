package io.hudilite.core.clustering;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.scan.ScanRange;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.scan.SplitReader;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.MorTable;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;

/** Folds changes as a streaming reader does. */
final class Changes {
  private Changes() {}

  /** Changes {@code folded}; a row that comes twice without a change is an error. */
  static void fold(HudiTable table, ScanRange range, TreeMap<String, String> folded)
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
}
