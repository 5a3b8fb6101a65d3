package io.hudilite.source;

import static io.hudilite.source.TestTable.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.table.data.RowData;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatermarkTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = Cluster.withSlots(3);
  private static final long TEN = Duration.ofHours(10).toMillis();

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void f34WindowsFireWithAllTheirRows(int parallelism) throws Exception {
    String name = UUID.randomUUID().toString();
    TestTable table = TestTable.create(folder);
    table.commit(
        row("a1", "x", at(0, 0), "f1"),
        row("a2", "x", at(0, 0), "f1"),
        row("a3", "x", at(0, 0), "f1"));
    table.commit(row("b1", "x", at(0, 30), "f2"), row("b2", "x", at(1, 0), "f2"));
    table.commit(row("c1", "x", at(2, 10), "f3"));
    HudiSource source =
        HudiSource.builder()
            .path(table.path())
            .rowType(TestTable.COLUMNS)
            .continuous()
            .startCommit("earliest")
            .checkInterval(Duration.ofMillis(50))
            .build();
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    env.setParallelism(parallelism);
    DataStream<RowData> rows =
        env.fromSource(
            source,
            WatermarkStrategy.<RowData>forMonotonousTimestamps()
                .withTimestampAssigner((row, before) -> row.getLong(2))
                .withIdleness(Duration.ofSeconds(2)),
            "source");
    rows.keyBy(row -> "all")
        .window(TumblingEventTimeWindows.of(Duration.ofMinutes(1)))
        .process(new Count(name))
        .sinkTo(new DiscardingSink<>());
    JobClient client = env.executeAsync(name);
    try {
      table.commit(row("z", "x", at(10, 0), "f4"));
      assertThat(Collected.of(name).awaitCount(3)).containsExactly("0: 4", "1: 1", "2: 1");
    } finally {
      client.cancel().get(30, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void f34EventTimeGoesOnForAllReadersTogether(int parallelism) throws Exception {
    String name = UUID.randomUUID().toString();
    TestTable table = TestTable.create(folder);
    table.commit(
        row("a1", "x", at(0, 0), "f1"),
        row("a2", "x", at(0, 0), "f1"),
        row("a3", "x", at(0, 0), "f1"));
    // In one commit: a watermark after each row would make the rows of f3 or f2 late.
    table.commit(
        row("c1", "x", at(2, 10), "f3"),
        row("b1", "x", at(0, 30), "f2"),
        row("b2", "x", at(1, 0), "f2"));
    HudiSource.Builder source =
        HudiSource.builder()
            .path(table.path())
            .rowType(TestTable.COLUMNS)
            .continuous()
            .startCommit("earliest")
            .checkInterval(Duration.ofMillis(50));
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    env.setParallelism(parallelism);
    HudiStream.of(source)
        .keyColumns("id")
        .watermarks(
            WatermarkStrategy.<RowData>forMonotonousTimestamps()
                .withTimestampAssigner((row, before) -> row.getLong(2)))
        .read(env, "source")
        .keyBy(row -> row.getString(0).toString().substring(0, 1).equals("z") ? "z" : "all")
        .window(TumblingEventTimeWindows.of(Duration.ofMinutes(1)))
        .process(new Count(name))
        .sinkTo(new DiscardingSink<>());
    JobClient client = env.executeAsync(name);
    try {
      table.commit(row("z", "x", at(10, 0), "f4"));
      table.commit(row("z2", "x", at(10, 1), "f4"));
      assertThat(Collected.of(name).awaitCount(3)).containsExactly("0: 4", "1: 1", "2: 1");
    } finally {
      client.cancel().get(30, TimeUnit.SECONDS);
    }
  }

  /** A watermark behind each row would make those of the next files late. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void f34ReadThatEndsHasNoLateRows(int parallelism) throws Exception {
    String name = UUID.randomUUID().toString();
    TestTable table = TestTable.create(folder);
    table.commit(
        row("z", "x", at(10, 0), "f1"),
        row("c1", "x", at(2, 10), "f2"),
        row("b1", "x", at(0, 30), "f3"),
        row("b2", "x", at(1, 0), "f3"),
        row("a1", "x", at(0, 0), "f4"),
        row("a2", "x", at(0, 0), "f5"));
    HudiSource source = HudiSource.builder().path(table.path()).rowType(TestTable.COLUMNS).build();
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    env.setParallelism(parallelism);
    env.fromSource(
            source,
            WatermarkStrategy.<RowData>forGenerator(context -> new AfterEachRow())
                .withTimestampAssigner((row, before) -> row.getLong(2)),
            "source")
        .keyBy(row -> "all")
        .window(TumblingEventTimeWindows.of(Duration.ofMinutes(1)))
        .process(new Count(name))
        .sinkTo(new DiscardingSink<>());
    env.execute(name);
    assertThat(Collected.of(name).rows()).containsExactly("0: 3", "1: 1", "2: 1", "10: 1");
  }

  private static final class AfterEachRow implements WatermarkGenerator<RowData> {
    @Override
    public void onEvent(RowData row, long timestamp, WatermarkOutput output) {
      output.emitWatermark(new Watermark(timestamp));
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {}
  }

  @Test
  void othersDoNotWaitForATableThatIsQuiet() throws Exception {
    String name = UUID.randomUUID().toString();
    TestTable quiet = TestTable.create(folder.resolve("quiet"));
    TestTable busy = TestTable.create(folder.resolve("busy"));
    quiet.commit(row("a1", "x", at(0, 0), "p"));
    busy.commit(row("b1", "x", at(0, 10), "p"));
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    env.setParallelism(1);
    DataStream<RowData> rows = null;
    for (TestTable table : List.of(quiet, busy)) {
      HudiSource.Builder source =
          HudiSource.builder()
              .path(table.path())
              .rowType(TestTable.COLUMNS)
              .continuous()
              .startCommit("earliest")
              .checkInterval(Duration.ofMillis(50));
      DataStream<RowData> more =
          HudiStream.of(source)
              .keyColumns("id")
              .watermarks(
                  WatermarkStrategy.<RowData>forMonotonousTimestamps()
                      .withTimestampAssigner((row, before) -> row.getLong(2))
                      .withIdleness(Duration.ofMillis(300)))
              .uids(part -> Optional.empty())
              .read(env, "source");
      rows = rows == null ? more : rows.union(more);
    }
    rows.map(
            row -> {
              Collected.of(name + "rows").add(row.getString(0).toString());
              return row;
            })
        .returns(rows.getType())
        .keyBy(row -> "all")
        .window(TumblingEventTimeWindows.of(Duration.ofDays(1)))
        .process(new Count(name))
        .sinkTo(new DiscardingSink<>());
    JobClient client = env.executeAsync(name);
    try {
      Collected.of(name + "rows").awaitCount(2);
      busy.commit(row("b2", "x", at(24 * 60, 0), "p"));
      busy.commit(row("b3", "x", at(72 * 60, 0), "p"));
      assertThat(Collected.of(name).awaitCount(1).get(0)).endsWith(": 2");
    } finally {
      client.cancel().get(30, TimeUnit.SECONDS);
    }
  }

  private static long at(int minute, int second) {
    return TEN + (minute * 60L + second) * 1000;
  }

  /** Writes "minute: rows" of each window. */
  private static final class Count
      extends ProcessWindowFunction<RowData, String, String, TimeWindow> {
    private static final long serialVersionUID = 1L;

    private final String name;

    Count(String name) {
      this.name = name;
    }

    @Override
    public void process(
        String key, Context context, Iterable<RowData> rows, Collector<String> out) {
      int count = 0;
      for (RowData ignored : rows) {
        count++;
      }
      Collected.of(name).add((context.window().getStart() - TEN) / 60_000 + ": " + count);
    }
  }
}
