package io.hudilite.core.soak;

import static io.hudilite.core.testkit.MorTable.delete;
import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.archive.ArchiveLimits;
import io.hudilite.core.archive.TimelineArchiver;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.clean.CleanRetention;
import io.hudilite.core.clean.Cleaner;
import io.hudilite.core.clustering.ClusteringScheduler;
import io.hudilite.core.clustering.ClusteringStrategy;
import io.hudilite.core.clustering.ClusteringTrigger;
import io.hudilite.core.clustering.TableClustering;
import io.hudilite.core.compact.CompactionScheduler;
import io.hudilite.core.compact.CompactionTrigger;
import io.hudilite.core.compact.PlanLimits;
import io.hudilite.core.compact.ScheduleResult;
import io.hudilite.core.compact.TableCompaction;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.compact.TriggerStrategy;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.health.HealthLimits;
import io.hudilite.core.health.SliceSizes;
import io.hudilite.core.health.TableHealth;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.testkit.MorTable.Change;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Cases F18, F19, F26, F51, F53 and requirements B5 62, 65 and B6 66, 68, 69, 71, 72, 78, 81 as the
 * core has to keep them: table services between commits, and what readers see then.
 */
class TableServicesCasesTest {
  private final InMemoryStorage memory = new InMemoryStorage();

  private MorTable table() throws IOException {
    return MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
  }

  private static ScheduleResult schedule(MorTable table, int commits) throws IOException {
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    return new CompactionScheduler(
            new CompactionTrigger(TriggerStrategy.NUM_COMMITS, commits, Duration.ZERO),
            PlanLimits.DEFAULT)
        .schedule(table.open(), table.clock().next());
  }

  private static List<TableCompaction.Result> execute(Storage storage, MorTable table, String owner)
      throws IOException {
    List<TableCompaction.Result> results =
        new TableCompaction(
                storage,
                BaseFileSettings.DEFAULT,
                MergeMemory.DEFAULT,
                new TakeOver(owner, Duration.ofMinutes(20), "", table.wall()))
            .executePending();
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    return results;
  }

  private void compact(MorTable table) throws IOException {
    schedule(table, 1);
    execute(memory, table, "test");
  }

