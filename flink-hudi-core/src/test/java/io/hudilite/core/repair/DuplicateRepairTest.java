package io.hudilite.core.repair;

import static io.hudilite.core.testkit.MorTable.delete;
import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.compact.CompactionScheduler;
import io.hudilite.core.compact.CompactionTrigger;
import io.hudilite.core.compact.PlanLimits;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.lease.LeaseHolder;
import io.hudilite.core.lease.WriterLease;
import io.hudilite.core.recovery.SoleWriter;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.Compactions;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DuplicateRepairTest {
  private final InMemoryStorage memory = new InMemoryStorage();
  private final AtomicLong nanos = new AtomicLong();

  private DuplicateRepair repair(Storage storage, MorTable table) {
    return new DuplicateRepair(
        storage,
        new SoleWriter(
            storage,
            table.wall(),
            nanos::get,
            millis -> nanos.addAndGet(millis * 1_000_000),
            "repair"),
        BaseFileSettings.DEFAULT);
  }

  /** Key k1 in three partitions, k2 in two, k3 and k4 once; in base and log files. */
  private MorTable table(MergeMode mode) throws IOException {
    MorTable table = MorTable.create(memory, 1, mode);
    table.commit(
        upsert("p1", "k1", "a", 9), upsert("p1", "k3", "a", 1), upsert("p2", "k2", "a", 1));
    table.commit(
        upsert("p2", "k1", "b", 5), upsert("p3", "k4", "b", 1), upsert("p3", "k5", "b", 1));
    table.commit(upsert("p3", "k1", "c", 7), upsert("p1", "k2", "c", 1), delete("p3", "k5", 2));
    return table;
  }

  private static List<String> rows(Storage storage) throws IOException {
    HudiTable table = HudiTable.open(storage);
    return MorTable.rows(table, new ScanPlanner().snapshot(table));
  }

  @Test
  void theHighestOrderingValueStays() throws IOException {
    MorTable table = table(MergeMode.EVENT_TIME_ORDERING);
    DuplicateRepair.Result result = repair(memory, table).repair(KeyScope.TABLE);
    assertThat(result.repaired())
        .extracting(DuplicateKeys.Duplicate::recordKey)
        .containsExactly("k1", "k2");
    assertThat(result.repaired().get(0).kept().group().partitionPath()).isEqualTo("p1");
    assertThat(result.repaired().get(0).groups()).hasSize(3);
    List<String> repaired = List.of("p1/k1=a@9", "p1/k2=c@1", "p1/k3=a@1", "p3/k4=b@1");
    assertThat(table.rows()).isEqualTo(repaired);
    assertThat(repair(memory, table).repair(KeyScope.TABLE).instant()).isEmpty();

    // Writes and compactions go on in the same file groups.
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    table.commit(upsert("p1", "k1", "d", 10), upsert("p3", "k4", "d", 10), delete("p1", "k2", 10));
    assertThat(table.rows()).containsExactly("p1/k1=d@10", "p1/k3=a@1", "p3/k4=d@10");
    Compactions.compact(memory, table.clock());
    assertThat(table.rows()).containsExactly("p1/k1=d@10", "p1/k3=a@1", "p3/k4=d@10");
  }

  @Test
  void theLatestCommitStaysWithoutOrdering() throws IOException {
    MorTable table = table(MergeMode.COMMIT_TIME_ORDERING);
    repair(memory, table).repair(KeyScope.TABLE);
    assertThat(table.rows()).containsExactly("p1/k2=c@1", "p1/k3=a@1", "p3/k1=c@7", "p3/k4=b@1");
  }

  @Test
  void keysOfSeveralPartitionsMayBeThereByRight() throws IOException {
    MorTable table = table(MergeMode.EVENT_TIME_ORDERING);
    assertThat(DuplicateKeys.find(table.open(), KeyScope.PARTITION, 10)).isEmpty();
    assertThat(repair(memory, table).repair(KeyScope.PARTITION).instant()).isEmpty();
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    assertThat(table.open().timeline().completedWrites()).hasSize(3);
  }

  @Test
  void keysAreFoundInPartsIfTheyAreTooMany() throws IOException {
    MorTable table = table(MergeMode.EVENT_TIME_ORDERING);
    List<DuplicateKeys.Duplicate> found = DuplicateKeys.find(table.open(), KeyScope.TABLE, 10);
    assertThat(new DuplicateKeys(table.open(), KeyScope.TABLE, 2, () -> {}).find(10))
        .isEqualTo(found)
        .hasSize(2);
    assertThat(DuplicateKeys.find(table.open(), KeyScope.TABLE, 1)).isEqualTo(found.subList(0, 1));
  }

  @Test
  void plansInTheWayAndLiveWritersAreTold() throws Exception {
    MorTable table = table(MergeMode.EVENT_TIME_ORDERING);
    WriterLease writer =
        WriterLease.acquire(
            memory,
            new LeaseHolder("run", "orders", "process", "now", Duration.ofSeconds(5)),
            nanos::get,
            millis -> {});
    DuplicateRepair beside =
        new DuplicateRepair(
            memory,
            new SoleWriter(
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
                "repair"),
            BaseFileSettings.DEFAULT);
    assertThatThrownBy(() -> beside.repair(KeyScope.TABLE))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("orders");
    writer.release();

    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    new CompactionScheduler(CompactionTrigger.ALWAYS, PlanLimits.DEFAULT)
        .schedule(table.open(), table.clock().next());
    assertThatThrownBy(() -> repair(memory, table).repair(KeyScope.TABLE))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("planned to be compacted");
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    Compactions.compact(memory, table.clock());
    assertThat(repair(memory, table).repair(KeyScope.TABLE).repaired()).hasSize(2);
    assertThat(table.rows()).hasSize(4);
  }

  @Test
  void eachCrashPointLeavesAllRowsOrTheRepairedOnes() throws IOException {
    MorTable table = table(MergeMode.EVENT_TIME_ORDERING);
    List<String> before = table.rows();
    List<String> repaired = List.of("p1/k1=a@9", "p1/k2=c@1", "p1/k3=a@1", "p3/k4=b@1");
    for (int n = 0; n < 1_000; n += 3) {
      InMemoryStorage storage = memory.copy();
      FaultyStorage faulty =
          FaultyStorage.failingAt(
              storage,
              n,
              FaultyStorage.Fault.values()[n % 2],
              FaultyStorage.Aftermath.values()[n / 2 % 2]);
      boolean isDone = false;
      try {
        isDone = repair(faulty, table).repair(KeyScope.TABLE).instant().isPresent();
      } catch (IOException e) {
        // The process is dead, or gives up.
      }
      assertThat(rows(storage))
          .as("crash at " + n)
          .isIn(isDone ? List.of(repaired) : List.of(before, repaired));
      nanos.addAndGet(Duration.ofMinutes(1).toNanos());
      repair(storage, table).repair(KeyScope.TABLE);
      assertThat(rows(storage)).as("crash at " + n).isEqualTo(repaired);
      TableCommit commit = new TableCommit(storage, table.config(), table.clock());
      commit.recover();
      for (var pending : commit.pending()) {
        commit.rollBack(pending.requestedTime());
      }
      assertThat(rows(storage)).as("crash at " + n).isEqualTo(repaired);
      if (!faulty.hasFailed()) {
        return;
      }
    }
    throw new AssertionError("never ran without a crash");
  }
}
