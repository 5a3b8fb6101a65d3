package io.hudilite.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.TableType;
import io.hudilite.sink.config.IndexScope;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.table.data.RowData;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Case F12: an index whose keys expire at once looks them up, and never takes one for new. */
class ExpiringIndexTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SinkJob.cluster();

  private static final int KEYS = 9;

  @TempDir Path folder;

  private int time;

  @ParameterizedTest
  @CsvSource({"MERGE_ON_READ, TABLE, 2", "COPY_ON_WRITE, PARTITION, 1"})
  void f12ForgottenKeysAreLookedUp(TableType type, IndexScope scope, int tasks) throws Exception {
    SinkJob job =
        SinkJob.on(folder)
            .type(type)
            .parallelism(tasks)
            .config(config -> config.indexTtl(Duration.ofMillis(1)).indexScope(scope));
    Random random = new Random(7);
    Map<String, String> expected = new TreeMap<>();
    for (int start = 0; start < 2; start++) { // the second one fills its index from the table
      List<List<RowData>> checkpoints = new ArrayList<>();
      for (int checkpoint = 0; checkpoint < 3; checkpoint++) {
        checkpoints.add(changes(random, scope, expected));
      }
      AtomicBoolean failed = new AtomicBoolean();
      job.run(
          ScriptedSource.bounded(checkpoints)
              .hook(
                  (group, row) -> {
                    if (group == 2 && row == 7 && failed.compareAndSet(false, true)) {
                      throw new IllegalStateException("planned");
                    }
                  }));
      assertThat(job.rows()).containsExactlyInAnyOrderElementsOf(expected.values());
      job.assertNothingIsPending();
    }
  }

  /** Keyed state moves to other tasks, those that are expired are looked up there. */
  @ParameterizedTest
  @CsvSource({"MERGE_ON_READ, TABLE", "COPY_ON_WRITE, PARTITION"})
  void f12ForgottenKeysAreLookedUpAfterARescale(TableType type, IndexScope scope) throws Exception {
    SinkJob job =
        SinkJob.on(folder.resolve("t"))
            .type(type)
            .config(config -> config.indexTtl(Duration.ofMillis(1)).indexScope(scope));
    Random random = new Random(11);
    Map<String, String> expected = new TreeMap<>();
    String savepoint = null;
    int round = 0;
    for (int tasks : new int[] {1, 3, 2}) {
      job.parallelism(tasks);
      if (savepoint != null) {
        job.flink("execution.state-recovery.path", savepoint);
        job.flink("execution.savepoint.path", savepoint);
        job.flink("execution.state-recovery.ignore-unclaimed-state", "true");
        job.flink("execution.savepoint.ignore-unclaimed-state", "true");
      }
      List<List<RowData>> checkpoints =
          List.of(changes(random, scope, expected), changes(random, scope, expected));
      List<String> rows = expected.values().stream().sorted().toList();
      JobClient running = job.start(ScriptedSource.unbounded(checkpoints).fresh(++round));
      SinkJob.await("its rows are visible", () -> job.exists() && job.rows().equals(rows));
      savepoint =
          running
              .stopWithSavepoint(
                  false,
                  folder.resolve("savepoints").toUri().toString(),
                  SavepointFormatType.CANONICAL)
              .get();
      assertThat(job.rows()).isEqualTo(rows);
    }
    job.assertNothingIsPending();
  }

  private List<RowData> changes(Random random, IndexScope scope, Map<String, String> expected) {
    List<RowData> rows = new ArrayList<>();
    for (int i = 0; i < 2 * KEYS; i++) {
      String key = "k" + random.nextInt(KEYS);
      String partition = "p" + random.nextInt(2);
      String value = "v" + ++time;
      String place = scope == IndexScope.TABLE ? key : key + partition;
      if (random.nextInt(5) == 0) {
        rows.add(SinkJob.delete(key, value, time, partition));
        expected.remove(place);
      } else {
        rows.add(SinkJob.after(key, value, time, partition));
        expected.put(place, "[%s, %s, %d, %s]".formatted(key, value, time, partition));
      }
    }
    return rows;
  }
}
