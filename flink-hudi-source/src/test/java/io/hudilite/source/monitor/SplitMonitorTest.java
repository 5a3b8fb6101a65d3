package io.hudilite.source.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.merge.ChangePhase;
import io.hudilite.core.scan.ScanRange;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.scan.StartingPosition;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.source.config.ReadMode;
import io.hudilite.source.config.RowOrder;
import io.hudilite.source.split.HudiSplit;
import io.hudilite.source.split.ReaderStarted;
import io.hudilite.source.split.SplitsFinished;
import io.hudilite.source.split.TestSplits;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.junit.jupiter.api.Test;

class SplitMonitorTest {
  private static final ReadMode CONTINUOUS =
      new ReadMode.Continuous(new StartingPosition.Earliest(), null, Duration.ofSeconds(1));

  private final FakeTable table = new FakeTable();
  private final List<String> assigned = new ArrayList<>();
  private final List<Integer> released = new ArrayList<>();
  private final FakeEnumeratorContext context =
      new FakeEnumeratorContext(
          2, (reader, split) -> assigned.add(reader + ":" + split.splitId()), released::add);

  @Test
  void resultOfALookFromAnOldPositionIsDropped() {
    SplitMonitor monitor = start(CONTINUOUS);
    table.add(TestSplits.snapshot(1, 10));
    context.runLook();
    context.runLook(); // both from the beginning
    context.deliverResult();
    context.deliverResult();
    assertThat(monitor.snapshotState(1).pending()).hasSize(1);
    assertThat(monitor.snapshotState(1).nextRange()).isEqualTo(1);
  }

  @Test
  void nextRangeIsPlannedWhenTheFormerIsHandedOut() {
    SplitMonitor monitor = start(CONTINUOUS);
    table.add(TestSplits.snapshot(1, 10));
    table.add(TestSplits.snapshot(2, 10));
    look();
    look();
    assertThat(monitor.snapshotState(1).nextRange()).isEqualTo(1);
    startReader(monitor, 0);
    assertThat(assigned).containsExactly("0:0.0-0");
    look();
    assertThat(monitor.snapshotState(1).nextRange()).isEqualTo(2);
  }

  @Test
  void failedLooksAreTriedAgainAndThenFailTheJobWithTheCause() {
    SplitMonitor monitor = start(CONTINUOUS);
    table.failure = new IOException("no route to storage");
    for (int i = 1; i < SplitMonitor.MAX_FAILED_LOOKS; i++) {
      look();
    }
    table.failure = null;
    look(); // counts anew after a look that went well
    table.failure = new IOException("no route to storage");
    for (int i = 1; i < SplitMonitor.MAX_FAILED_LOOKS; i++) {
      look();
    }
    assertThatThrownBy(this::look)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("/table")
        .hasMessageContaining("no route to storage");
    assertThat(monitor.snapshotState(1).position()).isNull();
  }

  @Test
  void whatOnlyTheUserCanMendIsNotTriedAgain() {
    start(CONTINUOUS);
    table.failure = new HudiTableException("no such table");
    assertThatThrownBy(this::look)
        .isInstanceOf(SuppressRestartsException.class)
        .hasRootCauseMessage("no such table");
  }

  @Test
  void boundedReadOfAnEmptyTableReleasesItsReadersAtOnce() {
    SplitMonitor monitor = start(new ReadMode.Snapshot());
    startReader(monitor, 0);
    assertThat(released).isEmpty();
    look();
    assertThat(released).containsExactly(0);
    startReader(monitor, 1);
    assertThat(released).containsExactly(0, 1);
  }

  @Test
  void boundedReadIsPlannedOnceAlsoAfterAFailedLook() {
    SplitMonitor monitor = start(new ReadMode.Snapshot());
    table.add(TestSplits.snapshot(1, 10));
    table.failure = new IOException("try again");
    look();
    table.failure = null;
    look();
    assertThat(context.runLook()).isFalse();
    startReader(monitor, 0);
    startReader(monitor, 1);
    assertThat(assigned).containsExactly("0:0.0-0");
    assertThat(released).containsExactly(1);
  }

  @Test
  void restoredBoundedReadDoesNotPlanAgain() {
    MonitorState state =
        new MonitorState(TestSplits.instant(3), 1, List.of(), MonitorState.Clock.START);
    SplitMonitor monitor =
        SplitMonitor.restored(
            context,
            new ReadMode.Snapshot(),
            RowOrder.STAGED,
            "/table",
            table,
            state,
            InstantSource.system());
    monitor.start();
    assertThat(context.runLook()).isFalse();
    startReader(monitor, 0);
    assertThat(released).containsExactly(0);
  }

