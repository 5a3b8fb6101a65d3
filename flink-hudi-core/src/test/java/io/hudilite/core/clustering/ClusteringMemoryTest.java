package io.hudilite.core.clustering;

import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.compact.CompactionScheduler;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What later processes know of a table that was looked at before. */
class ClusteringMemoryTest {
  private final InMemoryStorage memory = new InMemoryStorage();
  private final FaultyStorage counting = FaultyStorage.counting(memory);

  private static InstantTime at(int second) {
    return InstantTime.ofUtcMillis(1_800_000_000_000L + second * 1000L);
  }

  private static Timeline timeline(int from, int to, Instant... more) {
    List<Instant> instants = new ArrayList<>(List.of(more));
    for (int i = from; i <= to; i++) {
      instants.add(
          Instant.Completed.of(
              at(i), InstantTime.ofUtcMillis(1_800_000_000_500L + i * 1000L), Action.COMMIT));
    }
    return Timeline.of(instants);
  }

  @Test
  void whatIsKnownIsReadBackWholeOrNotAtAll() {
    ClusteringMemory.Known known =
        ClusteringMemory.Known.of(
            timeline(1, 3, new Instant.Inflight(at(9), Action.COMMIT)),
            Set.of("", "dt=2026-11-30/typ=a b", "line\nbreak"));
    String text = ClusteringMemory.encode(known);
    assertThat(ClusteringMemory.decode(text)).contains(known);
    for (int length = 0; length < text.length() - 1; length++) {
      assertThat(ClusteringMemory.decode(text.substring(0, length))).isEmpty();
    }
  }

  @Test
  void itHoldsAsLongAsNothingHasLeftTheTimelineUnseen() {
    ClusteringMemory.Known known = ClusteringMemory.Known.of(timeline(1, 5), Set.of());
    assertThat(known.holdsFor(timeline(1, 5))).isTrue();
    assertThat(known.holdsFor(timeline(5, 12))).as("the known ones are archived").isTrue();
    assertThat(known.holdsFor(timeline(6, 12))).as("perhaps others, too").isFalse();
    assertThat(known.holdsFor(timeline(1, 4))).as("one was taken back").isFalse();
    assertThat(known.holdsFor(timeline(1, 0))).isFalse();

    Instant.Inflight slow = new Instant.Inflight(at(0), Action.COMMIT);
    ClusteringMemory.Known withPending = ClusteringMemory.Known.of(timeline(1, 5, slow), Set.of());
    assertThat(withPending.holdsFor(timeline(2, 9, slow))).isTrue();
    assertThat(withPending.holdsFor(timeline(2, 9))).as("completed and archived").isFalse();
  }

  private ClusteringScheduler.Result plan(MorTable table, PartitionFilter filter)
      throws IOException {
    ClusteringStrategy usual = ClusteringStrategy.DEFAULT;
    HudiTable now = HudiTable.open(counting);
    ClusteringScheduler.Result result =
        new ClusteringScheduler(
                ClusteringTrigger.ALWAYS,
                new ClusteringStrategy(
                    usual.targetFileBytes(),
                    usual.smallFileBytes(),
                    usual.maxGroupBytes(),
                    usual.maxGroups(),
                    usual.sortColumns(),
                    usual.layout(),
                    filter),
                table.wall())
            .schedule(now, CompactionScheduler.timeFor(now));
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    return result;
  }

  private Set<String> partitionsOf(ClusteringScheduler.Result result) {
    Set<String> partitions = new java.util.TreeSet<>();
    ((ClusteringScheduler.Result.Planned) result)
        .plan()
        .groups()
        .forEach(group -> group.slices().forEach(slice -> partitions.add(slice.partitionPath())));
    return partitions;
  }

  private boolean isListedSince(int calls, String partition) {
    return counting.operations().subList(calls, counting.operationCount()).stream()
        .anyMatch(operation -> operation.equals("list " + partition));
  }

  @Test
  void newProcessLooksOnlyAtWhatChangedAndAtWhatIsLeft() throws IOException {
    MorTable table = MorTable.create(counting, 2, MergeMode.EVENT_TIME_ORDERING);
    for (int i = 0; i < 20; i++) {
      table.commit(upsert("p" + i, "0", "a", 1)); // one group, nothing to cluster
    }
    assertThat(plan(table, PartitionFilter.ALL))
        .isInstanceOf(ClusteringScheduler.Result.Nothing.class);
    table.commit(upsert("p7", "1", "a", 1)); // a second group
    int calls = counting.operationCount();
    ClusteringScheduler.Result planned = plan(table, PartitionFilter.ALL);
    assertThat(partitionsOf(planned)).containsExactly("p7");
    assertThat(isListedSince(calls, "p7")).isTrue();
    assertThat(isListedSince(calls, "p8")).isFalse();

    // The plan is dropped: what it had is left for the next one.
    new TableCommit(counting, table.config(), table.clock())
        .dropPlan(((ClusteringScheduler.Result.Planned) planned).instant());
    calls = counting.operationCount();
    assertThat(partitionsOf(plan(table, PartitionFilter.ALL))).containsExactly("p7");
    assertThat(isListedSince(calls, "p8")).isFalse();
  }

  @Test
  void filtersThatCompareSeeAllPartitions() throws IOException {
    MorTable table = MorTable.create(counting, 2, MergeMode.EVENT_TIME_ORDERING);
    PartitionFilter newest =
        new PartitionFilter(PartitionFilter.Mode.RECENT_DAYS, 1, 0, "", "", "", List.of());
    table.commit(upsert("d1", "0", "a", 1), upsert("d1", "1", "a", 1));
    table.commit(upsert("d2", "0", "a", 1));
    assertThat(plan(table, newest)).isInstanceOf(ClusteringScheduler.Result.Nothing.class);
    table.commit(upsert("d1", "0", "b", 2));
    assertThat(plan(table, newest))
        .as("d2 is the newest, though nothing changed there")
        .isInstanceOf(ClusteringScheduler.Result.Nothing.class);
  }
}
