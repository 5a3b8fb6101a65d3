package io.hudilite.source.monitor;

import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.base.RowReader;
import io.hudilite.core.clean.CleanRetention;
import io.hudilite.core.clean.Cleaner;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.readerlease.ReaderLease;
import io.hudilite.core.readerlease.ReaderLeaseStore;
import io.hudilite.core.recovery.SavepointStore;
import io.hudilite.core.recovery.TableRecovery;
import io.hudilite.core.scan.SplitReader;
import io.hudilite.core.scan.StartingPosition;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.Compactions;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.source.config.PartitionFilter;
import io.hudilite.source.config.RangeConfig;
import io.hudilite.source.config.ReadMode;
import io.hudilite.source.config.RowHints;
import io.hudilite.source.config.RowOrder;
import io.hudilite.source.config.RowOutput;
import io.hudilite.source.config.SourceConfig;
import io.hudilite.source.split.HudiSplit;
import io.hudilite.source.split.ReaderStarted;
import io.hudilite.source.split.SplitsFinished;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Readers and the cleaner: case F28, requirement B5 63. One reader, which the test moves. */
class ReaderLeaseTest {
  private static final ReadMode EARLIEST =
      new ReadMode.Continuous(new StartingPosition.Earliest(), null, Duration.ofSeconds(1));

  private final InMemoryStorage memory = new InMemoryStorage();
  private final List<HudiSplit> given = new ArrayList<>();
  private final List<Integer> released = new ArrayList<>();
  private final FakeEnumeratorContext context =
      new FakeEnumeratorContext(1, (reader, split) -> given.add(split), released::add);
  private final Map<String, String> read = new TreeMap<>();
  private MorTable table;
  private int last;

  @BeforeEach
  void createTable() throws IOException {
    table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
  }

  private SourceConfig config(ReadMode mode) {
    return new SourceConfig(
        "memory:/table",
        MorTable.ROW_TYPE,
        RowOutput.ROWS,
        PartitionFilter.ALL,
        null,
        mode,
        RangeConfig.DEFAULT,
        RowHints.NONE,
        RowOrder.ONE_READER,
        null);
  }

  private TableDiscovery discovery(Storage storage, ReadMode mode) {
    return new TableDiscovery(storage, config(mode), table.wall(), "job-1-source");
  }

  private SplitMonitor start(ReadMode mode) {
    return begin(
        SplitMonitor.fresh(
            context, mode, RowOrder.ONE_READER, "t", discovery(memory, mode), table.wall()));
  }

  private SplitMonitor begin(SplitMonitor monitor) {
    monitor.start();
    context.register(0);
    monitor.addReader(0);
    monitor.handleSourceEvent(0, new ReaderStarted(Map.of()));
    monitor.handleSplitRequest(0, null);
    return monitor;
  }

  private void look() {
    context.runLook();
    context.deliverResult();
  }

  /** Reads and finishes all that was given; what finished splits make room for, too. */
  private void readAll(SplitMonitor monitor) throws IOException {
    while (!given.isEmpty()) {
      for (HudiSplit split : List.copyOf(given)) {
        given.remove(split);
        try (RowReader reader =
            SplitReader.open(
                HudiTable.open(memory).readContext(), split.scan(), MorTable.ROW_TYPE)) {
          for (RowData row = reader.next(); row != null; row = reader.next()) {
            String key = row.getString(0).toString();
            if (row.getRowKind() == RowKind.DELETE) {
              read.remove(key);
            } else {
              read.put(key, row.getString(1).toString());
            }
          }
        }
        monitor.handleSourceEvent(0, new SplitsFinished(Set.of(split.splitId()), Long.MIN_VALUE));
      }
      monitor.handleSplitRequest(0, null);
    }
  }

  /** Ten commits with a compaction and a clean that keeps two after each. */
  private void tenCommits() throws IOException {
    for (int i = 0; i < 10; i++) {
      commit();
      Compactions.compact(memory, table.clock());
      clean(2);
    }
  }

  private void commit() throws IOException {
    last++;
    observe();
    table.commit(upsert("p1", "k1", "v_" + last, last), upsert("p1", "n_" + last, "x", last));
  }

  private void clean(int retained) throws IOException {
    observe();
    new Cleaner(memory, CleanRetention.ofCommits(retained), table.wall()).clean(table.clock());
    observe();
  }

  private void observe() throws IOException {
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
  }

  private List<ReaderLease> leases() throws IOException {
    return new ReaderLeaseStore(memory, table.wall()).held();
  }

  private void assertAllIsRead() {
    assertThat(read).hasSize(1 + last).containsEntry("k1", "v_" + last);
  }

  @Test
  void f28AndRequirement63ReaderThatIsBlockedForTenCommitsMissesNothing() throws IOException {
    SplitMonitor monitor = start(EARLIEST);
    commit();
    look();
    readAll(monitor);
    assertThat(read).containsOnlyKeys("k1", "n_1");
    tenCommits();
    commit();
    look();
    List<HudiSplit> blocked = List.copyOf(given);
    assertThat(blocked).isNotEmpty();
    context.runRenewal();
    tenCommits(); // the splits are given out, and not read yet
    readAll(monitor);
    look();
    readAll(monitor);
    assertAllIsRead();
  }

