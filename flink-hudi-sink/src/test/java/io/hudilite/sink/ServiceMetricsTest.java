package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.after;
import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.compact.CompactionTrigger;
import io.hudilite.core.compact.TriggerStrategy;
import io.hudilite.sink.config.CompactionConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What table services show, and the table: requirements B6 68 and 71, and docs/metrics.md. */
class ServiceMetricsTest {
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

  /** Also where the job itself compacts nothing: that is the one to watch. */
  @Test
  void requirement71AgeOfTheOldestUncompactedDeltaCommitIsShownByWriterAndOfflineJob()
      throws Exception {
    CompactionConfig plansOnly =
        CompactionConfig.DEFAULT
            .withTrigger(new CompactionTrigger(TriggerStrategy.NUM_COMMITS, 2, Duration.ofHours(1)))
            .withExecutes(false);
    SinkJob job = SinkJob.on(folder).compaction(plansOnly);
    int before = MetricsCollector.values("oldestUncompactedDeltaCommitAgeMs").size();
    job.run(
        ScriptedSource.bounded(
            List.of(
                List.of(insert("k1", "a", 1, "p1")),
                List.of(after("k1", "b", 2, "p1")),
                List.of(after("k1", "c", 3, "p1")))));
    List<Long> ofWriter = MetricsCollector.values("oldestUncompactedDeltaCommitAgeMs");
    assertThat(ofWriter).hasSize(before + 1);
    assertThat(ofWriter.get(before)).as("nobody compacts").isPositive();
    assertThat(MetricsCollector.sum("compactionsPending")).as("requirement 68").isPositive();

    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    HudiMaintenance.run(env, System.out, "compact", "--path", folder.toString());
    List<Long> withOffline = MetricsCollector.values("oldestUncompactedDeltaCommitAgeMs");
    assertThat(withOffline).hasSizeGreaterThan(before + 1);
    assertThat(MetricsCollector.sum("compactionsCompleted")).isPositive();
  }

  @Test
  void metricsAreThoseOfTheDocumentation() throws Exception {
    SinkJob.on(folder)
        .compaction(CompactionConfig.DEFAULT)
        .run(List.of(insert("k1", "a", 1, "p1")));
    String sink =
        Files.readString(Path.of("..", "docs", "metrics.md")).split("# Metrics of the source")[0];
    Set<String> documented = new TreeSet<>();
    for (String line : sink.lines().filter(line -> line.startsWith("| ")).toList()) {
      Matcher name = Pattern.compile("`(\\w+)`").matcher(line.split("\\|")[2]);
      while (name.find()) {
        documented.add(name.group(1));
      }
    }
    assertThat(MetricsCollector.names()).containsExactlyInAnyOrderElementsOf(documented);
  }
}
