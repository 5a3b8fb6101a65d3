package io.hudilite.source;

import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/** Passes rows to a {@link Collected} at once; after a failure some come twice. */
final class Collector extends ProcessFunction<RowData, String> {
  private static final long serialVersionUID = 1L;

  private final String name;
  private final RowType rowType;

  Collector(String name, RowType rowType) {
    this.name = name;
    this.rowType = rowType;
  }

  @Override
  public void processElement(
      RowData row, Context context, org.apache.flink.util.Collector<String> out) {
    Collected.of(name).add(Collected.text(row, rowType));
  }
}