  @Test
  void f18AndF19CompactionChangesNoWinner() throws IOException {
    MorTable table = table();
    table.commit(upsert("p1", "k1", "v2", 2), upsert("p1", "k2", "a", 10));
    table.commit(upsert("p1", "k1", "v5", 5), delete("p1", "k2", 5));
    table.commit(upsert("p1", "k1", "v1", 1));
    List<String> rows = List.of("p1/k1=v5@5", "p1/k2=a@10");
    assertThat(table.rows()).isEqualTo(rows);
    compact(table);
    assertThat(table.rows()).isEqualTo(rows);
    table.commit(upsert("p1", "k1", "v3", 3), delete("p1", "k2", 10));
    assertThat(table.rows()).containsExactly("p1/k1=v5@5");
    compact(table);
    assertThat(table.rows()).containsExactly("p1/k1=v5@5");
    assertThat(table.readOptimizedRows()).isEqualTo(table.rows());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void f26AndRequirement62CompactionIsReadByNobodyAsNewData(boolean readsOften) throws IOException {
    MorTable table = table();
    StreamingReader reader = new StreamingReader(memory, "reader", table.wall());
    for (int i = 0; i < 10; i++) {
      table.commit(upsert("p1", "order" + i, "open", 10));
      compact(table);
      if (readsOften) {
        reader.go(100);
      }
    }
    table.commit(upsert("p1", "order1", "open", 30));
    compact(table);
    reader.checkpoint();
    reader.restore(); // a restart in between
    for (int i = 0; i < 4; i++) {
      reader.go(100);
    }
    long sum =
        reader.rows().stream()
            .mapToLong(row -> Long.parseLong(row.substring(row.indexOf('@') + 1)))
            .sum();
    assertThat(sum).isEqualTo(120);
    int emitted = reader.emitted();
    compact(table);
    reader.go(100);
    assertThat(reader.emitted()).as("rows of a compaction").isEqualTo(emitted);
    assertThat(emitted).isBetween(readsOften ? 11 : 10, 11);
  }

  @Test
  void requirement66CompactionMakesTheReadOptimizedViewTheSnapshot() throws IOException {
    MorTable table = table();
    table.commit(upsert("p1", "15001", "CREATED", 1), upsert("p1", "15002", "CREATED", 1));
    table.commit(upsert("p1", "15001", "FINISHED", 4));
    assertThat(table.readOptimizedRows()).contains("p1/15001=CREATED@1");
    List<String> before = table.dataFiles();
    compact(table);
    assertThat(table.rows()).containsExactly("p1/15001=FINISHED@4", "p1/15002=CREATED@1");
    assertThat(table.readOptimizedRows()).isEqualTo(table.rows());
    assertThat(table.dataFiles()).as("the old slice is there until a clean").containsAll(before);
  }

  @Test
  void requirement68APlanIsNoCompactionAndTheWriterGoesOn() throws IOException {
    MorTable table = table();
    table.commit(upsert("p1", "k1", "a", 1));
    table.commit(upsert("p1", "k1", "b", 2));
    assertThat(schedule(table, 1)).isInstanceOf(ScheduleResult.Planned.class);
    for (int i = 3; i < 6; i++) {
      table.commit(upsert("p1", "k1", "c" + i, i));
      assertThat(table.open().timeline().pendingCompactions()).hasSize(1);
      assertThat(table.rows()).isEqualTo(table.expectedRows());
    }
    execute(memory, table, "test");
    assertThat(table.open().timeline().pendingCompactions()).isEmpty();
    assertThat(table.rows()).isEqualTo(table.expectedRows());
  }

  @Test
  void requirement69NothingToDoSaysWhy() throws IOException {
    MorTable table = table();
    for (int i = 1; i <= 3; i++) {
      table.commit(upsert("p1", "k1", "v" + i, i));
    }
    ScheduleResult result = schedule(table, 5);
    assertThat(result).isInstanceOf(ScheduleResult.Nothing.class);
    assertThat(((ScheduleResult.Nothing) result).reason()).contains("3 of 5");
    assertThat(execute(memory, table, "test")).isEmpty();
  }

  @Test
  void f51PlansThatWereLeftByCrashesAreExecutedAndThereIsOneEveryNCommits() throws IOException {
    MorTable table = table();
    int plans = 0;
    for (int i = 1; i <= 20; i++) {
      List<Change> changes = new ArrayList<>();
      for (int k = 1; k <= 20; k++) {
        changes.add(upsert("p1", "k" + k, "v_" + i, i));
      }
      table.commit(changes);
      plans += schedule(table, 2) instanceof ScheduleResult.Planned ? 1 : 0;
      if (i == 4) {
        continue; // dies while the plan is requested
      }
      if (i == 8 || i == 12 || i == 14) { // dies while it is in flight, its claim stays
        FaultyStorage faulty =
            FaultyStorage.failingAt(
                memory, 14, FaultyStorage.Fault.AFTER_EFFECT, FaultyStorage.Aftermath.DEAD);
        try {
          execute(faulty, table, "dead-" + i);
        } catch (IOException e) {
          // As planned.
        }
        table.wall().advanceMillis(Duration.ofMinutes(21).toMillis()); // longer than the time-out
        continue;
      }
      execute(memory, table, "alive");
    }
    execute(memory, table, "alive");
    assertThat(table.rows()).hasSize(20).allMatch(row -> row.contains("v_20"));
    assertThat(plans).isBetween(7, 11);
    assertThat(table.open().timeline().pendingCompactions()).hasSizeLessThanOrEqualTo(1);
    for (FileSlice slice : table.open().view().latestSlices("p1")) {
      assertThat(slice.logFiles()).hasSizeLessThanOrEqualTo(4);
    }
    assertThat(memory.list(".hoodie/.temp")).isEmpty();
  }

  /** The same of clusterings, every three commits, on a table that only grows. */
  @Test
  void f51ClusteringsThatWereLeftByCrashesAreExecutedAndThereIsOneEveryNCommits()
      throws IOException {
    MorTable table = MorTable.create(memory, 2, MergeMode.EVENT_TIME_ORDERING);
    ClusteringScheduler scheduler =
        new ClusteringScheduler(new ClusteringTrigger(3), ClusteringStrategy.DEFAULT, table.wall());
    int plans = 0;
    for (int i = 1; i <= 20; i++) {
      table.commit(upsert("p" + i, "0", "v", i), upsert("p" + i, "1", "v", i));
      plans +=
          scheduler.schedule(table.open(), table.clock().next())
                  instanceof ClusteringScheduler.Result.Planned
              ? 1
              : 0;
      if (i == 3) {
        continue; // dies while the plan is requested
      }
      Storage storage = memory;
      if (i == 6 || i == 9 || i == 12) { // dies while it is in flight, its claim stays
        storage =
            FaultyStorage.failingAt(
                memory, 14, FaultyStorage.Fault.AFTER_EFFECT, FaultyStorage.Aftermath.DEAD);
      }
      try {
        new TableClustering(
                storage,
                BaseFileSettings.DEFAULT,
                MergeMemory.DEFAULT,
                new TakeOver("job " + i, Duration.ofMinutes(20), "", table.wall()))
            .executePending();
      } catch (IOException e) {
        table.wall().advanceMillis(Duration.ofMinutes(21).toMillis()); // longer than the time-out
      }
      table.open().timeline().newestTime().ifPresent(table.clock()::observe);
      assertThat(table.rows()).isEqualTo(table.expectedRows());
    }
    assertThat(plans).isBetween(4, 8);
    assertThat(table.open().timeline().pendingClusterings()).hasSizeLessThanOrEqualTo(1);
    // The first one was requested before the crashes, and is done.
    assertThat(table.open().view().latestSlices("p1")).hasSize(1);
    assertThat(table.open().view().latestSlices("p12")).hasSize(1);
    assertThat(memory.list(".hoodie/.temp")).hasSizeLessThanOrEqualTo(1);
  }

  /** Services that are kept, as in a job manager, keep no more of a table that grows older. */
  @Tag("soak")
  @Test
  void f53MemoryOfTheServicesDoesNotGrowWithTheCommits() throws IOException {
    MorTable table = table();
    List<Change> first = new ArrayList<>();
    for (int i = 1; i <= 3_000; i++) {
      first.add(upsert("part_" + i, "k_" + i, "a", 1));
    }
    table.commit(first);
    CompactionScheduler compactions =
        new CompactionScheduler(
            new CompactionTrigger(TriggerStrategy.NUM_COMMITS, 5, Duration.ZERO),
            PlanLimits.DEFAULT);
    ClusteringScheduler clusterings =
        new ClusteringScheduler(
            ClusteringTrigger.DEFAULT, ClusteringStrategy.DEFAULT, table.wall());
    Cleaner cleaner = new Cleaner(memory, CleanRetention.ofCommits(4), table.wall());
    TimelineArchiver archiver =
        new TimelineArchiver(memory, new ArchiveLimits(14, 20), table.wall());
    SliceSizes sizes = new SliceSizes();
    long early = 0;
    for (int i = 2; i <= 302; i++) {
      table.commit(upsert("part_1", "k_1", "b_" + i, i));
      compactions.schedule(table.open(), table.clock().next());
      execute(memory, table, "test");
      clusterings.schedule(table.open(), table.clock().next());
      cleaner.clean(table.clock());
      archiver.archive();
      sizes.update(table.open().timeline(), table.open().timelineStore());
      table.open().timeline().newestTime().ifPresent(table.clock()::observe);
      if (i == 52) {
        early = usedBytes();
      }
    }
    long late = usedBytes();
    System.out.println("Used after 50 commits: " + early + ", after 300: " + late);
    assertThat(late).isLessThan(early + (16 << 20));
    assertThat(table.rows()).hasSize(3_000);
    assertThat(List.of(compactions, clusterings, cleaner, archiver, sizes)).isNotEmpty();
  }

  private static long usedBytes() {
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      used = Math.min(used, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
    }
    return used;
  }

  @Test
  void f53LaterCommitsCostNothingForPartitionsThatTheyDoNotTouch() throws IOException {
    FaultyStorage counting = FaultyStorage.counting(memory);
    MorTable table = MorTable.create(counting, 1, MergeMode.EVENT_TIME_ORDERING);
    List<Change> first = new ArrayList<>();
    for (int i = 1; i <= 150; i++) {
      first.add(upsert("part_" + i, "k_" + i, "a", 1));
    }
    table.commit(first);
    Cleaner cleaner = new Cleaner(counting, CleanRetention.ofCommits(2), table.wall());
    for (int i = 2; i < 6; i++) { // until a clean has the first commit behind it
      table.commit(upsert("part_1", "k_1", "b_" + i, i));
      cleaner.clean(table.clock());
      table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    }
    List<Integer> calls = new ArrayList<>();
    for (int i = 6; i < 30; i++) {
      int before = counting.operationCount();
      table.commit(upsert("part_1", "k_1", "b_" + i, i));
      schedule(table, 3);
      execute(counting, table, "test");
      cleaner.clean(table.clock());
      table.open().timeline().newestTime().ifPresent(table.clock()::observe);
      List<String> now =
          counting.operations().subList(before, counting.operationCount()).stream()
              .filter(operation -> operation.startsWith("list part_"))
              .toList();
      assertThat(now).as("commit %d", i).doesNotContain("list part_2", "list part_150");
      calls.add(now.size());
    }
    assertThat(calls).allMatch(n -> n <= 12);
    assertThat(table.rows()).hasSize(150);
  }

  private static TableHealth health(MorTable table) throws IOException {
    HudiTable now = table.open();
    SliceSizes sizes = new SliceSizes();
    sizes.update(now.timeline(), now.timelineStore());
    return TableHealth.of(
        now.timeline(),
        now.config().timelineZone(),
        sizes.sizes(),
        sizes.oldestUncompacted(),
        List.of(),
        HealthLimits.DEFAULT,
        table.wall().millis());
  }

  private static int filesOpenedByARead(FaultyStorage counting, MorTable table) throws IOException {
    int before = counting.operationCount();
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    return (int)
        counting.operations().subList(before, counting.operationCount()).stream()
            .filter(operation -> operation.startsWith("open p1/"))
            .count();
  }

  @Test
  void requirements65And71LogsThatPileUpShowAsLagThatACompactionTakesAway() throws IOException {
    FaultyStorage counting = FaultyStorage.counting(memory);
    MorTable table = MorTable.create(counting, 1, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "k1", "a", 0));
    assertThat(health(table).oldestUncompactedMillis()).isEmpty();
    int filesBefore = filesOpenedByARead(counting, table);
    long firstUpdate = 0;
    long bytes = 0;
    for (int i = 1; i <= 8; i++) {
      table.wall().advanceMillis(60_000);
      table.commit(upsert("p1", "k1", "v" + i, i));
      firstUpdate = i == 1 ? table.wall().millis() : firstUpdate;
      TableHealth health = health(table);
      assertThat(health.logFiles().max()).isEqualTo(i);
      assertThat(health.logBytes().max()).isGreaterThan(bytes);
      bytes = health.logBytes().max();
      // The same commit is the oldest, so its age rises with the time.
      assertThat(health.oldestUncompactedMillis().orElseThrow())
          .isBetween(firstUpdate - 1_000, firstUpdate + 1_000);
      assertThat(filesOpenedByARead(counting, table)).isEqualTo(filesBefore + i);
    }
    compact(table);
    assertThat(health(table).oldestUncompactedMillis()).isEmpty();
    assertThat(health(table).logFiles().max()).isZero();
    assertThat(filesOpenedByARead(counting, table)).isEqualTo(filesBefore);
  }

