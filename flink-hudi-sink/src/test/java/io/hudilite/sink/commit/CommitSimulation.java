package io.hudilite.sink.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * One random history of a job: writers, checkpoints, a coordinator and a table in memory, with
 * crashes, lost, late and doubled messages. Every row that is emitted has a number of its own;
 * after each step holds that no row is visible twice, none that no complete checkpoint covers, and
 * that a coordinator commits what one writer wrote in order; that the instants which a writer gets
 * rise; at the end, that all rows of the last checkpoint are visible, and a writer's later rows in
 * later instants, since a key is always written by the same one. The same seed gives the same
 * history.
 */
final class CommitSimulation {
  private static final int STEPS = 120;

  private final Random random;
  private final int parallelism;
  private final boolean restartsAll;
  private final Table table = new Table();
  private final List<SimWriter> writers = new ArrayList<>();
  private final List<Coordinator> coordinators = new ArrayList<>();
  private final Map<Integer, Integer> attempts = new HashMap<>();

  /** Complete checkpoints of the branch of history that counts, by id. */
  private final TreeMap<Long, Checkpoint> completed = new TreeMap<>();

  private final Set<Long> everCovered = new HashSet<>();
  private final Map<Long, Long> subtaskOf = new HashMap<>();

  /** Rows of keys that moved to another writer, with the delete there where they were. */
  private final Map<Long, Long> deleteOf = new HashMap<>();

  private Checkpoint running;

  /** A job that was taken for dead and goes on. */
  private Undead undead;

  private long lastCheckpointId;
  private long nextRow;
  private long nextFile;
  private int runs;
  private boolean isCalm;

  CommitSimulation(long seed) {
    random = new Random(seed * 0x9E3779B97F4A7C15L + 17);
    parallelism = 1 + random.nextInt(3);
    restartsAll = random.nextBoolean();
  }

  void run() {
    startJob(null);
    for (int i = 0; i < STEPS; i++) {
      step();
      check();
    }
    isCalm = true;
    undead = null;
    // A zombie has done what it will do; from here on nothing fails any more.
    for (int round = 0; round < 3; round++) {
      calmDown();
      writers.forEach(SimWriter::receive);
      trigger();
      calmDown();
    }
    assertThat(completed).isNotEmpty();
    assertThat(table.visible()).containsAll(completed.lastEntry().getValue().rows());
    check();
    for (long writer : new HashSet<>(subtaskOf.values())) {
      assertThat(table.visible().stream().filter(row -> subtaskOf.get(row) == writer).toList())
          .as("rows of writer %d by instant", writer)
          .isSorted();
    }
    assertThat(table.pendingWithRows()).isEmpty();
  }

  private void calmDown() {
    for (int i = 0; i < 2_000; i++) {
      boolean moved = false;
      for (Coordinator coordinator : List.copyOf(coordinators)) {
        moved |= coordinator.work();
      }
      for (SimWriter writer : writers) {
        moved |= writer.work();
      }
      moved |= finishCheckpoint();
      check();
      if (!moved) {
        return;
      }
    }
    throw new AssertionError("It never comes to rest");
  }

  private void step() {
    if (undead != null && random.nextInt(3) == 0) {
      undead.step();
      return;
    }
    int dice = random.nextInt(100);
    SimWriter writer = writers.get(random.nextInt(parallelism));
    if (dice < 20) {
      writer.receive();
    } else if (dice < 30) {
      move();
    } else if (dice < 55) {
      writer.work();
    } else if (dice < 80) {
      coordinators.get(random.nextInt(coordinators.size())).work();
    } else if (dice < 87) {
      trigger();
    } else if (dice < 91) {
      finishCheckpoint();
    } else if (dice < 93) {
      abort(); // reports stay where they are
    } else if (dice < 96) {
      failWriter(random.nextInt(parallelism));
    } else if (dice < 98) {
      startJob(completed.isEmpty() ? null : completed.lastEntry().getValue());
    } else if (dice < 99 && !completed.isEmpty()) {
      List<Checkpoint> all = List.copyOf(completed.values());
      startNewRun(all.get(random.nextInt(all.size())));
    } else if (random.nextInt(4) == 0) {
      startNewRun(null);
    }
  }

  private void startNewRun(Checkpoint from) {
    runs++;
    if (random.nextBoolean()) {
      undead = new Undead(List.copyOf(writers), coordinators.get(coordinators.size() - 1));
    }
    completed.clear();
    if (from != null) {
      completed.put(from.id, from);
    }
    startJob(from);
  }

