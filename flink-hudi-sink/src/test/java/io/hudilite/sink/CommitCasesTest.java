package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.after;
import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.lease.LeaseHolder;
import io.hudilite.core.lease.WriterFencedException;
import io.hudilite.core.lease.WriterLease;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.write.TableCommit;
import io.hudilite.sink.config.WriteOperation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.table.data.RowData;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Cases about commits and recovery: F01 to F09, F12, F15, F57. */
class CommitCasesTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SinkJob.cluster();

  @TempDir Path folder;

  @AfterEach
  void mendStorage() {
    FaultyFileSystem.set(new FaultyFileSystem.Fault() {});
  }

  private SinkJob onFaultyStorage() {
    return SinkJob.on(FaultyFileSystem.SCHEME + "://" + folder.toUri().getPath())
        .config(config -> config.commitRetries(0));
  }

  @Test
  void f01CommitThatFailsIsMadeUpByTheRestart() throws Exception {
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public void before(int n) throws IOException {
            if (n == 2) {
              throw new IOException("planned");
            }
          }
        });
    SinkJob job = onFaultyStorage();
    job.run(
        List.of(insert("k1", "a", 1, "p1")),
        List.of(insert("k2", "b", 2, "p1"), after("k1", "a2", 2, "p1")),
        List.of(insert("k3", "c", 3, "p1")));
    assertThat(job.rows()).containsExactly("[k1, a2, 2, p1]", "[k2, b, 2, p1]", "[k3, c, 3, p1]");
    job.assertNothingIsPending();
    for (CommitMetadata commit : job.commits()) {
      assertThat(Long.parseLong(commit.extra("hudi-lite.checkpoint").orElseThrow())).isPositive();
      assertThat(commit.extra("flink_checkpoint_id")).isPresent();
    }
  }

  @Test
  void commitAtTheEndThatWasDecidedIsNotWrittenAgain() throws Exception {
    AtomicInteger failures = new AtomicInteger();
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public void before(int n) throws IOException {
            if (n == 1) {
              failures.incrementAndGet();
              throw new IOException("planned");
            }
          }
        });
    SinkJob job =
        onFaultyStorage()
            .config(config -> config.commitRetries(0).operation(WriteOperation.INSERT))
            .flink("execution.runtime-mode", "BATCH");
    job.run(List.of(fiveRows()));
    assertThat(failures).hasValue(1);
    assertThat(job.rows()).hasSize(5);
    assertThat(job.commits()).hasSize(1);
    job.assertNothingIsPending();
  }

  @Test
  void openingThatFailsIsTriedAgain() throws Exception {
    AtomicInteger failures = new AtomicInteger();
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public java.util.regex.Pattern files() {
            return FaultyFileSystem.REQUESTED;
          }

          @Override
          public void before(int n) throws IOException {
            if (n == 1) {
              failures.incrementAndGet();
              throw new IOException("planned");
            }
          }
        });
    SinkJob job =
        onFaultyStorage()
            .config(c -> c.commitRetries(1).commitRetryInterval(java.time.Duration.ofMillis(1)))
            .flink("restart-strategy.type", "none");
    job.run(List.of(fiveRows()));
    assertThat(failures).hasValue(1);
    assertThat(job.rows()).hasSize(5);
  }

  @Test
  void errorInACommitFailsTheJobInsteadOfStoppingCommits() throws Exception {
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public void before(int n) {
            if (n == 1) {
              throw new NoClassDefFoundError("planned");
            }
          }
        });
    SinkJob job = onFaultyStorage();
    job.run(List.of(fiveRows()), List.of(insert("k6", "a", 1, "p1")));
    assertThat(job.rows()).hasSize(6);
    job.assertNothingIsPending();
  }

  @Test
  void f09AnswerThatIsLostDoublesNothing() throws Exception {
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public void after(int n) throws IOException {
            if (n == 2) {
              throw new IOException("planned");
            }
          }
        });
    SinkJob job = onFaultyStorage();
    job.run(
        List.of(insert("k1", "a", 1, "p1"), insert("k2", "a", 1, "p1")),
        List.of(insert("k3", "a", 1, "p1"), insert("k4", "a", 1, "p1")),
        List.of(insert("k5", "a", 1, "p1")));
    assertThat(job.rows()).hasSize(5).doesNotHaveDuplicates();
    assertThat(job.commits()).as("a barrier may part a group").hasSizeBetween(3, 5);
    job.assertNothingIsPending();
  }

  @Test
  void f03SlowCommitHoldsNobodyUp() throws Exception {
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public void before(int n) throws InterruptedException {
            if (n == 2) {
              new java.util.concurrent.CountDownLatch(1)
                  .await(5, java.util.concurrent.TimeUnit.SECONDS);
            }
          }
        });
    SinkJob job =
        onFaultyStorage()
            .flink("execution.checkpointing.timeout", "3s")
            .flink("execution.checkpointing.tolerable-failed-checkpoints", "100");
    job.run(checkpoints(1, 12));
    assertThat(job.rows()).hasSize(12).doesNotHaveDuplicates();
    assertThat(job.commits()).hasSize(12);
    job.assertNothingIsPending();
  }

  @Test
  void f02AndF04FailureInTheMiddleOfACheckpointLosesNothing() throws Exception {
    AtomicInteger failures = new AtomicInteger();
    SinkJob job = SinkJob.on(folder);
    job.run(
        ScriptedSource.bounded(List.of(checkpoints(1, 5)))
            .hook(
                (group, row) -> {
                  if (group == 2 && row == 1 && failures.getAndIncrement() < 2) {
                    throw new IOException("planned");
                  }
                }));
    assertThat(failures.get()).isGreaterThan(1);
    assertThat(job.rows()).hasSize(5).doesNotHaveDuplicates();
    job.assertNothingIsPending();
  }

  @Test
  void f05FiniteInputIsAllThereWhenTheJobIsFinished() throws Exception {
    SinkJob streaming =
        SinkJob.on(folder.resolve("streaming")).flink("execution.checkpointing.interval", "10min");
    streaming.run(List.of(fiveRows()));
    assertThat(streaming.rows()).hasSize(5);
    SinkJob batch =
        SinkJob.on(folder.resolve("batch")).parallelism(4).flink("execution.runtime-mode", "BATCH");
    batch.run(List.of(fiveRows()));
    assertThat(batch.rows()).hasSize(5);
    batch.run(List.of(fiveRows()));
    assertThat(batch.rows()).as("upserts of a second batch").hasSize(5);
    assertThat(batch.commits()).hasSize(2);
    SinkJob empty = SinkJob.on(folder.resolve("empty")).flink("execution.runtime-mode", "BATCH");
    empty.run(List.of());
    assertThat(empty.rows()).isEmpty();
    empty.run(List.of(fiveRows()));
    assertThat(empty.rows()).hasSize(5);
    SinkJob withoutCheckpoints =
        SinkJob.on(folder.resolve("none")).without("execution.checkpointing.interval");
    withoutCheckpoints.run(List.of(fiveRows()));
    assertThat(withoutCheckpoints.rows()).hasSize(5);
    assertThatThrownBy(() -> withoutCheckpoints.start(ScriptedSource.unbounded(List.of())))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("execution.checkpointing.interval");
  }

  @Test
  void f06IdleCheckpointsLeaveNoTrace() throws Exception {
    List<List<RowData>> groups = new ArrayList<>();
    groups.add(List.of(fiveRows()));
    for (int i = 0; i < 20; i++) {
      groups.add(List.of());
    }
    groups.add(List.of(after("k1", "b", 2, "p1")));
    SinkJob job = SinkJob.on(folder);
    job.run(ScriptedSource.bounded(groups));
    assertThat(job.rows()).hasSize(5).contains("[k1, b, 2, p1]");
    assertThat(job.commits()).hasSize(2);
    job.assertNothingIsPending();
  }

  @Test
  void f07InstantsRiseAtVerySmallIntervals() throws Exception {
    SinkJob job = SinkJob.on(folder).flink("execution.checkpointing.interval", "10ms");
    job.run(checkpoints(1, 50));
    assertThat(job.rows()).hasSize(50);
    List<Instant.Completed> writes = job.table().timeline().completedWrites();
    assertThat(writes).hasSize(50);
    assertThat(writes.stream().map(Instant::requestedTime).toList())
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void f08AndF12FreshStartKnowsTheKeysOfTheTable() throws Exception {
    SinkJob job = SinkJob.on(folder);
    job.run(checkpoints(1, 10));
    job.run(checkpoints(11, 15));
    assertThat(job.rows()).hasSize(15).doesNotHaveDuplicates();
    job.run(List.of(after("k1", "b", 2, "p1"), insert("k16", "c", 2, "p1")));
    assertThat(job.rows()).hasSize(16).contains("[k1, b, 2, p1]");
    assertThat(
            job.commits().stream()
                .flatMap(c -> c.writeStats().stream())
                .map(s -> s.fileId())
                .distinct())
        .as("small file groups are filled first")
        .hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void f15WriterCountChangesBetweenSavepoints() throws Exception {
    SinkJob job = SinkJob.on(folder);
    String savepoint = null;
    int round = 0;
    for (int writers : new int[] {1, 4, 2, 3}) {
      int value = ++round;
      List<RowData> rows =
          IntStream.rangeClosed(1, 40)
              .mapToObj(i -> insert("k" + i, "v" + value, value, "p" + i % 2))
              .toList();
      job.parallelism(writers);
      if (savepoint != null) {
        job.flink("execution.state-recovery.path", savepoint);
        job.flink("execution.savepoint.path", savepoint);
        job.flink("execution.state-recovery.ignore-unclaimed-state", "true");
        job.flink("execution.savepoint.ignore-unclaimed-state", "true");
      }
      JobClient running = job.start(ScriptedSource.unbounded(List.of(rows)).fresh(value));
      SinkJob.await(
          "round " + value + " is visible",
          () ->
              job.exists()
                  && job.rows().size() == 40
                  && job.rows().stream().allMatch(row -> row.contains("v" + value)));
      savepoint =
          running
              .stopWithSavepoint(
                  false,
                  folder.resolve("savepoints").toUri().toString(),
                  org.apache.flink.core.execution.SavepointFormatType.CANONICAL)
              .get();
    }
    job.assertNothingIsPending();
  }

  @Test
  void f57SecondJobIsRefusedAndTheFirstGoesOn() throws Exception {
    CountDownLatch isRefused = new CountDownLatch(1);
    SinkJob first =
        SinkJob.on(folder)
            .parallelism(1)
            .config(c -> c.heartbeatInterval(Duration.ofMillis(100)).heartbeatMisses(50));
    JobClient running =
        first.start(
            ScriptedSource.bounded(List.of(checkpoints(1, 2)))
                .hook(
                    (group, row) -> {
                      if (group == 1 && row == 0) {
                        assertThat(isRefused.await(80, TimeUnit.SECONDS)).isTrue();
                      }
                    }));
    SinkJob.await("the first row is visible", () -> first.exists() && first.rows().size() == 1);
    SinkJob second = SinkJob.on(folder).parallelism(1);
    assertThatThrownBy(() -> second.run(List.of(insert("b1", "x", 1, "p1"))))
        .hasStackTraceContaining("is being written by job 'cases' (run ")
        .hasStackTraceContaining("which is alive; so job 'cases' (run ")
        .hasStackTraceContaining("Stop the first job");
    isRefused.countDown();
    running.getJobExecutionResult().get(90, TimeUnit.SECONDS);
    assertThat(first.rows()).containsExactly("[k1, a, 1, p1]", "[k2, a, 1, p1]");
    first.assertNothingIsPending();
    second.run(List.of(insert("b1", "x", 1, "p1")));
    assertThat(first.rows()).hasSize(3);
  }

  @Test
  void f57JobThatIsDeadIsFollowed() throws Exception {
    SinkJob job = SinkJob.on(folder);
    job.run(List.of(insert("k1", "a", 1, "p1")));
    Storage storage = job.table().storage();
    WriterLease dead =
        WriterLease.acquire(
            storage,
            new LeaseHolder("r", "dead", "a process", "then", Duration.ofSeconds(1)),
            System::nanoTime,
            Thread::sleep);
    dead.beat();
    InstantTime pending =
        new TableCommit(
                storage,
                job.table().config(),
                new InstantClock(InstantSource.system(), job.table().config().timelineZone()))
            .begin(Action.DELTA_COMMIT);
    job.run(List.of(insert("k2", "a", 1, "p1")));
    assertThat(job.rows()).hasSize(2);
    assertThat(job.table().timeline().pending(pending)).isEmpty();
    assertThatThrownBy(dead::beat).isInstanceOf(WriterFencedException.class);
  }

  private static RowData[] fiveRows() {
    return IntStream.rangeClosed(1, 5)
        .mapToObj(i -> insert("k" + i, "x", 1, "p1"))
        .toArray(RowData[]::new);
  }

  /** One new key per checkpoint. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static List<RowData>[] checkpoints(int from, int to) {
    return IntStream.rangeClosed(from, to)
        .mapToObj(i -> List.of(insert("k" + i, "a", 1, "p1")))
        .toArray(List[]::new);
  }
}
