package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.recovery.SavepointStore;
import io.hudilite.core.recovery.TableRecovery;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantTime;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.table.data.RowData;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that go on, from state or without, with a table that was restored to a savepoint. */
class RestoredTableTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SinkJob.cluster();

  @TempDir Path folder;

  private String stop(JobClient running) throws Exception {
    return running
        .stopWithSavepoint(
            false, folder.resolve("states").toUri().toString(), SavepointFormatType.CANONICAL)
        .get();
  }

  private SinkJob job() {
    return SinkJob.on(folder.resolve("table")).parallelism(1);
  }

  private SinkJob jobFrom(String state) {
    return job()
        .flink("execution.state-recovery.path", state)
        .flink("execution.savepoint.path", state)
        .flink("execution.state-recovery.ignore-unclaimed-state", "true")
        .flink("execution.savepoint.ignore-unclaimed-state", "true");
  }

  private static void awaitRows(SinkJob job, String... rows) throws Exception {
    SinkJob.await(
        "the rows are " + List.of(rows), () -> job.exists() && job.rows().equals(List.of(rows)));
  }

  private InstantTime savepoint(SinkJob job) throws Exception {
    return new SavepointStore(job.table().storage(), InstantSource.system())
        .createNewest("test", "")
        .instant();
  }

  private static void restore(SinkJob job, InstantTime savepoint) throws Exception {
    Storage storage = job.table().storage();
    new TableRecovery(storage, InstantSource.system(), "restore").restore(savepoint);
  }

  @Test
  void stateOfAfterTheRestorePointIsRefusedAndOneOfBeforeGoesOn() throws Exception {
    SinkJob job = job();
    List<RowData> first = List.of(insert("k1", "a", 1, "p1"), insert("k2", "a", 1, "p1"));
    JobClient running = job.start(ScriptedSource.unbounded(List.of(first)).fresh(1));
    awaitRows(job, "[k1, a, 1, p1]", "[k2, a, 1, p1]");
    String before = stop(running);
    InstantTime kept = savepoint(job);
    List<RowData> second = List.of(insert("k1", "b", 10, "p2"), insert("k3", "b", 10, "p1"));
    running = jobFrom(before).start(ScriptedSource.unbounded(List.of(second)).fresh(2));
    awaitRows(job, "[k1, b, 10, p2]", "[k2, a, 1, p1]", "[k3, b, 10, p1]");
    String after = stop(running);

    restore(job, kept);
    assertThat(job.rows()).containsExactly("[k1, a, 1, p1]", "[k2, a, 1, p1]");
    List<RowData> third = List.of(insert("k1", "c", 5, "p1"), insert("k3", "c", 5, "p1"));
    assertThatThrownBy(() -> jobFrom(after).run(ScriptedSource.bounded(List.of(third)).fresh(3)))
        .hasStackTraceContaining("Start the job from a checkpoint")
        .hasStackTraceContaining("restore or rollback");
    assertThat(job.rows()).containsExactly("[k1, a, 1, p1]", "[k2, a, 1, p1]");

    jobFrom(before).run(ScriptedSource.bounded(List.of(third)).fresh(4));
    assertThat(job.rows()).containsExactly("[k1, c, 5, p1]", "[k2, a, 1, p1]", "[k3, c, 5, p1]");
    job.assertNothingIsPending();
  }

  @Test
  void stateThatReadWhatIsNoMoreReadsTheTableAnew() throws Exception {
    SinkJob job = job();
    job.run(ScriptedSource.bounded(List.of(List.of(insert("k1", "a", 1, "p1")))).fresh(1));
    InstantTime kept = savepoint(job);
    job.run(
        ScriptedSource.bounded(
                List.of(List.of(insert("k1", "b", 10, "p2"), insert("k3", "b", 10, "p1"))))
            .fresh(2));
    // Its index has all of these keys, and it has written nothing of the kind itself.
    JobClient other =
        job.start(ScriptedSource.unbounded(List.of(List.of(insert("k9", "a", 1, "p9")))).fresh(3));
    awaitRows(job, "[k1, b, 10, p2]", "[k3, b, 10, p1]", "[k9, a, 1, p9]");
    String state = stop(other);
    InstantTime ownCommit =
        job.table().timeline().lastCompletedWrite().orElseThrow().requestedTime();
    new TableRecovery(job.table().storage(), InstantSource.system(), "rollback")
        .rollBack(ownCommit);
    restore(job, kept);
    assertThat(job.rows()).containsExactly("[k1, a, 1, p1]");

    assertThatThrownBy(
            () ->
                jobFrom(state)
                    .run(
                        ScriptedSource.bounded(List.of(List.of(insert("k1", "c", 5, "p1"))))
                            .fresh(4)))
        .hasStackTraceContaining("restore or rollback");
    job.run(
        ScriptedSource.bounded(
                List.of(List.of(insert("k1", "c", 5, "p1"), insert("k3", "c", 5, "p1"))))
            .fresh(5));
    assertThat(job.rows()).containsExactly("[k1, c, 5, p1]", "[k3, c, 5, p1]");
  }

  @Test
  void indexOfAnIdleJobForgetsWhatWasTakenBack() throws Exception {
    SinkJob job = job();
    job.run(ScriptedSource.bounded(List.of(List.of(insert("k1", "a", 1, "p1")))).fresh(1));
    InstantTime kept = savepoint(job);
    job.run(
        ScriptedSource.bounded(
                List.of(List.of(insert("k1", "b", 10, "p2"), insert("k3", "b", 10, "p1"))))
            .fresh(2));
    JobClient idle = job.start(ScriptedSource.unbounded(List.of()).fresh(3));
    SinkJob.await(
        "the idle job is at its first checkpoint",
        () -> idle.getJobStatus().get() == org.apache.flink.api.common.JobStatus.RUNNING);
    String state = stopWhenRunning(idle);
    restore(job, kept);

    jobFrom(state)
        .run(
            ScriptedSource.bounded(
                    List.of(List.of(insert("k1", "c", 5, "p1"), insert("k3", "c", 5, "p1"))))
                .fresh(4));
    assertThat(job.rows()).containsExactly("[k1, c, 5, p1]", "[k3, c, 5, p1]");
  }

  /** Not all tasks may be running yet. */
  private String stopWhenRunning(JobClient job) throws Exception {
    String[] state = new String[1];
    SinkJob.await(
        "the job can be stopped",
        () -> {
          try {
            state[0] = stop(job);
            return true;
          } catch (Exception e) {
            return false;
          }
        });
    return state[0];
  }
}