  /** A new coordinator; the old one may live on for a while without knowing. */
  private void startJob(Checkpoint from) {
    running = null;
    lastCheckpointId = from == null ? 0 : Math.max(from.id, lastCheckpointId);
    while (coordinators.size() > 2) {
      coordinators.remove(0);
    }
    coordinators.stream()
        .filter(old -> undead == null || old != undead.coordinator)
        .forEach(old -> old.inbox.clear());
    Coordinator coordinator = new Coordinator("run-" + runs);
    coordinators.add(coordinator);
    writers.clear();
    for (int i = 0; i < parallelism; i++) {
      attempts.merge(i, 0, (old, zero) -> old + 1);
      writers.add(new SimWriter(i, attempts.get(i), coordinator, from));
    }
  }

  private void failWriter(int subtask) {
    abort();
    Checkpoint from = completed.isEmpty() ? null : completed.lastEntry().getValue();
    Coordinator coordinator = coordinators.get(coordinators.size() - 1);
    for (int i = 0; i < parallelism; i++) {
      if (restartsAll || i == subtask) {
        int number = i;
        coordinator.inbox.add(
            () -> coordinator.protocol.onSubtaskReset(number, from == null ? -1 : from.id));
      }
    }
    for (int i = 0; i < parallelism; i++) {
      if (restartsAll || i == subtask) {
        attempts.merge(i, 1, Integer::sum);
        writers.set(i, new SimWriter(i, attempts.get(i), coordinator, from));
      }
    }
  }

  /**
   * A key changes its partition. Where one writer fails alone there is no shuffle before the
   * writers, and so nothing moves between them.
   */
  private void move() {
    if (!restartsAll || parallelism == 1) {
      return;
    }
    int from = random.nextInt(parallelism);
    long deleted = writers.get(from).receive();
    int to = (from + 1 + random.nextInt(parallelism - 1)) % parallelism;
    deleteOf.put(writers.get(to).receive(), deleted);
  }

  private void trigger() {
    if (running == null) {
      running = new Checkpoint(++lastCheckpointId);
      writers.forEach(w -> w.input.add(running));
    }
  }

  /** A barrier that a writer meets now may be gone before it sees it. */
  private void abort() {
    if (running != null) {
      Checkpoint aborted = running;
      aborted.isAborted = true;
      running = null;
      Coordinator coordinator = coordinators.get(coordinators.size() - 1);
      coordinator.inbox.add(() -> coordinator.protocol.onCheckpointAborted(aborted.id));
    }
  }

  private boolean finishCheckpoint() {
    if (running == null || running.states.size() < parallelism) {
      return false;
    }
    Checkpoint done = running;
    running = null;
    completed.put(done.id, done);
    everCovered.addAll(done.rows());
    Coordinator coordinator = coordinators.get(coordinators.size() - 1);
    if (isCalm || random.nextInt(5) > 0) {
      coordinator.inbox.add(() -> coordinator.protocol.onCheckpointComplete(done.id));
    }
    for (SimWriter writer : writers) {
      if (isCalm || random.nextInt(5) > 0) {
        writer.onCheckpointComplete(done.id);
      }
    }
    return true;
  }

  private void check() {
    List<Long> visible = table.visible();
    assertThat(visible).doesNotHaveDuplicates();
    assertThat(everCovered).containsAll(visible);
    Set<Long> seen = new HashSet<>(visible);
    for (long row : visible) {
      Long deleted = deleteOf.get(row);
      assertThat(deleted == null || seen.contains(deleted))
          .as("row %d is visible before the delete %d at its old place", row, deleted)
          .isTrue();
    }
  }

  /** Writers and coordinator of an older run, which do not know that there is a newer one. */
  private final class Undead {
    private final List<SimWriter> writers;
    private final Coordinator coordinator;
    private Checkpoint running;
    private long lastId = 1_000_000;

    private Undead(List<SimWriter> writers, Coordinator coordinator) {
      this.writers = writers;
      this.coordinator = coordinator;
      this.writers.forEach(writer -> writer.input.clear());
    }

    private void step() {
      int dice = random.nextInt(10);
      SimWriter writer = writers.get(random.nextInt(parallelism));
      if (dice < 2) {
        writer.receive();
      } else if (dice < 5) {
        writer.work();
      } else if (dice < 8) {
        coordinator.work();
      } else if (running == null) {
        running = new Checkpoint(++lastId);
        writers.forEach(w -> w.input.add(running));
      } else if (running.states.size() == parallelism) {
        long id = running.id;
        everCovered.addAll(running.rows());
        running = null;
        coordinator.inbox.add(() -> coordinator.protocol.onCheckpointComplete(id));
      }
    }
  }

