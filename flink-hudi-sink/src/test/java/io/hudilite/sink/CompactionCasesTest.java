package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.after;
import static io.hudilite.sink.SinkJob.delete;
import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.archive.ArchiveLimits;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.clean.CleanRetention;
import io.hudilite.core.compact.CompactionTrigger;
import io.hudilite.core.compact.TableCompaction;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.compact.TriggerStrategy;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.log.LogBlockFormat;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.sink.config.CompactionConfig;
import io.hudilite.sink.config.HousekeepingConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Compaction in the job that writes: cases F50, F51 and requirements 66 to 70. */
class CompactionCasesTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SinkJob.cluster();

  private static final CompactionConfig EVERY_TWO =
      CompactionConfig.DEFAULT.withTrigger(
          new CompactionTrigger(TriggerStrategy.NUM_COMMITS, 2, Duration.ofHours(1)));

  @TempDir Path folder;

  @AfterEach
  void mendStorage() {
    FaultyFileSystem.set(new FaultyFileSystem.Fault() {});
  }

  private static List<List<RowData>> commits(int from, int to) {
    List<List<RowData>> commits = new ArrayList<>();
    for (int i = from; i <= to; i++) {
      List<RowData> rows = new ArrayList<>();
      for (int k = 1; k <= 20; k++) {
        rows.add(after("k" + k, "v" + i, i, "p1"));
      }
      commits.add(rows);
    }
    return commits;
  }

  private static List<String> rows(int version) {
    List<String> rows = new ArrayList<>();
    for (int k = 1; k <= 20; k++) {
      rows.add("[k%d, v%d, %d, p1]".formatted(k, version, version));
    }
    return rows.stream().sorted().toList();
  }

  private static long completed(HudiTable table) {
    return table.timeline().completedWrites().stream()
        .filter(write -> write.action() == Action.COMMIT)
        .count();
  }

  private static long planned(HudiTable table) {
    return completed(table) + table.timeline().pendingCompactions().size();
  }

  @Test
  void aJobCompactsEveryNCommitsWhileItWrites() throws Exception {
    SinkJob job = SinkJob.on(folder).compaction(EVERY_TWO);
    job.run(ScriptedSource.bounded(commits(1, 10)));
    assertThat(job.rows()).isEqualTo(rows(10));
    HudiTable table = job.table();
    long deltas =
        table.timeline().completedWrites().stream()
            .filter(write -> write.action() == Action.DELTA_COMMIT)
            .count();
    assertThat(completed(table)).isBetween(1L, deltas / 2);
    assertThat(planned(table)).isLessThanOrEqualTo(deltas / 2 + 1);
    assertThat(table.timeline().pendingCompactions()).hasSizeLessThanOrEqualTo(1);
    job.assertNothingIsPendingBut(Action.COMPACTION);
  }

  /** Keys are read back from Parquet blocks, updated, deleted, and folded into base files. */
  @Test
  void parquetLogBlocksAreIndexedMergedAndCompacted() throws Exception {
    SinkJob job = SinkJob.on(folder).config(c -> c.logBlockFormat(LogBlockFormat.PARQUET));
    job.run(ScriptedSource.bounded(commits(1, 3)));
    assertThat(job.rows()).isEqualTo(rows(3));
    SinkJob mixed = SinkJob.on(folder); // its blocks are in Avro
    mixed.run(List.of(after("k1", "avro", 4, "p1"), delete("k2", "", 4, "p1")));
    job.run(
        List.of(
            after("k2", "late", 3, "p1"),
            after("k3", "moved", 5, "p2"),
            after("k4", "new", 5, "p1"),
            delete("k5", "", 5, "p1")));
    List<String> expected = new ArrayList<>(rows(3));
    expected.removeIf(row -> row.matches("\\[k[12345],.*"));
    expected.addAll(List.of("[k1, avro, 4, p1]", "[k3, moved, 5, p2]", "[k4, new, 5, p1]"));
    expected.sort(null);
    assertThat(job.rows()).isEqualTo(expected);

    maintain("compact", "--path", folder.toString(), "--compaction.delta_commits", "1");

    assertThat(completed(job.table())).isEqualTo(1);
    assertThat(job.table().view().latestSlices("p1"))
        .allSatisfy(slice -> assertThat(slice.logFiles()).isEmpty());
    assertThat(job.rows()).isEqualTo(expected);
  }

  /** Three of four writers end before the last commit makes a plan. */
  @Test
  void tasksOfWorkersThatEndedAreDoneByTheOthers() throws Exception {
    SinkJob before = SinkJob.on(folder).compaction(EVERY_TWO.withExecutes(false));
    before.run(ScriptedSource.bounded(commits(1, 1)));
    SinkJob batch =
        SinkJob.on(folder)
            .compaction(EVERY_TWO)
            .parallelism(4)
            .flink("execution.runtime-mode", "BATCH");
    for (int i = 2; i <= 6; i++) {
      batch.run(List.of(after("k1", "v" + i, i, "p1")));
    }
    assertThat(batch.rows()).hasSize(20).contains("[k1, v6, 6, p1]");
  }

  @Test
  void schedulingAloneLeavesOnePlanThatAnotherJobExecutes() throws Exception {
    SinkJob job = SinkJob.on(folder).compaction(EVERY_TWO.withExecutes(false));
    job.run(ScriptedSource.bounded(commits(1, 6)));
    assertThat(job.table().timeline().pendingCompactions())
        .singleElement()
        .isInstanceOf(Instant.Requested.class);
    List<String> before = job.rows();
    SinkJob second = SinkJob.on(folder).compaction(EVERY_TWO);
    second.run(List.of(insert("x", "y", 1, "p1")));
    assertThat(second.table().timeline().pendingCompactions()).hasSizeLessThanOrEqualTo(1);
    assertThat(completed(second.table())).isPositive();
    assertThat(second.rows()).containsAll(before).hasSize(21);
  }

  @Test
  void requirements70And80AnOfflineJobExecutesWhatAWriterPlannedAndPlansItself() throws Exception {
    SinkJob job = SinkJob.on(folder).compaction(EVERY_TWO.withExecutes(false));
    job.run(ScriptedSource.bounded(commits(1, 3)));
    assertThat(job.table().timeline().pendingCompactions()).hasSize(1);
    List<String> before = job.rows();
    maintain("compact", "--path", folder.toString(), "--schedule", "false");
    assertThat(job.table().timeline().pendingCompactions()).isEmpty();
    assertThat(completed(job.table())).isEqualTo(1);
    assertThat(job.rows()).isEqualTo(before);

    maintain("compact", "--path", folder.toString());
    assertThat(completed(job.table())).isEqualTo(2);
    for (FileSlice slice : job.table().view().latestSlices("p1")) {
      assertThat(slice.logFiles()).isEmpty();
    }
    assertThat(job.rows()).isEqualTo(before);

    // Nothing to do ends well.
    maintain("compact", "--path", folder.toString());
    assertThat(completed(job.table())).isEqualTo(2);
  }

  @Test
  void requirement70AnotherProcessCompactsWhileTheWriterRuns() throws Exception {
    CountDownLatch compacted = new CountDownLatch(1);
    SinkJob job = SinkJob.on(folder).compaction(EVERY_TWO.withExecutes(false));
    JobClient writer =
        job.start(
            ScriptedSource.unbounded(commits(1, 6))
                .hook(
                    (group, row) -> {
                      if (group == 3) {
                        assertThat(compacted.await(80, TimeUnit.SECONDS)).isTrue();
                      }
                    }));
    SinkJob.await(
        "a plan that waits",
        () ->
            job.exists()
                && job.rows().equals(rows(3))
                && !job.table().timeline().pendingCompactions().isEmpty());
    // In this process: the slots of the cluster are taken.
    assertThat(
            new TableCompaction(
                    Storages.of(folder.toString()),
                    BaseFileSettings.DEFAULT,
                    MergeMemory.DEFAULT,
                    new TakeOver("another", Duration.ofMinutes(20), "", InstantSource.system()))
                .executePending())
        .singleElement()
        .isInstanceOf(TableCompaction.Result.Completed.class);
    assertThat(job.rows()).as("equal before and after").isEqualTo(rows(3));
    compacted.countDown();
    SinkJob.await("the last commit is visible", () -> job.rows().equals(rows(6)));
    writer.cancel().get();
    assertThat(completed(job.table())).isEqualTo(1);
  }

  private static void maintain(String... args) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    env.setParallelism(2);
    HudiMaintenance.run(env, System.out, args);
  }

  @Test
  void argumentsThatAreWrongAreToldWithTheKnownOnes() {
    assertThatThrownBy(() -> maintain("tidy"))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("compact");
    assertThatThrownBy(() -> maintain("compact", "--paht", "x")).hasMessageContaining("--path");
    assertThatThrownBy(() -> maintain("compact", "--path", "x", "--tasks", "many"))
        .hasMessageContaining("must be a number");
  }

  @Test
  void f50FailureIsToldThePlanStaysAndALaterTrySucceeds() throws Exception {
    SinkJob job =
        SinkJob.on(FaultyFileSystem.SCHEME + "://" + folder.toUri().getPath())
            .compaction(EVERY_TWO.withSchedules(false).withExecutes(false));
    job.run(ScriptedSource.bounded(commits(1, 2)));
    List<String> before = job.rows();
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public Pattern files() {
            return Pattern.compile(".*\\.parquet");
          }

          @Override
          public void before(int n) throws IOException {
            if (n == 1) {
              throw new IOException("planned");
            }
          }
        });
    String path = FaultyFileSystem.SCHEME + "://" + folder.toUri().getPath();
    assertThatThrownBy(() -> maintain("compact", "--path", path))
        .hasStackTraceContaining("planned");
    assertThat(completed(job.table())).isZero();
    assertThat(job.table().timeline().pendingCompactions())
        .singleElement()
        .isInstanceOf(Instant.Requested.class);
    assertThat(job.rows()).isEqualTo(before);
    maintain("compact", "--path", path, "--schedule", "false");
    assertThat(completed(job.table())).isEqualTo(1);
    assertThat(job.rows()).isEqualTo(before);
  }

  /** Each base file of a compaction fails; the writer, which appends log files, goes on. */
  @Test
  void f50CompactionThatAlwaysFailsStopsNoWriter() throws Exception {
    String path = FaultyFileSystem.SCHEME + "://" + folder.toUri().getPath();
    SinkJob.on(path).run(ScriptedSource.bounded(commits(1, 1)));
    AtomicInteger failed = new AtomicInteger();
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public Pattern files() {
            return Pattern.compile(".*\\.parquet");
          }

          @Override
          public void before(int n) throws IOException {
            failed.incrementAndGet();
            throw new IOException("planned");
          }
        });
    SinkJob job = SinkJob.on(path).compaction(EVERY_TWO);
    job.run(ScriptedSource.bounded(commits(2, 6)));
    assertThat(failed).as("compactions were tried").hasPositiveValue();
    assertThat(completed(job.table())).isZero();
    assertThat(job.table().timeline().pendingCompactions())
        .singleElement()
        .isInstanceOf(Instant.Requested.class);
    assertThat(job.rows()).isEqualTo(rows(6));

    mendStorage();
    maintain("compact", "--path", path, "--schedule", "false");
    assertThat(completed(job.table())).isEqualTo(1);
    assertThat(job.rows()).isEqualTo(rows(6));
  }

  @Test
  void filesAndTimelineStayFewInAJobThatTidiesUp() throws Exception {
    SinkJob job =
        SinkJob.on(folder)
            .compaction(EVERY_TWO)
            .housekeeping(
                new HousekeepingConfig(
                    true, CleanRetention.ofCommits(2), true, new ArchiveLimits(4, 6)));
    job.run(ScriptedSource.bounded(commits(1, 12)));
    // The end of a job waits for its compaction; what that replaced is cleaned by later commits.
    job.run(ScriptedSource.bounded(commits(13, 18)));
    HudiTable table = job.table();
    assertThat(table.timeline().instants())
        .filteredOn(instant -> instant.action() == Action.CLEAN)
        .isNotEmpty()
        .allMatch(Instant::isCompleted);
    for (FileSlice slice : table.view().latestSlices("p1")) {
      assertThat(slice.logFiles()).hasSizeLessThan(18);
    }
    assertThat(job.rows()).isEqualTo(rows(18));
  }
}
