package io.hudilite.core.clustering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.ClusteringPlan;
import io.hudilite.core.timeline.ClusteringPlanCodec;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ClusteringPlannerTest {
  private static final InstantTime WRITTEN = new InstantTime("20260101000000000");
  private static final InstantTime CLUSTERED = new InstantTime("20260101000000001");
  private static final ClusteringStrategy STRATEGY =
      ClusteringStrategy.DEFAULT
          .withSmallFileBytes(100)
          .withMaxGroupBytes(200)
          .withTargetFileBytes(150);

  private int files;

  private FileSlice file(String partition, long bytes, InstantTime instant) {
    FileGroupId id = new FileGroupId(partition, FileId.of(new UUID(0, files++)));
    BaseFile base = new BaseFile(id, new BaseFileName(id.fileId(), "0-0-0", instant), bytes);
    return new FileSlice(id, instant, base, List.of());
  }

  private List<FileSlice> files(String partition, long... bytes) {
    List<FileSlice> slices = new ArrayList<>();
    for (long size : bytes) {
      slices.add(file(partition, size, WRITTEN));
    }
    return slices;
  }

  private static Optional<ClusteringPlan> plan(
      ClusteringStrategy strategy, Map<String, List<FileSlice>> partitions) {
    return new ClusteringPlanner(strategy)
        .plan(partitions, CLUSTERED::equals, path -> "s3://bucket/t/" + path);
  }

  private static List<List<Integer>> sizes(Optional<ClusteringPlan> plan) {
    return plan.orElseThrow().groups().stream()
        .map(group -> List.of(group.slices().size(), group.outputGroups()))
        .toList();
  }

  @Test
  void smallFilesArePackedUpToTheBoundOfAGroup() {
    // 90 + 80, 70 + 60 + 50 (70 does not fit any more), 40 stays alone.
    assertThat(sizes(plan(STRATEGY, Map.of("p", files("p", 40, 60, 90, 50, 80, 70, 100)))))
        .isEqualTo(List.of(List.of(2, 2), List.of(3, 2)));
    assertThat(plan(STRATEGY, Map.of("p", files("p", 99, 100, 5000)))).isEmpty();
    assertThat(plan(STRATEGY, Map.of("p", files("p", 99), "q", files("q", 99)))).isEmpty();
  }

  @Test
  void partitionsAreNotMixedAndThePlanIsBounded() {
    Map<String, List<FileSlice>> partitions =
        Map.of("b", files("b", 1, 2), "a", files("a", 1, 2), "c", files("c", 3, 4));
    ClusteringPlan plan = plan(STRATEGY.withMaxGroups(2), partitions).orElseThrow();
    assertThat(plan.groups())
        .extracting(group -> group.slices().get(0).partitionPath())
        .containsExactly("a", "b");
    assertThat(plan.groups().get(0).slices().get(0).dataFile())
        .startsWith("s3://bucket/t/a/")
        .endsWith(".parquet");
  }

  @Test
  void whatAClusteringMadeIsTakenAgainOnlyToBecomeFewer() {
    List<FileSlice> done = List.of(file("p", 90, CLUSTERED), file("p", 80, CLUSTERED));
    assertThat(plan(STRATEGY, Map.of("p", done))).isEmpty();
    assertThat(plan(STRATEGY.withTargetFileBytes(500), Map.of("p", done))).isPresent();
    List<FileSlice> more = new ArrayList<>(done);
    more.add(file("p", 10, WRITTEN));
    assertThat(plan(STRATEGY, Map.of("p", more))).isPresent();
  }

  @Test
  void planSurvivesItsBytes() throws Exception {
    ClusteringPlan plan =
        plan(STRATEGY.sortedBy(Layout.HILBERT, List.of("a", "b")), Map.of("p", files("p", 1, 2, 3)))
            .orElseThrow();
    assertThat(plan.parameters())
        .containsEntry(ClusteringPlan.SORT_COLUMNS, "a,b")
        .containsEntry("hoodie.layout.optimize.strategy", "hilbert");
    assertThat(ClusteringPlanCodec.decode(ClusteringPlanCodec.encode(plan), "test"))
        .isEqualTo(plan);
    assertThat(ClusteringPlanCodec.decode(new byte[0], "test").groups()).isEmpty();
  }

  @Test
  void partitionsAreFiltered() {
    List<String> days = List.of("d3", "d1", "d2", "d4");
    assertThat(filter(PartitionFilter.Mode.NONE, 2, 0, "", "").apply(days, 0)).hasSize(4);
    assertThat(filter(PartitionFilter.Mode.RECENT_DAYS, 2, 0, "", "").apply(days, 0))
        .containsExactly("d3", "d4");
    assertThat(filter(PartitionFilter.Mode.RECENT_DAYS, 2, 1, "", "").apply(days, 0))
        .containsExactly("d2", "d3");
    assertThat(filter(PartitionFilter.Mode.SELECTED_PARTITIONS, 2, 0, "d2", "d3").apply(days, 0))
        .containsExactly("d2", "d3");
    assertThat(filter(PartitionFilter.Mode.DAY_ROLLING, 2, 0, "", "").apply(days, 2))
        .containsExactly("d3");
    assertThat(PartitionFilter.of(List.of("d4", "d9")).apply(days, 0)).containsExactly("d4");
    assertThat(
            new PartitionFilter(PartitionFilter.Mode.NONE, 1, 0, "", "", "d[12]", List.of())
                .apply(days, 0))
        .containsExactly("d1", "d2");
    assertThatThrownBy(
            () -> new PartitionFilter(PartitionFilter.Mode.NONE, 1, 0, "", "", "d[", List.of()))
        .isInstanceOf(HudiTableException.class);
    assertThat(PartitionFilter.Mode.ofStrategyClass("a.b.FlinkRecentDaysClusteringPlanStrategy"))
        .isEqualTo(PartitionFilter.Mode.RECENT_DAYS);
  }

  private static PartitionFilter filter(
      PartitionFilter.Mode mode, int lookback, int skip, String begin, String end) {
    return new PartitionFilter(mode, lookback, skip, begin, end, "", List.of());
  }

  private static Instant write(int second, Action action) {
    InstantTime requested = new InstantTime("202601010000%02d000".formatted(second));
    return Instant.Completed.of(
        requested, new InstantTime("202601010000%02d500".formatted(second)), action);
  }

  @Test
  void commitsAreCountedFromTheLastPlan() {
    ClusteringTrigger trigger = new ClusteringTrigger(2);
    assertThat(trigger.tooEarly(Timeline.of(List.of(write(1, Action.DELTA_COMMIT)))))
        .contains("1 of 2 commits since the first one");
    List<Instant> instants =
        new ArrayList<>(
            List.of(
                write(1, Action.DELTA_COMMIT),
                write(2, Action.DELTA_COMMIT),
                write(3, Action.CLUSTERING),
                new Instant.Requested(new InstantTime("20260101000003000"), Action.CLUSTERING)));
    assertThat(trigger.tooEarly(Timeline.of(instants.subList(0, 2)))).isEmpty();
    assertThat(trigger.tooEarly(Timeline.of(instants)))
        .contains("0 of 2 commits since clustering 20260101000003000");
    instants.add(write(4, Action.DELTA_COMMIT));
    instants.add(write(5, Action.COMPACTION));
    instants.add(new Instant.Requested(new InstantTime("20260101000005000"), Action.COMPACTION));
    assertThat(trigger.tooEarly(Timeline.of(instants))).isPresent(); // a compaction adds no rows
    instants.add(write(6, Action.REPLACE_COMMIT));
    assertThat(trigger.tooEarly(Timeline.of(instants))).isEmpty();
    instants.add(new Instant.Requested(new InstantTime("20260101000007000"), Action.CLUSTERING));
    assertThat(trigger.tooEarly(Timeline.of(instants))).get().asString().contains("planned");
  }
}
