package io.hudilite.core.archive;

import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.clean.CleanRetention;
import io.hudilite.core.clean.Cleaner;
import io.hudilite.core.compact.CompactionScheduler;
import io.hudilite.core.compact.CompactionTrigger;
import io.hudilite.core.compact.PlanLimits;
import io.hudilite.core.compact.TableCompaction;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.compact.TriggerStrategy;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.history.TimelineHistory;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.readerlease.ReaderLeaseStore;
import io.hudilite.core.scan.IncrementalPlanner;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ArchiveTest {
  private static final ArchiveLimits SIX_TO_EIGHT = new ArchiveLimits(6, 8);

  private final InMemoryStorage memory = new InMemoryStorage();

  private static void compact(Storage storage, MorTable table, int deltas) throws IOException {
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    new CompactionScheduler(
            new CompactionTrigger(TriggerStrategy.NUM_COMMITS, deltas, Duration.ZERO),
            PlanLimits.DEFAULT)
        .schedule(table.open(), table.clock().next());
    new TableCompaction(
            storage,
            BaseFileSettings.DEFAULT,
            MergeMemory.DEFAULT,
            new TakeOver("test", Duration.ofMinutes(20), "", table.wall()))
        .executePending();
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
  }

  private static int archive(Storage storage, MorTable table) throws IOException {
    return new TimelineArchiver(storage, SIX_TO_EIGHT, table.wall()).archive();
  }

  private static MorTable tableOf(Storage storage, int commits, int compactEvery)
      throws IOException {
    MorTable table = MorTable.create(storage, 1, MergeMode.EVENT_TIME_ORDERING);
    for (int i = 0; i < commits; i++) {
      table.commit(upsert("p1", "k" + i % 3, "v" + i, i), upsert("p2", "k9", "w" + i, i));
      if (compactEvery > 0) {
        compact(storage, table, compactEvery);
      }
    }
    return table;
  }

  @Test
  void timelineStaysBoundedForEverAndRowsStay() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    TimelineArchiver archiver = new TimelineArchiver(memory, SIX_TO_EIGHT, table.wall());
    Cleaner cleaner = new Cleaner(memory, CleanRetention.ofCommits(3), table.wall());
    List<Instant.Completed> all = new ArrayList<>();
    int longest = 0;
    for (int i = 0; i < 120; i++) {
      table.commit(upsert("p1", "k" + i % 3, "v" + i, i));
      all.add(table.open().timeline().lastCompletedWrite().orElseThrow());
      compact(memory, table, 2);
      cleaner.clean(table.clock());
      archiver.archive();
      table.open().timeline().newestTime().ifPresent(table.clock()::observe);
      longest = Math.max(longest, memory.list(table.config().timelinePath()).size());
    }
    assertThat(longest).isLessThan(60);
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    assertThat(table.dataFiles()).hasSizeLessThan(12);
    // Each instant is on one of the two timelines, with its completion time.
    TimelineHistory history = TimelineHistory.of(memory, table.config());
    Timeline active = table.open().timeline();
    for (Instant.Completed write : all) {
      Optional<InstantTime> completed =
          active
              .completionTimeOf(write.requestedTime())
              .or(() -> archived(history, write.requestedTime()));
      assertThat(completed).as(write.fileName()).contains(write.completionTime());
    }
    List<String> names =
        memory.list(table.config().historyPath()).stream().map(StoredFile::name).toList();
    assertThat(names).hasSizeLessThan(40).anyMatch(name -> name.endsWith("_1.parquet"));
    assertThat(names).filteredOn(name -> name.startsWith("manifest_")).hasSize(3);
  }

  private static Optional<InstantTime> archived(TimelineHistory history, InstantTime requested) {
    try {
      return history.completionTimeOf(requested);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void commitsStayUntilTheirLogFilesAreCompacted() throws IOException {
    MorTable table = tableOf(memory, 12, 0);
    // The first commit made base files only.
    assertThat(archive(memory, table)).isEqualTo(1);
    assertThat(archive(memory, table)).isZero();
    compact(memory, table, 1);
    assertThat(archive(memory, table)).isPositive();
    assertThat(table.open().timeline().completedWrites()).hasSize(6);
    assertThat(table.rows()).isEqualTo(table.expectedRows());
  }

  @Test
  void pendingInstantsAndLeasesHoldWhatComesAfterThem() throws IOException {
    MorTable table = tableOf(memory, 4, 2);
    InstantTime position = table.open().timeline().lastCompletion().orElseThrow();
    ReaderLeaseStore leases = new ReaderLeaseStore(memory, table.wall());
    leases.hold("reader", position, Duration.ofDays(1));
    for (int i = 0; i < 10; i++) {
      table.commit(upsert("p1", "k1", "x" + i, 100 + i));
      compact(memory, table, 2);
      archive(memory, table);
    }
    assertThat(new IncrementalPlanner(path -> true).next(table.open(), position)).isPresent();
    leases.release("reader");
    assertThat(archive(memory, table)).isPositive();
    assertThat(table.rows()).isEqualTo(table.expectedRows());
  }

  @Test
  void eachCrashPointLeavesATimelineThatTellsTheSame() throws IOException {
    for (int n = 0; ; n++) {
      InMemoryStorage storage = new InMemoryStorage();
      MorTable table = tableOf(storage, 8, 2);
      FaultyStorage faulty =
          FaultyStorage.failingAt(
              storage,
              n,
              FaultyStorage.Fault.values()[n % 2],
              FaultyStorage.Aftermath.values()[n / 2 % 2]);
      try {
        archive(faulty, table);
      } catch (IOException e) {
        assertThat(table.rows()).as("crash at " + n).isEqualTo(table.expectedRows());
      }
      assertThat(faulty.openStreams()).isZero();
      archive(storage, table);
      assertThat(table.rows()).as("crash at " + n).isEqualTo(table.expectedRows());
      assertThat(table.open().timeline().completedWrites()).as("crash at " + n).hasSizeLessThan(9);
      assertThat(table.open().timeline().pendingWrites()).isEmpty();
      table.commit(upsert("p1", "k1", "after", 1_000));
      compact(storage, table, 1);
      assertThat(table.readOptimizedRows()).as("crash at " + n).isEqualTo(table.expectedRows());
      if (!faulty.hasFailed()) {
        assertThat(n).isGreaterThan(20);
        return;
      }
    }
  }

  @Test
  void requirement77LimitsAreRaisedAboveTheRetainedCommits() {
    assertThat(ArchiveLimits.DEFAULT.above(30)).isEqualTo(ArchiveLimits.DEFAULT);
    assertThat(ArchiveLimits.DEFAULT.above(48)).isEqualTo(new ArchiveLimits(58, 68));
    assertThat(new ArchiveLimits(50, 60).above(48)).isEqualTo(new ArchiveLimits(50, 60));
  }

  @Test
  void savepointsHoldWhatComesAfterThem() {
    List<Instant> instants = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      instants.add(
          Instant.Completed.of(
              InstantTime.ofUtcMillis(i * 1000L),
              InstantTime.ofUtcMillis(i * 1000L + 1),
              Action.DELTA_COMMIT));
    }
    ArchivePlanner.Needed nothing =
        new ArchivePlanner.Needed(Optional.empty(), Optional.empty(), Optional.empty());
    ArchivePlanner planner = new ArchivePlanner(SIX_TO_EIGHT);
    assertThat(planner.plan(Timeline.of(instants), nothing)).hasSize(4);
    instants.add(
        Instant.Completed.of(
            InstantTime.ofUtcMillis(2_000), InstantTime.ofUtcMillis(20_000), Action.SAVEPOINT));
    assertThat(planner.plan(Timeline.of(instants), nothing)).hasSize(2);
  }
}
