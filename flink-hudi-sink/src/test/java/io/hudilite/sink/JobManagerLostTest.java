package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.after;
import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.highavailability.nonha.embedded.HaLeadershipControl;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The JobManager is gone while a commit is under way: another takes the job over from the newest
 * checkpoint. Behind the last checkpoint of a finite input no row and no barrier comes any more
 * that could bring a forgotten commit about.
 */
class JobManagerLostTest {
  private static final int COMMITS = 3;

  @RegisterExtension
  static final MiniClusterExtension CLUSTER =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(4)
              .withHaLeadershipControl()
              .build());

  @TempDir Path folder;

  @AfterEach
  void mendStorage() {
    FaultyFileSystem.set(new FaultyFileSystem.Fault() {});
  }

  @ParameterizedTest(name = "commit {0}, already stored: {1}")
  @CsvSource({"2,false", "2,true", "3,false", "3,true"})
  void commitUnderWayIsThereOnceAfterwards(
      int commit, boolean isStored, @InjectMiniCluster MiniCluster cluster) throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch lost = new CountDownLatch(1);
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public void before(int n) throws Exception {
            if (!isStored) {
              dieAt(n);
            }
          }

          @Override
          public void after(int n) throws Exception {
            if (isStored) {
              dieAt(n);
            }
          }

          private void dieAt(int n) throws Exception {
            if (n == commit) {
              reached.countDown();
              lost.await();
              throw new IOException("planned: the process is gone");
            }
          }
        });
    SinkJob job =
        SinkJob.on(FaultyFileSystem.SCHEME + "://" + folder.toUri().getPath())
            .config(config -> config.commitRetries(0));
    JobClient client =
        job.start(
            ScriptedSource.bounded(
                List.of(
                    List.of(insert("k1", "a", 1, "p1"), insert("k2", "b", 1, "p1")),
                    List.of(after("k1", "a2", 2, "p1"), insert("k3", "c", 2, "p2")),
                    List.of(after("k2", "b3", 3, "p1"), insert("k4", "d", 3, "p2")))));
    assertThat(reached.await(90, TimeUnit.SECONDS)).as("commit " + commit + " begins").isTrue();

    HaLeadershipControl leadership = cluster.getHaLeadershipControl().orElseThrow();
    JobID id = client.getJobID();
    var revoked = leadership.revokeJobMasterLeadership(id);
    lost.countDown();
    revoked.get(90, TimeUnit.SECONDS);
    leadership.grantJobMasterLeadership(id).get(90, TimeUnit.SECONDS);

    cluster.requestJobResult(id).get(90, TimeUnit.SECONDS).toJobExecutionResult(classLoader());
    assertThat(job.rows())
        .containsExactly("[k1, a2, 2, p1]", "[k2, b3, 3, p1]", "[k3, c, 2, p2]", "[k4, d, 3, p2]");
    assertThat(job.commits()).hasSize(COMMITS);
    job.assertNothingIsPending();
  }

  private static ClassLoader classLoader() {
    return Thread.currentThread().getContextClassLoader();
  }
}
