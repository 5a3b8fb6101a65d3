package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.after;
import static io.hudilite.sink.SinkJob.delete;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.TableType;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.sink.config.IndexKind;
import io.hudilite.sink.config.IndexScope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.table.data.RowData;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A job of 1, then 4, then 2 writers, with failures at random points of source and storage, by
 * seed: each key keeps its row, and has one.
 */
class RescaleTest {
  private static final int KEYS = 60;

  @RegisterExtension static final MiniClusterExtension CLUSTER = SinkJob.cluster();

  @TempDir Path folder;

  private Random random;
  private long ts;

  /** What the table should hold, by key. */
  private final Map<String, RowData> model = new TreeMap<>();

  @AfterEach
  void mendStorage() {
    FaultyFileSystem.set(new FaultyFileSystem.Fault() {});
  }

  @ParameterizedTest
  @CsvSource({"MERGE_ON_READ, STATE, 1", "MERGE_ON_READ, BUCKET, 2", "COPY_ON_WRITE, STATE, 3"})
  void keysKeepTheirPlaceFromOneToFourToTwoWriters(TableType type, IndexKind index, int seed)
      throws Exception {
    random = new Random(seed);
    SinkJob job =
        SinkJob.on(FaultyFileSystem.SCHEME + "://" + folder.resolve("t").toUri().getPath())
            .type(type)
            .flink("restart-strategy.fixed-delay.attempts", "1000")
            .config(
                config ->
                    config.index(index).indexScope(IndexScope.TABLE).buckets(3).commitRetries(0));
    if (index == IndexKind.BUCKET) {
      // A bucket does not know in which partition a key was.
      job.schema(
          new TableSchema(SinkJob.ROW_TYPE, List.of("id", "p"), List.of("p"), List.of("ts")));
    }
    String savepoint = null;
    int round = 0;
    AtomicInteger failures = new AtomicInteger();
    for (int writers : new int[] {1, 4, 2}) {
      round++;
      failAtRandom(failures);
      job.parallelism(writers);
      if (savepoint != null) {
        job.flink("execution.state-recovery.path", savepoint);
        job.flink("execution.savepoint.path", savepoint);
        job.flink("execution.state-recovery.ignore-unclaimed-state", "true");
        job.flink("execution.savepoint.ignore-unclaimed-state", "true");
      }
      int failingGroup = random.nextInt(3);
      int failingRow = random.nextInt(20);
      AtomicInteger left = new AtomicInteger(2);
      JobClient running =
          job.start(
              ScriptedSource.unbounded(groups(index))
                  .fresh(round)
                  .hook(
                      (group, row) -> {
                        if (group == failingGroup
                            && row == failingRow
                            && left.getAndDecrement() > 0) {
                          failures.incrementAndGet();
                          throw new IOException("planned, of the source");
                        }
                      }));
      List<String> expected = expected();
      SinkJob.await(
          "round " + round + " is visible", () -> job.exists() && job.rows().equals(expected));
      FaultyFileSystem.set(new FaultyFileSystem.Fault() {});
      savepoint =
          running
              .stopWithSavepoint(
                  false,
                  folder.resolve("savepoints").toUri().toString(),
                  SavepointFormatType.CANONICAL)
              .get();
      assertThat(job.rows()).isEqualTo(expected);
    }
    assertThat(failures.get()).isGreaterThan(5);
    job.assertNothingIsPending();
  }

  /** Files of data and of the timeline that cannot be made. */
  private void failAtRandom(AtomicInteger failures) {
    List<Integer> failing =
        List.of(1 + random.nextInt(12), 13 + random.nextInt(12), 25 + random.nextInt(12));
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public Pattern files() {
            return Pattern.compile(".*(\\.parquet|\\.log\\.[0-9_-]+|/timeline/[^/]*commit)");
          }

          @Override
          public void before(int n) throws IOException {
            if (failing.contains(n)) {
              failures.incrementAndGet();
              throw new IOException("planned, of the storage");
            }
          }
        });
  }

  private List<List<RowData>> groups(IndexKind index) {
    List<List<RowData>> groups = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      List<RowData> rows = new ArrayList<>();
      for (int k = 0; k < 30; k++) {
        rows.add(change(index));
      }
      groups.add(rows);
    }
    return groups;
  }

  private RowData change(IndexKind index) {
    String id = "k" + random.nextInt(KEYS);
    String p = index == IndexKind.BUCKET ? "p" + id.hashCode() % 3 : "p" + random.nextInt(3);
    ts++;
    if (random.nextInt(8) == 0) {
      model.remove(id);
      return delete(id, "", ts, p);
    }
    RowData row = after(id, "v" + ts, ts, p);
    model.put(id, row);
    return row;
  }

  private List<String> expected() {
    return model.values().stream()
        .map(
            row ->
                "[%s, %s, %d, %s]"
                    .formatted(
                        row.getString(0), row.getString(1), row.getLong(2), row.getString(3)))
        .sorted()
        .toList();
  }
}
