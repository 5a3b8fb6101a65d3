package io.hudilite.core.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.PropertiesCodec;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.config.TableType;
import io.hudilite.core.storage.LocalStorage;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.FaultyStorage.Aftermath;
import io.hudilite.core.testkit.FaultyStorage.Fault;
import io.hudilite.core.testkit.Fixtures;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.RollbackPlan;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class TableCommitTest {
  private static final TableConfig CONFIG =
      TableConfig.newTable("orders", TableType.MERGE_ON_READ)
          .recordKeyFields("id")
          .partitionFields("dt")
          .orderingField("ts")
          .build();

  private final AtomicLong wallMillis = new AtomicLong(1_764_000_000_000L);

  private static InMemoryStorage newTable() throws IOException {
    InMemoryStorage storage = new InMemoryStorage();
    TableConfigStore.create(storage, CONFIG);
    return storage;
  }

  /** Each stands for a process of its own: nothing but the storage and the wall clock is shared. */
  private TableCommit open(Storage storage) {
    return new TableCommit(
        storage,
        CONFIG,
        new InstantClock(
            () -> java.time.Instant.ofEpochMilli(wallMillis.addAndGet(10)), ZoneOffset.UTC));
  }

  private static String logName(InstantTime instant, int group, int attempt) {
    return ".f%d-0_%s.log.1_%d-0-%d".formatted(group, instant, group, attempt);
  }

  /** A flush as writers do it: markers, then files. */
  private static List<WriteStat> write(
      Storage storage, InstantTime instant, int groups, int attempt) throws IOException {
    List<WriteMarkers.Marker> markers = new ArrayList<>();
    for (int group = 0; group < groups; group++) {
      markers.add(
          new WriteMarkers.Marker(
              "dt=1/" + logName(instant, group, attempt), WriteMarkers.IoType.CREATE));
    }
    new WriteMarkers(storage, instant).add(attempt, markers);
    List<WriteStat> stats = new ArrayList<>();
    for (int group = 0; group < groups; group++) {
      String name = logName(instant, group, attempt);
      try (var out = storage.create("dt=1/" + name)) {
        out.write(new byte[] {1, 2, 3});
      }
      stats.add(WriteStat.ofLogFile(instant, "f" + group + "-0", "dt=1", name, 1, "", 1, 0, 3));
    }
    return stats;
  }

  private static CommitMetadata metadata(List<WriteStat> stats) {
    return CommitMetadata.ofWrite(
        CommitMetadata.UPSERT, stats, Map.of(CommitMetadata.SCHEMA, "{}"));
  }

  private static Timeline timeline(Storage storage) throws IOException {
    return new TimelineStore(storage, CONFIG).load();
  }

  private static List<String> dataFiles(InMemoryStorage storage) {
    return storage.paths().stream().filter(path -> !path.startsWith(".hoodie")).toList();
  }

  private static List<String> filesOf(InMemoryStorage storage, InstantTime instant) {
    return dataFiles(storage).stream().filter(path -> path.contains(instant.digits())).toList();
  }

  @Test
  void commitMakesTheFilesVisible() throws IOException {
    InMemoryStorage storage = newTable();
    TableCommit commits = open(storage);
    InstantTime instant = commits.begin(Action.DELTA_COMMIT);
    CommitMetadata metadata = metadata(write(storage, instant, 2, 0));

    assertThat(commits.pending())
        .containsExactly(new Instant.Inflight(instant, Action.DELTA_COMMIT));
    assertThat(commits.commit(instant, metadata)).isEqualTo(CommitOutcome.COMMITTED);

    Instant.Completed completed = timeline(storage).completedWrite(instant).orElseThrow();
    assertThat(completed.completionTime()).isGreaterThan(instant);
    assertThat(new TimelineStore(storage, CONFIG).readCommit(completed)).isEqualTo(metadata);
    assertThat(commits.pending()).isEmpty();
    assertThat(storage.exists(".hoodie/.temp/" + instant)).isFalse();
    assertThat(storage.list(".hoodie/timeline"))
        .extracting(file -> file.name())
        .containsExactlyInAnyOrder(
            instant + ".deltacommit.requested",
            instant + ".deltacommit.inflight",
            completed.fileName(),
            "history");
  }

  @Test
  void filesOfFailedAttemptsGoBeforeTheCommit() throws IOException {
    InMemoryStorage storage = newTable();
    TableCommit commits = open(storage);
    InstantTime instant = commits.begin(Action.DELTA_COMMIT);
    write(storage, instant, 2, 0);
    List<WriteStat> stats = write(storage, instant, 2, 1);

    commits.commit(instant, metadata(stats));

    assertThat(dataFiles(storage))
        .containsExactlyInAnyOrderElementsOf(stats.stream().map(WriteStat::path).toList());
  }

  @Test
  void committingAgainIsCommittedOnce() throws IOException {
    InMemoryStorage storage = newTable();
    InstantTime instant = open(storage).begin(Action.DELTA_COMMIT);
    CommitMetadata metadata = metadata(write(storage, instant, 1, 0));

    assertThat(open(storage).commit(instant, metadata)).isEqualTo(CommitOutcome.COMMITTED);
    Map<String, byte[]> before = storage.snapshot();
    assertThat(open(storage).commit(instant, metadata)).isEqualTo(CommitOutcome.COMMITTED);
    assertThat(open(storage).rollBack(instant)).isFalse();

    assertThat(storage.snapshot().keySet()).isEqualTo(before.keySet());
  }

  @Test
  void otherFilesForACommittedInstantAreRefused() throws IOException {
    InMemoryStorage storage = newTable();
    InstantTime instant = open(storage).begin(Action.DELTA_COMMIT);
    CommitMetadata first = metadata(write(storage, instant, 1, 0));
    CommitMetadata second = metadata(write(storage, instant, 1, 1));

    assertThat(open(storage).commit(instant, first)).isEqualTo(CommitOutcome.COMMITTED);
    assertThat(open(storage).commit(instant, second)).isEqualTo(CommitOutcome.REFUSED);
    assertThat(timeline(storage).completedWrites()).hasSize(1);
  }

  @Test
  void rollbackRemovesFilesThenTheInstant() throws IOException {
    InMemoryStorage storage = newTable();
    FaultyStorage counting = FaultyStorage.counting(storage);
    InstantTime instant = open(storage).begin(Action.DELTA_COMMIT);
    List<WriteStat> stats = write(storage, instant, 2, 0);

    assertThat(open(counting).rollBack(instant)).isTrue();

    assertThat(dataFiles(storage)).isEmpty();
    Timeline timeline = timeline(storage);
    assertThat(timeline.pendingWrites()).isEmpty();
    assertThat(timeline.instants()).hasSize(1);
    Instant rollback = timeline.instants().get(0);
    assertThat(rollback.action()).isEqualTo(Action.ROLLBACK);
    assertThat(rollback.isCompleted()).isTrue();
    RollbackPlan plan =
        new TimelineStore(storage, CONFIG).readRollbackPlan(rollback.requestedTime());
    assertThat(plan.target()).isEqualTo(instant);
    assertThat(plan.files())
        .isEqualTo(Map.of("dt=1", stats.stream().map(s -> "memory:/table/" + s.path()).toList()));
    assertThat(counting.operations()).doesNotContain("list ", "list dt=1");
    assertThat(open(storage).commit(instant, metadata(stats))).isEqualTo(CommitOutcome.REFUSED);
    assertThat(open(storage).rollBack(instant)).isTrue();
  }

  @Test
  void commitCostsItsFilesAndNeverAListingOfTheTable() throws IOException {
    InMemoryStorage storage = newTable();
    TableCommit setup = open(storage);
    for (int i = 0; i < 30; i++) {
      InstantTime instant = setup.begin(Action.DELTA_COMMIT);
      setup.commit(instant, metadata(write(storage, instant, 50, 0)));
    }
    InstantTime instant = setup.begin(Action.DELTA_COMMIT);
    CommitMetadata metadata = metadata(write(storage, instant, 50, 0));
    FaultyStorage counting = FaultyStorage.counting(storage);

    assertThat(open(counting).commit(instant, metadata)).isEqualTo(CommitOutcome.COMMITTED);

    assertThat(counting.operations())
        .filteredOn(operation -> operation.startsWith("list "))
        .containsExactly(
            "list .hoodie/timeline",
            "list .hoodie/.hudi-lite/fate",
            "list .hoodie/.temp/" + instant);
    assertThat(counting.operationCount()).isLessThan(12);
    assertThat(storage.list(".hoodie/.hudi-lite/fate")).hasSizeLessThanOrEqualTo(21);
  }

  @Test
  void timesRiseWhenTheClockIsSetBack() throws IOException {
    InMemoryStorage storage = newTable();
    InstantTime last = InstantTime.BEGINNING;
    for (int i = 0; i < 20; i++) {
      TableCommit commits = open(storage);
      wallMillis.addAndGet(i % 2 == 0 ? -2000 : 1000);
      InstantTime instant = commits.begin(Action.DELTA_COMMIT);
      assertThat(instant).isGreaterThan(last);
      commits.commit(instant, metadata(write(storage, instant, 1, 0)));
      last = timeline(storage).completionTimeOf(instant).orElseThrow();
      assertThat(last).isGreaterThan(instant);
    }
    assertThat(timeline(storage).completedWrites()).hasSize(20);
  }

  @Test
  void upgradedTableStopsTheWriter() throws IOException {
    InMemoryStorage storage = newTable();
    TableCommit commits = open(storage);
    Map<String, String> upgraded = new HashMap<>(CONFIG.properties());
    upgraded.put(TableConfig.VERSION, "9");
    storage.delete(TableConfigStore.PATH);
    storage.createNew(TableConfigStore.PATH, PropertiesCodec.encode(upgraded, "x"));

    assertThatThrownBy(() -> commits.begin(Action.DELTA_COMMIT))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("version 9");
    assertThat(timeline(storage).instants()).isEmpty();
  }

  @Test
  void plannedCompactionIsNotRolledBack() throws IOException {
    InMemoryStorage storage = newTable();
    TableCommit commits = open(storage);
    InstantTime instant = commits.begin(Action.COMPACTION);

    assertThat(commits.pending()).isEmpty();
    assertThatThrownBy(() -> commits.rollBack(instant))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(commits.commit(instant, metadata(List.of()))).isEqualTo(CommitOutcome.COMMITTED);
    assertThat(timeline(storage).completedWrites())
        .extracting(Instant.Completed::action)
        .containsExactly(Action.COMMIT);
  }

  /** The old table, or the new one; never a part, and no stream left open. */
  @ParameterizedTest
  @EnumSource(Fault.class)
  void crashAnywhereLeavesTheOldTableOrTheNew(Fault fault) throws IOException {
    int crashes = 0;
    for (int n = 0; ; n++) {
      InMemoryStorage storage = newTable();
      InstantTime first = open(storage).begin(Action.DELTA_COMMIT);
      open(storage).commit(first, metadata(write(storage, first, 2, 0)));
      FaultyStorage faulty = FaultyStorage.failingAt(storage, n, fault, Aftermath.DEAD);
      CommitMetadata[] reported = new CommitMetadata[1];
      InstantTime[] begun = new InstantTime[1];
      CommitOutcome outcome = beginWriteCommit(faulty, begun, reported);
      assertThat(faulty.openStreams()).isZero();
      if (!faulty.hasFailed()) {
        assertThat(outcome).isEqualTo(CommitOutcome.COMMITTED);
        break;
      }
      crashes++;
      boolean isVisible = timeline(storage).completedWrites().size() == 2;
      if (outcome == CommitOutcome.COMMITTED) {
        assertThat(isVisible).as("crash at %d", n).isTrue();
      }

      // A new process whose writers have lost the report, and one whose writers still have it.
      InMemoryStorage copy = storage.copy();
      recoverWithoutReport(copy, first, n);
      if (reported[0] != null) {
        recoverWithReport(storage, begun[0], reported[0], n);
      }
    }
    assertThat(crashes).isGreaterThan(15);
  }

  private CommitOutcome beginWriteCommit(
      Storage storage, InstantTime[] begun, CommitMetadata[] reported) {
    try {
      TableCommit commits = open(storage);
      begun[0] = commits.begin(Action.DELTA_COMMIT);
      write(storage, begun[0], 2, 0);
      reported[0] = metadata(write(storage, begun[0], 2, 1));
      return commits.commit(begun[0], reported[0]);
    } catch (IOException e) {
      return CommitOutcome.UNKNOWN;
    }
  }

  private void recoverWithoutReport(InMemoryStorage storage, InstantTime first, int n)
      throws IOException {
    boolean wasDecided =
        timeline(storage).completedWrites().size() == 2
            || storage.list(".hoodie/.hudi-lite/fate").size() == 2;
    TableCommit commits = open(storage);
    commits.recover();
    for (Instant pending : commits.pending()) {
      assertThat(commits.rollBack(pending.requestedTime())).as("crash at %d", n).isTrue();
    }
    assertConsistent(storage, n);
    Timeline timeline = timeline(storage);
    assertThat(timeline.completedWrites()).as("crash at %d", n).hasSize(wasDecided ? 2 : 1);
    assertThat(filesOf(storage, first)).hasSize(2);
    InstantTime next = commits.begin(Action.DELTA_COMMIT);
    assertThat(commits.commit(next, metadata(write(storage, next, 1, 0))))
        .isEqualTo(CommitOutcome.COMMITTED);
    assertThat(next).isGreaterThan(timeline.newestTime().orElseThrow());
  }

  private void recoverWithReport(
      InMemoryStorage storage, InstantTime instant, CommitMetadata metadata, int n)
      throws IOException {
    TableCommit commits = open(storage);
    assertThat(commits.commit(instant, metadata))
        .as("crash at %d", n)
        .isEqualTo(CommitOutcome.COMMITTED);
    commits.recover();
    assertConsistent(storage, n);
    assertThat(timeline(storage).completedWrites()).as("crash at %d", n).hasSize(2);
    assertThat(filesOf(storage, instant)).as("crash at %d", n).hasSize(2);
  }

  /** Each data file belongs to a committed instant that names it, and nothing is left over. */
  private static void assertConsistent(InMemoryStorage storage, int n) throws IOException {
    TimelineStore store = new TimelineStore(storage, CONFIG);
    Timeline timeline = store.load();
    List<String> named = new ArrayList<>();
    for (Instant.Completed completed : timeline.completedWrites()) {
      store.readCommit(completed).writeStats().forEach(stat -> named.add(stat.path()));
    }
    assertThat(dataFiles(storage)).as("crash at %d", n).containsExactlyInAnyOrderElementsOf(named);
    assertThat(timeline.instants()).as("crash at %d", n).allMatch(Instant::isCompleted);
    assertThat(storage.list(".hoodie/.temp")).as("crash at %d", n).isEmpty();
    assertThat(storage.paths().stream().filter(path -> path.contains(".rollback")).count() % 3)
        .as("crash at %d: one completed file for each rollback", n)
        .isZero();
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void crashAnywhereInARollbackIsMended(Fault fault) throws IOException {
    int crashes = 0;
    for (int n = 0; ; n++) {
      InMemoryStorage storage = newTable();
      InstantTime kept = open(storage).begin(Action.DELTA_COMMIT);
      open(storage).commit(kept, metadata(write(storage, kept, 2, 0)));
      InstantTime failed = open(storage).begin(Action.DELTA_COMMIT);
      CommitMetadata report = metadata(write(storage, failed, 2, 0));
      FaultyStorage faulty = FaultyStorage.failingAt(storage, n, fault, Aftermath.DEAD);
      try {
        open(faulty).rollBack(failed);
      } catch (IOException e) {
        // The crash; what counts is what recovery makes of it.
        assertThat(faulty.hasFailed()).isTrue();
      }
      if (!faulty.hasFailed()) {
        break;
      }
      crashes++;

      TableCommit commits = open(storage);
      commits.recover();
      for (Instant pending : commits.pending()) {
        assertThat(commits.rollBack(pending.requestedTime())).isTrue();
      }
      assertConsistent(storage, n);
      assertThat(timeline(storage).completedWrites()).hasSize(1);
      assertThat(commits.commit(failed, report)).isEqualTo(CommitOutcome.REFUSED);
      assertThat(filesOf(storage, kept)).hasSize(2);
      for (int i = 0; i < 3; i++) {
        InstantTime next = commits.begin(Action.DELTA_COMMIT);
        assertThat(commits.commit(next, metadata(write(storage, next, 1, 0))))
            .isEqualTo(CommitOutcome.COMMITTED);
      }
    }
    assertThat(crashes).isGreaterThan(10);
  }

  /** The storage does what it is asked and then says that it failed. */
  @ParameterizedTest
  @EnumSource(Fault.class)
  void hiccupAnywhereIsMendedByCommittingAgain(Fault fault) throws IOException {
    for (int n = 0; ; n++) {
      InMemoryStorage storage = newTable();
      InstantTime instant = open(storage).begin(Action.DELTA_COMMIT);
      CommitMetadata metadata = metadata(write(storage, instant, 2, 0));
      FaultyStorage faulty = FaultyStorage.failingAt(storage, n, fault, Aftermath.WORKING);
      TableCommit commits = open(faulty);

      CommitOutcome outcome = commits.commit(instant, metadata);
      if (outcome != CommitOutcome.COMMITTED) {
        assertThat(outcome).isEqualTo(CommitOutcome.UNKNOWN);
        assertThat(commits.commit(instant, metadata)).isEqualTo(CommitOutcome.COMMITTED);
      }
      assertThat(timeline(storage).completedWrites()).hasSize(1);
      assertThat(filesOf(storage, instant)).hasSize(2);
      if (!faulty.hasFailed()) {
        return;
      }
    }
  }

  @Test
  void ofTwoCommittersAndARollbackOneDecides() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      for (int round = 0; round < 30; round++) {
        InMemoryStorage storage = newTable();
        InstantTime instant = open(storage).begin(Action.DELTA_COMMIT);
        CommitMetadata one = metadata(write(storage, instant, 2, 0));
        CommitMetadata two = metadata(write(storage, instant, 2, 1));
        TableCommit a = open(storage);
        TableCommit b = open(storage);
        TableCommit c = open(storage);
        List<Callable<Object>> rivals =
            List.of(
                () -> a.commit(instant, one),
                () -> b.commit(instant, two),
                () -> c.rollBack(instant));
        List<Object> answers = new ArrayList<>();
        for (Future<Object> answer : threads.invokeAll(rivals)) {
          answers.add(answer.get());
        }
        Timeline timeline = timeline(storage);
        if (timeline.completedWrites().isEmpty()) {
          assertThat(answers)
              .containsExactly(CommitOutcome.REFUSED, CommitOutcome.REFUSED, Boolean.TRUE);
          assertThat(dataFiles(storage)).isEmpty();
        } else {
          assertThat(answers.get(2)).isEqualTo(false);
          assertThat(answers.subList(0, 2))
              .containsExactlyInAnyOrder(CommitOutcome.COMMITTED, CommitOutcome.REFUSED);
          assertThat(dataFiles(storage)).hasSize(2);
        }
        assertConsistent(storage, round);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** A committer stands still between its look at the timeline and its decision. */
  @Test
  void committerThatWasCutOffForLongDoesNotReviveAnInstant() throws IOException {
    for (boolean isRolledBack : new boolean[] {true, false}) {
      InMemoryStorage storage = newTable();
      InstantTime instant = open(storage).begin(Action.DELTA_COMMIT);
      List<WriteStat> stats = write(storage, instant, 1, 0);
      PausingStorage pausing =
          new PausingStorage(
              storage,
              () -> {
                TableCommit others = open(storage);
                if (isRolledBack) {
                  others.rollBack(instant);
                } else {
                  others.commit(instant, metadata(stats));
                }
                for (int i = 0; i < FateStore.KEPT + 5; i++) {
                  InstantTime next = others.begin(Action.DELTA_COMMIT);
                  others.commit(next, metadata(write(storage, next, 1, 0)));
                }
                assertThat(storage.exists(".hoodie/.hudi-lite/fate/" + instant)).isFalse();
              });

      CommitOutcome outcome = open(pausing).commit(instant, metadata(stats));

      assertThat(outcome).isEqualTo(isRolledBack ? CommitOutcome.REFUSED : CommitOutcome.COMMITTED);
      assertConsistent(storage, 0);
      assertThat(storage.paths())
          .filteredOn(path -> path.startsWith(".hoodie/timeline/" + instant + "_"))
          .hasSize(isRolledBack ? 0 : 1);
    }
  }

  @Test
  void failedForeignWriterIsRolledBackByItsMarkers(@TempDir Path folder) throws IOException {
    Path table = Fixtures.unpack("mor_failed_writer", folder);
    Storage storage = new LocalStorage(table);
    TableConfig config = TableConfigStore.load(storage);
    InstantTime failed = new InstantTime("20261129224526393");

    TableCommit commits = new TableCommit(storage, config, clock(config.timelineZone()));
    commits.recover();
    assertThat(commits.pending())
        .containsExactly(new Instant.Inflight(failed, Action.DELTA_COMMIT));
    assertThat(commits.rollBack(failed)).isTrue();

    assertThat(storage.list("dt=2025-10-18"))
        .noneMatch(file -> file.name().contains(failed.digits()));
    assertThat(storage.list("dt=2025-10-19"))
        .noneMatch(file -> file.name().contains(failed.digits()));
    assertThat(storage.exists(".hoodie/.heartbeat/" + failed)).isFalse();
    assertThat(storage.exists(".hoodie/.temp/" + failed)).isFalse();
    assertThat(storage.list("dt=2025-10-18")).hasSize(3);
    assertThat(new TimelineStore(storage, config).load().completedWrites()).hasSize(2);
  }

  @Test
  void withoutMarkersTheTableIsListed(@TempDir Path folder) throws IOException {
    Path table = Fixtures.unpack("mor_failed_writer", folder);
    Storage storage = new LocalStorage(table);
    TableConfig config = TableConfigStore.load(storage);
    InstantTime failed = new InstantTime("20261129224526393");
    storage.deleteFolder(".hoodie/.temp/" + failed);

    new TableCommit(storage, config, clock(config.timelineZone())).rollBack(failed);

    assertThat(storage.list("dt=2025-10-18")).hasSize(3);
    assertThat(storage.list("dt=2025-10-19")).hasSize(2);
    assertThat(new TimelineStore(storage, config).load().pendingWrites()).isEmpty();
  }

  /** A writer attempt that hung for long goes on after its instant was decided. */
  @Test
  void filesThatAreMadeAfterTheDecisionAreRemoved() throws IOException {
    InMemoryStorage storage = newTable();
    TableCommit commits = open(storage);
    InstantTime committed = commits.begin(Action.DELTA_COMMIT);
    markOnly(storage, committed, 7);
    CommitMetadata metadata = metadata(write(storage, committed, 2, 1));
    commits.commit(committed, metadata);
    InstantTime rolledBack = commits.begin(Action.DELTA_COMMIT);
    markOnly(storage, rolledBack, 7);
    commits.rollBack(rolledBack);
    assertThat(new WriteMarkers(storage, committed).areOpen()).isFalse();
    assertThat(new WriteMarkers(storage, rolledBack).areOpen()).isFalse();

    for (InstantTime instant : List.of(committed, rolledBack)) {
      storage.createNew("dt=1/" + logName(instant, 0, 7), new byte[] {1}); // marked before
      write(storage, instant, 2, 8); // marked now
    }
    commits.removeLateFiles();
    assertThat(dataFiles(storage)).hasSize(2);
    assertThat(storage.list(".hoodie/.temp")).isEmpty();

    storage.createNew("dt=1/" + logName(committed, 1, 8), new byte[] {1});
    open(storage).recover();
    assertThat(dataFiles(storage)).hasSize(2);

    InstantTime next = commits.begin(Action.DELTA_COMMIT);
    write(storage, next, 1, 0);
    for (int round = 0; round < LateFiles.ROUNDS; round++) {
      commits.removeLateFiles();
    }
    assertThat(storage.list(".hoodie/.hudi-lite/late")).isEmpty();
    assertThat(new WriteMarkers(storage, next).areOpen()).isTrue();
    assertThat(dataFiles(storage)).as("those of pending instants stay").hasSize(3);
  }

  private static void markOnly(Storage storage, InstantTime instant, int attempt)
      throws IOException {
    new WriteMarkers(storage, instant)
        .add(
            attempt,
            List.of(
                new WriteMarkers.Marker(
                    "dt=1/" + logName(instant, 0, attempt), WriteMarkers.IoType.CREATE)));
  }

  @Test
  void decidedCommitIsFinishedByWhoeverReadsTheTableAndNothingElseIs() throws IOException {
    InMemoryStorage storage = newTable();
    TableCommit commits = open(storage);
    InstantTime decided = commits.begin(Action.DELTA_COMMIT);
    CommitMetadata metadata = metadata(write(storage, decided, 1, 0));
    assertThat(commits.commit(decided, metadata)).isEqualTo(CommitOutcome.COMMITTED);
    Instant.Completed completed = timeline(storage).completedWrite(decided).orElseThrow();
    InstantTime open = commits.begin(Action.DELTA_COMMIT);
    new TimelineStore(storage, CONFIG).delete(completed); // as if it had died before

    open(storage).finishDecidedCommits();
    open(storage).finishDecidedCommits();

    assertThat(timeline(storage).completedWrite(decided)).contains(completed);
    assertThat(timeline(storage).pending(open)).isPresent();
  }

  @Test
  void pendingRollbackOfACommittedInstantIsDropped() throws IOException {
    InMemoryStorage storage = newTable();
    TableCommit commits = open(storage);
    InstantTime instant = commits.begin(Action.DELTA_COMMIT);
    List<WriteStat> stats = write(storage, instant, 1, 0);
    commits.commit(instant, metadata(stats));
    TimelineStore store = new TimelineStore(storage, CONFIG);
    InstantTime rollback = new InstantTime("20991231000000000");
    store.createRequested(
        new Instant.Requested(rollback, Action.ROLLBACK),
        io.hudilite.core.timeline.RollbackCodec.encodePlan(
            new RollbackPlan(
                instant, "deltacommit", Map.of("dt=1", List.of(stats.get(0).path())))));

    open(storage).recover();

    assertThat(dataFiles(storage)).hasSize(1);
    assertThat(timeline(storage).instants()).hasSize(1).allMatch(Instant::isCompleted);
  }

  private InstantClock clock(ZoneId zone) {
    return new InstantClock(() -> java.time.Instant.ofEpochMilli(wallMillis.get()), zone);
  }
}
