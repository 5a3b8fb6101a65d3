package io.hudilite.core.clean;

import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.clustering.ClusteringScheduler;
import io.hudilite.core.clustering.ClusteringStrategy;
import io.hudilite.core.clustering.ClusteringTrigger;
import io.hudilite.core.clustering.Layout;
import io.hudilite.core.clustering.PartitionFilter;
import io.hudilite.core.clustering.TableClustering;
import io.hudilite.core.compact.CompactionScheduler;
import io.hudilite.core.compact.CompactionTrigger;
import io.hudilite.core.compact.PlanLimits;
import io.hudilite.core.compact.TableCompaction;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.readerlease.ReaderLeaseStore;
import io.hudilite.core.scan.IncrementalPlanner;
import io.hudilite.core.scan.ScanRange;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.testkit.MorTable.Change;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CleanCodec;
import io.hudilite.core.timeline.CleanMetadata;
import io.hudilite.core.timeline.CleanPlan;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class CleanTest {
  private final InMemoryStorage memory = new InMemoryStorage();

  private static void plan(MorTable table) throws IOException {
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    new CompactionScheduler(CompactionTrigger.ALWAYS, PlanLimits.DEFAULT)
        .schedule(table.open(), table.clock().next());
  }

  private static void execute(Storage storage, MorTable table) throws IOException {
    new TableCompaction(
            storage,
            BaseFileSettings.DEFAULT,
            MergeMemory.DEFAULT,
            new TakeOver("test", Duration.ofMinutes(20), "", table.wall()))
        .executePending();
  }

  private static void compact(Storage storage, MorTable table) throws IOException {
    plan(table);
    execute(storage, table);
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
  }

  private static Cleaner.Result clean(Storage storage, MorTable table, CleanRetention retention)
      throws IOException {
    return new Cleaner(storage, retention, table.wall()).clean(table.clock());
  }

  private static long baseFiles(MorTable table) throws IOException {
    return table.dataFiles().stream().filter(name -> name.endsWith(".parquet")).count();
  }

  /** The orders of requirement 74: four commits, of one key in four. */
  private void fourCommits(MorTable table) throws IOException {
    table.commit(upsert("p1", "15001", "CREATED", 1), upsert("p1", "15002", "CREATED", 1));
    table.commit(upsert("p1", "15001", "PAID", 2), upsert("p2", "15003", "CREATED", 2));
    table.commit(upsert("p1", "15001", "SHIPPED", 3));
    table.commit(upsert("p1", "15001", "FINISHED", 4));
  }

  @Test
  void requirement74RetainingTwoOfFourKeepsFromTheThirdAndDeletesNothingWithoutOldSlices()
      throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    fourCommits(table);
    CleanPlan plan =
        new CleanPlanner(CleanRetention.ofCommits(2))
            .plan(table.open(), table.clock().next(), Optional.empty())
            .orElseThrow();
    assertThat(plan.earliestToRetain().orElseThrow().requestedTime())
        .isEqualTo(table.open().timeline().completedWrites().get(2).requestedTime());
    assertThat(plan.files()).isEmpty();
    assertThat(clean(memory, table, CleanRetention.ofCommits(2)))
        .isInstanceOf(Cleaner.Result.Nothing.class);
    assertThat(
            new CleanPlanner(CleanRetention.ofCommits(4))
                .plan(table.open(), table.clock().next(), Optional.empty()))
        .isEmpty();
  }

  @Test
  void requirement74AfterFiveCompactionsOldBaseFilesAreGoneAndRowsAreNot() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    for (int i = 0; i < 6; i++) {
      table.commit(upsert("p1", "k1", "v" + i, i), upsert("p1", "k2", "v" + i, i));
      if (i > 0) {
        compact(memory, table);
      }
    }
    assertThat(baseFiles(table)).isEqualTo(6);
    Cleaner.Result.Cleaned cleaned =
        (Cleaner.Result.Cleaned) clean(memory, table, CleanRetention.ofCommits(2));
    // The newest, and the one before the two retained instants (a delta commit and a compaction).
    assertThat(baseFiles(table)).isEqualTo(2);
    assertThat(cleaned.metadata().deletedFiles()).isEqualTo(4 + 4);
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    Instant.Completed instant =
        (Instant.Completed)
            table.open().timeline().instants().stream()
                .filter(i -> i.action() == Action.CLEAN)
                .findFirst()
                .orElseThrow();
    assertThat(table.open().timelineStore().readCleanMetadata(instant))
        .isEqualTo(cleaned.metadata());
    assertThat(clean(memory, table, CleanRetention.ofCommits(2)))
        .isInstanceOf(Cleaner.Result.Nothing.class);
  }

  @Test
  void aCleanIsPlannedEveryNCommits() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    Cleaner cleaner = new Cleaner(memory, CleanRetention.ofCommits(1), table.wall(), 6);
    List<Integer> cleanedAfter = new ArrayList<>();
    for (int i = 1; i <= 9; i++) {
      table.commit(upsert("p1", "k1", "v" + i, i));
      compact(memory, table);
      Cleaner.Result result = cleaner.clean(table.clock());
      table.open().timeline().newestTime().ifPresent(table.clock()::observe);
      if (result instanceof Cleaner.Result.Cleaned) {
        cleanedAfter.add(i);
      } else {
        assertThat(((Cleaner.Result.Nothing) result).reason()).contains("of 6 commits since clean");
      }
    }
    assertThat(cleanedAfter)
        .as("compactions count, too; there is none after the first commit")
        .containsExactly(4, 7);
    assertThat(table.rows()).isEqualTo(table.expectedRows());
  }

  @Test
  void requirement75FileVersionsCountsSlices() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    for (int i = 0; i < 6; i++) {
      table.commit(upsert("p1", "k1", "v" + i, i));
      if (i > 0) {
        compact(memory, table);
      }
    }
    clean(memory, table, CleanRetention.ofFileVersions(2));
    assertThat(baseFiles(table)).isEqualTo(2);
    assertThat(table.rows()).isEqualTo(table.expectedRows());
  }

  @Test
  void requirement75HoursKeepTheNewestOfOldSlices() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    for (int i = 0; i < 4; i++) {
      table.commit(upsert("p1", "k1", "v" + i, i));
      if (i > 0) {
        compact(memory, table);
      }
    }
    assertThat(clean(memory, table, CleanRetention.ofHours(1)))
        .isInstanceOf(Cleaner.Result.Nothing.class);
    table.wall().advanceMillis(Duration.ofHours(2).toMillis());
    clean(memory, table, CleanRetention.ofHours(1));
    assertThat(baseFiles(table)).isEqualTo(1);
    assertThat(table.rows()).isEqualTo(table.expectedRows());
  }

  @Test
  void slicesOfAPendingCompactionAndOfWritesUnderWayStay() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "k1", "a", 1));
    table.commit(upsert("p1", "k1", "b", 2));
    plan(table);
    for (int i = 3; i < 8; i++) {
      table.commit(upsert("p1", "k1", "c" + i, i));
    }
    clean(memory, table, CleanRetention.ofCommits(1));
    clean(memory, table, CleanRetention.ofFileVersions(1));
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    execute(memory, table);
    assertThat(table.rows()).isEqualTo(table.expectedRows());

    // A commit that began long ago holds what was there when it began.
    TableCommit writer = new TableCommit(memory, table.config(), table.clock());
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    InstantTime open = writer.begin(Action.DELTA_COMMIT);
    compact(memory, table);
    CleanPlan plan =
        new CleanPlanner(CleanRetention.ofCommits(1))
            .plan(table.open(), table.clock().next(), Optional.empty())
            .orElseThrow();
    assertThat(plan.earliestToRetain().orElseThrow().requestedTime()).isLessThan(open);
  }

  @Test
  void savepointedFilesStay() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "k1", "a", 1));
    String first = table.dataFiles().get(0);
    for (int i = 0; i < 4; i++) {
      table.commit(upsert("p1", "k1", "v" + i, i + 2));
      compact(memory, table);
    }
    SliceGuard guard =
        new SliceGuard(
            Map.of("p1", java.util.Set.of(first.substring(3))),
            java.util.Set.of(),
            Optional.empty(),
            group -> false);
    HudiTable now = table.open();
    var group = now.view().fileGroups("p1").get(0);
    assertThat(group.slices()).filteredOn(slice -> guard.protects(group, slice)).hasSize(1);
  }

  @Test
  void leaseKeepsWhatItsReaderNeedsUntilItExpires() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "k1", "a", 1));
    InstantTime position = table.open().timeline().lastCompletion().orElseThrow();
    ReaderLeaseStore leases = new ReaderLeaseStore(memory, table.wall());
    leases.hold("slow-reader", position, Duration.ofHours(1));
    List<String> snapshot = table.rows();
    HudiTable then = table.open();
    List<ScanSplit> splits = new io.hudilite.core.scan.ScanPlanner().snapshot(then);
    for (int i = 2; i < 8; i++) {
      table.commit(upsert("p1", "k1", "v" + i, i));
      compact(memory, table);
      clean(memory, table, CleanRetention.ofCommits(1));
    }
    assertThat(MorTable.rows(then, splits)).isEqualTo(snapshot);
    ScanRange range =
        new IncrementalPlanner(path -> true).next(table.open(), position).orElseThrow();
    assertThat(MorTable.rows(table.open(), range.stages().get(0))).isEqualTo(table.expectedRows());
    assertThat(leases.held()).hasSize(1);

    table.wall().advanceMillis(Duration.ofHours(2).toMillis());
    assertThat(leases.held()).isEmpty();
    table.commit(upsert("p1", "k1", "last", 9));
    clean(memory, table, CleanRetention.ofCommits(1));
    assertThat(baseFiles(table)).isLessThanOrEqualTo(2);
    assertThat(memory.list(".hoodie/.hudi-lite/leases")).isEmpty();
  }

  @Test
  void aReaderBehindAClusteringDoesNotHoldWhatItReplaced() throws IOException {
    MorTable table = MorTable.create(memory, 2, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "k1", "a", 1), upsert("p1", "k2", "a", 1));
    List<String> old = table.dataFiles();
    new ClusteringScheduler(
            ClusteringTrigger.ALWAYS,
            new ClusteringStrategy(
                1L << 30,
                600L << 20,
                2L << 30,
                30,
                List.of("name"),
                Layout.LINEAR,
                PartitionFilter.ALL),
            table.wall())
        .schedule(table.open(), table.clock().next());
    new TableClustering(
            memory,
            BaseFileSettings.DEFAULT,
            MergeMemory.DEFAULT,
            new TakeOver("test", Duration.ofMinutes(20), "", table.wall()))
        .executePending();
    HudiTable clustered = table.open();
    assertThat(clustered.timeline().completedReplacements()).hasSize(1);
    clustered.timeline().newestTime().ifPresent(table.clock()::observe);
    InstantTime position = clustered.timeline().lastCompletion().orElseThrow();
    new ReaderLeaseStore(memory, table.wall()).hold("reader", position, Duration.ofDays(1));
    for (int i = 0; i < 4; i++) {
      table.commit(upsert("p3", "k3", "v" + i, i));
    }
    assertThat(clean(memory, table, CleanRetention.ofCommits(1)))
        .isInstanceOf(Cleaner.Result.Cleaned.class);
    assertThat(table.dataFiles()).doesNotContainAnyElementsOf(old);
    assertThat(table.rows()).isEqualTo(table.expectedRows());
  }

  @Test
  void leaseOfAReaderIsRenewedAndReleased() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    ReaderLeaseStore leases = new ReaderLeaseStore(memory, table.wall());
    InstantTime first = table.clock().next();
    InstantTime second = table.clock().next();
    leases.hold("a", first, Duration.ofMinutes(1));
    leases.hold("b", second, Duration.ofMinutes(1));
    assertThat(leases.oldestHeld()).contains(first);
    leases.hold("a", second, Duration.ofMinutes(1));
    assertThat(leases.oldestHeld()).contains(second);
    assertThat(memory.list(".hoodie/.hudi-lite/leases")).hasSize(2);
    assertThat(leases.release("a")).isTrue();
    assertThat(leases.release("a")).isFalse();
    assertThat(leases.held()).extracting("reader").containsExactly("b");
  }

  @Test
  void onlyPartitionsThatChangedSinceTheLastCleanAreListed() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    List<Change> many = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      many.add(upsert("p" + i, "k" + i, "a", 1));
    }
    table.commit(many);
    Cleaner cleaner = new Cleaner(memory, CleanRetention.ofCommits(1), table.wall());
    table.commit(upsert("p1", "k1", "b", 2));
    cleaner.clean(table.clock());
    FaultyStorage counting = FaultyStorage.counting(memory);
    Cleaner again = new Cleaner(counting, CleanRetention.ofCommits(1), table.wall());
    for (int i = 3; i < 6; i++) {
      table.commit(upsert("p7", "k7", "v" + i, i));
      compact(memory, table);
    }
    assertThat(again.clean(table.clock())).isInstanceOf(Cleaner.Result.Cleaned.class);
    int before = counting.operationCount();
    for (int i = 6; i < 8; i++) {
      table.commit(upsert("p7", "k7", "v" + i, i));
      compact(memory, table);
    }
    assertThat(again.clean(table.clock())).isInstanceOf(Cleaner.Result.Cleaned.class);
    assertThat(counting.operations().subList(before, counting.operationCount()))
        .filteredOn(operation -> operation.startsWith("list p"))
        .containsOnly("list p7");
    assertThat(table.rows()).isEqualTo(table.expectedRows());
  }

  @Test
  void eachCrashPointIsFinishedByTheNextClean() throws IOException {
    int operations = 30;
    for (int n = 0; n < operations; n++) {
      InMemoryStorage storage = new InMemoryStorage();
      MorTable table = MorTable.create(storage, 1, MergeMode.EVENT_TIME_ORDERING);
      for (int i = 0; i < 3; i++) {
        table.commit(upsert("p1", "k1", "v" + i, i));
        compact(storage, table);
      }
      FaultyStorage faulty =
          FaultyStorage.failingAt(
              storage,
              n,
              FaultyStorage.Fault.values()[n % 2],
              FaultyStorage.Aftermath.values()[n / 2 % 2]);
      try {
        clean(faulty, table, CleanRetention.ofCommits(1));
      } catch (IOException e) {
        assertThat(table.rows()).isEqualTo(table.expectedRows());
      }
      table.wall().advanceMillis(Duration.ofHours(1).toMillis());
      clean(storage, table, CleanRetention.ofCommits(1));
      assertThat(table.rows()).as("crash at " + n).isEqualTo(table.expectedRows());
      assertThat(baseFiles(table)).as("crash at " + n).isLessThanOrEqualTo(2);
      assertThat(table.open().timeline().instants())
          .as("crash at " + n)
          .filteredOn(instant -> instant.action() == Action.CLEAN)
          .isNotEmpty()
          .allMatch(Instant::isCompleted);
      if (!faulty.hasFailed()) {
        return;
      }
    }
  }

  @Property(tries = 15)
  void noReaderMissesAFileWhateverIsCleaned(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    InMemoryStorage storage = new InMemoryStorage();
    MorTable table = MorTable.create(storage, 2, MergeMode.EVENT_TIME_ORDERING);
    ReaderLeaseStore leases = new ReaderLeaseStore(storage, table.wall());
    table.commit(upsert("p0", "k0", "first", 0));
    InstantTime position = table.open().timeline().lastCompletion().orElseThrow();
    HudiTable held = table.open();
    List<ScanSplit> splits = new io.hudilite.core.scan.ScanPlanner().snapshot(held);
    List<String> rows = table.rows();
    leases.hold("reader", position, Duration.ofDays(1));
    Cleaner cleaner =
        new Cleaner(
            storage,
            random.nextBoolean()
                ? CleanRetention.ofCommits(1 + random.nextInt(3))
                : CleanRetention.ofFileVersions(1 + random.nextInt(2)),
            table.wall());
    for (int step = 0; step < 14; step++) {
      switch (random.nextInt(6)) {
        case 0 -> plan(table);
        case 1 -> execute(storage, table);
        case 2 -> {
          table.open().timeline().newestTime().ifPresent(table.clock()::observe);
          cleaner.clean(table.clock());
        }
        case 3 -> {
          assertThat(MorTable.rows(held, splits)).isEqualTo(rows);
          position = table.open().timeline().lastCompletion().orElseThrow();
          leases.hold("reader", position, Duration.ofDays(1));
          held = table.open();
          splits = new io.hudilite.core.scan.ScanPlanner().snapshot(held);
          rows = table.rows();
        }
        default -> {
          List<Change> batch = new ArrayList<>();
          for (int i = 1 + random.nextInt(4); i > 0; i--) {
            batch.add(
                new Change(
                    "p" + random.nextInt(2),
                    "k" + random.nextInt(5),
                    random.nextInt(4) == 0 ? null : "n" + step + i,
                    random.nextInt(5)));
          }
          table.commit(batch);
        }
      }
      assertThat(table.rows()).isEqualTo(table.expectedRows());
    }
    assertThat(MorTable.rows(held, splits)).isEqualTo(rows);
  }

  @Test
  void plansAndMetadataSurviveTheirBytes() throws IOException {
    CleanPlan plan =
        new CleanPlan(
            Optional.of(
                new Instant.Inflight(new InstantTime("20260101000000000"), Action.DELTA_COMMIT)),
            "20260101000000001",
            "KEEP_LATEST_COMMITS",
            Map.of("", List.of("a"), "p=1", List.of("b", ".c")),
            Map.of("x", "y"));
    assertThat(CleanCodec.decodePlan(CleanCodec.encodePlan(plan, "file:///t"), "plan"))
        .isEqualTo(plan);
    CleanMetadata metadata =
        new CleanMetadata(
            new InstantTime("20260101000000002"),
            5,
            "20260101000000000",
            "20260101000000001",
            "KEEP_LATEST_COMMITS",
            Map.of("p=1", List.of("b")),
            Map.of("p=1", List.of(".c")),
            Map.of());
    assertThat(CleanCodec.decodeMetadata(CleanCodec.encodeMetadata(metadata), "clean"))
        .isEqualTo(metadata);
  }
}
