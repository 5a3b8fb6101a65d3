package io.hudilite.source.read;

import javax.annotation.Nullable;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.base.source.reader.RecordEmitter;
import org.apache.flink.table.data.RowData;

/** Emits rows and counts them: the count is the position inside a split. Task thread only. */
final class RowEmitter implements RecordEmitter<RowData, RowData, SplitProgress> {
  private final boolean isStaged;
  @Nullable private final RowWatermarks watermarks;

  /**
   * @param isStaged whether rows say their turn by their timestamp
   * @param watermarks null if the rows make none
   */
  RowEmitter(boolean isStaged, @Nullable RowWatermarks watermarks) {
    this.isStaged = isStaged;
    this.watermarks = watermarks;
  }

  @Override
  public void emitRecord(RowData row, SourceOutput<RowData> output, SplitProgress progress) {
    if (watermarks != null) {
      watermarks.onRow(row);
    }
    if (isStaged) {
      output.collect(row, progress.turn().timestamp(row.getRowKind()));
    } else {
      output.collect(row);
    }
    progress.rowEmitted();
  }

  /** What all rows so far make, in ms; {@link Long#MIN_VALUE} if nothing. */
  long watermarkMillis() {
    return watermarks == null ? Long.MIN_VALUE : watermarks.millis();
  }
}