  /** What all writers had at one barrier. */
  private static final class Checkpoint {
    private final long id;
    private final Map<Integer, State> states = new HashMap<>();
    private boolean isAborted;

    private Checkpoint(long id) {
      this.id = id;
    }

    private List<Long> rows() {
      return states.values().stream().flatMap(state -> state.rows.stream()).toList();
    }
  }

  private record State(List<Long> rows, List<WriteReport> reports) {}

  /** One attempt of a writer. Does one thing after the other, as its thread would. */
  private final class SimWriter {
    private final int subtask;
    private final int attempt;
    private final Coordinator coordinator;
    private final List<Long> history = new ArrayList<>();
    private final List<Long> buffer = new ArrayList<>();
    private final List<WriteReport> unacknowledged = new ArrayList<>();
    private final Deque<Supplier<List<Effect>>> outbox = new ArrayDeque<>();
    private final List<WriteStat> stats = new ArrayList<>();
    private final Map<Long, List<InstantTime>> awaited = new HashMap<>();

    /** Rows and barriers that it has not come to yet. */
    private final Deque<Object> input = new ArrayDeque<>();

    private Checkpoint barrier;
    private InstantTime instant;
    private InstantTime newestInstant = InstantTime.BEGINNING;
    private boolean hasAsked;
    private long lastRequest;
    private long epoch;

    private SimWriter(int subtask, int attempt, Coordinator coordinator, Checkpoint from) {
      this.subtask = subtask;
      this.attempt = attempt;
      this.coordinator = coordinator;
      epoch = from == null ? -1 : from.id;
      if (from != null) {
        history.addAll(from.states.get(subtask).rows);
        unacknowledged.addAll(from.states.get(subtask).reports);
      }
      for (WriteReport report : unacknowledged) {
        if (report.instant().get().isAfter(newestInstant)) {
          newestInstant = report.instant().get();
        }
      }
      int count = unacknowledged.size();
      for (WriteReport report : unacknowledged) {
        outbox.add(() -> coordinator.protocol.onRestored(subtask, attempt, report));
      }
      outbox.add(() -> coordinator.protocol.onResume(subtask, attempt, epoch(from), count));
    }

    private long epoch(Checkpoint from) {
      return from == null ? -1 : from.id;
    }

    private void send(Supplier<List<Effect>> message) {
      outbox.add(message);
      if (random.nextInt(6) == 0) {
        outbox.add(message);
      }
    }

    private long receive() {
      subtaskOf.put(nextRow, coordinator.number * 100 + subtask);
      input.add(nextRow);
      return nextRow++;
    }

    private void take(Object next) {
      if (next instanceof Checkpoint checkpoint) {
        if (!checkpoint.isAborted || random.nextBoolean()) {
          barrier = checkpoint;
        }
      } else {
        history.add((Long) next);
        buffer.add((Long) next);
      }
    }

    private boolean work() {
      if (!outbox.isEmpty()) {
        coordinator.inbox.add(outbox.poll());
        return true;
      }
      if (hasAsked && instant == null) {
        return false; // its thread waits
      }
      boolean wantsToFlush = !buffer.isEmpty() && (barrier != null || random.nextInt(4) == 0);
      if (wantsToFlush && instant == null) {
        hasAsked = true;
        long request = coordinator.ask(this);
        lastRequest = request;
        long askedEpoch = epoch;
        send(() -> coordinator.protocol.onRequest(request, subtask, attempt, askedEpoch));
        return true;
      }
      if (wantsToFlush) {
        String file = "f%06d".formatted(nextFile++);
        table.write(instant, file, buffer);
        stats.add(WriteStat.ofNewBaseFile("g-0", "", file, buffer.size(), 1));
        buffer.clear();
        return true;
      }
      if (barrier != null) {
        snapshot();
        return true;
      }
      if (!input.isEmpty()) {
        take(input.poll());
        return true;
      }
      return false;
    }

    private void snapshot() {
      WriteReport report =
          new WriteReport(
              coordinator.run,
              "job",
              subtask,
              attempt,
              barrier.id,
              epoch,
              Optional.ofNullable(instant),
              stats,
              false,
              false);
      if (instant != null) {
        unacknowledged.add(report);
      }
      barrier.states.put(subtask, new State(List.copyOf(history), List.copyOf(unacknowledged)));
      epoch = barrier.id;
      barrier = null;
      instant = null;
      hasAsked = false;
      stats.clear();
      send(() -> coordinator.protocol.onReport(report));
    }

