package io.hudilite.source.config;

import org.apache.flink.api.common.eventtime.TimestampAssignerSupplier;
import org.apache.flink.api.common.eventtime.WatermarkGeneratorSupplier;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.clock.RelativeClock;
import org.apache.flink.util.clock.SystemClock;

/** In which the parts of a watermark strategy are made that the read asks itself. */
public record StrategyContext(MetricGroup getMetricGroup)
    implements WatermarkGeneratorSupplier.Context, TimestampAssignerSupplier.Context {

  @Override
  public RelativeClock getInputActivityClock() {
    return SystemClock.getInstance();
  }
}
