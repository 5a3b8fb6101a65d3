package io.hudilite.core.recovery;

import static io.hudilite.core.testkit.MorTable.delete;
import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.archive.ArchiveLimits;
import io.hudilite.core.archive.TimelineArchiver;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.clean.CleanRetention;
import io.hudilite.core.clean.Cleaner;
import io.hudilite.core.compact.CompactionScheduler;
import io.hudilite.core.compact.CompactionTrigger;
import io.hudilite.core.compact.PlanLimits;
import io.hudilite.core.compact.TableCompaction;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.lease.LeaseHolder;
import io.hudilite.core.lease.WriterLease;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.storage.LocalStorage;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.Compactions;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.RestorePlan;
import io.hudilite.core.write.RewindStore;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecoveryTest {
  private final InMemoryStorage memory = new InMemoryStorage();
  private final AtomicLong nanos = new AtomicLong();

  private TableRecovery recovery(Storage storage, MorTable table) {
    return new TableRecovery(
        storage,
        table.wall(),
        nanos::get,
        millis -> nanos.addAndGet(millis * 1_000_000),
        "restore");
  }

  private static SavepointStore savepoints(Storage storage, MorTable table) {
    return new SavepointStore(storage, table.wall());
  }

  private static void compact(Storage storage, MorTable table) throws IOException {
    Compactions.compact(storage, table.clock());
    observe(table);
  }

  private static void observe(MorTable table) throws IOException {
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
  }

  private static List<Instant> of(MorTable table, Action action) throws IOException {
    return table.open().timeline().instants().stream()
        .filter(instant -> instant.action() == action)
        .toList();
  }

  private List<RewindStore.Rewind> rewinds(MorTable table, InstantTime after) throws IOException {
    return new RewindStore(memory)
        .after(after, table.open().timeline(), table.open().timelineStore());
  }

  private static MorTable twoCommits(Storage storage) throws IOException {
    MorTable table = MorTable.create(storage, 1, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "k1", "a", 1), upsert("p1", "k2", "a", 1));
    table.commit(upsert("p1", "k1", "b", 2), upsert("p2", "k3", "b", 2));
    return table;
  }

  /** Later writes of every kind: updates, deletes, new groups, a compaction, a clean. */
  private static void writeOn(Storage storage, MorTable table) throws IOException {
    observe(table);
    table.commit(upsert("p1", "k1", "c", 3), delete("p1", "k2", 3));
    compact(storage, table);
    table.commit(upsert("p3", "k4", "d", 4), upsert("p1", "k1", "d", 4));
    compact(storage, table);
    new Cleaner(storage, CleanRetention.ofCommits(1), table.wall()).clean(table.clock());
    observe(table);
  }

  @Test
  void restoreBringsTheSavepointBack() throws IOException {
    MorTable table = twoCommits(memory);
    List<String> rows = table.rows();
    List<String> files = table.dataFiles();
    Savepoint made = savepoints(memory, table).createNewest("me", "before the change");
    assertThat(made.fileCount()).isEqualTo(files.size());
    writeOn(memory, table);
    assertThat(table.rows()).isNotEqualTo(rows);

    TableRecovery.Result result = recovery(memory, table).restore(made.instant());

    assertThat(result.removed()).hasSize(4).isSortedAccordingTo((a, b) -> b.compareTo(a));
    assertThat(table.rows()).isEqualTo(rows);
    assertThat(table.dataFiles()).isEqualTo(files);
    assertThat(table.open().timeline().completedWrites()).hasSize(2);
    assertThat(of(table, Action.RESTORE)).hasSize(1).allMatch(Instant::isCompleted);
    assertThat(savepoints(memory, table).list()).containsExactly(made);
    assertThat(rewinds(table, InstantTime.BEGINNING)).hasSize(1);
    // And on it goes.
    observe(table);
    table.commit(upsert("p1", "k1", "e", 9), upsert("p3", "k4", "e", 9));
    assertThat(table.rows()).contains("p1/k1=e@9", "p1/k2=a@1", "p2/k3=b@2").hasSize(4);
  }

  /** Its base file has taken the place of one that the commits before its end would need. */
  @Test
  void stateThatALateCompactionAndACleanHaveOvertakenIsNotKeptInPart() throws IOException {
    MorTable table = twoCommits(memory);
    new CompactionScheduler(CompactionTrigger.ALWAYS, PlanLimits.DEFAULT)
        .schedule(HudiTable.open(memory), table.clock().next());
    observe(table);
    for (int i = 3; i < 6; i++) {
      table.commit(upsert("p1", "k1", "c" + i, i));
    }
    InstantTime newest = table.open().timeline().lastCompletedWrite().orElseThrow().requestedTime();
    List<String> rows;
    new TableCompaction(
            memory,
            BaseFileSettings.DEFAULT,
            MergeMemory.DEFAULT,
            new TakeOver("test", Duration.ofMinutes(20), "", table.wall()))
        .executePending();
    observe(table);
    assertThat(table.open().timeline().lastCompletedWrite().orElseThrow().requestedTime())
        .isLessThan(newest);
    new Cleaner(memory, CleanRetention.ofCommits(1), table.wall()).clean(table.clock());
    observe(table);

    SavepointStore savepoints = savepoints(memory, table);
    assertThatThrownBy(() -> savepoints.create(newest, "me", ""))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("Make one of a newer instant");
    table.commit(upsert("p2", "k3", "c", 8));
    rows = table.rows();
    Savepoint made = savepoints.createNewest("me", "");
    table.commit(upsert("p1", "k1", "late", 9));
    recovery(memory, table).restore(made.instant());
    assertThat(table.rows()).isEqualTo(rows);
  }

  @Test
  void savepointOfAnOlderInstantKeepsTheStateOfThen() throws IOException {
    MorTable table = twoCommits(memory);
    List<String> rows = table.rows();
    InstantTime second = table.open().timeline().lastCompletedWrite().orElseThrow().requestedTime();
    table.commit(upsert("p1", "k1", "c", 3));
    compact(memory, table);
    savepoints(memory, table).create(second, "me", "");
    writeOn(memory, table);
    recovery(memory, table).restore(second);
    assertThat(table.rows()).isEqualTo(rows);
  }

  @Test
  void savepointIsRefusedOnceFilesOfItMayBeCleaned() throws IOException {
    MorTable table = twoCommits(memory);
    InstantTime second = table.open().timeline().lastCompletedWrite().orElseThrow().requestedTime();
    writeOn(memory, table);
    assertThatThrownBy(() -> savepoints(memory, table).create(second, "me", ""))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("too old for a savepoint");
    assertThatThrownBy(
            () -> savepoints(memory, table).create(new InstantTime("20200101000000000"), "", ""))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("is no completed write");
    assertThat(of(table, Action.SAVEPOINT)).isEmpty();
  }

  @Test
  void cleanAndArchiveRespectASavepointUntilItIsDeleted() throws IOException {
    MorTable table = twoCommits(memory);
    List<String> rows = table.rows();
    List<String> files = table.dataFiles();
    Savepoint kept = savepoints(memory, table).createNewest("me", "");
    Cleaner cleaner = new Cleaner(memory, CleanRetention.ofCommits(1), table.wall());
    TimelineArchiver archiver = new TimelineArchiver(memory, new ArchiveLimits(3, 5), table.wall());
    for (int i = 0; i < 12; i++) {
      table.commit(upsert("p1", "k1", "v" + i, 10 + i), upsert("p2", "k3", "v" + i, 10 + i));
      compact(memory, table);
      cleaner.clean(table.clock());
      archiver.archive();
      observe(table);
    }
    assertThat(table.dataFiles()).containsAll(files);
    assertThat(table.open().timeline().completedWrite(kept.instant())).isPresent();
    int long0 = table.open().timeline().completedWrites().size();

    assertThat(savepoints(memory, table).delete(kept.instant())).isTrue();
    assertThat(savepoints(memory, table).delete(kept.instant())).isFalse();
    observe(table);
    cleaner.clean(table.clock());
    archiver.archive();
    assertThat(table.dataFiles()).doesNotContainAnyElementsOf(files);
    assertThat(table.open().timeline().completedWrites()).hasSizeLessThan(long0);
    assertThat(table.rows()).isEqualTo(table.expectedRows()).isNotEqualTo(rows);
  }

  @Test
  void savepointsThatDiedDoNotHoldTheTimelineForEver() throws IOException {
    for (int fail = 0; ; fail++) {
      InMemoryStorage storage = new InMemoryStorage();
      MorTable table = twoCommits(storage);
      FaultyStorage faulty =
          FaultyStorage.failingAt(
              storage, fail, FaultyStorage.Fault.AFTER_EFFECT, FaultyStorage.Aftermath.DEAD);
      try {
        Savepoint made = savepoints(faulty, table).createNewest("me", "");
        savepoints(faulty, table).delete(made.instant());
      } catch (IOException e) {
        // As planned.
      }
      boolean isKept = !savepoints(storage, table).list().isEmpty();
      TimelineArchiver archiver =
          new TimelineArchiver(storage, new ArchiveLimits(3, 5), table.wall());
      for (int i = 0; i < 6; i++) {
        table.commit(upsert("p1", "k1", "v" + i, 10 + i), upsert("p2", "k3", "v" + i, 10 + i));
        compact(storage, table);
        archiver.archive();
      }
      int left = isKept ? 13 : 5;
      assertThat(table.open().timeline().completedWrites())
          .as("writes after operation %d", fail)
          .hasSizeLessThanOrEqualTo(left);
      assertThat(of(table, Action.SAVEPOINT)).hasSize(isKept ? 1 : 0);
      if (!faulty.hasFailed()) {
        return;
      }
    }
  }

  @Test
  void aSavepointUnderWayIsNotAbandoned(@TempDir Path folder) throws IOException {
    Storage storage = new LocalStorage(folder);
    MorTable table = twoCommits(storage);
    InstantTime newest = table.open().timeline().lastCompletedWrite().orElseThrow().requestedTime();
    table.open().timelineStore().createInflight(new Instant.Inflight(newest, Action.SAVEPOINT));
    InstantSource now = InstantSource.system();
    assertThat(new SavepointStore(storage, now).removeAbandoned(table.open())).isFalse();
    InstantSource later = InstantSource.offset(now, Duration.ofMinutes(61));
    assertThat(new SavepointStore(storage, later).removeAbandoned(table.open())).isTrue();
    assertThat(of(table, Action.SAVEPOINT)).isEmpty();
  }

  @Test
  void laterSavepointsAndMissingFilesAreInTheWay() throws IOException {
    MorTable table = twoCommits(memory);
    SavepointStore savepoints = savepoints(memory, table);
    InstantTime first = savepoints.createNewest("me", "").instant();
    table.commit(upsert("p1", "k1", "c", 3));
    InstantTime second = savepoints.createNewest("me", "").instant();
    assertThat(savepoints.createNewest("me", "again")).isEqualTo(savepoints.list().get(1));
    assertThatThrownBy(() -> recovery(memory, table).restore(first))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("later savepoints keep: " + second);
    assertThatThrownBy(() -> recovery(memory, table).restore(new InstantTime("20200101000000000")))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("has no savepoint");
    String lost = table.dataFiles().get(0);
    memory.delete(lost);
    assertThatThrownBy(() -> recovery(memory, table).restore(second))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining(lost);
    assertThat(of(table, Action.RESTORE)).isEmpty();
  }

  @Test
  void aLiveWriterIsNotRestoredUnder() throws Exception {
    MorTable table = twoCommits(memory);
    InstantTime kept = savepoints(memory, table).createNewest("me", "").instant();
    WriterLease writer =
        WriterLease.acquire(
            memory,
            new LeaseHolder("run", "orders", "process", "now", Duration.ofSeconds(5)),
            nanos::get,
            millis -> {});
    TableRecovery recovery =
        new TableRecovery(
            memory,
            table.wall(),
            nanos::get,
            millis -> {
              nanos.addAndGet(millis * 1_000_000);
              try {
                writer.beat();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            },
            "restore");
    assertThatThrownBy(() -> recovery.restore(kept))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("orders");
    assertThatThrownBy(() -> recovery.rollBack(kept)).isInstanceOf(HudiTableException.class);
    writer.release();
    assertThat(recovery(memory, table).restore(kept).removed()).isEmpty();
  }

  @Test
  void writesOfLongAgoAndOfOtherEnginesAreTakenBackToo(@TempDir Path folder) throws IOException {
    Storage local = Storages.of(folder.toUri().toString());
    MorTable table = twoCommits(local);
    List<String> rows = table.rows();
    InstantTime kept = savepoints(local, table).createNewest("me", "").instant();
    InstantTime undone = table.commit(upsert("p1", "k1", "c", 3));
    local.deleteFolder(".hoodie/.hudi-lite/fate"); // none was made, or it is forgotten
    recovery(local, table).rollBack(undone);
    assertThat(table.rows()).isEqualTo(rows);
    observe(table);
    table.commit(upsert("p1", "k1", "c", 3));
    local.deleteFolder(".hoodie/.hudi-lite/fate");
    recovery(local, table).restore(kept);
    assertThat(table.rows()).isEqualTo(rows);
  }

  private static List<String> rows(Storage storage) throws IOException {
    HudiTable table = HudiTable.open(storage);
    return MorTable.rows(table, new ScanPlanner().snapshot(table));
  }

  private static List<Instant> of(Storage storage, Action action) throws IOException {
    return HudiTable.open(storage).timeline().instants().stream()
        .filter(instant -> instant.action() == action)
        .toList();
  }

  @Test
  void eachCrashPointOfARestoreIsFinishedByTheNextWriter() throws IOException {
    MorTable table = twoCommits(memory);
    List<String> rows = table.rows();
    InstantTime kept = savepoints(memory, table).createNewest("me", "").instant();
    writeOn(memory, table);
    List<String> newest = table.rows();
    new TableCommit(memory, table.config(), table.clock()).begin(Action.DELTA_COMMIT);
    for (int n = 0; n < 300; n++) {
      InMemoryStorage storage = memory.copy();
      FaultyStorage faulty =
          FaultyStorage.failingAt(
              storage,
              n,
              FaultyStorage.Fault.values()[n % 2],
              FaultyStorage.Aftermath.values()[n / 2 % 2]);
      try {
        recovery(faulty, table).restore(kept);
      } catch (IOException e) {
        // The process is dead, or gives up.
      }
      boolean begun = !of(storage, Action.RESTORE).isEmpty();
      new TableCommit(storage, table.config(), table.clock()).recover();
      assertThat(rows(storage)).as("crash at " + n).isEqualTo(begun ? rows : newest);
      assertThat(of(storage, Action.RESTORE)).as("crash at " + n).allMatch(Instant::isCompleted);
      if (begun) {
        assertThat(HudiTable.open(storage).timeline().pendingWrites())
            .as("crash at " + n)
            .isEmpty();
        assertThat(storage.list(".hoodie/.temp")).as("crash at " + n).isEmpty();
      }
      nanos.addAndGet(Duration.ofMinutes(1).toNanos());
      recovery(storage, table).restore(kept);
      assertThat(rows(storage)).as("crash at " + n).isEqualTo(rows);
      if (!faulty.hasFailed()) {
        return;
      }
    }
    throw new AssertionError("never ran without a crash");
  }

  @Test
  void theNewestWriteCanBeTakenBackAndNoOther() throws IOException {
    MorTable table = twoCommits(memory);
    List<String> before = table.rows();
    List<String> files = table.dataFiles();
    InstantTime second = table.open().timeline().lastCompletedWrite().orElseThrow().requestedTime();
    InstantTime third = table.commit(upsert("p1", "k1", "c", 3), upsert("p4", "k9", "c", 3));
    assertThatThrownBy(() -> recovery(memory, table).rollBack(second))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("1 later writes build on it, the newest is " + third);
    TableRecovery.Result result = recovery(memory, table).rollBack(third);
    assertThat(result.removed()).containsExactly(third);
    assertThat(table.rows()).isEqualTo(before);
    assertThat(table.dataFiles()).isEqualTo(files);
    assertThat(of(table, Action.ROLLBACK))
        .extracting(Instant::requestedTime)
        .containsExactly(result.instant().orElseThrow());
    assertThat(rewinds(table, third)).hasSize(1);

    savepoints(memory, table).createNewest("me", "");
    assertThatThrownBy(() -> recovery(memory, table).rollBack(second))
        .hasMessageContaining("a savepoint keeps it");
    assertThatThrownBy(() -> recovery(memory, table).rollBack(third))
        .hasMessageContaining("is not on the active timeline");
  }

  @Test
  void aCompactionCanBeTakenBackAsLongAsItsOldFilesAreThere() throws IOException {
    MorTable table = twoCommits(memory);
    List<String> rows = table.rows();
    compact(memory, table);
    InstantTime compaction =
        table.open().timeline().lastCompletedWrite().orElseThrow().requestedTime();
    recovery(memory, table).rollBack(compaction);
    assertThat(table.rows()).isEqualTo(rows);
    assertThat(table.open().timeline().pendingWrites()).isEmpty();

    observe(table);
    compact(memory, table);
    new Cleaner(memory, CleanRetention.ofFileVersions(1), table.wall()).clean(table.clock());
    InstantTime again = table.open().timeline().lastCompletedWrite().orElseThrow().requestedTime();
    assertThatThrownBy(() -> recovery(memory, table).rollBack(again))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("has deleted files that it took the place of");
    assertThat(table.rows()).isEqualTo(rows);
  }

  @Test
  void pendingWritesAndPlansAreRolledBack() throws IOException {
    MorTable table = twoCommits(memory);
    TableCommit writer = new TableCommit(memory, table.config(), table.clock());
    InstantTime open = writer.begin(Action.DELTA_COMMIT);
    table.write(open, List.of(upsert("p9", "k7", "x", 7)));
    new CompactionScheduler(CompactionTrigger.ALWAYS, PlanLimits.DEFAULT)
        .schedule(table.open(), table.clock().next());
    InstantTime plan = table.open().timeline().pendingCompactions().get(0).requestedTime();
    assertThat(recovery(memory, table).rollBack(plan).removed()).containsExactly(plan);
    assertThat(recovery(memory, table).rollBack(open).removed()).containsExactly(open);
    assertThat(table.open().timeline().pendingWrites()).isEmpty();
    assertThat(table.dataFiles()).noneMatch(name -> name.startsWith("p9"));
  }

  @Test
  void eachCrashPointOfARollbackLeavesTheWriteWholeOrGone() throws IOException {
    MorTable table = twoCommits(memory);
    List<String> before = table.rows();
    InstantTime third = table.commit(upsert("p1", "k1", "c", 3), upsert("p4", "k9", "c", 3));
    List<String> after = table.rows();
    for (int n = 0; n < 200; n++) {
      InMemoryStorage storage = memory.copy();
      FaultyStorage faulty =
          FaultyStorage.failingAt(
              storage,
              n,
              FaultyStorage.Fault.values()[n % 2],
              FaultyStorage.Aftermath.values()[n / 2 % 2]);
      try {
        recovery(faulty, table).rollBack(third);
      } catch (IOException e) {
        // As planned.
      }
      new TableCommit(storage, table.config(), table.clock()).recover();
      boolean isThere = HudiTable.open(storage).timeline().completedWrite(third).isPresent();
      assertThat(rows(storage)).as("crash at " + n).isEqualTo(isThere ? after : before);
      assertThat(of(storage, Action.ROLLBACK)).as("crash at " + n).allMatch(Instant::isCompleted);
      nanos.addAndGet(Duration.ofMinutes(1).toNanos());
      if (isThere) {
        recovery(storage, table).rollBack(third);
        assertThat(rows(storage)).as("crash at " + n).isEqualTo(before);
      }
      if (!faulty.hasFailed()) {
        return;
      }
    }
    throw new AssertionError("never ran without a crash");
  }

  @Test
  void aPlanMayBeOfAnotherEngineThatDied() throws IOException {
    MorTable table = twoCommits(memory);
    List<String> rows = table.rows();
    InstantTime third = table.commit(upsert("p1", "k1", "c", 3));
    InstantTime restore = table.clock().next();
    table
        .open()
        .timelineStore()
        .createRequested(
            new Instant.Requested(restore, Action.RESTORE),
            io.hudilite.core.timeline.RestoreCodec.encodePlan(
                new RestorePlan("", List.of(new RestorePlan.Target(third, "deltacommit")))));
    new TableCommit(memory, table.config(), table.clock()).recover();
    assertThat(table.rows()).isEqualTo(rows);
    assertThat(of(table, Action.RESTORE)).hasSize(1).allMatch(Instant::isCompleted);
  }
}