    /** Each request waits for its own answer, which may come twice. */
    private void onAnswer(long request, InstantTime answered) {
      if (hasAsked && instant == null && request == lastRequest) {
        // The same again only behind the barrier of an aborted checkpoint.
        boolean goesOn =
            unacknowledged.stream()
                .anyMatch(r -> r.attempt() == attempt && r.instant().get().equals(answered));
        assertThat(answered.isAfter(newestInstant) || (goesOn && answered.equals(newestInstant)))
            .as("instants of a writer rise")
            .isTrue();
        instant = answered;
        newestInstant = answered;
      }
    }

    /** Asks when the instants of a complete checkpoint are visible. */
    private void onCheckpointComplete(long checkpoint) {
      List<InstantTime> open =
          unacknowledged.stream()
              .filter(report -> report.checkpoint() <= checkpoint)
              .flatMap(report -> report.instant().stream())
              .toList();
      if (!open.isEmpty()) {
        long request = coordinator.ask(this);
        awaited.put(request, open);
        send(() -> coordinator.protocol.onAwait(request, subtask, attempt, open));
      }
    }

    private void onCommitted(long request) {
      List<InstantTime> committed = awaited.getOrDefault(request, List.of());
      assertThat(table.committed.keySet()).containsAll(committed);
      unacknowledged.removeIf(r -> r.instant().filter(committed::contains).isPresent());
    }
  }

  /** One coordinator with the work that it has been told to do. */
  private final class Coordinator {
    private final long number = runs;
    private final String run;
    private final CommitProtocol protocol;
    private final Deque<Supplier<List<Effect>>> inbox = new ArrayDeque<>();
    private final Deque<Effect> commits = new ArrayDeque<>();
    private final Deque<Effect> others = new ArrayDeque<>();
    private final Map<Long, SimWriter> asked = new HashMap<>();
    private final Map<Integer, InstantTime> lastCommitted = new HashMap<>();
    private final Set<InstantTime> own = new HashSet<>();

    /** What it does after its look at the lease; it may be paused in between. */
    private final Deque<Runnable> looked = new ArrayDeque<>();

    private List<InstantTime> older = List.of();
    private boolean isPrepared;
    private long lease;
    private boolean hasCommitFailed;
    private long requests;

    private Coordinator(String run) {
      this.run = run;
      protocol = new CommitProtocol(run, CommitTiming.PER_CHECKPOINT, parallelism);
    }

    private boolean isCurrent() {
      return coordinators.get(coordinators.size() - 1) == this;
    }

    private long ask(SimWriter writer) {
      asked.put(++requests, writer);
      return requests;
    }

    private boolean work() {
      if (!isPrepared) {
        isPrepared = true;
        lease = ++table.newestLease;
        older = table.pending();
        inbox.add(() -> protocol.onStarted(older));
        return true;
      }
      if (!looked.isEmpty() && (isCalm || random.nextInt(3) > 0)) {
        looked.poll().run();
        return true;
      }
      int choice = random.nextInt(3);
      if (choice == 0 && !commits.isEmpty()) {
        commit();
        return true;
      }
      if (choice <= 1 && !others.isEmpty()) {
        carryOut(others.poll());
        return true;
      }
      if (!inbox.isEmpty()) {
        inbox.poll().get().forEach(this::take);
        return true;
      }
      if (!others.isEmpty()) {
        carryOut(others.poll());
        return true;
      }
      if (!commits.isEmpty()) {
        commit();
        return true;
      }
      return false;
    }

    private void take(Effect effect) {
      if (effect instanceof Effect.Commit || effect instanceof Effect.RollBack) {
        commits.add(effect);
      } else {
        others.add(effect);
      }
    }

    private void commit() {
      Effect effect = commits.poll();
      if (effect instanceof Effect.RollBack rollBack) {
        own.remove(rollBack.instant());
        if (!table.rollBack(rollBack.instant())) {
          fail(rollBack.instant()); // another one was faster, and our index may not know its rows
        }
        return;
      }
      if (hasCommitFailed) {
        return; // later ones would follow a gap
      }
      Effect.Commit commit = (Effect.Commit) effect;
      if (lease != table.newestLease) {
        fail(commit.instant());
        return;
      }
      looked.add(() -> decide(commit));
    }