  @Test
  void f28AndRequirement63WithoutALeaseTheErrorNamesThePositionAndTheOption() throws IOException {
    SplitMonitor monitor = start(EARLIEST);
    commit();
    look();
    readAll(monitor);
    commit();
    look(); // given, and not read
    table.wall().advanceMillis(Duration.ofHours(1).toMillis());
    tenCommits();
    assertThat(leases()).isEmpty();
    assertThatThrownBy(() -> readAll(monitor))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("holds changes of instant")
        .hasMessageContaining("clean.retain_commits");
  }

  @Test
  void f28LongBatchReadFindsItsFilesAndGivesTheLeaseBack() throws IOException {
    tenCommits();
    List<String> before = table.rows();
    SplitMonitor monitor = start(new ReadMode.Snapshot());
    look();
    assertThat(leases()).hasSize(1);
    int rows = last;
    tenCommits();
    readAll(monitor);
    assertThat(read).hasSize(1 + rows).hasSize(before.size()).containsEntry("k1", "v_" + rows);
    look(); // ends
    assertThat(released).containsExactly(0);
    assertThat(leases()).isEmpty();
  }

  @Test
  void leaseFollowsTheCheckpointsAndFreesWhatIsBehindThem() throws IOException {
    SplitMonitor monitor = start(EARLIEST);
    commit();
    look();
    monitor.snapshotState(1);
    readAll(monitor);
    InstantTime first = leases().get(0).position();
    commit();
    look();
    readAll(monitor);
    monitor.snapshotState(2);
    context.runRenewal();
    assertThat(leases()).extracting(ReaderLease::position).containsExactly(first);
    monitor.notifyCheckpointComplete(2);
    context.runRenewal();
    assertThat(leases())
        .extracting(ReaderLease::position)
        .containsExactly(table.open().timeline().lastCompletion().orElseThrow());
    assertThat(leases()).hasSize(1);
  }

  @Test
  void restoredReaderHoldsWhatItsFormerLifeHeld() throws IOException {
    SplitMonitor monitor = start(EARLIEST);
    commit();
    look();
    readAll(monitor);
    InstantTime first = leases().get(0).position();
    commit();
    look(); // given to the reader, who will have it in its state
    MonitorState state = monitor.snapshotState(1);
    commit();
    SplitMonitor again =
        begin(
            SplitMonitor.restored(
                context,
                EARLIEST,
                RowOrder.ONE_READER,
                "t",
                discovery(memory, EARLIEST),
                state,
                table.wall()));
    look();
    again.snapshotState(2);
    context.runRenewal();
    assertThat(leases()).extracting(ReaderLease::position).containsExactly(first);
    readAll(again);
    again.snapshotState(3);
    again.notifyCheckpointComplete(3);
    context.runRenewal();
    assertThat(leases().get(0).position()).isGreaterThan(first);
  }

  @Test
  void renewalKeepsALeaseThatNobodyMoves() throws IOException {
    start(EARLIEST);
    commit();
    look();
    for (int i = 0; i < 10; i++) {
      table.wall().advanceMillis(Duration.ofMinutes(2).toMillis());
      context.runRenewal();
      assertThat(leases()).hasSize(1);
    }
    FaultyStorage counting = FaultyStorage.counting(memory);
    discovery(counting, EARLIEST).plan(null);
    int before = counting.operationCount();
    TableDiscovery one = discovery(counting, EARLIEST);
    one.plan(null);
    int begun = counting.operationCount();
    one.keep(NeededPosition.UNKNOWN);
    assertThat(counting.operationCount() - begun).as("a renewal").isLessThanOrEqualTo(3);
    assertThat(begun).isGreaterThan(before);
  }

  @Test
  void storageThatCannotBeWrittenFailsNoRead() throws IOException {
    commit();
    Storage readOnly =
        (Storage)
            Proxy.newProxyInstance(
                Storage.class.getClassLoader(),
                new Class<?>[] {Storage.class},
                (proxy, method, arguments) -> {
                  if (Set.of("createNew", "create", "delete", "overwrite")
                      .contains(method.getName())) {
                    throw new AccessDeniedException(String.valueOf(arguments[0]));
                  }
                  return method.invoke(memory, arguments);
                });
    TableDiscovery discovery = discovery(readOnly, EARLIEST);
    assertThat(discovery.plan(null).range()).isPresent();
    discovery.keep(NeededPosition.UNKNOWN);
    discovery.end();
    assertThat(leases()).isEmpty();
  }

  @Test
  void readerThatIsAheadOfARestoredTableIsTold() throws IOException {
    SplitMonitor monitor = start(EARLIEST);
    commit();
    InstantTime kept = new SavepointStore(memory, table.wall()).createNewest("test", "").instant();
    commit();
    look();
    readAll(monitor);
    new TableRecovery(memory, table.wall(), "restore").restore(kept);
    assertThatThrownBy(this::look)
        .isInstanceOf(SuppressRestartsException.class)
        .hasStackTraceContaining("was taken out of the table again, by the restore or rollback");

    given.clear();
    read.clear();
    SplitMonitor anew = start(EARLIEST);
    look();
    readAll(anew);
    assertThat(read).containsOnlyKeys("k1", "n_1").containsEntry("k1", "v_1");
  }
}
