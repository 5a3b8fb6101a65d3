package io.hudilite.core.write;

import io.hudilite.core.schema.MetaColumns;
import java.util.stream.IntStream;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.utils.JoinedRowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Shows a row with another value in {@code _hoodie_file_name}: the one meta column that changes
 * when a row is carried on into the next base file.
 */
final class FileNameColumn {
  private final JoinedRowData both = new JoinedRowData();
  private final ProjectedRowData replaced;
  private final GenericRowData fileName;

  /**
   * @param rowType with meta columns
   */
  FileNameColumn(RowType rowType, String fileName) {
    int columns = rowType.getFieldCount();
    int[] mapping = IntStream.range(0, columns).toArray();
    mapping[rowType.getFieldIndex(MetaColumns.FILE_NAME)] = columns;
    this.replaced = ProjectedRowData.from(mapping);
    this.fileName = GenericRowData.of(StringData.fromString(fileName));
  }

  /** Valid until the next call. */
  RowData of(RowData row) {
    both.replace(row, fileName);
    replaced.replaceRow(both);
    return replaced;
  }
}
