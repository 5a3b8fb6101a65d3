package io.hudilite.core.clustering;

import static io.hudilite.core.testkit.MorTable.delete;
import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.base.BaseFileReader;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.clean.CleanRetention;
import io.hudilite.core.clean.Cleaner;
import io.hudilite.core.compact.Begun;
import io.hudilite.core.compact.CompletionLock;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.Changes;
import io.hudilite.core.testkit.Compactions;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.testkit.MorTable.Change;
import io.hudilite.core.testkit.ServiceCrashes;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.CommitOutcome;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;

final class ClusteringTest {
  private static final ClusteringStrategy SORTED =
      ClusteringStrategy.DEFAULT.sortedBy(Layout.LINEAR, List.of("name"));

  private final InMemoryStorage memory = new InMemoryStorage();

  private static ClusteringScheduler.Result schedule(
      MorTable table, Storage storage, ClusteringStrategy strategy) throws IOException {
    HudiTable.open(storage).timeline().newestTime().ifPresent(table.clock()::observe);
    return new ClusteringScheduler(ClusteringTrigger.ALWAYS, strategy, table.wall())
        .schedule(HudiTable.open(storage), table.clock().next());
  }

  private InstantTime plan(MorTable table, ClusteringStrategy strategy) throws IOException {
    return ((ClusteringScheduler.Result.Planned) schedule(table, memory, strategy)).instant();
  }

  private static MergeMemory memory() {
    return new MergeMemory(0, Path.of(System.getProperty("java.io.tmpdir")));
  }

  private static TableClustering clustering(Storage storage, MorTable table, String owner) {
    return new TableClustering(
        storage,
        BaseFileSettings.DEFAULT,
        memory(),
        new TakeOver(owner, Duration.ofMinutes(20), "", table.wall()));
  }

  private void cluster(MorTable table, ClusteringStrategy strategy) throws IOException {
    plan(table, strategy);
    assertThat(clustering(memory, table, "test").executePending())
        .allMatch(TableClustering.Result.Completed.class::isInstance);
    table.lookUpKeys();
  }

  private MorTable table(int groups) throws IOException {
    return MorTable.create(memory, groups, MergeMode.EVENT_TIME_ORDERING);
  }

  @Test
  void requirement73SmallFileGroupsBecomeOneWithTheSameRowsInOrder() throws IOException {
    MorTable table = table(3);
    InstantTime first =
        table.commit(
            upsert("p1", "k1", "c", 1),
            upsert("p1", "k2", "b", 1),
            upsert("p1", "k3", "a", 1),
            upsert("p1", "k4", "d", 1));
    InstantTime second = table.commit(upsert("p1", "k3", "z", 2), delete("p1", "k4", 2));
    InstantTime instant = plan(table, SORTED);
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    clustering(memory, table, "test").execute(instant);

    assertThat(table.rows()).isEqualTo(table.expectedRows());
    assertThat(table.readOptimizedRows()).isEqualTo(table.expectedRows());
    List<FileSlice> slices = table.open().view().latestSlices("p1");
    assertThat(slices).hasSize(1);
    String name = slices.get(0).baseFile().orElseThrow().name().toString();
    assertThat(metaRows(slices.get(0)))
        .containsExactly(first + " k2 " + name, first + " k1 " + name, second + " k3 " + name);
  }

