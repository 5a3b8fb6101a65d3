package io.hudilite.sink.maintenance;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.sink.compact.CompactionOperatorFactory;
import io.hudilite.sink.compact.CompactionSettings;
import io.hudilite.sink.config.ClusteringConfig;
import io.hudilite.sink.config.CompactionConfig;
import io.hudilite.sink.config.HousekeepingConfig;
import java.util.UUID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.transformations.PhysicalTransformation;

/** Compaction or clustering that is not beside a writer. */
public final class ServicesJob {
  private ServicesJob() {}

  /**
   * Adds it to an environment. The only number of the source ends its input at once; the operator
   * ends when its coordinator has nothing more for it.
   *
   * @param path base path of the table
   */
  public static void append(
      StreamExecutionEnvironment env,
      String path,
      CompactionConfig compaction,
      ClusteringConfig clustering,
      CompactionSettings.Mode mode) {
    SingleOutputStreamOperator<Long> services =
        env.fromSource(new NumberSequenceSource(0, 0), WatermarkStrategy.noWatermarks(), "start")
            .setParallelism(1)
            .transform(
                clustering.isOn() ? "clustering" : "compaction",
                Types.LONG,
                new CompactionOperatorFactory<>(
                    new CompactionSettings(
                        path,
                        UUID.randomUUID().toString(),
                        mode,
                        compaction,
                        clustering,
                        false,
                        HousekeepingConfig.OFF,
                        BaseFileSettings.DEFAULT.compression(),
                        BaseFileSettings.DEFAULT.rowGroupBytes(),
                        BaseFileSettings.DEFAULT.pageBytes())));
    int tasks = Math.max(compaction.tasks(), clustering.tasks());
    if (tasks > 0) {
      services.setParallelism(tasks);
    }
    ((PhysicalTransformation<?>) services.getTransformation())
        .setSupportsConcurrentExecutionAttempts(false);
    services.sinkTo(new DiscardingSink<>()).name("end").setParallelism(services.getParallelism());
  }
}
