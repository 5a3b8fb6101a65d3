package io.hudilite.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.readerlease.ReaderLease;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.WriteStat;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class TableHealthTest {
  private static final long NOW = 1_800_000_000_000L;
  private static final HealthLimits LIMITS = new HealthLimits(100, Duration.ofSeconds(60));

  private static long millis(long secondsAgo) {
    return NOW - secondsAgo * 1000;
  }

  private static InstantTime at(long secondsAgo) {
    return InstantTime.ofUtcMillis(millis(secondsAgo));
  }

  private static Instant.Completed write(Action action, long begun, long completed) {
    return Instant.Completed.of(at(begun), at(completed), action);
  }

  private static CommitMetadata commit(WriteStat... stats) {
    return CommitMetadata.ofWrite("UPSERT", List.of(stats), Map.of());
  }

  private static WriteStat base(String group, long bytes) {
    return WriteStat.ofNewBaseFile(group, "", group + "_0-0-0_1.parquet", 1, bytes);
  }

  private static WriteStat log(String group, long bytes) {
    return new WriteStat(
        group,
        "." + group + "_1.log.1_0-0-0",
        "",
        "1",
        1,
        0,
        1,
        0,
        bytes,
        1,
        "",
        List.of("." + group + "_1.log.1_0-0-0"),
        Map.of(),
        "");
  }

  private static TableHealth of(
      List<Instant> instants, List<SliceSize> slices, List<ReaderLease> leases) {
    return TableHealth.of(
        Timeline.of(instants), ZoneOffset.UTC, slices, Optional.empty(), leases, LIMITS, NOW);
  }

  @Test
  void nothingIsWrongWithATableWithoutCommits() {
    assertThat(of(List.of(), List.of(), List.of())).isEqualTo(TableHealth.EMPTY);
    assertThat(TableHealth.EMPTY.smallFileRatio()).isZero();
  }

  @Test
  void plansThatWaitAreCountedAndTheOldestTells() {
    TableHealth health =
        of(
            List.of(
                write(Action.DELTA_COMMIT, 100, 90),
                write(Action.DELTA_COMMIT, 95, 80),
                new Instant.Requested(at(70), Action.COMPACTION),
                new Instant.Inflight(at(60), Action.COMPACTION),
                new Instant.Requested(at(50), Action.CLUSTERING)),
            List.of(),
            List.of());
    assertThat(health.lastCommitMillis()).isEqualTo(OptionalLong.of(millis(80)));
    assertThat(health.compactions())
        .isEqualTo(new TableHealth.Pending(2, OptionalLong.of(millis(70))));
    assertThat(health.clusterings())
        .isEqualTo(new TableHealth.Pending(1, OptionalLong.of(millis(50))));
  }

  @Test
  void oneSliceOfTwentyMayBeWorseThanP95() {
    List<SliceSize> slices = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      slices.add(new SliceSize(i * 10L, i, i * 1000L));
    }
    TableHealth health = of(List.of(), slices, List.of());
    assertThat(health.logFiles()).isEqualTo(new TableHealth.Spread(20, 19));
    assertThat(health.logBytes()).isEqualTo(new TableHealth.Spread(20_000, 19_000));
    assertThat(health.smallBaseFiles()).isEqualTo(9);
    assertThat(health.smallFileRatio()).isEqualTo(0.45);
  }

  @Test
  void aLeaseThatEndsSoonIsAtRisk() {
    TableHealth health =
        of(
            List.of(),
            List.of(),
            List.of(
                new ReaderLease("a", at(5), NOW + 59_000),
                new ReaderLease("b", at(5), NOW + 61_000)));
    assertThat(health.readerLeases()).isEqualTo(2);
    assertThat(health.readerLeasesAtRisk()).isEqualTo(1);
  }

  @Test
  void aCompactionTakesTheLogsThatCompletedBeforeItsPlan() {
    SliceSizes sizes = new SliceSizes();
    sizes.add(write(Action.DELTA_COMMIT, 100, 99), commit(base("a", 10), log("b", 7)));
    sizes.add(write(Action.DELTA_COMMIT, 90, 89), commit(log("a", 5)));
    sizes.add(write(Action.DELTA_COMMIT, 85, 70), commit(log("a", 6)));
    assertThat(sizes.oldestUncompacted()).contains(at(100));
    sizes.add(write(Action.COMMIT, 80, 60), commit(base("a", 15), base("b", 7)));
    assertThat(sizes.sizes())
        .containsExactlyInAnyOrder(new SliceSize(15, 1, 6), new SliceSize(7, 0, 0));
    assertThat(sizes.oldestUncompacted()).contains(at(85));
    sizes.add(
        write(Action.REPLACE_COMMIT, 50, 40),
        commit(base("c", 20)).replacing(Map.of("", List.of("a", "b"))));
    assertThat(sizes.sizes()).containsExactly(new SliceSize(20, 0, 0));
    assertThat(sizes.oldestUncompacted()).isEmpty();
  }
}
