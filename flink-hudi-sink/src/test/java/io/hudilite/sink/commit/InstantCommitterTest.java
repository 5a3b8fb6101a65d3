package io.hudilite.sink.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.lease.LeaseHolder;
import io.hudilite.core.lease.WriterFencedException;
import io.hudilite.core.lease.WriterLease;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class InstantCommitterTest {
  private static final Map<String, String> TABLE =
      Map.of(
          TableConfig.NAME, "orders",
          TableConfig.TYPE, "MERGE_ON_READ",
          TableConfig.RECORD_KEY_FIELDS, "id");

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final InMemoryStorage storage = new InMemoryStorage();
  private final AtomicLong nanos = new AtomicLong();

  private InstantCommitter start(boolean dropsSuperseded) throws Exception {
    return start(dropsSuperseded, "run");
  }

  private InstantCommitter start(boolean dropsSuperseded, String run) throws Exception {
    return InstantCommitter.start(
        new CommitSettings(
            "mem",
            TABLE,
            CommitMetadata.UPSERT,
            Overwrite.NOTHING,
            "{}",
            dropsSuperseded,
            run,
            CommitTiming.AT_END,
            0,
            Duration.ZERO,
            Duration.ofSeconds(1),
            PATIENCE),
        storage,
        InstantSource.system(),
        millis -> {},
        table -> lease(table, run));
  }

  /** Time passes only while somebody waits. */
  private WriterLease lease(Storage table, String run) throws IOException, InterruptedException {
    return WriterLease.acquire(
        table,
        new LeaseHolder(run, "job of " + run, "process", "now", PATIENCE),
        nanos::get,
        millis -> nanos.addAndGet(millis * 1_000_000));
  }

  private static WriteReport report(
      int subtask, InstantTime instant, List<WriteStat> stats, boolean keysMoved) {
    return new WriteReport(
        "run", "job", subtask, 0, 1, -1, Optional.of(instant), stats, keysMoved, false);
  }

  private static Effect.Commit commit(
      InstantTime instant, boolean isRepeated, boolean isLast, WriteReport... reports) {
    return new Effect.Commit(instant, 1, List.of(reports), isRepeated, isLast);
  }

  private CommitMetadata committed(InstantTime instant) throws IOException {
    TimelineStore timelines =
        new TimelineStore(storage, TableConfig.forNewTable(TABLE, storage.location()));
    return timelines.readCommit(timelines.load().completedWrite(instant).orElseThrow());
  }

  @Test
  void runIsDoneWithItsLastInstantOnly() throws Exception {
    InstantCommitter committer = start(true);
    InstantTime first = committer.open();
    InstantTime last = committer.open();
    committer.commit(commit(first, false, false, report(0, first, List.of(), false)));
    InstantCommitter again = start(true);
    assertThat(again.isDone()).isFalse();
    again.commit(commit(last, false, true, report(0, last, List.of(), false)));
    assertThat(start(true).isDone()).isTrue();
  }

  @Test
  void commitSaysWhetherAnyWriterMovedKeys() throws Exception {
    InstantCommitter committer = start(true);
    InstantTime none = committer.open();
    committer.commit(
        commit(
            none,
            false,
            false,
            report(0, none, List.of(), false),
            report(1, none, List.of(), false)));
    InstantTime one = committer.open();
    committer.commit(
        commit(
            one, false, false, report(0, one, List.of(), false), report(1, one, List.of(), true)));
    assertThat(committed(none).extra(CommitMetadata.KEYS_MOVED)).contains("false");
    assertThat(committed(one).extra(CommitMetadata.KEYS_MOVED)).contains("true");
  }

  @Test
  void commitPromisesThatNothingIsSupersededOnlyIfThatIsSo() throws Exception {
    for (boolean dropsSuperseded : new boolean[] {true, false}) {
      InstantCommitter committer = start(dropsSuperseded);
      InstantTime instant = committer.open();
      committer.commit(commit(instant, false, false, report(0, instant, List.of(), false)));
      assertThat(committed(instant).extra(CommitMetadata.SUPERSEDED_DROPPED))
          .isEqualTo(dropsSuperseded ? Optional.of("true") : Optional.empty());
    }
  }

  @Test
  void restoredReportWhoseFilesAreGoneIsExplained() throws Exception {
    InstantCommitter committer = start(true);
    InstantTime instant = committer.open();
    List<WriteStat> gone = List.of(WriteStat.ofNewBaseFile("f-0", "p", "f-0.parquet", 1, 1));
    assertThatThrownBy(
            () -> committer.commit(commit(instant, true, false, report(0, instant, gone, false))))
        .hasMessageContaining("f-0.parquet")
        .hasMessageContaining("another writer")
        .hasMessageContaining("savepoint");
  }

  @Test
  void laterStartFencesTheOlderOneOff() throws Exception {
    InstantCommitter old = start(true);
    InstantTime pending = old.open();
    InstantCommitter young = start(true);
    assertThat(young.older()).containsExactly(pending);
    assertThatThrownBy(old::open)
        .isInstanceOf(WriterFencedException.class)
        .hasMessageContaining("job of run");
    assertThatThrownBy(
            () -> old.commit(commit(pending, false, false, report(0, pending, List.of(), false))))
        .isInstanceOf(WriterFencedException.class);
    assertThatThrownBy(old::beat).isInstanceOf(WriterFencedException.class);
    young.commit(commit(pending, true, false, report(0, pending, List.of(), false)));
    assertThat(committed(pending).extra("hudi-lite.run")).contains("run");
  }

  @Test
  void instantThatAFencedWriterBeginsLateIsRolledBack() throws Exception {
    InstantCommitter young = start(true);
    InstantTime own = young.open();
    // As if the older writer had looked at the lease before it was taken from it.
    TableConfig config = TableConfig.forNewTable(TABLE, storage.location());
    InstantTime stray =
        new TableCommit(
                storage, config, new InstantClock(InstantSource.system(), config.timelineZone()))
            .begin(Action.DELTA_COMMIT);
    young.rollBackStrays();
    TimelineStore timelines = new TimelineStore(storage, config);
    assertThat(timelines.load().pending(stray)).isEmpty();
    assertThat(timelines.load().pending(own)).isPresent();
  }

  @Test
  void olderWriterThatDecidedFirstIsNoticed() throws Exception {
    InstantCommitter old = start(true);
    InstantTime pending = old.open();
    InstantCommitter young = start(true);
    TableConfig config = TableConfig.forNewTable(TABLE, storage.location());
    new TableCommit(
            storage, config, new InstantClock(InstantSource.system(), config.timelineZone()))
        .commit(pending, CommitMetadata.ofWrite(CommitMetadata.UPSERT, List.of(), Map.of()));
    assertThat(young.rollBack(pending)).isFalse();
  }

  @Test
  void leaseThatWasReleasedIsTakenAgain() throws Exception {
    InstantCommitter committer = start(true);
    committer.release();
    InstantTime instant = committer.open();
    committer.commit(commit(instant, false, false, report(0, instant, List.of(), false)));
    committer.release();
    start(true, "other").release();
    assertThatThrownBy(committer::open)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Another job");
  }
}
