package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.after;
import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.TableType;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.log.LogBlock;
import io.hudilite.core.log.LogReader;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.sink.config.IndexKind;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.config.WriteOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The requirements about index and write path, by their numbers; those about merging are in {@link
 * MergeRequirementsTest}, those about files in {@code OrdersTableTest}, 54 and 55 in {@link
 * MetricsTest}, 31 and 56 in {@link CommitCasesTest}.
 */
class WriteRequirementsTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SinkJob.cluster();

  @TempDir Path folder;

  @AfterEach
  void mendStorage() {
    FaultyFileSystem.set(new FaultyFileSystem.Fault() {});
  }

  private static List<RowData> rows(int count, int partitions) {
    return IntStream.range(0, count)
        .mapToObj(i -> insert("k" + i, "value " + i * 7919L, 1, "p" + i % partitions))
        .toList();
  }

  private static Set<FileGroupId> groups(CommitMetadata... commits) {
    Set<FileGroupId> groups = new HashSet<>();
    for (CommitMetadata commit : commits) {
      for (WriteStat stat : commit.writeStats()) {
        groups.add(
            new FileGroupId(stat.partitionPath(), new io.hudilite.core.file.FileId(stat.fileId())));
      }
    }
    return groups;
  }

  private static long bytes(CommitMetadata commit) {
    return commit.writeStats().stream().mapToLong(WriteStat::fileSizeInBytes).sum();
  }

  @Test
  void row26UpdateOfOneKeyTouchesOneGroupAndLessThanAHundredthOfTheBytes() throws Exception {
    SinkJob job = SinkJob.on(folder);
    job.run(rows(20_000, 16), List.of(after("k777", "new", 2, "p" + 777 % 16)));
    List<CommitMetadata> commits = job.commits();
    assertThat(groups(commits.get(0))).hasSizeGreaterThanOrEqualTo(16);
    assertThat(groups(commits.get(1))).hasSize(1);
    assertThat(bytes(commits.get(1))).isLessThan(bytes(commits.get(0)) / 100);
  }

  @Test
  void row28FourBucketsAreFourFileGroupsAndEightAreRefused() throws Exception {
    SinkJob job =
        SinkJob.on(folder)
            .config(
                config ->
                    config.index(IndexKind.BUCKET).indexScope(IndexScope.PARTITION).buckets(4));
    job.run(rows(10_000, 1));
    assertThat(job.table().view().latestSlices("p0")).hasSize(4);
    job.config(
        config -> config.index(IndexKind.BUCKET).indexScope(IndexScope.PARTITION).buckets(8));
    assertThatThrownBy(() -> job.run(rows(1, 1)))
        .hasStackTraceContaining("4")
        .hasStackTraceContaining("8");
  }

  @ParameterizedTest
  @EnumSource(TableType.class)
  void row29KeyThatChangesItsPartitionIsThereOnceAndALateRowStaysAway(TableType type)
      throws Exception {
    SinkJob job = SinkJob.on(folder.resolve("table")).type(type);
    job.run(
        List.of(insert("k1", "a", 10, "A")),
        List.of(after("k1", "b", 20, "B")),
        List.of(after("k1", "late", 15, "A")));
    assertThat(job.rows()).containsExactly("[k1, b, 20, B]");
    SinkJob perPartition =
        SinkJob.on(folder.resolve("partition"))
            .type(type)
            .config(config -> config.indexScope(IndexScope.PARTITION));
    perPartition.run(List.of(insert("k1", "a", 10, "A")), List.of(insert("k1", "b", 20, "B")));
    assertThat(perPartition.rows()).containsExactly("[k1, a, 10, A]", "[k1, b, 20, B]");
    // As in Hudi: no state tells where a key was. Only its -U or -D takes it away there (F24).
    SinkJob buckets =
        SinkJob.on(folder.resolve("buckets"))
            .type(type)
            .config(
                config ->
                    config.index(IndexKind.BUCKET).indexScope(IndexScope.PARTITION).buckets(2));
    buckets.run(List.of(insert("k1", "a", 10, "A")), List.of(insert("k1", "b", 20, "B")));
    assertThat(buckets.rows()).containsExactly("[k1, a, 10, A]", "[k1, b, 20, B]");
  }

  @ParameterizedTest
  @EnumSource(TableType.class)
  void row33NewKeysGoToTheSmallFileGroupThatIsThere(TableType type) throws Exception {
    SinkJob job = SinkJob.on(folder).type(type).parallelism(1);
    job.run(rows(10, 1));
    job.run(IntStream.range(10, 20).mapToObj(i -> insert("k" + i, "v", 1, "p0")).toList());
    assertThat(job.rows()).hasSize(20);
    assertThat(groups(job.commits().toArray(CommitMetadata[]::new))).hasSize(1);
    if (type == TableType.COPY_ON_WRITE) {
      assertThat(job.commits()).allSatisfy(commit -> assertThat(commit.writeStats()).hasSize(1));
    }
  }

  @ParameterizedTest
  @EnumSource(TableType.class)
  void row45ReaderNeverSeesHalfACommit(TableType type) throws Exception {
    List<List<RowData>> checkpoints = new ArrayList<>();
    for (int i = 1; i <= 100; i++) {
      checkpoints.add(List.of(after("k1", "v" + i, i, "p1"), after("k2", "v" + i, i, "p2")));
    }
    SinkJob job = SinkJob.on(folder).type(type).flink("execution.checkpointing.interval", "10ms");
    JobClient running = job.start(ScriptedSource.bounded(checkpoints));
    CompletableFuture<?> end = running.getJobExecutionResult();
    int looks = 0;
    while (!end.isDone()) {
      if (job.exists()) {
        List<String> rows = job.rows();
        assertThat(rows.stream().map(row -> row.split(", ")[1]).distinct())
            .as("%s", rows)
            .hasSizeLessThanOrEqualTo(1);
        looks++;
      }
    }
    end.get(1, TimeUnit.SECONDS);
    assertThat(looks).isPositive();
    assertThat(job.rows()).containsExactly("[k1, v100, 100, p1]", "[k2, v100, 100, p2]");
  }

  @Test
  void row46WhatADeadJobBeganIsTakenBack() throws Exception {
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public Pattern files() {
            return Pattern.compile(".*\\.parquet");
          }

          @Override
          public void after(int n) throws IOException {
            if (n == 3) {
              throw new IOException("planned");
            }
          }
        });
    SinkJob job =
        SinkJob.on(FaultyFileSystem.SCHEME + "://" + folder.resolve("t").toUri().getPath())
            .flink("restart-strategy.type", "none");
    assertThatThrownBy(() -> job.run(rows(10, 5))).hasStackTraceContaining("planned");
    List<Instant> dead = job.table().timeline().pendingWrites();
    assertThat(dead).hasSize(1);
    assertThat(files(dead.get(0))).isNotEmpty();
    job.run(List.of(insert("k99", "a", 1, "p1")));
    assertThat(files(dead.get(0))).isEmpty();
    assertThat(job.table().timeline().instants())
        .anyMatch(
            instant -> instant instanceof Instant.Completed && instant.action() == Action.ROLLBACK);
    assertThat(job.rows()).containsExactly("[k99, a, 1, p1]");
  }

  private List<Path> files(Instant instant) throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("t"))) {
      return all.filter(file -> !file.toString().contains(".hoodie/"))
          .filter(file -> file.getFileName().toString().contains(instant.requestedTime().digits()))
          .toList();
    }
  }

  @Test
  void row49OperatorsHaveTheNamesThatUsersSearchFor() {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(
            Configuration.fromMap(
                java.util.Map.of(
                    "execution.checkpointing.interval", "1s",
                    "pipeline.operator-chaining.enabled", "false")));
    SinkJob.on(folder)
        .sink()
        .append(
            env.fromSource(
                ScriptedSource.unbounded(List.of()),
                org.apache.flink.api.common.eventtime.WatermarkStrategy.noWatermarks(),
                "rows",
                InternalTypeInfo.of(SinkJob.ROW_TYPE)));
    JobGraph graph = env.getStreamGraph().getJobGraph();
    assertThat(StreamSupport.stream(graph.getVertices().spliterator(), false))
        .extracting(JobVertex::getName)
        .anyMatch(name -> name.contains("row_to_record"))
        .anyMatch(name -> name.contains("bucket_assigner"))
        .anyMatch(name -> name.contains("stream_writer"));
  }

  @Test
  void row50And51EachCheckpointWithRowsIsOneInstantAndOneIsOpenAtMost() throws Exception {
    AtomicInteger mostOpen = new AtomicInteger();
    List<List<RowData>> checkpoints = new ArrayList<>();
    for (int i = 1; i <= 8; i++) {
      checkpoints.add(List.of(after("k1", "v" + i, i, "p1"), after("k2", "v" + i, i, "p1")));
    }
    SinkJob job = SinkJob.on(folder);
    job.run(
        ScriptedSource.bounded(checkpoints)
            .hook(
                (group, row) -> {
                  if (job.exists()) {
                    int open = job.table().timeline().pendingWrites().size();
                    mostOpen.accumulateAndGet(open, Math::max);
                  }
                }));
    assertThat(job.commits()).hasSize(8);
    assertThat(mostOpen.get()).as("of the checkpoint before, and of this one").isBetween(0, 2);
  }

  @Test
  void row52FlushesWithinACheckpointAreLogFilesOfOneInstant() throws Exception {
    SinkJob job =
        SinkJob.on(folder)
            .parallelism(1)
            .config(config -> config.batchSize(MemorySize.parse("2kb")));
    List<RowData> updates =
        IntStream.range(0, 100).mapToObj(i -> after("k" + i, "x".repeat(100), 2, "p0")).toList();
    job.run(rows(100, 1), updates);
    List<CommitMetadata> commits = job.commits();
    assertThat(commits).hasSize(2);
    HudiTable table = job.table();
    int blocks = 0;
    for (WriteStat stat : commits.get(1).writeStats()) {
      assertThat(stat.isLogFile()).isTrue();
      try (LogReader reader =
          LogReader.open(table.storage(), stat.path(), stat.fileSizeInBytes())) {
        for (LogBlock block = reader.next(); block != null; block = reader.next()) {
          blocks++;
        }
      }
    }
    assertThat(blocks).isGreaterThan(3);
    assertThat(job.rows()).hasSize(100).allMatch(row -> row.contains("xxx"));
  }

  @Test
  void row18InsertAndUpsertNeedNoOrderingColumn() throws Exception {
    for (WriteOperation operation : List.of(WriteOperation.INSERT, WriteOperation.UPSERT)) {
      SinkJob job =
          SinkJob.on(folder.resolve(operation.name()))
              .schema(new TableSchema(SinkJob.ROW_TYPE, List.of("id"), List.of("p"), List.of()))
              .config(config -> config.operation(operation));
      job.run(List.of(insert("k1", "a", 5, "p1")), List.of(insert("k1", "b", 1, "p1")));
      assertThat(job.rows()).hasSize(operation == WriteOperation.INSERT ? 2 : 1);
      assertThat(job.rows()).contains("[k1, b, 1, p1]");
    }
  }
}
