package io.hudilite.sink.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.compact.Begun;
import io.hudilite.core.compact.CompactionExecution;
import io.hudilite.core.compact.CompactionHistory;
import io.hudilite.core.compact.CompactionScheduler;
import io.hudilite.core.compact.CompactionTask;
import io.hudilite.core.compact.CompletionLock;
import io.hudilite.core.compact.ScheduleResult;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.CommitOutcome;
import io.hudilite.sink.compact.CompactionMessages.Worker;
import io.hudilite.sink.config.CompactionConfig;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans compactions, hands their tasks out, and completes them, one after the other. Knows nothing
 * of Flink; what workers and commits bring are its events. A task that fails ends the execution:
 * the plan is requested again, and tried again after a pause that doubles. Not safe for use by
 * several threads.
 */
final class CompactionCommitter {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionCommitter.class);
  private static final long FIRST_PAUSE_MILLIS = 1_000;
  private static final long LONGEST_PAUSE_MILLIS = 600_000;
  private static final int COMMIT_ATTEMPTS = 3;

  private final CompactionSettings settings;
  private final Storage storage;
  private final InstantSource wall;
  private final CompletionLock lock;
  private final CompactionMetrics metrics;
  private final CompactionScheduler scheduler;
  private final TakeOver takeOver;
  private InstantClock clock;
  @Nullable private Running running;
  private int failures;
  private long notBeforeMillis;
  @Nullable private IOException lastFailure;

  /**
   * @param clock of the process' commits, or one of its own
   * @param lock held while a compaction completes
   */
  CompactionCommitter(
      CompactionSettings settings,
      Storage storage,
      InstantSource wall,
      InstantClock clock,
      CompletionLock lock,
      CompactionMetrics metrics) {
    this.settings = requireNonNull(settings, "settings");
    this.storage = requireNonNull(storage, "storage");
    this.wall = requireNonNull(wall, "wall");
    this.clock = requireNonNull(clock, "clock");
    this.lock = requireNonNull(lock, "lock");
    this.metrics = requireNonNull(metrics, "metrics");
    CompactionConfig config = settings.config();
    this.scheduler = new CompactionScheduler(config.trigger(), config.limits());
    boolean isWriter = settings.mode().kind() == CompactionSettings.Kind.BESIDE_WRITER;
    // Whoever writes the table now has taken the place of all that wrote it before.
    String role = isWriter ? "writer " : "maintenance ";
    this.takeOver =
        new TakeOver(role + settings.run(), config.timeout(), isWriter ? role : "", wall);
  }

  /** One execution of a plan, with who does what of it. */
  private static final class Running {
    private final CompactionExecution execution;
    private final Deque<CompactionTask> open;
    private final Map<Worker, CompactionTask> assigned = new HashMap<>();
    private final Map<Integer, WriteStat> done = new TreeMap<>();
    private final long beginMillis;
    @Nullable private String failure;

    private Running(CompactionExecution execution, long beginMillis) {
      this.execution = execution;
      this.open = new ArrayDeque<>(execution.tasks());
      this.beginMillis = beginMillis;
    }
  }

  /** The coordinator of commits begins anew, with another clock. */
  void onClock(InstantClock newClock) {
    clock = requireNonNull(newClock, "newClock");
  }

  /**
   * Makes a plan if it is time for one.
   *
   * @param reserved a time for it, or nothing for the time right after the last commit
   */
  ScheduleResult schedule(Optional<InstantTime> reserved) throws IOException {
    HudiTable table = HudiTable.open(storage);
    InstantTime time = reserved.orElseGet(() -> CompactionScheduler.timeFor(table));
    ScheduleResult result = scheduler.schedule(table, time);
    if (result instanceof ScheduleResult.Planned planned) {
      LOG.info(
          "Planned compaction {} of '{}': {} file groups",
          planned.instant(),
          settings.path(),
          planned.plan().operations().size());
      metrics.onPlanned();
    } else if (result instanceof ScheduleResult.Nothing nothing) {
      LOG.debug("Compaction of '{}': {}", settings.path(), nothing.reason());
    }
    return result;
  }

  /** Begins the oldest pending compaction that may be executed here, if none is running. */
  void beginNext() throws IOException {
    if (!settings.config().executes() || running != null) {
      return;
    }
    HudiTable table = HudiTable.open(storage);
    metrics.update(CompactionHistory.of(table.timeline()), table);
    if (wall.millis() < notBeforeMillis) {
      return;
    }
    for (Instant instant : table.timeline().pendingCompactions()) {
      if (instant.action() == Action.COMPACTION && begin(table, instant.requestedTime())) {
        return;
      }
    }
  }

  private boolean begin(HudiTable table, InstantTime instant) throws IOException {
    Begun<CompactionExecution> begun =
        CompactionExecution.begin(table, instant, clock, takeOver, lock);
    if (begun instanceof Begun.NotOurs<CompactionExecution> notOurs) {
      LOG.info("Leaving a compaction of '{}' alone: {}", settings.path(), notOurs.reason());
      return false;
    }
    if (begun instanceof Begun.Dropped<CompactionExecution> dropped) {
      LOG.warn(
          "Dropped the plan of compaction {} of '{}': {}",
          instant,
          settings.path(),
          dropped.reason());
      return false;
    }
    running = new Running(((Begun.Started<CompactionExecution>) begun).execution(), wall.millis());
    LOG.info(
        "Executing compaction {} of '{}': {} file groups",
        instant,
        settings.path(),
        running.execution.tasks().size());
    finishIfDone();
    return running != null;
  }

  /** The next task of a worker, the same again if its answer was lost; or nothing now. */
  Optional<CompactionTask> poll(Worker worker) throws IOException {
    forgetOlderAttempts(worker);
    if (running == null || running.failure != null) {
      return Optional.empty();
    }
    CompactionTask task = running.assigned.get(worker);
    if (task == null) {
      task = running.open.poll();
      if (task != null) {
        running.assigned.put(worker, task);
      }
    }
    return Optional.ofNullable(task);
  }

  private void forgetOlderAttempts(Worker worker) throws IOException {
    if (running != null
        && running.assigned.keySet().stream()
            .anyMatch(
                other ->
                    other.subtask() == worker.subtask() && other.attempt() < worker.attempt())) {
      onWorkerLost(worker.subtask());
    }
  }

  void onDone(Worker worker, CompactionTask task, WriteStat stat) throws IOException {
    if (isAssigned(worker, task)) {
      running.assigned.remove(worker);
      running.done.put(task.number(), stat);
      finishIfDone();
    }
  }

  void onFailed(Worker worker, CompactionTask task, String reason) throws IOException {
    if (isAssigned(worker, task)) {
      running.assigned.remove(worker);
      fail("file group %s: %s".formatted(task.slice().groupId(), reason));
    }
  }

  private boolean isAssigned(Worker worker, CompactionTask task) {
    return running != null && task.equals(running.assigned.get(worker));
  }

  /** A worker has failed or was restarted; what it did is lost. */
  void onWorkerLost(int subtask) throws IOException {
    if (running != null && running.assigned.keySet().removeIf(w -> w.subtask() == subtask)) {
      fail("the task of worker " + subtask + " was lost");
    }
  }

  /** A worker has ended without a failure; its task is for the next one that asks. */
  void onWorkerLeft(Worker worker) throws IOException {
    if (running == null) {
      return;
    }
    CompactionTask task = running.assigned.remove(worker);
    if (task != null) {
      if (running.failure == null) {
        running.open.addFirst(task);
      }
      finishIfDone();
    }
  }

  /** All workers begin again. */
  void onAllWorkersLost() throws IOException {
    if (running != null) {
      running.assigned.clear();
      fail("the job restarts");
    }
  }

  private void fail(String reason) throws IOException {
    if (running.failure == null) {
      running.failure = reason;
    }
    running.open.clear();
    finishIfDone();
  }

  private void finishIfDone() throws IOException {
    if (!running.assigned.isEmpty() || !running.open.isEmpty()) {
      return;
    }
    Running ended = running;
    running = null;
    if (ended.failure == null) {
      complete(ended);
    } else {
      giveUp(ended, ended.failure, null);
    }
  }

  private void complete(Running ended) throws IOException {
    InstantTime instant = ended.execution.instant();
    List<WriteStat> stats = new ArrayList<>(ended.done.values());
    for (int attempt = 0; attempt < COMMIT_ATTEMPTS; attempt++) {
      CommitOutcome outcome = ended.execution.complete(stats);
      switch (outcome) {
        case COMMITTED -> {
          failures = 0;
          lastFailure = null;
          metrics.onCompleted(stats, wall.millis() - ended.beginMillis);
          LOG.info(
              "Completed compaction {} of '{}': {} file groups, {} rows, in {} ms",
              instant,
              settings.path(),
              stats.size(),
              stats.stream().mapToLong(WriteStat::numWrites).sum(),
              wall.millis() - ended.beginMillis);
          return;
        }
        case REFUSED -> {
          LOG.warn(
              "Compaction {} of '{}' was executed by another process as well, or its plan was"
                  + " dropped",
              instant,
              settings.path());
          return;
        }
        case UNKNOWN -> LOG.warn("Completing compaction {} got no answer", instant);
      }
    }
    giveUp(ended, "it could not be completed", null);
  }

  private void giveUp(Running ended, String reason, @Nullable IOException cause) {
    failures++;
    metrics.onFailed();
    long pause = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures - 1, 20));
    notBeforeMillis = wall.millis() + pause;
    lastFailure =
        new IOException(
            "Compaction %s of the table at '%s' failed: %s"
                .formatted(ended.execution.instant(), settings.path(), reason),
            cause);
    LOG.error(
        "Compaction {} of '{}' failed ({} in a row): {}. Its plan stays, and is tried again in {}"
            + " ms or later; all rows are in the table.",
        ended.execution.instant(),
        settings.path(),
        failures,
        reason,
        pause);
    try {
      ended.execution.giveUp();
    } catch (IOException e) {
      LOG.warn("Left-over files of compaction {}", ended.execution.instant(), e);
    }
  }

  /** The coordinator ends: the plan stays for the next one. */
  void close() throws IOException {
    if (running != null) {
      Running ended = running;
      running = null;
      ended.execution.giveUp();
    }
  }

  boolean isRunning() {
    return running != null;
  }

  /** Why the newest execution failed; empty if it did not. */
  Optional<IOException> lastFailure() {
    return Optional.ofNullable(lastFailure);
  }
}
