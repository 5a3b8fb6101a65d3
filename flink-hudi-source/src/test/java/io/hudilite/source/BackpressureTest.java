package io.hudilite.source;

import static io.hudilite.source.TestTable.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.data.RowData;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Readers that whoever is behind them holds up. */
class BackpressureTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = Cluster.withSlots(2);
  private static final int ROWS = 20_000;

  @TempDir Path folder;

  /**
   * Far more rows than the network holds, of which one is taken every 20 ms at most: who would wait
   * for them with a checkpoint would wait for minutes.
   */
  @Test
  void checkpointsDoNotWaitForTheRowsThatWereRead() throws Exception {
    TestTable table = TestTable.create(folder);
    List<RowData> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(row("k" + i, "v".repeat(100) + i, 1L, "p" + i % 4));
    }
    table.commit(rows);
    Configuration configuration = new Configuration();
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(100));
    configuration.set(CheckpointingOptions.ENABLE_UNALIGNED, true);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    env.setParallelism(2);
    HudiStream.of(
            HudiSource.builder()
                .path(table.path())
                .rowType(TestTable.COLUMNS)
                .continuous()
                .startCommit("earliest")
                .checkInterval(Duration.ofMillis(50)))
        .keyColumns("id")
        .read(env, "source")
        .rebalance()
        .process(new Slow())
        .sinkTo(new DiscardingSink<>());
    JobClient client = env.executeAsync("backpressure");
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
      while (Slow.CHECKPOINTS_AMONG_ROWS.get() < 2 && System.nanoTime() < end) {
        Slow.PERMITS.release();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
      assertThat(Slow.CHECKPOINTS_AMONG_ROWS.get()).isGreaterThanOrEqualTo(2);
      assertThat(Slow.TAKEN.get()).isLessThan(ROWS / 2);
    } finally {
      Slow.PERMITS.release(ROWS);
      client.cancel().get(60, TimeUnit.SECONDS);
    }
  }

  /** Takes a row for each permit. The cluster is in this JVM, and there is one such job. */
  private static final class Slow extends ProcessFunction<RowData, String>
      implements CheckpointListener {
    private static final long serialVersionUID = 1L;
    private static final Semaphore PERMITS = new Semaphore(0);
    private static final AtomicInteger TAKEN = new AtomicInteger();
    private static final AtomicInteger CHECKPOINTS_AMONG_ROWS = new AtomicInteger();

    @Override
    public void processElement(
        RowData row, Context context, org.apache.flink.util.Collector<String> out)
        throws InterruptedException {
      PERMITS.acquire();
      TAKEN.incrementAndGet();
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
      if (TAKEN.get() > 0 && TAKEN.get() < ROWS / 2) {
        CHECKPOINTS_AMONG_ROWS.incrementAndGet();
      }
    }
  }
}
