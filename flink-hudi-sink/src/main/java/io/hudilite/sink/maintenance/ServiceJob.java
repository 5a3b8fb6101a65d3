package io.hudilite.sink.maintenance;

import io.hudilite.sink.compact.CompactionSettings;
import io.hudilite.sink.config.ClusteringConfig;
import io.hudilite.sink.config.CompactionConfig;
import java.time.Duration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Operations that can go on for ever as a job. */
public final class ServiceJob {
  private ServiceJob() {}

  /** Whether the operation can. */
  public static boolean isOne(Operation operation) {
    return operation.name().equals(CompactionOperations.COMPACT.name())
        || operation.name().equals(ClusteringOperations.CLUSTER.name());
  }

  /**
   * Adds it to an environment; the job has no end.
   *
   * @param interval between two looks
   */
  public static void append(
      StreamExecutionEnvironment env, Operation operation, Call call, Duration interval) {
    if (!isOne(operation)) {
      throw new IllegalArgumentException(operation.name() + " is no service");
    }
    boolean isClustering = call.isOf(ClusteringOperations.CLUSTER);
    ServicesJob.append(
        env,
        call.path(),
        isClustering ? CompactionConfig.OFF : CompactionOperations.config(call),
        isClustering ? ClusteringOperations.config(call) : ClusteringConfig.OFF,
        new CompactionSettings.Mode(CompactionSettings.Kind.SERVICE, interval));
  }
}
