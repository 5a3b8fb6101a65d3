package io.hudilite.source;

import static io.hudilite.source.BoundedReadTest.commitLetters;
import static io.hudilite.source.BoundedReadTest.values;
import static io.hudilite.source.TestTable.delete;
import static io.hudilite.source.TestTable.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.timeline.InstantTime;
import io.hudilite.source.config.PartitionFilter;
import io.hudilite.source.config.RangeConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings({"try", "StringSplitter"}) // a job runs until it is closed
class StreamingReadTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = Cluster.withSlots(4);
  private static final Duration OFTEN = Duration.ofMillis(50);
  private static final Duration RARELY = Duration.ofHours(1);

  @TempDir Path folder;

  private final String name = UUID.randomUUID().toString();

  @Test
  void f31aEarliestReadsAllAndWhatFollows() throws Exception {
    TestTable table = TestTable.create(folder);
    commitLetters(table);
    try (TestJob job = read(table, "earliest")) {
      Collected.of(name).awaitCount(5);
      table.commit(row("F", "F", 1L, "p1"));
      assertThat(values(Collected.of(name).awaitCount(6)))
          .containsExactlyInAnyOrder("A", "B", "C", "D", "E", "F")
          .endsWith("F");
    }
  }

  @Test
  void f31bStartIsIncluded() throws Exception {
    TestTable table = TestTable.create(folder);
    List<InstantTime> commits = commitLetters(table);
    try (TestJob job = read(table, commits.get(2).digits())) {
      Collected.of(name).awaitCount(3);
      table.commit(row("F", "F", 1L, "p1"));
      assertThat(values(Collected.of(name).awaitCount(4)))
          .containsExactlyInAnyOrder("C", "D", "E", "F")
          .endsWith("F");
    }
  }

  @Test
  void f31cWithoutStartTheLatestCommitAndWhatFollows() throws Exception {
    TestTable table = TestTable.create(folder);
    commitLetters(table);
    try (TestJob job = read(table, null)) {
      Collected.of(name).awaitCount(1);
      table.commit(row("F", "F", 1L, "p1"));
      assertThat(values(Collected.of(name).awaitCount(2))).containsExactly("E", "F");
    }
  }

  @Test
  void f31dStartAfterTheLastCommitReadsOnlyWhatFollows() throws Exception {
    TestTable table = TestTable.create(folder);
    commitLetters(table);
    // A moment behind the last commit that the next commit will be behind, too.
    String start = InstantTime.ofMillis(System.currentTimeMillis() + 1, ZoneOffset.UTC).digits();
    try (TestJob job = read(table, start)) {
      table.commit(row("F", "F", 1L, "p1"));
      Collected.of(name).awaitCount(1);
      table.commit(row("G", "G", 1L, "p1"));
      assertThat(values(Collected.of(name).awaitCount(2))).containsExactly("F", "G");
    }
  }

  @Test
  void f17DeleteRowHoldsKeyPartitionAndOrdering() throws Exception {
    RowType columns = TestTable.strings("id", "v", "ts", "d", "h");
    TestTable table = TestTable.create(folder, columns, List.of("d", "h"), 1);
    table.commit(row("id1", "v", 1L, "d1", "h1"), row("id2", "v", 1L, "d1", "h1"));
    HudiSource source = source(table, columns).startCommit("earliest").build();
    try (TestJob job = TestJob.reading(name, source, columns).start()) {
      Collected.of(name).awaitCount(2);
      table.commit(delete("id1", "v", 2L, "d1", "h1"));
      List<String> rows = Collected.of(name).awaitCount(3);
      assertThat(rows.get(2)).isEqualTo("-D[id1, null, 2, d1, h1]");
      assertThat(Collected.fold(rows)).containsOnlyKeys("id2");
    }
  }

  @Test
  void f23KeyThatMovesBetweenPartitionsIsDeletedThenWritten() throws Exception {
    f23(this::oneReader, settings -> settings);
  }

  @Test
  void f23OneReaderStaysInOrderOnTheNetwork() throws Exception {
    f23(this::oneReader, settings -> settings.byKey().slowNetwork());
  }

  @Test
  void f23FourReadersStayInOrderOnTheNetwork() throws Exception {
    f23(this::fourReaders, TestJob.Setup::slowNetwork);
  }

  @Test
  void f23FourReadersStayInOrderWithCheckpoints() throws Exception {
    f23(this::fourReaders, settings -> settings.byKey().slowNetwork().exactlyOnce());
  }

  @Test
  void f23FourReadersStayInOrderWithUnalignedCheckpoints() throws Exception {
    f23(this::fourReaders, settings -> settings.slowNetwork().unaligned());
  }

  private TestJob.Setup oneReader(HudiSource.Builder source) {
    return TestJob.reading(name, source.rowType(TestTable.COLUMNS).build(), TestTable.COLUMNS);
  }

  private TestJob.Setup fourReaders(HudiSource.Builder source) {
    return TestJob.readingStaged(name, source, TestTable.COLUMNS);
  }

  private void f23(
      Function<HudiSource.Builder, TestJob.Setup> reading, UnaryOperator<TestJob.Setup> settings)
      throws Exception {
    TestTable table = TestTable.create(folder);
    List<RowData> first = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      first.add(row("k" + i, "a", 0L, "p" + i % 4));
    }
    table.commit(first);
    HudiSource.Builder source = source(table, TestTable.COLUMNS).startCommit("earliest");
    TestJob.Setup setup = reading.apply(source).parallelism(4);
    try (TestJob job = settings.apply(setup).start()) {
      Collected.of(name).awaitCount(40);
      for (int round = 1; round <= 4; round++) {
        List<RowData> moved = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
          moved.add(row("k" + i, "b" + round, (long) round, "p" + (i + round) % 4));
        }
        table.commit(moved);
        String value = "b" + round;
        List<String> rows =
            Collected.of(name)
                .await(
                    all -> {
                      Collection<String> folded = Collected.fold(all).values();
                      return folded.size() == 40
                          && folded.stream().allMatch(content -> content.contains(value));
                    });
        assertThat(rows.stream().filter(r -> r.contains(value))).hasSize(40);
      }
      table.commit(row("end", "end", 9L, "p0"));
      List<String> rows =
          Collected.of(name).await(all -> all.stream().anyMatch(r -> r.contains("[end")));
      assertThat(Collected.fold(rows)).hasSize(41);
    }
  }

  @Test
  void fourReadersReadWhenKeysMove() throws Exception {
    TestTable table = TestTable.create(folder, TestTable.COLUMNS, List.of("p"), 4);
    List<RowData> first = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      first.add(row("k" + i, "a", 0L, "p" + i % 4));
    }
    table.commit(first);
    HudiSource.Builder source = source(table, TestTable.COLUMNS).startCommit("earliest");
    RowType values = TestTable.strings("v"); // the key is read, but not given
    TestJob.Setup setup = TestJob.readingStaged(name, source, values).parallelism(3);
    try (TestJob job = setup.start()) {
      Collected.of(name).awaitCount(40);
      table.commit(row("k1", "b", 1L, "p3"), row("k2", "c", 1L, "p0"));
      List<String> rows =
          Collected.of(name)
              .await(
                  all ->
                      all.containsAll(List.of("+U[b]", "+U[c]"))
                          || all.containsAll(List.of("+I[b]", "+I[c]")));
      assertThat(rows).hasSizeBetween(42, 44);
    }
  }

  @Test
  void f29DeleteAmongManyInsertsIsNotLost() throws Exception {
    for (boolean slow : new boolean[] {false, true}) {
      String run = name + slow;
      TestTable table = TestTable.create(folder.resolve("slow-" + slow));
      List<RowData> first = new ArrayList<>();
      for (int i = 1; i <= 10; i++) {
        first.add(row("k" + i, "a", 1L, "p1"));
      }
      InstantTime start = table.commit(first);
      List<RowData> second = new ArrayList<>();
      second.add(delete("k3", "a", 2L, "p1"));
      for (int i = 1; i <= 5000; i++) {
        second.add(row("n" + i, "a", 2L, "p1"));
      }
      if (slow) { // commit and compaction are done before the reader looks
        table.commit(second);
        table.compact();
      }
      HudiSource source = source(table, TestTable.COLUMNS).startCommit(start.digits()).build();
      try (TestJob job = TestJob.reading(run, source, TestTable.COLUMNS).start()) {
        if (!slow) {
          Collected.of(run).awaitCount(10);
          table.commit(second);
          table.compact();
        }
        List<String> rows =
            Collected.of(run)
                .await(all -> all.stream().filter(r -> r.contains("[n")).count() >= 5000);
        assertThat(Collected.fold(rows)).containsOnlyKeys(table.liveKeys().toArray(new String[0]));
        assertThat(Collected.fold(rows)).hasSize(5009).doesNotContainKey("k3");
      }
    }
  }

  @Test
  void f26CompactionIsNoChange() throws Exception {
    TestTable table = TestTable.create(folder);
    table.commit(row("k1", "a", 1L, "p1"));
    table.compact();
    try (TestJob job = read(table, "earliest")) {
      Collected.of(name).awaitCount(1);
      table.commit(row("k2", "b", 2L, "p1"));
      Collected.of(name).awaitCount(2);
      table.compact();
      table.commit(row("k1", "c", 3L, "p1"));
      Collected.of(name).awaitCount(3);
      table.compact();
      table.commit(row("end", "end", 4L, "p1"));
      assertThat(values(Collected.of(name).awaitCount(4))).containsExactly("a", "b", "c", "end");
    }
  }

  @Test
  void f32PartitionsCreatedLaterAreRead() throws Exception {
    RowType columns = TestTable.strings("id", "v", "ts", "day", "typ");
    TestTable table = TestTable.create(folder, columns, List.of("day", "typ"), 1);
    table.commit(row("k1", "x", 1L, "11", "login"), row("k2", "x", 1L, "11", "pay"));
    PartitionFilter any = path -> true;
    PartitionFilter fromDay11 = path -> path.compareTo("11") >= 0;
    PartitionFilter logins = path -> path.endsWith("/login");
    try (TestJob q1 = f32Query("q1", table, columns, any);
        TestJob q2 = f32Query("q2", table, columns, fromDay11);
        TestJob q3 = f32Query("q3", table, columns, logins)) {
      Collected.of(name + "q1").awaitCount(2);
      Collected.of(name + "q2").awaitCount(2);
      Collected.of(name + "q3").awaitCount(1);
      table.commit(row("k3", "x", 2L, "12", "login"), row("k4", "x", 2L, "12", "pay"));
      assertThat(keys(Collected.of(name + "q1").awaitCount(4)))
          .isEqualTo(Set.of("k1", "k2", "k3", "k4"));
      assertThat(keys(Collected.of(name + "q2").awaitCount(4)))
          .isEqualTo(Set.of("k1", "k2", "k3", "k4"));
      assertThat(keys(Collected.of(name + "q3").awaitCount(2))).isEqualTo(Set.of("k1", "k3"));
    }
  }

  private TestJob f32Query(String query, TestTable table, RowType columns, PartitionFilter filter)
      throws Exception {
    HudiSource source =
        source(table, columns).startCommit("earliest").partitionFilter(filter).build();
    return TestJob.reading(name + query, source, columns).start();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void f33RowsOfAnOverwrittenPartitionAreDeletes(boolean staged) throws Exception {
    TestTable table = TestTable.create(folder);
    table.commit(row("k1", "a", 1L, "p1"), row("k2", "b", 1L, "p2"), row("k4", "d", 1L, "p1"));
    HudiSource.Builder source = source(table, TestTable.COLUMNS).startCommit("earliest");
    TestJob.Setup setup = staged ? fourReaders(source) : oneReader(source);
    try (TestJob job = setup.parallelism(2).slowNetwork().start()) {
      Collected.of(name).awaitCount(3);
      table.commit(row("k1", "a2", 2L, "p1"));
      table.overwrite("p1", row("k3", "c", 2L, "p1"), row("k4", "d2", 2L, "p1"));
      table.commit(row("k2", "b2", 3L, "p2"));
      List<String> rows =
          Collected.of(name)
              .await(
                  all ->
                      all.stream().anyMatch(r -> r.contains("b2"))
                          && Collected.fold(all).keySet().equals(Set.of("k2", "k3", "k4")));
      assertThat(rows).anyMatch(r -> r.startsWith("-D[k1, "));
    }
  }

  @Test
  void f33OverwritesAreLeftOutIfAskedFor() throws Exception {
    TestTable table = TestTable.create(folder);
    table.commit(row("k1", "a", 1L, "p1"), row("k2", "b", 1L, "p2"));
    HudiSource source =
        source(table, TestTable.COLUMNS)
            .startCommit("earliest")
            .ranges(RangeConfig.DEFAULT.withoutOverwrites())
            .build();
    try (TestJob job = TestJob.reading(name, source, TestTable.COLUMNS).start()) {
      Collected.of(name).awaitCount(2);
      table.overwrite("p1", row("k3", "c", 2L, "p1"));
      table.commit(row("k2", "b2", 3L, "p2"));
      assertThat(values(Collected.of(name).awaitCount(3))).containsExactly("a", "b", "b2");
    }
  }

  /** Clustering moves keys to other file groups, also between two changes of one look. */
  @Test
  void f27ClusteringMakesNoRowNew() throws Exception {
    TestTable table = TestTable.create(folder);
    InstantTime start = table.commit(row("k1", "a", 1L, "p1"), row("k2", "x", 1L, "p1"));
    table.cluster();
    table.commit(row("k1", "b", 2L, "p1"));
    table.commit(row("k1", "c", 3L, "p2"));
    table.cluster();
    table.commit(row("k3", "d", 4L, "p1"), delete("k2", "x", 4L, "p1"));
    HudiSource.Builder source = source(table, TestTable.COLUMNS).startCommit(start.digits());
    try (TestJob job = fourReaders(source).parallelism(3).slowNetwork().start()) {
      List<String> rows =
          Collected.of(name)
              .await(
                  all ->
                      all.stream().anyMatch(r -> r.startsWith("-D[k2"))
                          && Collected.fold(all).keySet().equals(Set.of("k1", "k3"))
                          && Collected.fold(all).get("k1").contains("c"));
      assertThat(rows.stream().filter(r -> r.contains(", x,"))).hasSizeLessThan(2);
    }
    HudiSource changes =
        HudiSource.builder()
            .path(table.path())
            .rowType(TestTable.COLUMNS)
            .startCommit(start.digits())
            .ranges(RangeConfig.DEFAULT.withoutDeletes())
            .build();
    assertThat(values(TestJob.reading(name + "b", changes, TestTable.COLUMNS).run().rows()))
        .containsExactlyInAnyOrder("c", "d");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void streamEndsWithTheEndThatIsAskedFor(boolean staged) throws Exception {
    TestTable table = TestTable.create(folder);
    List<InstantTime> commits = commitLetters(table);
    HudiSource.Builder source =
        source(table, TestTable.COLUMNS)
            .startCommit(commits.get(1).digits())
            .endCommit(commits.get(3).digits());
    TestJob.Setup setup = staged ? fourReaders(source) : oneReader(source);
    assertThat(values(setup.parallelism(2).run().rows())).containsExactlyInAnyOrder("B", "C", "D");
  }

  @Test
  void commitsLimitGivesEachVersion() throws Exception {
    TestTable table = TestTable.create(folder);
    InstantTime start = table.commit(row("k", "1", 1L, "p1"));
    table.commit(row("k", "2", 2L, "p1"));
    table.commit(row("k", "3", 3L, "p1"));
    HudiSource.Builder source = source(table, TestTable.COLUMNS).startCommit(start.digits());
    source.ranges(RangeConfig.DEFAULT.withMaxCommits(1));
    try (TestJob job = oneReader(source).start()) {
      assertThat(values(Collected.of(name).awaitCount(3))).containsExactly("1", "2", "3");
    }
  }

  @Test
  void f28FilesThatWereCleanedAreAClearError() throws Exception {
    TestTable table = TestTable.create(folder);
    InstantTime first = table.commit(row("k1", "a", 1L, "p1"), row("k2", "b", 1L, "p1"));
    table.commit(row("k1", "c", 2L, "p1"));
    InstantTime compaction = table.compact().orElseThrow();
    InstantTime later = table.commit(row("k2", "d", 3L, "p1"));
    table.deleteFilesBefore(compaction);
    HudiSource.Builder stream = source(table, TestTable.COLUMNS).startCommit(first.digits());
    HudiSource.Builder once =
        source(table, TestTable.COLUMNS).startCommit(first.digits()).bounded();
    for (HudiSource source : List.of(stream.build(), once.build())) {
      assertThatThrownBy(
              () -> {
                try (TestJob job = TestJob.reading(name, source, TestTable.COLUMNS).start()) {
                  job.awaitEnd();
                }
              })
          .hasStackTraceContaining("holds changes of instant " + first)
          .hasStackTraceContaining("earliest instant that can still be read is " + compaction)
          .hasStackTraceContaining("read.start-commit")
          .hasStackTraceContaining("clean.retain_commits");
    }
    HudiSource.Builder rest = source(table, TestTable.COLUMNS).startCommit(later.digits());
    try (TestJob job = TestJob.reading(name + "rest", rest.build(), TestTable.COLUMNS).start()) {
      assertThat(values(Collected.of(name + "rest").awaitCount(1))).containsExactly("d");
    }
  }

  @Test
  void tableThatIsNotThereYetIsWaitedFor() throws Exception {
    Path later = folder.resolve("later");
    HudiSource source =
        HudiSource.builder()
            .path(later.toString())
            .rowType(TestTable.COLUMNS)
            .continuous()
            .checkInterval(OFTEN)
            .build();
    try (TestJob job = TestJob.reading(name, source, TestTable.COLUMNS).start()) {
      TestTable table = TestTable.create(later);
      table.commit(row("k1", "a", 1L, "p1"));
      table.commit(row("k2", "b", 1L, "p1"));
      assertThat(values(Collected.of(name).awaitCount(1))).isNotEmpty();
      table.commit(row("k3", "c", 1L, "p1"));
      assertThat(
              values(Collected.of(name).await(all -> all.stream().anyMatch(r -> r.contains("k3")))))
          .endsWith("c");
    }
  }

  @Test
  void folderThatHoldsOtherFilesIsNoTable() throws Exception {
    Files.writeString(folder.resolve("data.csv"), "1,2,3");
    HudiSource source =
        HudiSource.builder()
            .path(folder.toString())
            .rowType(TestTable.COLUMNS)
            .continuous()
            .checkInterval(OFTEN)
            .build();
    assertThatThrownBy(
            () -> {
              try (TestJob job = TestJob.reading(name, source, TestTable.COLUMNS).start()) {
                job.awaitEnd();
              }
            })
        .hasStackTraceContaining("is no table")
        .hasStackTraceContaining("data.csv");
  }

  @Test
  void rarelyLookingReaderReadsWhatIsThereAtOnce() throws Exception {
    TestTable table = TestTable.create(folder);
    commitLetters(table);
    HudiSource source =
        source(table, TestTable.COLUMNS).startCommit("earliest").checkInterval(RARELY).build();
    try (TestJob job = TestJob.reading(name, source, TestTable.COLUMNS).parallelism(2).start()) {
      assertThat(values(Collected.of(name).awaitCount(5))).hasSize(5);
    }
  }

  @Test
  void hundredUpdatesOfOneKeyArriveInOrder() throws Exception {
    TestTable table = TestTable.create(folder);
    table.commit(row("k", "0", 0L, "p1"));
    try (TestJob job = read(table, "earliest", 4)) {
      for (int i = 1; i <= 100; i++) {
        table.commit(row("k", "" + i, (long) i, "p1"), row("o" + i % 7, "x", (long) i, "p2"));
      }
      List<String> rows =
          Collected.of(name).await(all -> all.stream().anyMatch(r -> r.contains("[k, 100,")));
      List<Integer> seen =
          rows.stream()
              .filter(r -> r.contains("[k,"))
              .map(r -> Integer.valueOf(r.split(", ")[1]))
              .toList();
      assertThat(seen).isSorted().doesNotHaveDuplicates().endsWith(100);
    }
  }

  private TestJob read(TestTable table, String start) throws Exception {
    return read(table, start, 1);
  }

  private TestJob read(TestTable table, String start, int parallelism) throws Exception {
    HudiSource source = source(table, TestTable.COLUMNS).startCommit(start).build();
    return TestJob.reading(name, source, TestTable.COLUMNS).parallelism(parallelism).start();
  }

  private static HudiSource.Builder source(TestTable table, RowType columns) {
    return HudiSource.builder()
        .path(table.path())
        .rowType(columns)
        .continuous()
        .checkInterval(OFTEN);
  }

  private static Set<String> keys(List<String> rows) {
    return rows.stream().map(row -> row.substring(3).split(", ")[0]).collect(Collectors.toSet());
  }
}
