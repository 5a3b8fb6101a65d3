package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.after;
import static io.hudilite.sink.SinkJob.delete;
import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.TableType;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.table.data.RowData;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that write tables of base files only. */
class CopyOnWriteTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SinkJob.cluster();

  @TempDir Path folder;

  @AfterEach
  void mendStorage() {
    FaultyFileSystem.set(new FaultyFileSystem.Fault() {});
  }

  private SinkJob job(String path) {
    return SinkJob.on(path).type(TableType.COPY_ON_WRITE);
  }

  private SinkJob job() {
    return SinkJob.on(folder).type(TableType.COPY_ON_WRITE);
  }

  @Test
  void eachCommitRewritesTheGroupsThatItTouches() throws Exception {
    SinkJob job = job().parallelism(1);
    job.run(
        List.of(insert("k1", "a", 1, "p1"), insert("k2", "a", 1, "p1"), insert("k3", "a", 1, "p2")),
        List.of(after("k1", "b", 2, "p1"), insert("k4", "b", 2, "p1")),
        List.of(delete("k2", "a", 3, "p1")));

    assertThat(job.rows()).containsExactly("[k1, b, 2, p1]", "[k3, a, 1, p2]", "[k4, b, 2, p1]");
    assertThat(job.table().timeline().completedWrites())
        .extracting(Instant.Completed::action)
        .containsOnly(Action.COMMIT);
    List<CommitMetadata> commits = job.commits();
    List<WriteStat> first = commits.get(0).writeStats();
    assertThat(first).hasSize(2).allMatch(stat -> stat.prevCommit().equals("null"));
    WriteStat second = commits.get(1).writeStats().get(0);
    WriteStat third = commits.get(2).writeStats().get(0);
    assertThat(commits.get(1).writeStats()).hasSize(1);
    assertThat(second.partitionPath()).isEqualTo("p1");
    assertThat(second.prevBaseFile()).isEqualTo(first.get(0).fileName());
    assertThat(List.of(second.numWrites(), second.numInserts(), second.numUpdateWrites()))
        .containsExactly(3L, 1L, 1L);
    assertThat(second.numDeletes()).isZero();
    assertThat(third.prevBaseFile()).isEqualTo(second.fileName());
    assertThat(List.of(third.numWrites(), third.numInserts(), third.numUpdateWrites()))
        .containsExactly(2L, 0L, 0L);
    assertThat(third.numDeletes()).isOne();
    job.assertNothingIsPending();
  }

  @Test
  void severalFlushesOfOneGroupBecomeOneBaseFile() throws Exception {
    List<RowData> rows = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      rows.add(insert("k" + i % 50, "v" + i, i, "p" + i % 2));
    }
    rows.add(delete("k7", "", 300, "p1"));
    SinkJob job = job().parallelism(1).config(config -> config.batchSize(MemorySize.parse("2kb")));
    job.run(rows, List.of(after("k1", "last", 400, "p1")));

    assertThat(job.commits().get(0).writeStats()).hasSize(2);
    assertThat(job.rows())
        .hasSize(49)
        .contains("[k1, last, 400, p1]", "[k49, v199, 199, p1]")
        .noneMatch(row -> row.startsWith("[k7,"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5})
  void baseFileThatFailsIsWrittenAgain(int nth) throws Exception {
    FaultyFileSystem.set(failingAt(nth, ".*\\.parquet"));
    SinkJob job = job(FaultyFileSystem.SCHEME + "://" + folder.toUri().getPath());
    history(job, 1);
    job.assertNothingIsPending();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void commitThatFailsIsMadeUpByTheRestart(int nth) throws Exception {
    FaultyFileSystem.set(failingAt(nth, ".*/timeline/\\d{17}_\\d{17}\\.commit"));
    SinkJob job =
        job(FaultyFileSystem.SCHEME + "://" + folder.toUri().getPath())
            .config(config -> config.commitRetries(0));
    history(job, 2);
    job.assertNothingIsPending();
  }

  private static FaultyFileSystem.Fault failingAt(int nth, String files) {
    Pattern pattern = Pattern.compile(files);
    return new FaultyFileSystem.Fault() {
      @Override
      public Pattern files() {
        return pattern;
      }

      @Override
      public void before(int n) throws IOException {
        if (n == nth) {
          throw new IOException("planned");
        }
      }
    };
  }

  /** Random changes to one table of each type: both must hold the same. */
  private void history(SinkJob copyOnWrite, int seed) throws Exception {
    Random random = new Random(seed);
    List<List<RowData>> checkpoints = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      List<RowData> rows = new ArrayList<>();
      for (int j = 0; j < 30; j++) {
        String id = "k" + random.nextInt(20);
        String partition = "p" + random.nextInt(3);
        long ts = random.nextInt(40);
        rows.add(
            random.nextInt(5) == 0
                ? delete(id, "", ts, partition)
                : after(id, "v" + i + "." + j, ts, partition));
      }
      checkpoints.add(rows);
    }
    copyOnWrite.run(ScriptedSource.bounded(checkpoints));
    SinkJob mergeOnRead = SinkJob.on(folder.resolve("mor"));
    mergeOnRead.run(ScriptedSource.bounded(checkpoints));
    assertThat(copyOnWrite.rows()).isEqualTo(mergeOnRead.rows()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void rowsAreThoseOfAMergeOnReadTable(int seed) throws Exception {
    history(
        SinkJob.on(folder.resolve("cow"))
            .type(TableType.COPY_ON_WRITE)
            .config(config -> config.batchSize(MemorySize.parse("1kb"))),
        seed);
  }
}