  /** What is not updated does not become slower to read: most of this table needs no compaction. */
  @Test
  void requirement72TableOfFewUpdatesStaysAsItIsWithoutCompactions() throws IOException {
    MorTable table = table();
    table.commit(upsert("p1", "k1", "a", 0), upsert("p2", "k2", "a", 0));
    for (int i = 1; i <= 10; i++) {
      table.commit(upsert("new" + i, "n" + i, "a", i));
    }
    table.commit(upsert("p1", "k1", "b", 11));
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    for (String partition : table.open().view().partitions()) {
      for (FileSlice slice : table.open().view().latestSlices(partition)) {
        assertThat(slice.logFiles()).hasSize(partition.equals("p1") ? 1 : 0);
      }
    }
    ScheduleResult planned = schedule(table, 1);
    assertThat(((ScheduleResult.Planned) planned).plan().operations())
        .as("a compaction takes the one group that has something to compact")
        .hasSize(1);
  }

  @Test
  void requirements78And81FilesStayFewWhateverTheNumberOfCommits() throws IOException {
    MorTable table = table();
    Cleaner cleaner = new Cleaner(memory, CleanRetention.ofCommits(4), table.wall());
    for (int i = 1; i <= 80; i++) {
      List<Change> changes = new ArrayList<>();
      for (int k = 0; k < 10; k++) {
        changes.add(upsert("p1", "k" + (i * 7 + k) % 50, "v" + i, i));
      }
      table.commit(changes);
      schedule(table, 5);
      execute(memory, table, "test");
      cleaner.clean(table.clock()); // after the compaction, requirement 78
      table.open().timeline().newestTime().ifPresent(table.clock()::observe);
      assertThat(table.dataFiles()).as("after %d commits", i).hasSizeLessThan(25);
    }
    assertThat(table.rows()).isEqualTo(table.expectedRows());
  }
}