  @Test
  void olderFileGroupsComeFirst() {
    SplitMonitor monitor = start(CONTINUOUS);
    table.add(
        TestSplits.changes(1, TestSplits.instant(9), ChangePhase.ALL),
        TestSplits.changes(2, TestSplits.instant(4), ChangePhase.ALL));
    look();
    assertThat(monitor.snapshotState(1).pending())
        .extracting(HudiSplit::fileGroupId)
        .containsExactly(TestSplits.group(2), TestSplits.group(1));
  }

  @Test
  void lagCountsCommitsUntilTheirLastRowIsOut() {
    long now = TestSplits.instant(500).toMillis(ZoneOffset.UTC);
    ReadLag lag = new ReadLag(() -> java.time.Instant.ofEpochMilli(now + 60_000), null);
    List<InstantTime> commits = List.of(TestSplits.instant(500), TestSplits.instant(700));
    lag.looked(new Discovery.Found(Optional.empty(), commits, ZoneOffset.UTC));
    assertThat(lag.instantsBehind()).isEqualTo(2);
    assertThat(lag.secondsBehind()).isEqualTo(60);

    lag.planned(0, TestSplits.instant(500));
    lag.planned(1, TestSplits.instant(700));
    lag.progress(0);
    assertThat(lag.instantsBehind()).isEqualTo(2);
    lag.progress(1);
    assertThat(lag.instantsBehind()).isEqualTo(1);
    assertThat(lag.secondsBehind()).isEqualTo(59);
    lag.progress(2);
    assertThat(lag.instantsBehind()).isZero();
    assertThat(lag.secondsBehind()).isZero();
  }

  @Test
  void finishedSplitLetsTheNextStageGo() {
    SplitMonitor monitor = start(CONTINUOUS);
    table.ranges.add(
        new ScanRange(
            TestSplits.instant(1),
            List.of(List.of(TestSplits.snapshot(1, 10)), List.of(TestSplits.snapshot(1, 10)))));
    look();
    startReader(monitor, 0);
    monitor.handleSplitRequest(0, null);
    assertThat(assigned).containsExactly("0:0.0-0");
    monitor.handleSourceEvent(0, new SplitsFinished(Set.of("0.0-0")));
    assertThat(assigned).containsExactly("0:0.0-0", "0:0.1-0");
  }

  @Test
  void readersOfAStagedReadAreToldWhichStagesAreOver() {
    SplitMonitor monitor = start(CONTINUOUS);
    table.add(TestSplits.snapshot(1, 10), TestSplits.snapshot(2, 10));
    startReader(monitor, 0);
    startReader(monitor, 1);
    assertThat(context.events()).containsExactly("0:2", "1:2");
    look();
    monitor.handleSourceEvent(0, new SplitsFinished(Set.of("0.0-0")));
    assertThat(context.events()).hasSize(2);
    monitor.handleSourceEvent(1, new SplitsFinished(Set.of("0.0-1")));
    assertThat(context.events()).hasSize(4).endsWith("0:4", "1:4");
    startReader(monitor, 1); // began anew
    assertThat(context.events()).hasSize(5).endsWith("1:4");
  }

  private SplitMonitor start(ReadMode mode) {
    SplitMonitor monitor =
        SplitMonitor.fresh(context, mode, RowOrder.STAGED, "/table", table, InstantSource.system());
    monitor.start();
    return monitor;
  }

  private void look() {
    context.runLook();
    context.deliverResult();
  }

  private void startReader(SplitMonitor monitor, int reader) {
    context.register(reader);
    monitor.addReader(reader);
    monitor.handleSourceEvent(reader, new ReaderStarted(Map.of()));
    monitor.handleSplitRequest(reader, null);
  }

  private static final class FakeTable implements Discovery {
    final List<ScanRange> ranges = new ArrayList<>();
    @Nullable Exception failure;

    void add(ScanSplit... splits) {
      ranges.add(ScanRange.ofOneStage(TestSplits.instant(ranges.size() + 1L), List.of(splits)));
    }

    @Override
    public Found plan(@Nullable InstantTime position) throws IOException {
      if (failure instanceof IOException e) {
        throw e;
      }
      if (failure instanceof RuntimeException e) {
        throw e;
      }
      Optional<ScanRange> next =
          ranges.stream()
              .filter(range -> position == null || range.end().isAfter(position))
              .findFirst();
      return new Found(next, List.of(), ZoneOffset.UTC);
    }

    @Override
    public Found look() {
      return new Found(Optional.empty(), List.of(), ZoneOffset.UTC);
    }
  }
}