    private void decide(Effect.Commit commit) {
      if (hasCommitFailed) {
        return;
      }
      InstantTime instant = commit.instant();
      for (WriteReport report : commit.reports()) {
        assertThat(instant)
            .as("commits of one coordinator for one writer are in order")
            .isGreaterThan(lastCommitted.getOrDefault(report.subtask(), InstantTime.BEGINNING));
      }
      int fault = isCalm ? 9 : random.nextInt(12);
      if (fault == 0) {
        fail(instant); // before anything was done
        return;
      }
      boolean done = table.commit(commit, lease);
      if (!done && isCurrent()) {
        throw new AssertionError(
            "Instant " + instant + " is refused to the only coordinator that counts");
      }
      commit.reports().forEach(report -> lastCommitted.put(report.subtask(), instant));
      if (fault == 1 || !done) {
        fail(instant); // the answer is lost
      } else {
        inbox.add(() -> protocol.onCommitted(instant));
        own.remove(instant);
        rollBackStrays();
      }
    }

    private void rollBackStrays() {
      List<InstantTime> strays = new ArrayList<>(table.pending());
      strays.removeAll(own);
      strays.removeAll(older);
      if (lease == table.newestLease) {
        strays.forEach(table::rollBack);
      }
    }

    private void fail(InstantTime instant) {
      hasCommitFailed = true;
      inbox.add(() -> protocol.onFailure("no answer for " + instant, OptionalLong.empty()));
    }

    private void carryOut(Effect effect) {
      if (effect instanceof Effect.Open open) {
        if (lease == table.newestLease) {
          looked.add(
              () -> {
                InstantTime instant = table.begin();
                own.add(instant);
                inbox.add(() -> protocol.onOpened(open.slot(), instant));
              });
        } else {
          fail(null);
        }
      } else if (effect instanceof Effect.Answer answer) {
        asked.get(answer.request()).onAnswer(answer.request(), answer.instant());
      } else if (effect instanceof Effect.AnswerCommitted answer) {
        if (isCalm || random.nextInt(4) > 0) {
          asked.get(answer.request()).onCommitted(answer.request());
        }
      } else if (effect instanceof Effect.FailJob) {
        if (isCurrent()) {
          startJob(completed.isEmpty() ? null : completed.lastEntry().getValue());
        } else if (undead != null && undead.coordinator == this) {
          undead = null;
        }
      }
    }
  }

  /** The table: what became of each instant is decided once. */
  private static final class Table {
    private final TreeMap<InstantTime, Map<String, List<Long>>> files = new TreeMap<>();
    private final Map<InstantTime, List<String>> committed = new HashMap<>();
    private final Set<InstantTime> rolledBack = new HashSet<>();
    private long clock = 1_700_000_000_000L;
    private long newestLease;

    /** The newest lease under which something became visible. */
    private long committingLease;

    private InstantTime begin() {
      InstantTime instant = InstantTime.ofUtcMillis(clock++);
      files.put(instant, new HashMap<>());
      return instant;
    }

    private void write(InstantTime instant, String file, List<Long> rows) {
      files.get(instant).put(file, List.copyOf(rows));
    }

    private List<InstantTime> pending() {
      return files.keySet().stream()
          .filter(t -> !committed.containsKey(t) && !rolledBack.contains(t))
          .toList();
    }

    private List<InstantTime> pendingWithRows() {
      return pending().stream().filter(t -> !files.get(t).isEmpty()).toList();
    }

    private boolean commit(Effect.Commit commit, long lease) {
      InstantTime instant = commit.instant();
      List<String> names =
          commit.reports().stream()
              .flatMap(report -> report.stats().stream())
              .map(WriteStat::path)
              .sorted()
              .toList();
      if (rolledBack.contains(instant)) {
        return false;
      }
      List<String> before = committed.putIfAbsent(instant, names);
      if (before != null && !before.equals(names) && lease < newestLease) {
        return false;
      }
      if (before == null) {
        assertThat(lease)
            .as("instant %s of a writer that was fenced off", instant)
            .isGreaterThanOrEqualTo(committingLease);
        committingLease = lease;
      }
      assertThat(before == null || before.equals(names))
          .as("instant %s is committed twice with different files", instant)
          .isTrue();
      assertThat(files.get(instant)).containsKeys(names.toArray(new String[0]));
      return true;
    }

    /** Returns whether it is not visible. */
    private boolean rollBack(InstantTime instant) {
      if (!committed.containsKey(instant)) {
        rolledBack.add(instant);
      }
      return rolledBack.contains(instant);
    }

    private List<Long> visible() {
      List<Long> rows = new ArrayList<>();
      new TreeMap<>(committed)
          .forEach(
              (instant, names) -> names.forEach(name -> rows.addAll(files.get(instant).get(name))));
      return rows;
    }
  }
}
