package io.hudilite.core.compact;

import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.MergeMode;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFile;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.CompactionPlan;
import io.hudilite.core.timeline.CompactionPlanCodec;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CompactionPlannerTest {
  private static final InstantTime BASE = new InstantTime("20260101000000000");

  private static FileSlice slice(String partition, int number, int baseBytes, int... logBytes) {
    FileGroupId id =
        new FileGroupId(
            partition, new FileId("00000000-0000-0000-0000-00000000000%d-0".formatted(number)));
    List<LogFile> logs = new ArrayList<>();
    for (int i = 0; i < logBytes.length; i++) {
      InstantTime instant = new InstantTime("202601010000010%02d".formatted(i));
      logs.add(new LogFile(id, new LogFileName(id.fileId(), instant, 1, "0-0-0"), logBytes[i]));
    }
    BaseFile base =
        baseBytes == 0
            ? null
            : new BaseFile(id, new BaseFileName(id.fileId(), "0-0-0", BASE), baseBytes);
    return new FileSlice(id, BASE, base, logs);
  }

  private static List<String> picked(PlanLimits limits, FileSlice... slices) {
    return new CompactionPlanner(limits)
        .plan(List.of(slices), Set.of()).map(CompactionPlan::operations).orElse(List.of()).stream()
            .map(o -> o.partitionPath() + o.fileId().charAt(35))
            .toList();
  }

  private static PlanLimits limits(PlanOrder order, long targetIo) {
    return new PlanLimits(order, targetIo, 10, 100);
  }

  @Test
  void mostLogBytesComeFirstAndTheBoundOfIoCuts() {
    FileSlice small = slice("a", 1, 100, 5);
    FileSlice middle = slice("b", 2, 100, 20, 20, 20);
    FileSlice large = slice("c", 3, 100, 200);
    assertThat(picked(limits(PlanOrder.LOG_SIZE, 1_000), small, middle, large))
        .containsExactly("c3", "b2");
    assertThat(picked(limits(PlanOrder.LOG_SIZE, 450), small, middle, large)).containsExactly("c3");
    assertThat(picked(limits(PlanOrder.LOG_COUNT, 300), small, middle, large))
        .containsExactly("b2");
    assertThat(picked(limits(PlanOrder.NEWEST_PARTITION, 700), small, middle, large))
        .containsExactly("c3", "b2");
    assertThat(picked(limits(PlanOrder.UNBOUNDED, 1), small, middle, large))
        .containsExactly("a1", "b2", "c3");
    assertThat(picked(limits(PlanOrder.BOUNDED_IO, 1), small, middle, large))
        .as("one in any case")
        .containsExactly("a1");
  }

  @Test
  void slicesWithoutLogFilesAndBusyGroupsAreLeftOut() {
    FileSlice busy = slice("a", 1, 100, 50);
    FileSlice compacted = slice("a", 2, 100);
    assertThat(
            new CompactionPlanner(PlanLimits.DEFAULT)
                .plan(List.of(busy, compacted), Set.of(busy.groupId())))
        .isEqualTo(Optional.empty());
  }

  @Test
  void planHoldsWhatOtherEnginesReadAndSurvivesItsBytes() throws IOException {
    CompactionPlan plan =
        new CompactionPlanner(PlanLimits.DEFAULT)
            .plan(List.of(slice("a", 1, 0, 1 << 20)), Set.of())
            .orElseThrow();
    assertThat(plan.operations().get(0).metrics())
        .containsEntry("TOTAL_LOG_FILES", 1.0)
        .containsEntry("TOTAL_LOG_FILES_SIZE", (double) (1 << 20))
        .containsEntry("TOTAL_IO_READ_MB", 1.0)
        .containsEntry("TOTAL_IO_WRITE_MB", 120.0)
        .containsEntry("TOTAL_IO_MB", 121.0);
    assertThat(CompactionPlanCodec.decode(CompactionPlanCodec.encode(plan), "plan"))
        .isEqualTo(plan);
  }

  @Test
  void strategiesOfHudiAreKnownByTheirClassNames() {
    assertThat(
            PlanOrder.of(
                "org.apache.hudi.table.action.compact.strategy.LogFileNumBasedCompactionStrategy"))
        .isEqualTo(PlanOrder.LOG_COUNT);
  }

  @Test
  void onlyThePartitionsThatChangedAreListed() throws IOException {
    InMemoryStorage memory = new InMemoryStorage();
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    List<MorTable.Change> many = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      many.add(upsert("p" + i, "k" + i, "a", 1));
    }
    table.commit(many);
    CompactionScheduler scheduler =
        new CompactionScheduler(CompactionTrigger.ALWAYS, PlanLimits.DEFAULT);
    assertThat(scheduler.schedule(table.open(), table.clock().next()))
        .isInstanceOf(ScheduleResult.Nothing.class);
    table.commit(
        upsert("p7", "k7", "b", 2), upsert("p8", "k8", "b", 2), upsert("p9", "k9", "b", 2));
    FaultyStorage counting = FaultyStorage.counting(memory);
    ScheduleResult result = scheduler.schedule(HudiTable.open(counting), table.clock().next());
    assertThat(((ScheduleResult.Planned) result).plan().operations()).hasSize(3);
    assertThat(counting.operations()).filteredOn(o -> o.startsWith("list p")).hasSize(3);
    // Properties, timeline twice, the new commit, three partitions, the plan.
    assertThat(counting.operationCount()).isLessThan(15);
  }
}
