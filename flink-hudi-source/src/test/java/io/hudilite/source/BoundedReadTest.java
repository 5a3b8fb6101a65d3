package io.hudilite.source;

import static io.hudilite.source.TestTable.delete;
import static io.hudilite.source.TestTable.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.base.ColumnCondition;
import io.hudilite.core.key.ByteText;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.source.config.RangeConfig;
import io.hudilite.source.config.RowHints;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@SuppressWarnings({"try", "StringSplitter"}) // a job runs until it is closed
class BoundedReadTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = Cluster.withSlots(8);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(RuntimeExecutionMode.class)
  void f35TableWithoutCommitIsEmpty(RuntimeExecutionMode mode) throws Exception {
    TestTable table = TestTable.create(folder);
    assertThat(read(table, mode, 2)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(RuntimeExecutionMode.class)
  void f35OneRow(RuntimeExecutionMode mode) throws Exception {
    TestTable table = TestTable.create(folder);
    table.commit(row("k1", "a", 1L, "p1"));
    assertThat(read(table, mode, 1)).containsExactly("+I[k1, a, 1, p1]");
  }

  @ParameterizedTest
  @EnumSource(RuntimeExecutionMode.class)
  void f35MoreReadersThanFileGroups(RuntimeExecutionMode mode) throws Exception {
    TestTable table = TestTable.create(folder);
    table.commit(row("k1", "a", 1L, "p1"), row("k2", "b", 1L, "p2"), row("k3", "c", 1L, "p3"));
    assertThat(read(table, mode, 8))
        .containsExactlyInAnyOrder("+I[k1, a, 1, p1]", "+I[k2, b, 1, p2]", "+I[k3, c, 1, p3]");
  }

  @Test
  void f35ManyRowsOfManyFileGroups() throws Exception {
    TestTable table = TestTable.create(folder, TestTable.COLUMNS, List.of("p"), 7);
    List<RowData> rows = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      rows.add(row("k" + i, "v", (long) i, "p" + i % 3));
    }
    table.commit(rows);
    assertThat(read(table, RuntimeExecutionMode.BATCH, 4)).hasSize(10_000).doesNotHaveDuplicates();
  }

  @Test
  void partsOfLargeFilesHaveEachRowOnce() throws Exception {
    TestTable table = TestTable.create(folder);
    List<RowData> rows = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      rows.add(row("k" + i, "v", (long) i, "p" + i % 2));
    }
    table.commit(rows);
    HudiSource.Builder parts = source(table).ranges(RangeConfig.DEFAULT.withSplitBytes(5_000));
    assertThat(
            TestJob.reading(name(), parts.build(), TestTable.COLUMNS).parallelism(3).run().rows())
        .hasSize(3_000)
        .doesNotHaveDuplicates();
    // The first look of a stream from the beginning is one at the whole table, too.
    String end = InstantTime.ofUtcMillis(System.currentTimeMillis()).toString();
    HudiSource.Builder stream =
        parts
            .continuous()
            .startCommit("earliest")
            .endCommit(end)
            .checkInterval(Duration.ofMillis(50));
    assertThat(TestJob.readingStaged(name(), stream, TestTable.COLUMNS).parallelism(3).run().rows())
        .hasSize(3_000)
        .doesNotHaveDuplicates();
  }

  @Test
  void f35MissingTableIsAClearError() {
    HudiSource source =
        HudiSource.builder()
            .path(folder.resolve("nowhere").toString())
            .rowType(TestTable.COLUMNS)
            .build();
    assertThatThrownBy(() -> TestJob.reading(name(), source, TestTable.COLUMNS).run())
        .hasStackTraceContaining("HudiTableException")
        .hasStackTraceContaining("nowhere");
  }

  @Test
  void snapshotMergesBaseAndLogFiles() throws Exception {
    TestTable table = TestTable.create(folder);
    table.commit(row("k1", "a", 1L, "p1"), row("k2", "b", 1L, "p1"), row("k3", "c", 1L, "p2"));
    table.commit(row("k1", "a2", 2L, "p1"), delete("k2", "b", 2L, "p1"), row("k4", "d", 2L, "p1"));
    assertThat(read(table, RuntimeExecutionMode.STREAMING, 2))
        .containsExactlyInAnyOrder("+I[k1, a2, 2, p1]", "+I[k3, c, 1, p2]", "+I[k4, d, 2, p1]");
  }

  @Test
  void f41ColumnsInAnyOrderAndNoneAtAll() throws Exception {
    RowType columns = TestTable.strings("p", "id", "v", "ts");
    TestTable table = TestTable.create(folder, columns, List.of("p"), 1);
    table.commit(row("p1", "k1", "a", 1L), row("p1", "k2", "b", 1L), row("p2", "k3", "c", 1L));
    table.commit(delete("p1", "k2", "b", 1L));

    assertThat(read(table, TestTable.strings("p"))).containsExactlyInAnyOrder("+I[p1]", "+I[p2]");
    assertThat(read(table, TestTable.strings("v", "id")))
        .containsExactlyInAnyOrder("+I[a, k1]", "+I[c, k3]");
    assertThat(read(table, TestTable.strings())).containsExactly("+I[]", "+I[]");
    assertThat(read(table, TestTable.strings("ts", "_hoodie_record_key", "v")))
        .containsExactlyInAnyOrder("+I[1, k1, a]", "+I[1, k3, c]");
  }

  /** Conditions are hints: whoever gives them filters as well. */
  @Test
  void f46ConditionsHideNeitherNewerRowsNorDeletes() throws Exception {
    TestTable table = TestTable.create(folder);
    table.commit(row("k1", "5", 10L, "p1"), row("k2", "1", 10L, "p1"));
    table.compact();
    table.commit(row("k1", "9", 7L, "p1"));
    assertThat(where(table, "9")).isEmpty();
    assertThat(where(table, "5")).containsExactly("+I[k1, 5, 10, p1]");
    table.commit(row("k1", "7", 20L, "p1"));
    assertThat(where(table, "5")).isEmpty();
    assertThat(where(table, "7")).containsExactly("+I[k1, 7, 20, p1]");
    table.commit(delete("k2", "1", 30L, "p1"));
    assertThat(where(table, "1")).isEmpty();
  }

  /** The rows with this value, by a source that was told of the condition. */
  private static List<String> where(TestTable table, String value) throws Exception {
    ColumnCondition condition =
        new ColumnCondition.Comparison("v", ColumnCondition.Operator.EQUAL, ByteText.of(value));
    HudiSource source = source(table).hints(new RowHints(condition, Long.MAX_VALUE)).build();
    return TestJob.reading(name(), source, TestTable.COLUMNS).run().rows().stream()
        .filter(row -> row.split(", ")[1].equals(value))
        .toList();
  }

  @Test
  void columnThatTheTableHasNotIsAClearError() throws Exception {
    TestTable table = TestTable.create(folder);
    table.commit(row("k1", "a", 1L, "p1"));
    assertThatThrownBy(() -> read(table, TestTable.strings("id", "typo")))
        .hasStackTraceContaining("Column 'typo' is not in the table")
        .hasStackTraceContaining("[id, v, ts, p]");
  }

  @Test
  void partitionFilterLeavesPartitionsOut() throws Exception {
    TestTable table = TestTable.create(folder);
    table.commit(row("k1", "a", 1L, "p1"), row("k2", "b", 1L, "p2"));
    HudiSource source = source(table).partitionFilter(path -> path.equals("p2")).build();
    assertThat(TestJob.reading(name(), source, TestTable.COLUMNS).run().rows())
        .containsExactly("+I[k2, b, 1, p2]");
  }

  @Test
  void f31BoundedChangesFromStartToEndBothIncluded() throws Exception {
    TestTable table = TestTable.create(folder);
    List<InstantTime> commits = commitLetters(table);
    HudiSource source =
        source(table)
            .startCommit(commits.get(2).digits())
            .endCommit(commits.get(3).digits())
            .build();
    assertThat(values(TestJob.reading(name(), source, TestTable.COLUMNS).run().rows()))
        .containsExactlyInAnyOrder("C", "D");
  }

  @Test
  void f31EndAloneIsTheTableAsItWasThen() throws Exception {
    TestTable table = TestTable.create(folder);
    List<InstantTime> commits = commitLetters(table);
    HudiSource source = source(table).endCommit(commits.get(2).digits()).build();
    assertThat(values(TestJob.reading(name(), source, TestTable.COLUMNS).run().rows()))
        .containsExactlyInAnyOrder("A", "B", "C");
  }

  @Test
  void asOfIsTheTableAsItWasAfterThatInstant() throws Exception {
    TestTable table = TestTable.create(folder);
    table.commit(row("k1", "a", 1L, "p1"), row("k2", "b", 1L, "p1"));
    InstantTime second = table.commit(row("k1", "a2", 2L, "p1"));
    table.commit(row("k1", "a3", 3L, "p1"), delete("k2", "b", 3L, "p1"));
    HudiSource source = source(table).asOf(second.digits()).build();
    assertThat(TestJob.reading(name(), source, TestTable.COLUMNS).run().rows())
        .containsExactlyInAnyOrder("+I[k1, a2, 2, p1]", "+I[k2, b, 1, p1]");
  }

  @Test
  void corruptFileFailsWithItsName() throws Exception {
    TestTable table = TestTable.create(folder);
    table.commit(row("k1", "a", 1L, "p1"));
    Path base;
    try (var files = Files.list(folder.resolve("p1"))) {
      base = files.filter(file -> file.toString().endsWith(".parquet")).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(base);
    bytes[bytes.length - 6] ^= 0x55;
    Files.write(base, bytes);
    assertThatThrownBy(() -> read(table, RuntimeExecutionMode.BATCH, 1))
        .hasStackTraceContaining(base.getFileName().toString());
  }

  static List<InstantTime> commitLetters(TestTable table) throws Exception {
    List<InstantTime> commits = new ArrayList<>();
    for (String letter : List.of("A", "B", "C", "D", "E")) {
      commits.add(table.commit(row(letter, letter, 1L, "p1")));
    }
    return commits;
  }

  static List<String> values(List<String> rows) {
    return rows.stream().map(row -> row.split(", ")[1]).toList();
  }

  private static HudiSource.Builder source(TestTable table) {
    return HudiSource.builder().path(table.path()).rowType(TestTable.COLUMNS);
  }

  private static List<String> read(TestTable table, RowType columns) throws Exception {
    HudiSource source = HudiSource.builder().path(table.path()).rowType(columns).build();
    return TestJob.reading(name(), source, columns).run().rows();
  }

  private static List<String> read(TestTable table, RuntimeExecutionMode mode, int parallelism)
      throws Exception {
    return TestJob.reading(name(), source(table).build(), TestTable.COLUMNS)
        .mode(mode)
        .parallelism(parallelism)
        .run()
        .rows();
  }

  private static String name() {
    return UUID.randomUUID().toString();
  }
}
