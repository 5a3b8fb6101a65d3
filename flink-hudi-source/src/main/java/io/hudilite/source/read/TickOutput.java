package io.hudilite.source.read;

import io.hudilite.source.config.SourceConfig;
import io.hudilite.source.split.Ticks;
import io.hudilite.source.split.Turn;
import io.hudilite.source.split.TurnMark;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.table.data.RowData;

/** How a reader of a staged read tells those behind it that a tick has come. Task thread only. */
@FunctionalInterface
interface TickOutput {

  /** Rows that were emitted are in front of it, later ones come behind. */
  void emit(long tick, ReaderOutput<RowData> output);

  static TickOutput of(SourceConfig config) {
    return config.isAligned() ? marks(config.outputType().getFieldCount()) : TickOutput::watermark;
  }

  private static void watermark(long tick, ReaderOutput<RowData> output) {
    output.emitWatermark(new Watermark(Turn.watermarkBefore(tick)));
  }

  /** The watermark is what Flink compares with those of other sources: the event time. */
  private static TickOutput marks(int columns) {
    return (tick, output) -> {
      output.collect(TurnMark.ofWidth(columns), Turn.watermarkBefore(tick));
      long millis = Ticks.watermarkMillis(tick);
      if (millis > 0) {
        output.emitWatermark(new Watermark(millis));
      }
    };
  }
}
