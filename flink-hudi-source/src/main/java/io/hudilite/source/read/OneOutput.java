package io.hudilite.source.read;

import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.table.data.RowData;

/**
 * Lets all splits of a reader share the reader's own output, and so one watermark generator. With
 * an output for each split, Flink drops the generator of a split together with the split; what it
 * had not emitted by then, as of every split that is read within one watermark interval, would be
 * lost, and windows would not fire. Since splits are read one after the other, several generators
 * would hold nothing back anyway.
 */
final class OneOutput implements ReaderOutput<RowData> {
  /** Names that no split has. */
  private static final String ROWS = "hudi-rows";

  private static final String END = "hudi-end";

  private final ReaderOutput<RowData> output;

  /** Where rows go. */
  private final SourceOutput<RowData> rows;

  private OneOutput(ReaderOutput<RowData> output, SourceOutput<RowData> rows) {
    this.output = output;
    this.rows = rows;
  }

  static OneOutput of(ReaderOutput<RowData> output) {
    return new OneOutput(output, output);
  }

  /**
   * One whose watermarks are held back until the reader ends, for files in no order of time: Flink
   * takes the smallest watermark of a reader's outputs, and one of them never has any.
   */
  static OneOutput untilTheEnd(ReaderOutput<RowData> output) {
    output.createOutputForSplit(END);
    return new OneOutput(output, output.createOutputForSplit(ROWS));
  }

  boolean isOf(ReaderOutput<RowData> other) {
    return output == other;
  }

  @Override
  public SourceOutput<RowData> createOutputForSplit(String splitId) {
    return rows;
  }

  @Override
  public void releaseOutputForSplit(String splitId) {
    output.releaseOutputForSplit(splitId); // Flink makes one for each split, used or not
  }

  @Override
  public void collect(RowData row) {
    rows.collect(row);
  }

  @Override
  public void collect(RowData row, long timestamp) {
    rows.collect(row, timestamp);
  }

  @Override
  public void emitWatermark(Watermark watermark) {
    output.emitWatermark(watermark);
  }

  @Override
  public void markIdle() {
    output.markIdle();
  }

  @Override
  public void markActive() {
    output.markActive();
  }
}
