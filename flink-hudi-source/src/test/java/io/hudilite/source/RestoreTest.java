package io.hudilite.source;

import static io.hudilite.source.TestTable.delete;
import static io.hudilite.source.TestTable.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.flink.table.data.RowData;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings({"try", "StringSplitter"}) // a job runs until it is closed
class RestoreTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = Cluster.withSlots(4);

  @TempDir Path folder;
  @TempDir Path savepoints;

  private final String name = UUID.randomUUID().toString();

  @Test
  void f30SavepointRemembersThePosition() throws Exception {
    TestTable table = TestTable.create(folder);
    table.commit(row("k1", "x", 1L, "p1"));
    table.commit(row("k2", "x", 2L, "p1"));
    String savepoint;
    try (TestJob job = reading(name, table, 2).start()) {
      Collected.of(name).awaitCount(2);
      savepoint = job.stopWithSavepoint(savepoints);
    }
    assertThat(Collected.of(name).rows())
        .containsExactlyInAnyOrder("+I[k1, x, 1, p1]", "+I[k2, x, 2, p1]");

    for (long i = 3; i <= 5; i++) {
      table.commit(row("k" + i, "x", i, "p1"));
    }
    try (TestJob job = reading(name, table, 2).from(savepoint).start()) {
      List<String> rows = Collected.of(name).awaitCount(5);
      assertThat(rows.subList(2, rows.size()).stream().map(r -> r.substring(3, 5)))
          .containsExactly("k3", "k4", "k5");
    }
  }

  @Test
  void savepointMayBeRestoredWithOtherParallelism() throws Exception {
    TestTable table = TestTable.create(folder, TestTable.COLUMNS, List.of("p"), 3);
    table.commit(rows(0, 3_000));
    String savepoint;
    try (TestJob job = reading(name, table, 3).start()) {
      Collected.of(name).awaitCount(1);
      savepoint = job.stopWithSavepoint(savepoints);
    }
    table.commit(rows(3_000, 4_000));
    try (TestJob job = reading(name, table, 1).from(savepoint).start()) {
      assertThat(Collected.of(name).awaitCount(4_000)).hasSize(4_000).doesNotHaveDuplicates();
    }
  }

  @Test
  void f30CrashInTheMiddleOfALargeSplit() throws Exception {
    TestTable table = TestTable.create(folder);
    table.commit(rows(0, 10_000).stream().map(RestoreTest::inOnePartition).toList());
    try (TestJob job = reading(name, table, 1).crashingOnce().start()) {
      List<String> rows = Collected.of(name).awaitCount(10_000);
      assertThat(Crash.of(name).hasHappened()).isTrue();
      assertThat(rows).hasSize(10_000).doesNotHaveDuplicates();
      table.commit(row("next", "x", 1L, "p9"));
      assertThat(Collected.of(name).awaitCount(10_001)).endsWith("+I[next, x, 1, p9]");
    }
  }

  @Test
  void crashAmongRangesWithDeletesAndManyReaders() throws Exception {
    TestTable table = TestTable.create(folder);
    table.commit(rows(0, 3_000));
    try (TestJob job = reading(name, table, 4).crashingOnce().start()) {
      for (int round = 1; round <= 10; round++) {
        List<RowData> changes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          changes.add(row("k" + i, "r" + round, 10_000L + round, "p" + (i + round) % 3));
        }
        changes.add(delete("k" + (100 + round), "v", 10_000L, "p" + (100 + round) % 3));
        table.commit(changes);
      }
      table.commit(row("end", "x", 1L, "p0"));
      List<String> rows =
          Collected.of(name)
              .await(all -> all.size() >= 3_000 && Collected.fold(all).containsKey("end"));
      assertThat(Crash.of(name).hasHappened()).isTrue();
      assertThat(rows.stream().filter(r -> r.startsWith("+I")).toList()).doesNotHaveDuplicates();
    }
  }

  private static List<RowData> rows(int from, int to) {
    List<RowData> rows = new ArrayList<>();
    for (int i = from; i < to; i++) {
      rows.add(row("k" + i, "v", (long) i, "p" + i % 3));
    }
    return rows;
  }

  private static RowData inOnePartition(RowData row) {
    return row(row.getString(0).toString(), "v", row.getLong(2), "p1");
  }

  private static TestJob.Setup reading(String name, TestTable table, int parallelism) {
    HudiSource source =
        HudiSource.builder()
            .path(table.path())
            .rowType(TestTable.COLUMNS)
            .continuous()
            .startCommit("earliest")
            .checkInterval(Duration.ofMillis(50))
            .build();
    return TestJob.reading(name, source, TestTable.COLUMNS).parallelism(parallelism).exactlyOnce();
  }
}