  private List<String> metaRows(FileSlice slice) throws IOException {
    RowType all = AvroSchemas.withMetaColumns(MorTable.ROW_TYPE);
    List<String> rows = new ArrayList<>();
    try (BaseFileReader reader =
        BaseFileReader.open(
            memory,
            slice.baseFile().orElseThrow().path(),
            slice.baseFile().orElseThrow().lengthBytes(),
            all)) {
      assertThat(reader.minRecordKey()).isPresent();
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        rows.add(row.getString(0) + " " + row.getString(2) + " " + row.getString(4));
      }
    }
    return rows;
  }

  @Test
  void completesAsReplaceCommitThatSaysWhatItReplaced() throws IOException {
    MorTable table = table(2);
    table.commit(upsert("p1", "k1", "a", 1), upsert("p1", "k2", "b", 1));
    Set<String> before = new HashSet<>();
    table.open().view().latestSlices("p1").forEach(s -> before.add(s.groupId().fileId().value()));
    cluster(table, ClusteringStrategy.DEFAULT);

    HudiTable now = table.open();
    Instant.Completed done = now.timeline().lastCompletedWrite().orElseThrow();
    assertThat(done.fileName()).endsWith(".replacecommit");
    assertThat(now.timeline().startedAs(done)).isEqualTo(Action.CLUSTERING);
    CommitMetadata metadata = now.timelineStore().readCommit(done);
    assertThat(metadata.operationType()).isEqualTo(CommitMetadata.CLUSTER);
    assertThat(metadata.isCompaction()).isFalse();
    assertThat(metadata.schema()).isPresent();
    assertThat(metadata.replacedFileIds()).containsOnlyKeys("p1");
    assertThat(metadata.replacedFileIds().get("p1")).containsExactlyInAnyOrderElementsOf(before);
    assertThat(metadata.writeStats())
        .singleElement()
        .satisfies(
            stat -> {
              assertThat(stat.prevCommit()).isEqualTo("null");
              assertThat(stat.numWrites()).isEqualTo(2);
              assertThat(before).doesNotContain(stat.fileId());
            });
    assertThat(memory.list(".hoodie/.temp")).isEmpty();
    assertThat(memory.list(".hoodie/.hudi-lite/clustering")).isEmpty();
  }

  @Test
  void groupsThatGotACommitSinceStayAsTheyAre() throws IOException {
    MorTable table = table(2);
    table.commit(
        upsert("p1", "k1", "a", 1),
        upsert("p1", "k2", "b", 1),
        upsert("p2", "k1", "c", 1),
        upsert("p2", "k2", "d", 1));
    plan(table, ClusteringStrategy.DEFAULT);
    table.commit(upsert("p1", "k1", "new", 2));
    assertThat(clustering(memory, table, "test").executePending())
        .singleElement()
        .isInstanceOf(TableClustering.Result.Completed.class);
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    assertThat(table.open().view().latestSlices("p1")).hasSize(2);
    assertThat(table.open().view().latestSlices("p2")).hasSize(1);
  }

  @Test
  void commitWhileTheExecutionRunsIsNotLost() throws IOException {
    MorTable table = table(2);
    table.commit(
        upsert("p1", "k1", "a", 1),
        upsert("p1", "k2", "b", 1),
        upsert("p2", "k1", "c", 1),
        upsert("p2", "k2", "d", 1));
    ClusteringExecution execution = begin(table, plan(table, SORTED), "test");
    Map<Integer, List<WriteStat>> results = executeTasks(table, execution);
    // One commit is done, one is under way.
    table.commit(upsert("p1", "k1", "new", 2));
    TableCommit commit = new TableCommit(memory, table.config(), table.clock());
    InstantTime open = commit.begin(Action.DELTA_COMMIT);
    List<WriteStat> stats = table.write(open, List.of(upsert("p2", "k2", "new", 2)));
    assertThat(execution.complete(results)).isEqualTo(CommitOutcome.REFUSED);
    assertThat(commit.commit(open, MorTable.metadata(stats))).isEqualTo(CommitOutcome.COMMITTED);
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    assertThat(table.open().timeline().pendingClusterings()).isEmpty();
    assertThat(table.dataFiles()).noneMatch(file -> file.contains(execution.instant().digits()));
    cluster(table, SORTED);
    assertThat(table.readOptimizedRows()).isEqualTo(table.expectedRows());
  }

  private ClusteringExecution begin(MorTable table, InstantTime instant, String owner)
      throws IOException {
    return ((Begun.Started<ClusteringExecution>)
            ClusteringExecution.begin(
                table.open(),
                instant,
                table.clock(),
                new TakeOver(owner, Duration.ofMinutes(20), "", table.wall()),
                CompletionLock.NONE))
        .execution();
  }

  private static Map<Integer, List<WriteStat>> executeTasks(
      MorTable table, ClusteringExecution execution) throws IOException {
    Clusterer clusterer = new Clusterer(table.open(), BaseFileSettings.DEFAULT, memory());
    Map<Integer, List<WriteStat>> results = new TreeMap<>();
    for (ClusteringTask task : execution.tasks()) {
      ClusteringTask sent =
          ClusteringTaskSerializer.deserialize(ClusteringTaskSerializer.serialize(task));
      assertThat(sent).isEqualTo(task);
      results.put(task.number(), clusterer.cluster(sent, () -> false));
    }
    return results;
  }

  @Test
  void writerOfAReplacedGroupIsSentToLookUpItsKeys() throws Exception {
    MorTable table = table(2);
    table.commit(upsert("p1", "k1", "a", 1), upsert("p1", "k2", "b", 1));
    FileGroupId group = table.open().view().latestSlices("p1").get(0).groupId();
    ReplacedGroupGuard guard =
        new ReplacedGroupGuard(memory, table.config(), UpdatesStrategy.ALLOW, millis -> {});
    guard.requireLive(List.of(group));
    InstantTime instant = plan(table, SORTED);
    guard.requireLive(List.of(group));
    assertThatThrownBy(
            () ->
                new ReplacedGroupGuard(memory, table.config(), UpdatesStrategy.REJECT, millis -> {})
                    .requireLive(List.of(group)))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("hoodie.clustering.updates.strategy")
        .hasMessageContaining(instant.digits());
    ClusteringExecution execution = begin(table, instant, "test");
    guard.requireLive(List.of(group));
    Map<Integer, List<WriteStat>> results = executeTasks(table, execution);

    // About to complete: the writer waits.
    StageFile.closing(memory, instant).create();
    int[] waits = new int[1];
    ReplacedGroupGuard waiting =
        new ReplacedGroupGuard(
            memory,
            table.config(),
            UpdatesStrategy.ALLOW,
            millis -> {
              if (++waits[0] == 3) {
                assertThat(execution.complete(results)).isEqualTo(CommitOutcome.COMMITTED);
              }
            });
    assertThatThrownBy(() -> waiting.requireLive(List.of(group)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("was replaced")
        .hasMessageContaining(group.fileId().value());
    assertThat(waits[0]).isEqualTo(3);
    assertThatThrownBy(() -> guard.requireLive(List.of(group))).hasMessageContaining("restarts");
    guard.requireLive(List.of(table.open().view().latestSlices("p1").get(0).groupId()));
  }

  @Test
  void clusteringThatDiesWhileItCompletesHoldsNoWriterForEver() throws Exception {
    MorTable table = table(2);
    table.commit(upsert("p1", "k1", "a", 1), upsert("p1", "k2", "b", 1));
    FileGroupId group = table.open().view().latestSlices("p1").get(0).groupId();
    InstantTime instant = plan(table, SORTED);
    ClusteringExecution dead = begin(table, instant, "dead");
    Map<Integer, List<WriteStat>> results = executeTasks(table, dead);
    StageFile.closing(memory, instant).create();

    new ReplacedGroupGuard(memory, table.config(), UpdatesStrategy.ALLOW, millis -> {})
        .requireLive(List.of(group));
    table.commit(upsert("p1", "k1", "b", 2));
    assertThat(dead.complete(results)).isEqualTo(CommitOutcome.REFUSED);
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    assertThat(table.dataFiles()).noneMatch(file -> file.contains(instant.digits()));
  }

  @Test
  void stuckExecutionIsRetakenAndTheOldOneChangesNothing() throws IOException {
    MorTable table = table(2);
    table.commit(upsert("p1", "k1", "a", 1), upsert("p1", "k2", "b", 1));
    InstantTime instant = plan(table, SORTED);
    ClusteringExecution stuck = begin(table, instant, "first");
    Map<Integer, List<WriteStat>> results = executeTasks(table, stuck);
    // The storage of this test knows no times: all is from 1970, and so from long ago.
    assertThat(clustering(memory, table, "second").executePending())
        .allMatch(TableClustering.Result.Completed.class::isInstance);
    List<String> files = table.dataFiles();
    assertThat(stuck.complete(results)).isEqualTo(CommitOutcome.REFUSED);
    stuck.giveUp();
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    assertThat(table.dataFiles())
        .isSubsetOf(files)
        .noneMatch(file -> file.contains(instant.digits()) && file.contains("_0-1-"));
  }

  @Test
  void whatCannotBecomeFewerIsNotClusteredAgain() throws IOException {
    MorTable table = table(2);
    table.commit(upsert("p1", "k1", "a", 1));
    assertThat(schedule(table, memory, SORTED))
        .isInstanceOf(ClusteringScheduler.Result.Nothing.class);
    table.commit(upsert("p1", "k2", "b", 1));
    cluster(table, SORTED.withTargetFileBytes(1));
    assertThat(schedule(table, memory, SORTED.withTargetFileBytes(1)))
        .isInstanceOf(ClusteringScheduler.Result.Nothing.class)
        .extracting("reason")
        .asString()
        .contains("no partition has two file groups below 600 MB");
    table.commit(upsert("p1", "k9", "c", 1));
    cluster(table, SORTED);
    assertThat(table.rows()).isEqualTo(table.expectedRows());
  }

  @Test
  void nothingToDoIsAnAnswerWithItsReason() throws IOException {
    MorTable table = table(2);
    table.commit(upsert("p1", "k1", "a", 1), upsert("p1", "k2", "a", 1));
    ClusteringScheduler scheduler =
        new ClusteringScheduler(
            ClusteringTrigger.DEFAULT, ClusteringStrategy.DEFAULT, InstantSource.system());
    assertThat(scheduler.schedule(memory))
        .isEqualTo(
            new ClusteringScheduler.Result.Nothing("no plan: 1 of 4 commits since the first one"));
    InstantTime instant = plan(table, SORTED);
    assertThat(scheduler.schedule(memory))
        .isEqualTo(
            new ClusteringScheduler.Result.Nothing(
                "no plan: clustering " + instant + " is planned and not completed"));
    clustering(memory, table, "test").executePending();
    assertThat(scheduler.schedule(memory))
        .isEqualTo(
            new ClusteringScheduler.Result.Nothing(
                "no plan: 0 of 4 commits since clustering " + instant));
    assertThatThrownBy(
            () ->
                schedule(
                    tableWithGroups(),
                    memory,
                    ClusteringStrategy.DEFAULT.sortedBy(Layout.LINEAR, List.of("nmae"))))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("nmae");
  }

  private MorTable tableWithGroups() throws IOException {
    MorTable table = table(2);
    table.lookUpKeys();
    table.commit(upsert("p7", "k1", "a", 1), upsert("p7", "k2", "a", 1));
    return table;
  }

  @Test
  void aKeptSchedulerLooksOnlyWhereSomethingChanged() throws IOException {
    MorTable table = table(2);
    for (int p = 0; p < 20; p++) {
      table.commit(upsert("p" + p, "k1", "a", 1), upsert("p" + p, "k2", "a", 1));
    }
    FaultyStorage counted = FaultyStorage.counting(memory);
    ClusteringScheduler scheduler =
        new ClusteringScheduler(ClusteringTrigger.ALWAYS, SORTED.withMaxGroups(15), table.wall());
    for (int groups : List.of(15, 5)) {
      ClusteringScheduler.Result.Planned planned =
          (ClusteringScheduler.Result.Planned) scheduler.schedule(counted);
      assertThat(planned.plan().groups()).hasSize(groups);
      clustering(memory, table, "test").executePending();
      table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    }
    assertThat(scheduler.schedule(counted)).isInstanceOf(ClusteringScheduler.Result.Nothing.class);
    table.lookUpKeys();
    table.commit(upsert("p3", "k3", "a", 1), upsert("new", "k1", "a", 1));
    table.commit(upsert("new", "k2", "a", 1), upsert("p7", "k1", "b", 2));
    int before = counted.operationCount();
    ClusteringScheduler.Result.Planned planned =
        (ClusteringScheduler.Result.Planned) scheduler.schedule(counted);
    assertThat(planned.plan().groups())
        .extracting(group -> group.slices().get(0).partitionPath())
        .containsExactly("new", "p3");
    assertThat(counted.operations().subList(before, counted.operationCount()))
        .filteredOn(operation -> operation.startsWith("list p") || operation.equals("list new"))
        .containsExactlyInAnyOrder("list new", "list p3", "list p7");
  }

  @Test
  void compactionAndClusteringKeepOutOfEachOthersWay() throws IOException {
    MorTable table = table(2);
    table.commit(upsert("p1", "k1", "a", 1), upsert("p1", "k2", "a", 1));
    table.commit(upsert("p1", "k1", "b", 2));
    plan(table, SORTED);
    assertThat(Compactions.compact(memory, table.clock())).isEmpty();
    clustering(memory, table, "test").executePending();
    table.lookUpKeys();
    table.commit(upsert("p1", "k1", "c", 3), upsert("p1", "k3", "c", 3));
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    assertThat(Compactions.compact(memory, table.clock())).isPresent();
    assertThat(table.readOptimizedRows()).isEqualTo(table.expectedRows());
  }

  @Test
  void cleanKeepsWhatAPlanNeedsAndRemovesWhatWasReplaced() throws IOException {
    MorTable table = table(2);
    table.commit(upsert("p1", "k1", "a", 1), upsert("p1", "k2", "a", 1));
    plan(table, SORTED);
    for (int i = 0; i < 5; i++) {
      table.commit(upsert("p2", "k1", "v" + i, i));
    }
    Cleaner cleaner = new Cleaner(memory, CleanRetention.ofCommits(1), table.wall());
    cleaner.clean(table.clock());
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    clustering(memory, table, "test").executePending();
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    cleaner.clean(table.clock());
    // Readers that began before it was completed still have their files.
    assertThat(table.dataFiles()).filteredOn(file -> file.startsWith("p1/")).hasSize(3);
    table.lookUpKeys();
    for (int i = 5; i < 8; i++) {
      table.commit(upsert("p2", "k1", "v" + i, i));
    }
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    cleaner.clean(table.clock());
    assertThat(table.dataFiles()).filteredOn(file -> file.startsWith("p1/")).hasSize(1);
    assertThat(table.rows()).isEqualTo(table.expectedRows());
  }

  @Test
  void eachCrashPointLeavesTheRowsAndNextTimeItSucceeds() throws IOException {
    ServiceCrashes.atEachCall(
        (storage, table) -> {
          new ClusteringScheduler(ClusteringTrigger.ALWAYS, SORTED, table.wall())
              .schedule(HudiTable.open(storage), table.clock().next());
          clustering(storage, table, "test").executePending();
        },
        (table, at) -> assertThat(table.open().timeline().pendingClusterings()).as(at).isEmpty());
  }

  @Property(tries = 25)
  void clusteredTableEqualsTheOneThatIsNot(@ForAll long seed, @ForAll boolean eventTime)
      throws IOException {
    Random random = new Random(seed);
    InMemoryStorage storage = new InMemoryStorage();
    MorTable table =
        MorTable.create(
            storage,
            1 + random.nextInt(3),
            eventTime ? MergeMode.EVENT_TIME_ORDERING : MergeMode.COMMIT_TIME_ORDERING);
    ClusteringStrategy strategy =
        ClusteringStrategy.DEFAULT
            .sortedBy(
                Layout.values()[random.nextInt(3)],
                random.nextBoolean() ? List.of() : List.of("name", "ts"))
            .withTargetFileBytes(random.nextBoolean() ? 1 : 1 << 30);
    InstantTime position = InstantTime.BEGINNING;
    TreeMap<String, String> folded = new TreeMap<>();
    int changes = 0;
    for (int step = 2 + random.nextInt(12); step > 0; step--) {
      switch (random.nextInt(6)) {
        case 0 -> schedule(table, storage, strategy);
        case 1 -> {
          clustering(storage, table, "test").executePending();
          table.lookUpKeys();
        }
        case 2 -> position = Changes.foldAll(table.open(), position, folded);
        case 3 -> Compactions.compact(storage, table.clock());
        default -> {
          List<Change> batch = new ArrayList<>();
          for (int i = 1 + random.nextInt(8); i > 0; i--) {
            batch.add(
                new Change(
                    "p" + random.nextInt(2),
                    "k" + random.nextInt(6),
                    random.nextInt(4) == 0 ? null : "n" + changes++,
                    random.nextInt(5)));
          }
          table.commit(batch);
        }
      }
      assertThat(table.rows()).isEqualTo(table.expectedRows());
    }
    schedule(table, storage, strategy);
    clustering(storage, table, "test").executePending();
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    Changes.foldAll(table.open(), position, folded);
    assertThat(folded.values().stream().sorted().toList()).isEqualTo(table.expectedRows());
  }
}
