package io.hudilite.sink;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.sink.commit.CommitTiming;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.transformations.WithBoundedness;
import org.apache.flink.table.data.RowData;

/**
 * How the job runs that rows are written in.
 *
 * @param isBatch whether operators run one after the other, without checkpoints
 */
record JobKind(boolean isBatch, CommitTiming timing) {

  /**
   * @param options that the job will run with, as far as its environment does not have them yet
   * @param path of the table, for messages
   * @throws HudiTableException if no row, or not the last ones, would ever become visible
   */
  static JobKind of(DataStream<RowData> rows, ReadableConfig options, String path) {
    return isBatch(rows, options)
        ? new JobKind(true, CommitTiming.AT_END)
        : new JobKind(false, timing(rows, options, path));
  }

  private static CommitTiming timing(DataStream<RowData> rows, ReadableConfig job, String path) {
    boolean hasCheckpoints =
        rows.getExecutionEnvironment().getCheckpointConfig().isCheckpointingEnabled()
            || job.getOptional(CheckpointingOptions.CHECKPOINTING_INTERVAL)
                .filter(interval -> !interval.isZero())
                .isPresent();
    if (!hasCheckpoints && !isBounded(rows)) {
      throw new HudiTableException(
          "The input of the table at '%s' never ends and checkpointing is off: no row would ever become visible. Set 'execution.checkpointing.interval', for example to 1min."
              .formatted(path));
    }
    if (!hasCheckpoints) {
      return CommitTiming.AT_END;
    }
    boolean hasFinalCheckpoint =
        job.getOptional(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH)
            .orElseGet(
                () ->
                    rows.getExecutionEnvironment()
                        .getConfiguration()
                        .get(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH));
    if (isBounded(rows) && !hasFinalCheckpoint) {
      throw new HudiTableException(
          "The input of the table at '%s' ends, but 'execution.checkpointing.checkpoints-after-tasks-finish' is false: the rows after the last checkpoint would never become visible. Set it to true, its default."
              .formatted(path));
    }
    return CommitTiming.PER_CHECKPOINT;
  }

  private static boolean isBatch(DataStream<RowData> rows, ReadableConfig job) {
    RuntimeExecutionMode mode =
        job.getOptional(ExecutionOptions.RUNTIME_MODE)
            .orElseGet(
                () ->
                    rows.getExecutionEnvironment()
                        .getConfiguration()
                        .get(ExecutionOptions.RUNTIME_MODE));
    return switch (mode) {
      case BATCH -> true;
      case STREAMING -> false;
      case AUTOMATIC -> isBounded(rows);
    };
  }

  private static boolean isBounded(DataStream<RowData> rows) {
    return rows.getTransformation().getTransitivePredecessors().stream()
        .filter(WithBoundedness.class::isInstance)
        .allMatch(source -> ((WithBoundedness) source).getBoundedness() == Boundedness.BOUNDED);
  }
}
