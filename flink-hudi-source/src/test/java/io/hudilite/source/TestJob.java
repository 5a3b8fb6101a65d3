package io.hudilite.source;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.Partitioner;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/** A job that reads a table into a {@link Collected} of the same name. */
@SuppressWarnings("try") // close() waits
final class TestJob implements AutoCloseable {
  private static final long LIMIT_SECONDS = 60;

  private final JobClient client;
  private boolean ended;

  private TestJob(JobClient client) {
    this.client = client;
  }

  /** What to run; everything may be set before {@link #start}. */
  static final class Setup {
    private final String name;
    private final Function<StreamExecutionEnvironment, DataStream<RowData>> read;
    private final RowType rowType;
    private final Configuration configuration = new Configuration();
    private int parallelism = 1;
    private boolean exactlyOnce;
    private boolean byKey;
    private boolean crashes;

    private Setup(
        String name,
        Function<StreamExecutionEnvironment, DataStream<RowData>> read,
        RowType rowType) {
      this.name = name;
      this.read = read;
      this.rowType = rowType;
      configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
      configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 3);
      configuration.set(
          RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(10));
    }

    Setup parallelism(int readers) {
      parallelism = readers;
      return this;
    }

    /** Rows leave a task when a network buffer is full, or after a long time. */
    Setup slowNetwork() {
      configuration.set(ExecutionOptions.BUFFER_TIMEOUT, Duration.ofMillis(400));
      return this;
    }

    Setup unaligned() {
      configuration.set(CheckpointingOptions.ENABLE_UNALIGNED, true);
      return exactlyOnce();
    }

    Setup mode(RuntimeExecutionMode mode) {
      configuration.set(ExecutionOptions.RUNTIME_MODE, mode);
      return this;
    }

    Setup exactlyOnce() {
      exactlyOnce = true;
      configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(100));
      return this;
    }

    /** Sends rows over the network by their first column before they are collected. */
    Setup byKey() {
      byKey = true;
      return this;
    }

    Setup crashingOnce() {
      crashes = true;
      return exactlyOnce();
    }

    Setup from(String savepoint) {
      configuration.setString("execution.state-recovery.path", savepoint);
      return this;
    }

    TestJob start() throws Exception {
      StreamExecutionEnvironment env =
          StreamExecutionEnvironment.getExecutionEnvironment(configuration);
      env.setParallelism(parallelism);
      DataStream<RowData> rows = read.apply(env);
      if (byKey) {
        rows = rows.partitionCustom(new ByHash(), row -> row.getString(0).toString());
      }
      ProcessFunction<RowData, String> collector =
          exactlyOnce
              ? new ExactlyOnceCollector(name, rowType, crashes)
              : new Collector(name, rowType);
      rows.process(collector).uid("collector").sinkTo(new DiscardingSink<>()).uid("end");
      return new TestJob(env.executeAsync(name));
    }

    /** Runs a bounded job to its end. */
    Collected run() throws Exception {
      try (TestJob job = start()) {
        job.awaitEnd();
      }
      return Collected.of(name);
    }
  }

  private static final class ByHash implements Partitioner<String> {
    private static final long serialVersionUID = 1L;

    @Override
    public int partition(String key, int partitions) {
      return Math.floorMod(key.hashCode(), partitions);
    }
  }

  static Setup reading(String name, HudiSource source, RowType rowType) {
    return new Setup(
        name,
        env -> env.fromSource(source, WatermarkStrategy.noWatermarks(), "source").uid("source"),
        rowType);
  }

  /** Reads with all readers, each key in order. */
  static Setup readingStaged(String name, HudiSource.Builder source, RowType rowType) {
    return new Setup(
        name,
        env ->
            HudiStream.of(source.rowType(rowType))
                .keyColumns("id")
                .read(env, "source", TestTable.COLUMNS),
        rowType);
  }

  void awaitEnd() throws Exception {
    ended = true;
    client.getJobExecutionResult().get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  String stopWithSavepoint(Path folder) throws Exception {
    ended = true;
    return client
        .stopWithSavepoint(false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
        .get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws Exception {
    if (!ended) {
      client.cancel().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
  }
}
