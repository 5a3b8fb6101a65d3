package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.delete;
import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.clustering.ClusteringTrigger;
import io.hudilite.core.config.TableType;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.sink.config.ClusteringConfig;
import io.hudilite.sink.config.WriteOperation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.table.data.RowData;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Option {@code write.insert.cluster}: inserts that fill the small files of copy-on-write tables.
 */
class InsertIntoSmallFilesTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SinkJob.cluster();

  @TempDir Path folder;

  @AfterEach
  void mendStorage() {
    FaultyFileSystem.set(new FaultyFileSystem.Fault() {});
  }

  private static SinkJob filling(SinkJob job) {
    return job.type(TableType.COPY_ON_WRITE)
        .config(config -> config.operation(WriteOperation.INSERT_INTO_SMALL_FILES));
  }

  private SinkJob job() {
    return filling(SinkJob.on(folder));
  }

  /** Ten rows each, half of them in each of two partitions. */
  private static List<List<RowData>> checkpoints(int from, int to) {
    return IntStream.rangeClosed(from, to)
        .mapToObj(
            i ->
                IntStream.range(0, 10)
                    .mapToObj(k -> insert("k%02d-%d".formatted(i, k), "v", i, "p" + k % 2))
                    .toList())
        .toList();
  }

  private static List<String> rows(int from, int to) {
    return checkpoints(from, to).stream()
        .flatMap(List::stream)
        .map(
            row ->
                "[%s, %s, %d, %s]"
                    .formatted(
                        row.getString(0), row.getString(1), row.getLong(2), row.getString(3)))
        .sorted()
        .toList();
  }

  private static List<FileSlice> live(SinkJob job, String partition) throws IOException {
    return job.table().view().latestSlices(partition);
  }

  @Test
  void f54InsertsAddNoSmallFiles() throws Exception {
    int writers = 3;
    SinkJob job = job().parallelism(writers);
    job.run(ScriptedSource.bounded(checkpoints(1, 12)));
    job.run(ScriptedSource.bounded(checkpoints(13, 20)));

    assertThat(job.rows()).isEqualTo(rows(1, 20));
    assertThat(live(job, "p0")).hasSizeLessThanOrEqualTo(writers);
    assertThat(live(job, "p1")).hasSizeLessThanOrEqualTo(writers);
    assertThat(job.commits()).hasSize(20);
    job.assertNothingIsPending();
  }

  @Test
  void rowsOfOneKeyAreAllKept() throws Exception {
    SinkJob job = job().parallelism(1);
    job.run(
        List.of(insert("k1", "a", 1, "p"), insert("k1", "b", 2, "p")),
        List.of(insert("k1", "c", 1, "p"), insert("k2", "d", 1, "p")));
    assertThat(job.rows())
        .containsExactly("[k1, a, 1, p]", "[k1, b, 2, p]", "[k1, c, 1, p]", "[k2, d, 1, p]");
    assertThat(live(job, "p")).hasSize(1);
  }

  @Test
  void commitSaysWhatWasAddedToWhichFile() throws Exception {
    SinkJob job = job().parallelism(1);
    job.run(checkpoints(1, 1).get(0), checkpoints(2, 2).get(0).subList(0, 1));
    List<CommitMetadata> commits = job.commits();
    WriteStat first =
        commits.get(0).writeStats().stream()
            .filter(stat -> stat.partitionPath().equals("p0"))
            .findFirst()
            .orElseThrow();
    assertThat(commits.get(1).writeStats()).hasSize(1);
    WriteStat second = commits.get(1).writeStats().get(0);
    assertThat(commits.get(1).operationType()).isEqualTo("INSERT");
    assertThat(second.fileId()).isEqualTo(first.fileId());
    assertThat(second.prevBaseFile()).isEqualTo(first.fileName());
    assertThat(List.of(second.numWrites(), second.numInserts(), second.numUpdateWrites()))
        .containsExactly(6L, 1L, 0L);
  }

  @Test
  void rowsThatDoNotFitTheMemoryWaitInFiles() throws Exception {
    SinkJob job =
        job()
            .parallelism(1)
            .config(
                config ->
                    config
                        .operation(WriteOperation.INSERT_INTO_SMALL_FILES)
                        .batchSize(MemorySize.parse("1kb")));
    job.run(ScriptedSource.bounded(checkpoints(1, 3)));
    List<RowData> many = new ArrayList<>();
    checkpoints(4, 60).forEach(many::addAll);
    job.run(ScriptedSource.bounded(List.of(many)));
    assertThat(job.rows()).isEqualTo(rows(1, 60));
    assertThat(live(job, "p0")).hasSize(1);
    assertThat(job.commits()).hasSize(4);
  }

  @Test
  void fileThatIsFullIsLeftAlone() throws Exception {
    String large = "x".repeat(2_000);
    SinkJob job =
        job()
            .parallelism(1)
            .config(
                config ->
                    config
                        .operation(WriteOperation.INSERT_INTO_SMALL_FILES)
                        .compression("uncompressed")
                        .smallFileLimit(MemorySize.parse("50kb"))
                        .maxFileSize(MemorySize.parse("100kb")));
    List<List<RowData>> checkpoints = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      List<RowData> rows = new ArrayList<>();
      for (int k = 0; k < 200; k++) {
        rows.add(insert("k" + i + "-" + k, k + large, 1, "p"));
      }
      checkpoints.add(rows);
    }
    job.run(ScriptedSource.bounded(checkpoints));
    assertThat(job.rows()).hasSize(800);
    assertThat(live(job, "p")).hasSizeGreaterThan(3);
  }

  @ParameterizedTest
  @CsvSource({".*\\.parquet, 4", ".*/timeline/\\d{17}_\\d{17}\\.commit, 2"})
  void whatFailsIsWrittenOnceAllTheSame(String files, int nth) throws Exception {
    Pattern pattern = Pattern.compile(files);
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
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
        });
    SinkJob job =
        filling(SinkJob.on(FaultyFileSystem.SCHEME + "://" + folder.toUri().getPath()))
            .config(
                config ->
                    config.operation(WriteOperation.INSERT_INTO_SMALL_FILES).commitRetries(0));
    job.run(ScriptedSource.bounded(checkpoints(1, 6)));
    assertThat(job.rows()).isEqualTo(rows(1, 6));
    job.assertNothingIsPending();
  }

  @Test
  void clusteringsBesideItLoseNothing() throws Exception {
    SinkJob job =
        job()
            .clustering(ClusteringConfig.ON.toBuilder().trigger(new ClusteringTrigger(2)).build())
            .parallelism(2);
    job.run(ScriptedSource.bounded(checkpoints(1, 12)));
    assertThat(job.rows()).isEqualTo(rows(1, 12));
  }

  @Test
  void batchJobFillsThemToo() throws Exception {
    SinkJob job = job().parallelism(1);
    job.run(ScriptedSource.bounded(checkpoints(1, 2)));
    job.flink("execution.runtime-mode", "BATCH").without("execution.checkpointing.interval");
    job.run(ScriptedSource.bounded(checkpoints(3, 3)));
    assertThat(job.rows()).isEqualTo(rows(1, 3));
    assertThat(live(job, "p0")).hasSize(1);
  }

  @Test
  void deletesAreRefused() {
    assertThatThrownBy(() -> job().run(List.of(delete("k1", "a", 1, "p"))))
        .hasStackTraceContaining("only adds rows. Set it to upsert");
  }

  @Test
  void mergeOnReadTablesGetNewFilesAsInHudi() throws Exception {
    SinkJob job = job().type(TableType.MERGE_ON_READ).parallelism(1);
    job.run(ScriptedSource.bounded(checkpoints(1, 3)));
    assertThat(job.rows()).isEqualTo(rows(1, 3));
    assertThat(live(job, "p0")).hasSize(3);
  }
}
