package io.hudilite.core.avro;

import io.hudilite.core.config.HudiTableException;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/** Writes the fields of a row one after the other, each by its own small encoder. */
final class RecordEncoder {
  /** Avro's numbers of the branches null and not null: 0 and 1, zigzag. */
  static final int NULL_BRANCH = 0;

  static final int VALUE_BRANCH = 2;

  private final String[] columns;
  private final boolean[] nullable;
  private final FieldEncoder[] encoders;

  /**
   * @param path of the row inside the table's row: {@code ""}, or ends with a dot
   * @param stored the same columns as the table stores them
   */
  RecordEncoder(String path, RowType rowType, RowType stored) {
    int count = rowType.getFieldCount();
    columns = new String[count];
    nullable = new boolean[count];
    encoders = new FieldEncoder[count];
    for (int i = 0; i < count; i++) {
      LogicalType type = rowType.getTypeAt(i);
      columns[i] = path + rowType.getFieldNames().get(i);
      nullable[i] = type.isNullable();
      encoders[i] = FieldEncoder.of(columns[i], type, stored.getTypeAt(i));
    }
  }

  void encode(RowData row, AvroBuffer out) {
    FieldEncoder[] all = encoders;
    for (int i = 0; i < all.length; i++) {
      if (row.isNullAt(i)) {
        if (!nullable[i]) {
          throw nullInNotNull(columns[i]);
        }
        out.writeByte(NULL_BRANCH);
      } else {
        if (nullable[i]) {
          out.writeByte(VALUE_BRANCH);
        }
        all[i].encode(row, i, out);
      }
    }
  }

  static HudiTableException nullInNotNull(String column) {
    return new HudiTableException(
        "Column '%s' is NOT NULL, but a row has null there. Declare the column nullable, or fill it in the query with COALESCE."
            .formatted(column));
  }
}
