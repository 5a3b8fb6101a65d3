package io.hudilite.core.merge;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.key.KeyParser;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.timeline.InstantTime;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;

/**
 * Makes the rows of kind DELETE of one file group: the key, partition and ordering columns are
 * filled, of the meta columns all but the sequence number.
 */
final class DeletedRows {
  private final KeyParser keyParser;
  private final FileGroupId group;
  private final RowType wanted;

  /** For each wanted column its position in the table, or -1. */
  private final int[] tablePositions;

  private final boolean hasTableColumns;

  DeletedRows(KeyParser keyParser, TableSchema schema, FileGroupId group, RowType wanted) {
    this.keyParser = keyParser;
    this.group = group;
    this.wanted = wanted;
    this.tablePositions = schema.indexesOf(wanted.getFieldNames());
    this.hasTableColumns = Arrays.stream(tablePositions).anyMatch(position -> position >= 0);
  }

  /** A new row. */
  GenericRowData row(byte[] recordKey, OrderingValue ordering, InstantTime instant) {
    String key = new String(recordKey, StandardCharsets.UTF_8);
    // Index scans want meta columns only, and must not depend on what can be parsed.
    GenericRowData known =
        hasTableColumns ? keyParser.deletedRow(key, group.partitionPath(), ordering) : null;
    GenericRowData row = new GenericRowData(RowKind.DELETE, tablePositions.length);
    for (int i = 0; i < tablePositions.length; i++) {
      row.setField(
          i,
          known != null && tablePositions[i] >= 0
              ? Widening.widen(known.getField(tablePositions[i]), wanted.getTypeAt(i))
              : metaColumn(wanted.getFieldNames().get(i), key, instant));
    }
    return row;
  }

  private StringData metaColumn(String name, String key, InstantTime instant) {
    return switch (name) {
      case MetaColumns.COMMIT_TIME -> StringData.fromString(instant.digits());
      case MetaColumns.RECORD_KEY -> StringData.fromString(key);
      case MetaColumns.PARTITION_PATH -> StringData.fromString(group.partitionPath());
      case MetaColumns.FILE_NAME -> StringData.fromString(group.fileId().value());
      default -> null;
    };
  }
}
