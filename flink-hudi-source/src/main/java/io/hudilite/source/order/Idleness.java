package io.hudilite.source.order;

import io.hudilite.source.config.StrategyContext;
import javax.annotation.Nullable;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.eventtime.WatermarksWithIdleness;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.table.data.RowData;

/**
 * Whether rows have stayed away so long that others are not to wait for them, as a watermark
 * strategy {@code withIdleness} says. Task thread only.
 */
final class Idleness implements WatermarkOutput {
  private final WatermarkGenerator<RowData> generator;
  private boolean isQuiet;

  private Idleness(WatermarkGenerator<RowData> generator) {
    this.generator = generator;
  }

  /** Null if the strategy knows no idleness. */
  @Nullable
  static Idleness of(WatermarkStrategy<RowData> strategy, MetricGroup metrics) {
    WatermarkGenerator<RowData> generator =
        strategy.createWatermarkGenerator(new StrategyContext(metrics));
    return generator instanceof WatermarksWithIdleness ? new Idleness(generator) : null;
  }

  void onRow(RowData row, long timestamp) {
    isQuiet = false;
    generator.onEvent(row, timestamp, this);
  }

  /** To be asked again and again: the time without rows counts from one question to the next. */
  boolean isQuiet() {
    generator.onPeriodicEmit(this);
    return isQuiet;
  }

  @Override
  public void emitWatermark(Watermark watermark) {
    // The watermark of the read is that of all readers together.
  }

  @Override
  public void markIdle() {
    isQuiet = true;
  }

  @Override
  public void markActive() {
    isQuiet = false;
  }
}
