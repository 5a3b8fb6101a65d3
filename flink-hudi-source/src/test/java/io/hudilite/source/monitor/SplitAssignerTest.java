package io.hudilite.source.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.source.monitor.SplitAssigner.Affinity;
import io.hudilite.source.split.HudiSplit;
import io.hudilite.source.split.ReaderStarted.Held;
import io.hudilite.source.split.Stage;
import io.hudilite.source.split.TestSplits;
import io.hudilite.source.split.Ticks;
import io.hudilite.source.split.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SplitAssignerTest {
  private static final Set<Integer> BOTH = Set.of(0, 1);

  @Test
  void nextRangeWaitsUntilAllBeforeIsFinished() {
    SplitAssigner assigner = fresh(2, Affinity.NONE);
    assigner.add(splits(0, 0, 1, 2));
    assigner.add(splits(1, 0, 1, 2));
    assigner.splitsRequested(0);
    assigner.splitsRequested(1);
    assertThat(ids(assigner.takeAssignments(BOTH))).containsOnlyKeys(0, 1);

    assigner.splitsFinished(0, Set.of("0.0-0"), Long.MIN_VALUE);
    assigner.splitsRequested(0);
    assertThat(assigner.takeAssignments(BOTH)).isEmpty();

    assigner.splitsFinished(1, Set.of("0.0-1"), Long.MIN_VALUE);
    assertThat(ids(assigner.takeAssignments(BOTH))).isEqualTo(Map.of(0, List.of("1.0-0")));
  }

  @Test
  void oneReaderGetsEverythingIfOneShall() {
    SplitAssigner assigner = fresh(2, Affinity.ONE_READER);
    assigner.add(splits(0, 0, 1, 2));
    assigner.splitsRequested(1);
    assertThat(assigner.takeAssignments(BOTH)).isEmpty();
    assigner.splitsRequested(0);
    assertThat(ids(assigner.takeAssignments(BOTH))).isEqualTo(Map.of(0, List.of("0.0-0")));
  }

  @Test
  void ticksRiseFromStageToStageAndFollowTheEventTime() {
    SplitAssigner assigner = fresh(1, Affinity.NONE);
    long first = assigner.reachedTick().getAsLong();
    assigner.add(splits(0, 0, 1));
    assigner.splitsRequested(0);
    HudiSplit split = assigner.takeAssignments(Set.of(0)).get(0).get(0);
    assertThat(split.turn()).isEqualTo(new Turn(first, false));
    assertThat(assigner.reachedTick()).hasValue(first);

    assigner.splitsFinished(0, Set.of("0.0-0"), 1_000);
    long second = assigner.reachedTick().getAsLong();
    assertThat(second).isGreaterThan(first + 1);
    assertThat(Ticks.watermarkMillis(second)).isEqualTo(1_000);
    assigner.add(splits(1, 0, 1));
    assigner.splitsRequested(0);
    assertThat(assigner.takeAssignments(Set.of(0)).get(0).get(0).turn().tick()).isEqualTo(second);
  }

  @Test
  void splitThatComesBackKeepsItsTickSoThatItsRowsAreNotLate() {
    SplitAssigner assigner = fresh(1, Affinity.NONE);
    List<HudiSplit> given = new ArrayList<>();
    for (int range = 0; range < 2; range++) {
      assigner.add(splits(range, 0, range));
      assigner.splitsRequested(0);
      given.addAll(assigner.takeAssignments(Set.of(0)).get(0));
      assigner.splitsFinished(0, Set.of(range + ".0-0"), 1_000 * (range + 1));
    }
    assigner.readerFailed(0, given);
    assertThat(assigner.reachedTick()).isEmpty();
    assigner.readerStarted(0, Map.of());
    assertThat(assigner.reachedTick()).hasValue(given.get(0).turn().tick());
    assigner.splitsRequested(0);
    assertThat(assigner.takeAssignments(Set.of(0)).get(0)).containsExactly(given.get(0));
    assigner.splitsFinished(0, Set.of("0.0-0"), 1_000);
    assigner.splitsRequested(0);
    assertThat(assigner.takeAssignments(Set.of(0)).get(0)).containsExactly(given.get(1));
  }

  @Test
  void withoutAffinityWhoeverAsksGetsIt() {
    SplitAssigner assigner = fresh(2, Affinity.NONE);
    assigner.add(splits(0, 0, 7, 7));
    assigner.splitsRequested(0);
    assertThat(ids(assigner.takeAssignments(BOTH))).isEqualTo(Map.of(0, List.of("0.0-0")));
    assigner.splitsRequested(1);
    assertThat(ids(assigner.takeAssignments(BOTH))).isEqualTo(Map.of(1, List.of("0.0-1")));
  }

  @Test
  void nothingIsHandedOutWhileAReaderHasNotToldWhatItRestored() {
    SplitAssigner assigner = restored(2, Affinity.NONE, splits(1, 0, 1));
    assigner.readerStarted(0, Map.of());
    assigner.splitsRequested(0);
    assertThat(assigner.takeAssignments(BOTH)).isEmpty();

    assigner.readerStarted(1, Map.of("0.0-5", held(0)));
    assertThat(assigner.takeAssignments(BOTH)).isEmpty();

    assigner.splitsFinished(1, Set.of("0.0-5"), Long.MIN_VALUE);
    assertThat(ids(assigner.takeAssignments(BOTH))).isEqualTo(Map.of(0, List.of("1.0-0")));
  }

  @Test
  void splitsOfSeveralStagesComeBackInTheirOldOrder() {
    SplitAssigner assigner = fresh(1, Affinity.NONE);
    for (int range = 0; range < 3; range++) {
      assigner.add(splits(range, 0, range));
      assigner.splitsRequested(0);
      assigner.takeAssignments(Set.of(0));
      assigner.splitsFinished(0, Set.of(range + ".0-0"), Long.MIN_VALUE);
    }
    List<HudiSplit> back = new ArrayList<>(splits(2, 0, 2));
    back.addAll(splits(1, 0, 1));
    assigner.readerFailed(0, back);
    assigner.readerStarted(0, Map.of("0.0-0", held(0)));
    assertThat(assigner.takeAssignments(Set.of(0))).isEmpty();
    assigner.splitsFinished(0, Set.of("0.0-0"), Long.MIN_VALUE);
    assigner.splitsRequested(0);
    assertThat(ids(assigner.takeAssignments(Set.of(0)))).isEqualTo(Map.of(0, List.of("1.0-0")));
    assigner.splitsFinished(0, Set.of("1.0-0"), Long.MIN_VALUE);
    assigner.splitsRequested(0);
    assertThat(ids(assigner.takeAssignments(Set.of(0)))).isEqualTo(Map.of(0, List.of("2.0-0")));
  }

  @Test
  void wordOfAFormerLifeIsIgnored() {
    SplitAssigner assigner = fresh(1, Affinity.NONE);
    assigner.add(splits(0, 0, 1));
    assigner.add(splits(1, 0, 1));
    assigner.splitsRequested(0);
    assigner.takeAssignments(Set.of(0));
    assigner.readerFailed(0, List.of());
    assigner.splitsFinished(0, Set.of("0.0-0"), Long.MIN_VALUE);
    assigner.readerStarted(0, Map.of("0.0-0", held(0)));
    assigner.splitsRequested(0);
    assertThat(assigner.takeAssignments(Set.of(0))).isEmpty();
  }

  @Test
  void sameSplitBackTwiceIsOneSplit() {
    SplitAssigner assigner = fresh(1, Affinity.NONE);
    assigner.add(splits(0, 0, 1, 2));
    assigner.add(splits(0, 0, 1));
    assertThat(assigner.pendingCount()).isEqualTo(2);
    assertThat(assigner.pending()).hasSize(2);
  }

  @Test
  void readerThatCannotBeReachedKeepsWaiting() {
    SplitAssigner assigner = fresh(2, Affinity.NONE);
    assigner.add(splits(0, 0, 1));
    assigner.splitsRequested(0);
    assertThat(assigner.takeAssignments(Set.of(1))).isEmpty();
    assertThat(assigner.takeIdleReaders(BOTH)).isEmpty();
    assertThat(ids(assigner.takeAssignments(BOTH))).containsOnlyKeys(0);
  }

  @Test
  void manySmallSplitsGoOutTogetherAndTheLastOnesAlone() {
    SplitAssigner assigner = fresh(2, Affinity.NONE);
    assigner.add(splits(0, 0, IntStream.range(0, 100).toArray()));
    assigner.splitsRequested(0);
    assertThat(assigner.takeAssignments(BOTH).get(0)).hasSize(25);
    assigner.splitsRequested(1);
    assertThat(assigner.takeAssignments(BOTH).get(1)).hasSize(18);
    int left = assigner.pendingCount();
    while (!assigner.isDrained()) {
      assigner.splitsRequested(1);
      int taken = assigner.takeAssignments(BOTH).get(1).size();
      assertThat(taken).isBetween(1, Math.max(1, left / 4));
      left -= taken;
    }
    assigner.splitsRequested(0);
    assertThat(assigner.takeIdleReaders(BOTH)).containsExactly(0);
    assertThat(assigner.takeIdleReaders(BOTH)).isEmpty();
  }

  @Test
  void largeSplitsGoOutOneByOne() {
    SplitAssigner assigner = fresh(1, Affinity.NONE);
    Stage stage = new Stage(0, 0);
    assigner.add(
        IntStream.range(0, 20)
            .mapToObj(n -> HudiSplit.of(stage, n, TestSplits.snapshot(n, 100L << 20)))
            .toList());
    assigner.splitsRequested(0);
    assertThat(assigner.takeAssignments(Set.of(0)).get(0)).hasSize(1);
  }

  @Test
  void firstUnfinishedRangeFollowsWhatIsHandedOutAndFinished() {
    SplitAssigner assigner = fresh(1, Affinity.NONE);
    assertThat(assigner.firstUnfinishedRange(0)).isZero();
    assigner.add(splits(3, 0, 1));
    assertThat(assigner.firstUnfinishedRange(4)).isEqualTo(3);
    assigner.splitsRequested(0);
    assigner.takeAssignments(Set.of(0));
    assertThat(assigner.firstUnfinishedRange(4)).isEqualTo(3);
    assigner.splitsFinished(0, Set.of("3.0-0"), Long.MIN_VALUE);
    assertThat(assigner.firstUnfinishedRange(4)).isEqualTo(4);
  }

  private static SplitAssigner fresh(int readers, Affinity affinity) {
    return SplitAssigner.fresh(readers, affinity);
  }

  private static SplitAssigner restored(int readers, Affinity affinity, List<HudiSplit> pending) {
    return SplitAssigner.restored(readers, affinity, pending, MonitorState.Clock.START);
  }

  private static Held held(long range) {
    return new Held(new Stage(range, 0), 2);
  }

  private static List<HudiSplit> splits(long range, int phase, int... groups) {
    Stage stage = new Stage(range, phase);
    return IntStream.range(0, groups.length)
        .mapToObj(n -> HudiSplit.of(stage, n, TestSplits.snapshot(groups[n], 100)))
        .toList();
  }

  private static Map<Integer, List<String>> ids(Map<Integer, List<HudiSplit>> assignments) {
    return assignments.entrySet().stream()
        .collect(
            java.util.stream.Collectors.toMap(
                Map.Entry::getKey, e -> e.getValue().stream().map(HudiSplit::splitId).toList()));
  }
}
