package io.hudilite.source;

import static io.hudilite.source.TestTable.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.data.RowData;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sources that wait for each other, so that none gets too far ahead in event time. */
class AlignmentTest {
  /** Flink 2.3 otherwise lets a source go on for the time of some words from the others. */
  @RegisterExtension
  static final MiniClusterExtension CLUSTER =
      Cluster.withMetrics(3, Map.of("pipeline.watermark-alignment.buffer-size", "0"));

  private static final long MINUTE = 60_000;
  private static final String RELEASE = "the other source goes on";

  @TempDir Path folder;

  /** A source that is ahead, of either kind and with several readers, and one that is behind. */
  @ParameterizedTest
  @CsvSource({"true,1", "true,3", "false,1"})
  void sourceThatIsAheadWaitsForTheOther(boolean allReadersRead, int readers) throws Exception {
    MetricsCollector.forgetAll();
    String name = UUID.randomUUID().toString();
    TestTable ahead = TestTable.create(folder.resolve("ahead"));
    TestTable behind = TestTable.create(folder.resolve("behind"));
    ahead.commit(row("a1", "x", 0L, "p1"), row("a2", "x", 10 * MINUTE, "p2"));
    behind.commit(row("b1", "x", 0L, "p1"));
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    env.setParallelism(readers);
    collect(allReadersRead ? staged(env, ahead) : oneReader(env, ahead, "ahead"), name);
    collect(oneReader(env, behind, "behind"), name);
    JobClient client = env.executeAsync(name);
    try {
      // The readers of the first table may go one minute ahead, and are ten. Huge values are of the
      // time before all sources had told theirs.
      MetricsCollector.await(
          () ->
              MetricsCollector.values("watermarkAlignmentDrift").stream()
                      .filter(drift -> drift > 8 * MINUTE && drift < 10 * MINUTE)
                      .count()
                  >= readers);
      Collected.of(name).awaitCount(3);
      ahead.commit(row("a3", "x", 11 * MINUTE, "p1"), row("a4", "x", 11 * MINUTE, "p2"));
      MetricsCollector.await(() -> MetricsCollector.sum("instantsBehind") > 0);
      Collected.of(name).add(RELEASE);
      behind.commit(row("b2", "x", 20 * MINUTE, "p1"));
      List<String> rows =
          Collected.of(name)
              .await(all -> all.stream().anyMatch(AlignmentTest::isLater) && all.size() == 7);
      assertThat(rows.subList(0, 4))
          .containsExactlyInAnyOrder(
              "+I[a1, x, 0, p1]", "+I[a2, x, 600000, p2]", "+I[b1, x, 0, p1]", RELEASE);
      assertThat(rows.subList(4, 7)).allMatch(AlignmentTest::isLater);
    } finally {
      client.cancel().get(60, TimeUnit.SECONDS);
    }
  }

  private static boolean isLater(String row) {
    return row.contains("[a3,") || row.contains("[a4,") || row.contains("[b2,");
  }

  private static void collect(DataStream<RowData> rows, String name) {
    rows.process(new Collector(name, TestTable.COLUMNS)).sinkTo(new DiscardingSink<>());
  }

  private static DataStream<RowData> staged(StreamExecutionEnvironment env, TestTable table) {
    return HudiStream.of(source(table)).keyColumns("id").watermarks(aligned()).read(env, "staged");
  }

  /** Flink tells the sources of a group apart by their names. */
  private static DataStream<RowData> oneReader(
      StreamExecutionEnvironment env, TestTable table, String name) {
    return env.fromSource(source(table).build(), aligned().withIdleness(Duration.ofDays(1)), name);
  }

  private static HudiSource.Builder source(TestTable table) {
    return HudiSource.builder()
        .path(table.path())
        .rowType(TestTable.COLUMNS)
        .continuous()
        .startCommit("earliest")
        .checkInterval(Duration.ofMillis(50));
  }

  private static WatermarkStrategy<RowData> aligned() {
    return WatermarkStrategy.<RowData>forMonotonousTimestamps()
        .withTimestampAssigner((row, before) -> row.getLong(2))
        .withWatermarkAlignment("group", Duration.ofMinutes(1), Duration.ofMillis(50));
  }
}
