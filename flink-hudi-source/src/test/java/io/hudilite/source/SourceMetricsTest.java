package io.hudilite.source;

import static io.hudilite.source.TestTable.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What operators see of a source: docs/metrics.md. */
class SourceMetricsTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = Cluster.withMetrics(2);

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
      MetricsCollector.await(
          () ->
              MetricsCollector.sum("instantsBehind") == 0
                  && MetricsCollector.sum("secondsBehind") == 0
                  && MetricsCollector.sum("splitsPending") == 0
                  && MetricsCollector.sum("numRecordsIn") >= 3);
      assertThat(MetricsCollector.sum("numBytesIn")).isPositive();
    }
  }
}
