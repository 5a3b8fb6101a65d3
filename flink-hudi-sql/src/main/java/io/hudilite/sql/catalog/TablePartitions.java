package io.hudilite.sql.catalog;

import io.hudilite.core.key.KeyParser;
import io.hudilite.core.table.HudiTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.catalog.CatalogPartitionSpec;

/** The partitions of a table by their values. */
final class TablePartitions {
  private TablePartitions() {}

  /**
   * Those that have rows or had some, in the order of their paths. Lists the table's folders.
   *
   * @throws io.hudilite.core.config.HudiTableException if the paths do not tell the values
   */
  static List<CatalogPartitionSpec> of(HudiTable table) throws IOException {
    KeyParser parser = new KeyParser(table.schema(), table.keyFormat());
    List<String> columns = table.config().partitionFields();
    List<CatalogPartitionSpec> partitions = new ArrayList<>();
    for (String path : table.view().partitions()) {
      List<String> values = parser.partitionTexts(path);
      Map<String, String> spec = new LinkedHashMap<>();
      for (int i = 0; i < columns.size(); i++) {
        String value = values.get(i);
        spec.put(columns.get(i), value == null ? table.keyFormat().defaultPartitionName() : value);
      }
      partitions.add(new CatalogPartitionSpec(spec));
    }
    return partitions;
  }
}
