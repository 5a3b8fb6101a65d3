package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.after;
import static io.hudilite.sink.SinkJob.delete;
import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.testkit.LogLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What operators see of a sink: case F60, and docs/metrics.md. */
class MetricsTest {
  @RegisterExtension
  static final MiniClusterExtension CLUSTER =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setConfiguration(
                  Configuration.fromMap(
                      java.util.Map.of(
                          "metrics.reporters",
                          "test",
                          "metrics.reporter.test.factory.class",
                          MetricsCollector.Factory.class.getName())))
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(2)
              .build());

  @TempDir Path folder;

  @AfterEach
  void mendStorage() {
    FaultyFileSystem.set(new FaultyFileSystem.Fault() {});
  }

  @Test
  void f60RowsFilesAndWaitingCommitsAreCounted() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public void before(int n) throws Exception {
            if (n == 2) {
              assertThat(held.await(80, TimeUnit.SECONDS)).isTrue();
            }
          }
        });
    SinkJob job =
        SinkJob.on(FaultyFileSystem.SCHEME + "://" + folder.toUri().getPath())
            .flink("restart-strategy.type", "none");
    JobClient running =
        job.start(
            ScriptedSource.bounded(
                List.of(
                    List.of(insert("k1", "a", 1, "p1"), insert("k2", "a", 1, "p2")),
                    List.of(
                        after("k1", "b", 2, "p2"),
                        after("k2", "late", 0, "p2"),
                        after("k2", "b", 2, "p2"),
                        delete("k9", "a", 3, "p1")))));
    SinkJob.await(
        "the second commit is held",
        () -> MetricsCollector.sum("commits") == 1 && MetricsCollector.sum("commitsPending") == 1);
    assertThat(MetricsCollector.sum("secondsSinceLastCommit")).isNotNegative();
    held.countDown();
    running.getJobExecutionResult().get(90, TimeUnit.SECONDS);

    assertThat(MetricsCollector.sum("commits")).isEqualTo(2);
    assertThat(MetricsCollector.sum("commitFailures")).isZero();
    assertThat(MetricsCollector.sum("newRows")).as("with the delete of k9").isEqualTo(3);
    assertThat(MetricsCollector.sum("knownRows")).isEqualTo(1);
    assertThat(MetricsCollector.sum("knownFileGroups")).isPositive();
    assertThat(MetricsCollector.sum("movedRows")).isEqualTo(1);
    for (String quiet : List.of("badRows", "duplicateRows", "deletesOfNothing")) {
      assertThat(MetricsCollector.values(quiet)).as(quiet).isNotEmpty().containsOnly(0L);
    }
    assertThat(MetricsCollector.sum("lateRows")).isEqualTo(1);
    assertThat(MetricsCollector.sum("rowsWritten"))
        .as("new, known, and moved with a delete; the late one is not written")
        .isEqualTo(6)
        .isEqualTo(MetricsCollector.sum("rowsCommitted"));
    assertThat(MetricsCollector.sum("filesWritten"))
        .isPositive()
        .isEqualTo(MetricsCollector.sum("filesCommitted"));
    assertThat(MetricsCollector.sum("fileBytesWritten"))
        .isPositive()
        .isEqualTo(MetricsCollector.sum("bytesCommitted"));
    assertThat(MetricsCollector.sum("bytesWritten")).isPositive();
    assertThat(MetricsCollector.sum("flushes")).isPositive();
    assertThat(MetricsCollector.values("flushMillis")).hasSize(2).allMatch(millis -> millis >= 0);
    assertThat(MetricsCollector.values("commitMillis")).hasSize(1).allMatch(millis -> millis >= 0);
    assertThat(MetricsCollector.sum("bufferedBytes")).as("all is flushed").isZero();
    assertThat(MetricsCollector.sum("openFileGroups")).isZero();
  }

  @Test
  void oneLineIsLoggedForEachCommitAlsoIfReportsAreSentAgain() throws Exception {
    Pattern line =
        Pattern.compile(
            "Committed instant (\\d{17}) of '.+': checkpoint (\\d+|none), (\\d+) rows, \\d+ files,"
                + " \\d+ bytes, in \\d+ ms, \\d+ ms after it was opened");
    SinkJob job = SinkJob.on(folder);
    AtomicBoolean hasFailed = new AtomicBoolean();
    List<String> instants = new ArrayList<>();
    long rows = 0;
    try (LogLines lines = LogLines.of("io.hudilite.sink.commit.CommitCoordinator")) {
      job.run(
          ScriptedSource.bounded(
                  List.of(
                      List.of(insert("k1", "a", 1, "p1")),
                      List.of(insert("k2", "a", 1, "p1")),
                      List.of(insert("k3", "a", 1, "p1"))))
              .hook(
                  (group, row) -> {
                    if (group == 1 && hasFailed.compareAndSet(false, true)) {
                      throw new IllegalStateException("planned");
                    }
                  }));
      for (String text : lines.texts()) {
        Matcher matcher = line.matcher(text);
        if (matcher.matches()) {
          instants.add(matcher.group(1));
          rows += Long.parseLong(matcher.group(3));
        }
      }
    }
    assertThat(hasFailed).isTrue();
    assertThat(instants)
        .isEqualTo(
            job.table().timeline().completedWrites().stream()
                .map(instant -> instant.requestedTime().digits())
                .toList());
    assertThat(rows).isEqualTo(3);
  }
}
