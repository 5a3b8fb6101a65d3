package io.hudilite.source.read;

import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.TimestampAssignerSupplier;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkGeneratorSupplier;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.table.data.RowData;
import org.apache.flink.util.clock.RelativeClock;
import org.apache.flink.util.clock.SystemClock;

/**
 * Finds out which watermark the rows of a reader make, without emitting it: that is done for all
 * readers together, when a stage is over. Task thread only.
 */
final class RowWatermarks {
  private final TimestampAssigner<RowData> timestamps;
  private final WatermarkGenerator<RowData> generator;
  private final Highest highest = new Highest();

  RowWatermarks(WatermarkStrategy<RowData> strategy, MetricGroup metrics) {
    Context context = new Context(metrics);
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

  private record Context(MetricGroup getMetricGroup)
      implements WatermarkGeneratorSupplier.Context, TimestampAssignerSupplier.Context {

    @Override
    public RelativeClock getInputActivityClock() {
      return SystemClock.getInstance();
    }
  }
}
