package io.hudilite.sink.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.lease.LeaseHolder;
import io.hudilite.core.lease.WriterFencedException;
import io.hudilite.core.lease.WriterLease;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.FailedWrites;
import io.hudilite.core.write.TableCommit;
import io.hudilite.core.write.WriteHeartbeats;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;

class InstantCommitterTest {
  private static final Map<String, String> TABLE =
      Map.of(
          TableConfig.NAME, "orders",
          TableConfig.TYPE, "MERGE_ON_READ",
          TableConfig.RECORD_KEY_FIELDS, "id");

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final MorTable.ManualClock wall = new MorTable.ManualClock();
  private final InMemoryStorage storage = new InMemoryStorage(wall);
  private final AtomicLong nanos = new AtomicLong();
  private FailedWrites failedWrites = FailedWrites.EAGER;

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
            AvroSchemas.toAvro(MorTable.ROW_TYPE, "t").toString(),
            dropsSuperseded,
            run,
            CommitTiming.AT_END,
            0,
            Duration.ZERO,
            Duration.ofSeconds(1),
            PATIENCE,
            failedWrites),
        storage,
        wall,
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
  void jobThatDoesNotKnowANewColumnDoesNotStartAgain() throws Exception {
    InstantCommitter committer = start(true);
    InstantTime first = committer.open();
    committer.commit(commit(first, false, false, report(0, first, List.of(), false)));
    TableConfig config = TableConfigStore.load(storage);
    TableCommit other =
        new TableCommit(storage, config, new InstantClock(wall, config.timelineZone()));
    List<RowType.RowField> fields = new ArrayList<>(MorTable.ROW_TYPE.getFields());
    fields.add(new RowType.RowField("added", new IntType()));
    String wider = AvroSchemas.toAvro(new RowType(fields), "t").toString();
    wall.advanceMillis(1_000);
    other.commit(
        other.begin(Action.DELTA_COMMIT),
        CommitMetadata.ofWrite(
            CommitMetadata.ALTER_SCHEMA, List.of(), Map.of(CommitMetadata.SCHEMA, wider)));
    assertThatThrownBy(() -> start(true))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("has the columns [added], of which this job does not know");
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
  void restoredReportOfACommittedInstantChangesNothing() throws Exception {
    InstantCommitter committer = start(true);
    InstantTime instant = committer.open();
    wall.advanceMillis(2_500);
    assertThat(committer.millisSince(instant)).isEqualTo(2_500);
    WriteReport report = report(0, instant, List.of(), false);
    assertThat(committer.commit(commit(instant, false, false, report))).isTrue();
    assertThat(start(true).commit(commit(instant, true, false, report))).isFalse();
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

  /** What a writer of Hudi leaves when it begins. */
  private InstantTime foreignBegins() throws IOException {
    wall.advanceMillis(1);
    TimelineStore timelines =
        new TimelineStore(storage, TableConfig.forNewTable(TABLE, storage.location()));
    InstantTime instant = InstantTime.ofUtcMillis(wall.millis());
    storage.createNew(".hoodie/.heartbeat/" + instant, new byte[0]);
    timelines.createRequested(new Instant.Requested(instant, Action.DELTA_COMMIT), new byte[0]);
    wall.advanceMillis(1);
    return instant;
  }

  private List<InstantTime> pendingOnTimeline() throws IOException {
    return new TimelineStore(storage, TableConfig.forNewTable(TABLE, storage.location()))
        .load().pendingWrites().stream().map(Instant::requestedTime).toList();
  }

  @Test
  void lazyWriterLeavesAloneWhatShowsThatItLivesAndTakesOverWhatIsOurs() throws Exception {
    failedWrites = FailedWrites.lazy(Duration.ofSeconds(60), 2);
    InstantCommitter dead = start(true, "dead");
    InstantTime ours = dead.open();
    InstantTime foreign = foreignBegins();

    InstantCommitter committer = start(true);
    assertThat(committer.older())
        .as("the lease tells that its writer is dead")
        .containsExactly(ours);
    committer.rollBack(ours);
    wall.advanceMillis(110_000);
    InstantTime own = committer.open();
    committer.rollBackStrays();
    assertThat(pendingOnTimeline()).containsExactly(foreign, own);

    wall.advanceMillis(11_000);
    committer.beat();
    committer.rollBackStrays();
    assertThat(pendingOnTimeline()).containsExactly(own);
    wall.advanceMillis(200_000);
    committer.rollBackStrays();
    assertThat(pendingOnTimeline()).as("its own are never strays").containsExactly(own);
    committer.commit(commit(own, false, false, report(0, own, List.of(), false)));
    assertThat(storage.list(".hoodie/.heartbeat")).isEmpty();
  }

  @Test
  void lazyWriterTakesOverWhatAPausedPredecessorBegins() throws Exception {
    failedWrites = FailedWrites.lazy(Duration.ofSeconds(60), 2);
    InstantCommitter paused = start(true, "paused");
    InstantCommitter committer = start(true);
    // It was past its look at the lease when the other one took it.
    TableConfig config = TableConfig.forNewTable(TABLE, storage.location());
    InstantTime late =
        new TableCommit(
                storage,
                config,
                new InstantClock(wall, config.timelineZone()),
                new WriteHeartbeats(storage, wall, failedWrites))
            .begin(Action.DELTA_COMMIT);
    committer.rollBackStrays();
    assertThat(pendingOnTimeline()).isEmpty();
    assertThat(storage.list(".hoodie/.heartbeat")).isEmpty();
    assertThatThrownBy(
            () -> paused.commit(commit(late, false, false, report(0, late, List.of(), false))))
        .isInstanceOf(WriterFencedException.class);
  }
}
