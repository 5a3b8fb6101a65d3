package io.hudilite.source.read;

import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.base.source.reader.RecordEmitter;
import org.apache.flink.table.data.RowData;

/** Emits rows and counts them: the count is the position inside a split. Task thread only. */
final class RowEmitter implements RecordEmitter<RowData, RowData, SplitProgress> {

  @Override
  public void emitRecord(RowData row, SourceOutput<RowData> output, SplitProgress progress) {
    output.collect(row);
    progress.rowEmitted();
  }
}
