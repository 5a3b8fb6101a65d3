package io.hudilite.source.read;

import io.hudilite.source.config.StrategyContext;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.table.data.RowData;

/**
 * Finds out which watermark the rows of a reader make, without emitting it: that is done for all
 * readers together, when a stage is over. Task thread only.
 */
final class RowWatermarks {
  private final TimestampAssigner<RowData> timestamps;
  private final WatermarkGenerator<RowData> generator;
  private final Highest highest = new Highest();

  RowWatermarks(WatermarkStrategy<RowData> strategy, MetricGroup metrics) {
    StrategyContext context = new StrategyContext(metrics);
    this.timestamps = strategy.createTimestampAssigner(context);
    this.generator = strategy.createWatermarkGenerator(context);
  }

  void onRow(RowData row) {
    generator.onEvent(row, timestamps.extractTimestamp(row, Long.MIN_VALUE), highest);
  }

  /** {@link Long#MIN_VALUE} as long as there is none. */
  long millis() {
    generator.onPeriodicEmit(highest);
    return highest.millis;
  }

  private static final class Highest implements WatermarkOutput {
    private long millis = Long.MIN_VALUE;

    @Override
    public void emitWatermark(Watermark watermark) {
      millis = Math.max(millis, watermark.getTimestamp());
    }

    @Override
    public void markIdle() {
      // A reader without rows holds nothing back anyway.
    }

    @Override
    public void markActive() {
      // It always is.
    }
  }
}
