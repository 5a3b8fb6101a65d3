package io.hudilite.core.testkit;

import static io.hudilite.core.testkit.MorTable.delete;
import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.MergeMode;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Lets a table service die at each of its calls of the storage, before or after their effect, or
 * fail once and go on. Each time the rows must be there, no stream may stay open, and the next
 * execution must succeed and leave no stray file.
 */
public final class ServiceCrashes {
  private ServiceCrashes() {}

  /** Plans and executes; throws if it dies. */
  @FunctionalInterface
  public interface Service {
    void run(Storage storage, MorTable table) throws IOException;
  }

  /** What must be so after the execution that succeeds. */
  @FunctionalInterface
  public interface Outcome {
    /**
     * Looks at the table that a crash has left.
     *
     * @param at the crash before it, for messages
     */
    void check(MorTable table, String at) throws IOException;
  }

  public static void atEachCall(Service service, Outcome outcome) throws IOException {
    int operations = operationsOf(service);
    assertThat(operations).isGreaterThan(20);
    for (int n = 0; n < operations; n++) {
      crashAt(
          n,
          FaultyStorage.Fault.values()[n % 2],
          FaultyStorage.Aftermath.values()[n % 3 == 0 ? 1 : 0],
          service,
          outcome);
    }
  }

  private static MorTable table(Storage storage) throws IOException {
    MorTable table = MorTable.create(storage, 2, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "k1", "a", 1), upsert("p1", "k2", "a", 1));
    table.commit(upsert("p1", "k1", "b", 2), upsert("p1", "k2", "b", 2), delete("p1", "k3", 1));
    return table;
  }

  private static int operationsOf(Service service) throws IOException {
    InMemoryStorage memory = new InMemoryStorage();
    MorTable table = table(memory);
    FaultyStorage counting = FaultyStorage.counting(memory);
    service.run(counting, table);
    return counting.operationCount();
  }

  private static void crashAt(
      int n,
      FaultyStorage.Fault fault,
      FaultyStorage.Aftermath aftermath,
      Service service,
      Outcome outcome)
      throws IOException {
    InMemoryStorage memory = new InMemoryStorage();
    MorTable table = table(memory);
    List<String> rows = table.expectedRows();
    FaultyStorage storage = FaultyStorage.failingAt(memory, n, fault, aftermath);
    String at = "crash at " + n + " " + fault + " " + aftermath;
    try {
      service.run(storage, table);
    } catch (IOException e) {
      assertThat(table.rows()).as(at).isEqualTo(rows);
    }
    assertThat(storage.openStreams()).as(at).isZero();
    new TableCommit(memory, table.config(), table.clock()).recover();
    assertThat(table.rows()).as(at).isEqualTo(rows);
    service.run(memory, table);
    assertThat(table.readOptimizedRows()).as(at).isEqualTo(rows);
    table.lookUpKeys();
    table.commit(upsert("p1", "k1", "c", 3));
    assertThat(table.rows()).as(at).isEqualTo(table.expectedRows());
    Set<String> committed = new HashSet<>();
    HudiTable now = table.open();
    for (Instant.Completed write : now.timeline().completedWrites()) {
      now.timelineStore().readCommit(write).writeStats().forEach(s -> committed.add(s.path()));
    }
    assertThat(table.dataFiles()).as(at).allMatch(committed::contains);
    outcome.check(table, at);
  }
}
