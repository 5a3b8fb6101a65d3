package io.hudilite.core.compact;

import static io.hudilite.core.testkit.MorTable.delete;
import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.base.BaseFileReader;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.Changes;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.testkit.MorTable.Change;
import io.hudilite.core.testkit.ServiceCrashes;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.CommitOutcome;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;

final class CompactionTest {
  private final InMemoryStorage memory = new InMemoryStorage();

  private static ScheduleResult schedule(MorTable table) throws IOException {
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    return new CompactionScheduler(CompactionTrigger.ALWAYS, PlanLimits.DEFAULT)
        .schedule(table.open(), table.clock().next());
  }

  private static TableCompaction compaction(Storage storage, MorTable table, String owner) {
    return new TableCompaction(
        storage,
        BaseFileSettings.DEFAULT,
        new MergeMemory(0, Path.of(System.getProperty("java.io.tmpdir"))),
        new TakeOver(owner, Duration.ofMinutes(20), "", table.wall()));
  }

  private static void compact(Storage storage, MorTable table) throws IOException {
    assertThat(schedule(table)).isInstanceOf(ScheduleResult.Planned.class);
    assertThat(compaction(storage, table, "test").executePending())
        .allMatch(TableCompaction.Result.Completed.class::isInstance);
  }

  @Test
  void olderLogRecordsAndLateDeletesLoseBeforeAndAfterCompaction() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "k1", "v2", 2), upsert("p1", "k2", "a", 10));
    table.commit(upsert("p1", "k1", "v5", 5), delete("p1", "k2", 5));
    table.commit(upsert("p1", "k1", "v1", 1));
    compact(memory, table);
    List<String> both = List.of("p1/k1=v5@5", "p1/k2=a@10");
    assertThat(table.rows()).isEqualTo(both);
    assertThat(table.readOptimizedRows()).isEqualTo(both);
    table.commit(upsert("p1", "k1", "v3", 3), upsert("p1", "k3", "c", 1));
    assertThat(table.rows()).isEqualTo(table.expectedRows()).contains("p1/k1=v5@5");
    table.commit(delete("p1", "k2", 10));
    compact(memory, table);
    assertThat(table.rows()).isEqualTo(List.of("p1/k1=v5@5", "p1/k3=c@1"));
    assertThat(table.readOptimizedRows()).isEqualTo(table.rows());
  }

  @Test
  void rowsKeepTheirCommitAndNameTheNewFile() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    InstantTime first = table.commit(upsert("p1", "k1", "a", 1), upsert("p1", "k2", "b", 1));
    InstantTime second = table.commit(upsert("p1", "k2", "c", 2), upsert("p1", "k3", "d", 2));
    compact(memory, table);
    FileSlice slice = table.open().view().latestSlices("p1").get(0);
    assertThat(slice.logFiles()).isEmpty();
    RowType all = AvroSchemas.withMetaColumns(MorTable.ROW_TYPE);
    List<String> rows = new ArrayList<>();
    try (BaseFileReader reader =
        BaseFileReader.open(
            memory,
            slice.baseFile().orElseThrow().path(),
            slice.baseFile().orElseThrow().lengthBytes(),
            all)) {
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        rows.add(row.getString(0) + " " + row.getString(2) + " " + row.getString(4));
      }
    }
    String name = slice.baseFile().orElseThrow().name().toString();
    assertThat(rows)
        .containsExactlyInAnyOrder(
            first + " k1 " + name, second + " k2 " + name, second + " k3 " + name);
  }

  @Test
  void completesAsCommitThatSaysWhatItFolded() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    InstantTime first = table.commit(upsert("p1", "k1", "a", 1));
    table.commit(upsert("p1", "k1", "b", 2));
    compact(memory, table);
    HudiTable now = table.open();
    Instant.Completed done = now.timeline().lastCompletedWrite().orElseThrow();
    assertThat(done.action()).isEqualTo(Action.COMMIT);
    CommitMetadata metadata = now.timelineStore().readCommit(done);
    assertThat(metadata.isCompaction()).isTrue();
    assertThat(metadata.operationType()).isEqualTo(CommitMetadata.COMPACT);
    assertThat(metadata.schema()).isPresent();
    WriteStat stat = metadata.writeStats().get(0);
    assertThat(stat.prevCommit()).isEqualTo(first.digits());
    assertThat(stat.prevBaseFile()).endsWith(first + ".parquet");
    assertThat(stat.numWrites()).isEqualTo(1);
    assertThat(stat.compactedLogs().files()).isEqualTo(1);
    assertThat(memory.list(".hoodie/.temp")).isEmpty();
    assertThat(memory.list(".hoodie/.hudi-lite/compaction")).isEmpty();
  }

  @Test
  void sliceWithoutBaseFileAndWithDeletesOnlyBecomesAFileWithoutRows() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    table.commit(delete("p1", "k1", 1));
    compact(memory, table);
    assertThat(table.rows()).isEmpty();
    assertThat(table.open().view().latestSlices("p1").get(0).baseFile()).isPresent();
    table.commit(upsert("p1", "k1", "a", 2));
    assertThat(table.rows()).isEqualTo(table.expectedRows());
  }

  @Test
  void commitsWhileAPlanIsPendingBelongToTheNewSlice() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "k1", "a", 1), upsert("p1", "k2", "a", 1));
    table.commit(upsert("p1", "k1", "b", 2));
    // Requested before the plan, completed after it.
    TableCommit commit = new TableCommit(memory, table.config(), table.clock());
    InstantTime early = commit.begin(Action.DELTA_COMMIT);
    List<WriteStat> stats = table.write(early, List.of(upsert("p1", "k2", "c", 3)));
    ScheduleResult.Planned planned = (ScheduleResult.Planned) schedule(table);
    assertThat(planned.plan().operations().get(0).logFileNames()).hasSize(1);
    assertThat(commit.commit(early, MorTable.metadata(stats))).isEqualTo(CommitOutcome.COMMITTED);
    table.commit(upsert("p1", "k1", "d", 4));
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    compaction(memory, table, "test").executePending();
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    assertThat(table.readOptimizedRows()).containsExactly("p1/k1=b@2", "p1/k2=a@1");
    compact(memory, table);
    assertThat(table.readOptimizedRows()).isEqualTo(table.expectedRows());
  }

  @Test
  void groupsOfAPendingPlanAreNotPlannedAgain() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "k1", "a", 1));
    table.commit(upsert("p1", "k1", "b", 2));
    assertThat(schedule(table)).isInstanceOf(ScheduleResult.Planned.class);
    table.commit(upsert("p1", "k1", "c", 3), upsert("p2", "k2", "a", 1));
    table.commit(upsert("p2", "k2", "b", 2));
    ScheduleResult.Planned second = (ScheduleResult.Planned) schedule(table);
    assertThat(second.plan().operations()).extracting("partitionPath").containsExactly("p2");
    assertThat(compaction(memory, table, "test").executePending()).hasSize(2);
    assertThat(table.rows()).isEqualTo(table.expectedRows());
  }

  @Test
  void nothingToDoIsAnAnswerWithItsReason() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "k1", "a", 1));
    CompactionScheduler scheduler =
        new CompactionScheduler(CompactionTrigger.DEFAULT, PlanLimits.DEFAULT);
    assertThat(scheduler.schedule(table.open(), table.clock().next()))
        .isEqualTo(new ScheduleResult.Nothing("no plan: 1 of 5 delta commits since the first one"));
    assertThat(schedule(table))
        .isEqualTo(
            new ScheduleResult.Nothing(
                "no plan: no file group has log files that may be compacted now"));
    assertThat(compaction(memory, table, "test").executePending()).isEmpty();
  }

  @Test
  void aPlanThatMissesACommitIsDroppedAndNothingIsLost() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "k1", "a", 1), upsert("p1", "k2", "a", 1));
    table.commit(upsert("p1", "k1", "b", 2));
    HudiTable before = table.open();
    table.commit(upsert("p1", "k2", "c", 3));
    // A process that did not see the last commit, with a time after it.
    CompactionPlanner planner = new CompactionPlanner(PlanLimits.DEFAULT);
    InstantTime late = table.clock().next();
    before
        .timelineStore()
        .createRequested(
            new Instant.Requested(late, Action.COMPACTION),
            io.hudilite.core.timeline.CompactionPlanCodec.encode(
                planner
                    .plan(List.of(before.view().latestSlices("p1").get(0)), Set.of())
                    .orElseThrow()));
    assertThat(compaction(memory, table, "test").executePending())
        .singleElement()
        .isInstanceOf(TableCompaction.Result.Skipped.class)
        .extracting("reason")
        .asString()
        .contains("is not in it");
    assertThat(table.open().timeline().pendingCompactions()).isEmpty();
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    compact(memory, table);
    assertThat(table.readOptimizedRows()).isEqualTo(table.expectedRows());
  }

  @Test
  void stuckExecutionIsRetakenAfterItsTimeoutAndTheOldOneChangesNothing() throws IOException {
    MorTable table = MorTable.create(memory, 2, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "k1", "a", 1), upsert("p1", "k2", "a", 1));
    table.commit(upsert("p1", "k1", "b", 2), upsert("p1", "k2", "b", 2));
    InstantTime instant = ((ScheduleResult.Planned) schedule(table)).instant();
    TakeOver first = new TakeOver("first", Duration.ofMinutes(20), "", table.wall());
    CompactionExecution stuck =
        ((Begun.Started<CompactionExecution>)
                CompactionExecution.begin(
                    table.open(), instant, table.clock(), first, CompletionLock.NONE))
            .execution();
    Compactor old = new Compactor(table.open(), BaseFileSettings.DEFAULT, MergeMemory.DEFAULT);
    WriteStat done = old.compact(stuck.tasks().get(0), () -> false);

    // The storage of this test knows no times: all is from 1970, and so from long ago.
    assertThat(compaction(memory, table, "second").executePending())
        .allMatch(TableCompaction.Result.Completed.class::isInstance);
    List<String> files = table.dataFiles();
    assertThatThrownBy(() -> old.compact(stuck.tasks().get(1), () -> false))
        .hasMessageContaining("taken for dead");
    assertThat(stuck.complete(List.of(done, done))).isEqualTo(CommitOutcome.REFUSED);
    stuck.giveUp();
    assertThat(table.dataFiles()).isEqualTo(files).doesNotContain(done.path());
    assertThat(table.rows()).isEqualTo(table.expectedRows());
  }

  @Test
  void liveExecutionIsLeftAlone() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "k1", "a", 1));
    table.commit(upsert("p1", "k1", "b", 2));
    InstantTime instant = ((ScheduleResult.Planned) schedule(table)).instant();
    Duration forEver = Duration.ofDays(100_000);
    CompactionExecution.begin(
        table.open(),
        instant,
        table.clock(),
        new TakeOver("job a", forEver, "", table.wall()),
        CompletionLock.NONE);
    assertThat(
            CompactionExecution.begin(
                table.open(),
                instant,
                table.clock(),
                new TakeOver("offline", forEver, "offline", table.wall()),
                CompletionLock.NONE))
        .isInstanceOf(Begun.NotOurs.class);
    assertThat(
            CompactionExecution.begin(
                table.open(),
                instant,
                table.clock(),
                new TakeOver("job b", forEver, "job", table.wall()),
                CompletionLock.NONE))
        .isInstanceOf(Begun.Started.class);
  }

  @Test
  void eachCrashPointLeavesTheRowsAndNextTimeItSucceeds() throws IOException {
    ServiceCrashes.atEachCall(
        (storage, table) -> {
          new CompactionScheduler(CompactionTrigger.ALWAYS, PlanLimits.DEFAULT)
              .schedule(HudiTable.open(storage), table.clock().next());
          compaction(storage, table, "test").executePending();
        },
        (table, at) -> {
          assertThat(table.open().timeline().pendingCompactions()).as(at).isEmpty();
          // Two old ones, two compacted ones, and at most one of a delete.
          assertThat(table.dataFiles())
              .as(at)
              .filteredOn(file -> file.endsWith(".parquet"))
              .hasSizeLessThan(6);
        });
  }

  @Property(tries = 25)
  void compactedTableEqualsTheOneThatIsNot(@ForAll long seed, @ForAll boolean eventTime)
      throws IOException {
    Random random = new Random(seed);
    InMemoryStorage storage = new InMemoryStorage();
    MorTable table =
        MorTable.create(
            storage,
            1 + random.nextInt(3),
            eventTime ? MergeMode.EVENT_TIME_ORDERING : MergeMode.COMMIT_TIME_ORDERING);
    InstantTime position = InstantTime.BEGINNING;
    TreeMap<String, String> folded = new TreeMap<>();
    int changes = 0;
    for (int step = 2 + random.nextInt(12); step > 0; step--) {
      switch (random.nextInt(5)) {
        case 0 -> schedule(table);
        case 1 -> compaction(storage, table, "test").executePending();
        case 2 -> position = Changes.foldAll(table.open(), position, folded);
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
    schedule(table);
    compaction(storage, table, "test").executePending();
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    Changes.foldAll(table.open(), position, folded);
    assertThat(folded.values().stream().sorted().toList()).isEqualTo(table.expectedRows());
  }

  @Test
  void timeForAPlanOfAnotherProcessLiesBetweenTheLastCommitAndTheNext() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "k1", "a", 1));
    table.commit(upsert("p1", "k1", "b", 2));
    TableCommit writer = new TableCommit(memory, table.config(), table.clock());
    table.wall().advanceMillis(1000);
    InstantTime open = writer.begin(Action.DELTA_COMMIT);
    InstantTime time = CompactionScheduler.timeFor(table.open());
    assertThat(time).isLessThan(open);
    assertThat(time).isGreaterThan(table.open().timeline().lastCompletion().orElseThrow());
    List<WriteStat> stats = table.write(open, List.of(upsert("p1", "k1", "c", 3)));
    assertThat(
            new CompactionScheduler(CompactionTrigger.ALWAYS, PlanLimits.DEFAULT)
                .schedule(table.open(), time))
        .isInstanceOf(ScheduleResult.Planned.class);
    InstantClock other = new InstantClock(table.wall(), ZoneOffset.UTC);
    assertThat(other.next()).isGreaterThan(time);
    assertThat(writer.commit(open, MorTable.metadata(stats))).isEqualTo(CommitOutcome.COMMITTED);
    compaction(memory, table, "test").executePending();
    assertThat(table.rows()).isEqualTo(table.expectedRows());
  }
}
