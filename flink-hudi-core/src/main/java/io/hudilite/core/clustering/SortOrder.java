package io.hudilite.core.clustering;

import io.hudilite.core.config.HudiTableException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * Makes the sort key of a row. An order along a curve is shown all rows once before: {@link
 * #needsSample}. Not safe for use by several threads.
 */
final class SortOrder {
  private final Layout layout;
  private final List<ColumnKey> columns;

  /** Of {@link #sampledType}. */
  private final List<ColumnKey> sampledColumns;

  private final RowType sampledType;
  private final List<ColumnRanks> ranks = new ArrayList<>();
  private final KeyBytes value = new KeyBytes();
  private final int[] numbers;

  private SortOrder(Layout layout, List<ColumnKey> columns, RowType sampledType) {
    this.layout = layout;
    this.columns = columns;
    this.sampledType = sampledType;
    this.sampledColumns = columnsOf(sampledType.getFieldNames(), sampledType);
    this.numbers = new int[columns.size()];
    if (needsSample()) {
      columns.forEach(column -> ranks.add(new ColumnRanks()));
    }
  }

  /**
   * @param columns at least one
   * @param rowType of the rows
   * @throws HudiTableException if one of them is no column of the rows, or has no order
   */
  static SortOrder of(Layout layout, List<String> columns, RowType rowType) {
    LogicalType[] types = new LogicalType[columns.size()];
    List<ColumnKey> keys = columnsOf(columns, rowType);
    for (int i = 0; i < types.length; i++) {
      types[i] = rowType.getTypeAt(rowType.getFieldIndex(columns.get(i)));
    }
    return new SortOrder(layout, keys, RowType.of(types, columns.toArray(new String[0])));
  }

  private static List<ColumnKey> columnsOf(List<String> names, RowType rowType) {
    List<ColumnKey> keys = new ArrayList<>();
    for (String name : names) {
      int position = rowType.getFieldIndex(name);
      if (position < 0) {
        throw new HudiTableException(
            "Rows cannot be sorted by '%s': the table has no such column, but %s. Correct 'clustering.plan.strategy.sort.columns'."
                .formatted(name, rowType.getFieldNames()));
      }
      keys.add(ColumnKey.of(name, rowType.getTypeAt(position), position));
    }
    return keys;
  }

  /** Whether {@link #sample} and {@link #finishSample} come before the first key. */
  boolean needsSample() {
    return layout != Layout.LINEAR && columns.size() > 1;
  }

  /** The columns that {@link #sample} takes. */
  RowType sampledType() {
    return sampledType;
  }

  void sample(RowData row) {
    for (int i = 0; i < sampledColumns.size(); i++) {
      value.reset();
      sampledColumns.get(i).encode(row, value);
      ranks.get(i).add(value, 0);
    }
  }

  void finishSample() {
    ranks.forEach(ColumnRanks::finish);
  }

  /** Adds the key of a row. */
  void encode(RowData row, KeyBytes out) {
    if (!needsSample()) {
      columns.forEach(column -> column.encode(row, out));
      return;
    }
    for (int i = 0; i < numbers.length; i++) {
      value.reset();
      columns.get(i).encode(row, value);
      numbers[i] = ranks.get(i).of(value, 0);
    }
    if (layout == Layout.HILBERT) {
      SpaceCurve.hilbert(numbers, ColumnRanks.BITS, out);
    } else {
      SpaceCurve.zOrder(numbers, ColumnRanks.BITS, out);
    }
  }
}
