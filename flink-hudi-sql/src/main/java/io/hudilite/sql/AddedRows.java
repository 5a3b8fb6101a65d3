package io.hudilite.sql;

import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.Collector;

/**
 * What a streaming read of a table without a key gives: the rows that came, as inserts. That others
 * are gone, after an INSERT OVERWRITE, cannot be said without a key.
 */
final class AddedRows implements FlatMapFunction<RowData, RowData> {
  private static final long serialVersionUID = 1L;

  @Override
  public void flatMap(RowData row, Collector<RowData> out) {
    if (row.getRowKind() == RowKind.INSERT || row.getRowKind() == RowKind.UPDATE_AFTER) {
      row.setRowKind(RowKind.INSERT);
      out.collect(row);
    }
  }
}
