package io.hudilite.source;

import static io.hudilite.source.TestTable.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What operators see of a source: docs/metrics.md. */
class SourceMetricsTest {
  @RegisterExtension
  static final MiniClusterExtension CLUSTER =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setConfiguration(
                  Configuration.fromMap(
                      Map.of(
                          "metrics.reporters",
                          "test",
                          "metrics.reporter.test.factory.class",
                          MetricsCollector.Factory.class.getName())))
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(2)
              .build());

  @TempDir Path folder;

  @Test
  void lagAndAmountsAreTold() throws Exception {
    TestTable table = TestTable.create(folder);
    table.commit(row("a", "A", 1L, "p1"), row("b", "B", 1L, "p1"));
    String name = UUID.randomUUID().toString();
    HudiSource source =
        HudiSource.builder()
            .path(table.path())
            .rowType(TestTable.COLUMNS)
            .continuous()
            .startCommit("earliest")
            .checkInterval(Duration.ofMillis(50))
            .build();
    try (TestJob job = TestJob.reading(name, source, TestTable.COLUMNS).start()) {
      Collected.of(name).awaitCount(2);
      table.commit(row("c", "C", 1L, "p1"));
      Collected.of(name).awaitCount(3);
      await(
          () ->
              MetricsCollector.sum("instantsBehind") == 0
                  && MetricsCollector.sum("secondsBehind") == 0
                  && MetricsCollector.sum("splitsPending") == 0
                  && MetricsCollector.sum("numRecordsIn") >= 3);
      assertThat(MetricsCollector.sum("numBytesIn")).isPositive();
    }
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }
}
