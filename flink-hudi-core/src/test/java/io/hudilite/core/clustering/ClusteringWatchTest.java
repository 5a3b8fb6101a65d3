package io.hudilite.core.clustering;

import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.compact.CompactionScheduler;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What writers hear of clusterings before they complete. */
class ClusteringWatchTest {
  private final Storage memory = new InMemoryStorage();

  @Test
  void groupsOfAPlanAreKnownAtOnceAndTheirPlanIsReadOnce() throws IOException {
    FaultyStorage counting = FaultyStorage.counting(memory);
    MorTable table = MorTable.create(memory, 2, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "0", "a", 1), upsert("p1", "1", "a", 1));
    ClusteringWatch watch = new ClusteringWatch(counting, table.config(), InstantTime.BEGINNING);
    assertThat(watch.look().planned()).isEmpty();

    HudiTable now = table.open();
    InstantTime plan = CompactionScheduler.timeFor(now);
    new ClusteringScheduler(ClusteringTrigger.ALWAYS, ClusteringStrategy.DEFAULT, table.wall())
        .schedule(now, plan);
    ClusteringWatch.Look look = watch.look();
    assertThat(look.planned()).hasSize(2);
    assertThat(look.leaving()).as("not before it is announced").isEmpty();
    int before = counting.operationCount();
    assertThat(watch.look().planned()).hasSize(2);
    assertThat(counting.operations().subList(before, counting.operationCount()))
        .noneMatch(operation -> operation.startsWith("read"));

    new TableCommit(memory, table.config(), table.clock()).dropPlan(plan);
    assertThat(watch.look().planned()).isEmpty();
  }
}
