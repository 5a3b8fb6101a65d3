package io.hudilite.sink.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.clustering.ClusteringExecution;
import io.hudilite.core.clustering.ClusteringScheduler;
import io.hudilite.core.compact.Begun;
import io.hudilite.core.compact.CompactionExecution;
import io.hudilite.core.compact.CompactionHistory;
import io.hudilite.core.compact.CompactionScheduler;
import io.hudilite.core.compact.CompletionLock;
import io.hudilite.core.compact.ScheduleResult;
import io.hudilite.core.compact.ServiceExecution;
import io.hudilite.core.compact.ServiceTask;
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
import java.time.Duration;
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
 * Plans compactions and clusterings, hands their tasks out, and completes them, one plan after the
 * other. Knows nothing of Flink; what workers and commits bring are its events. A task that fails
 * ends the execution: the plan is requested again, and tried again after a pause that doubles. Not
 * safe for use by several threads.
 */
final class CompactionCommitter {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionCommitter.class);
  private static final long FIRST_PAUSE_MILLIS = 1_000;
  private static final long LONGEST_PAUSE_MILLIS = 600_000;
  private static final int COMMIT_ATTEMPTS = 3;
  private static final int ANNOUNCED_CHECKPOINTS = 2;

  private final CompactionSettings settings;
  private final Storage storage;
  private final InstantSource wall;
  private final CompletionLock lock;
  private final CompactionMetrics metrics;
  private final CompactionScheduler scheduler;
  private final ClusteringScheduler clusteringScheduler;
  private final String owner;
  private final String predecessor;
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
    this.clusteringScheduler =
        new ClusteringScheduler(
            settings.clustering().trigger(), settings.clustering().strategy(), wall);
    // Whoever writes the table now has taken the place of all that wrote it before.
    String role = isWriter ? "writer " : "maintenance ";
    this.owner = role + settings.run();
    this.predecessor = isWriter ? role : "";
  }

  /** One execution of a plan, with who does what of it. */
  private static final class Running {
    private final Action action;
    private final ServiceExecution execution;
    private final Deque<ServiceTask> open;
    private final Map<Worker, ServiceTask> assigned = new HashMap<>();
    private final Map<Integer, List<WriteStat>> done = new TreeMap<>();
    private final long beginMillis;
    @Nullable private String failure;

    /** Checkpoints until the writers have heard of it; negative before it is announced. */
    private int checkpointsToWait = -1;

    private Running(Action action, ServiceExecution execution, long beginMillis) {
      this.action = action;
      this.execution = execution;
      this.open = new ArrayDeque<>(execution.tasks());
      this.beginMillis = beginMillis;
    }

    /** For people. */
    private String name() {
      return action.word() + " " + execution.instant();
    }
  }

  /** The coordinator of commits begins anew, with another clock. */
  void onClock(InstantClock newClock) {
    clock = requireNonNull(newClock, "newClock");
  }

  /**
   * Makes plans if it is time for them.
   *
   * @param reserved a time for a compaction, or nothing for the time right after the last commit
   * @return what came of it, for people
   */
  String schedule(Optional<InstantTime> reserved) throws IOException {
    List<String> results = new ArrayList<>();
    try {
      if (settings.config().schedules()) {
        results.add(scheduleCompaction(reserved));
      }
    } finally {
      if (settings.clustering().schedules()) {
        results.add(scheduleClustering(reserved.isPresent()));
      }
    }
    return String.join("; ", results);
  }

  private String scheduleCompaction(Optional<InstantTime> reserved) throws IOException {
    HudiTable table = HudiTable.open(storage);
    InstantTime time = reserved.orElseGet(() -> CompactionScheduler.timeFor(table));
    ScheduleResult result = scheduler.schedule(table, time);
    if (result instanceof ScheduleResult.Planned planned) {
      int groups = planned.plan().operations().size();
      return planned(Action.COMPACTION, planned.instant(), groups + " file groups");
    }
    return nothing(Action.COMPACTION, ((ScheduleResult.Nothing) result).reason());
  }

  private String scheduleClustering(boolean besideCommits) throws IOException {
    HudiTable table = HudiTable.open(storage);
    InstantTime time = besideCommits ? clock.next() : CompactionScheduler.timeFor(table);
    ClusteringScheduler.Result result = clusteringScheduler.schedule(table, time);
    if (result instanceof ClusteringScheduler.Result.Planned planned) {
      int groups = planned.plan().groups().stream().mapToInt(group -> group.slices().size()).sum();
      return planned(
          Action.CLUSTERING,
          planned.instant(),
          "%d file groups in %d tasks".formatted(groups, planned.plan().groups().size()));
    }
    return nothing(Action.CLUSTERING, ((ClusteringScheduler.Result.Nothing) result).reason());
  }

  private String planned(Action action, InstantTime instant, String content) {
    metrics.onPlanned(action);
    LOG.info("Planned {} {} of '{}': {}", action.word(), instant, settings.path(), content);
    return "planned %s %s: %s".formatted(action.word(), instant, content);
  }

  private String nothing(Action action, String reason) {
    LOG.debug("{} of '{}': {}", action.word(), settings.path(), reason);
    return action.word() + ": " + reason;
  }

  /**
   * Begins the oldest pending plan that may be executed here, if none is running. What waits is
   * shown by metrics also where nothing is executed: that is the job to watch.
   */
  void beginNext() throws IOException {
    HudiTable table = HudiTable.open(storage);
    metrics.update(CompactionHistory.of(table.timeline()), table);
    if (!settings.executes() || running != null || wall.millis() < notBeforeMillis) {
      return;
    }
    for (Instant instant : table.timeline().pendingWrites()) {
      boolean isOurs =
          switch (instant.action()) {
            case COMPACTION -> settings.config().executes();
            case CLUSTERING -> settings.clustering().executes();
            case COMMIT, DELTA_COMMIT, LOG_COMPACTION, REPLACE_COMMIT -> false;
            case CLEAN, ROLLBACK, RESTORE, SAVEPOINT, INDEXING -> false;
          };
      if (isOurs && begin(table, instant)) {
        return;
      }
    }
  }

  private boolean begin(HudiTable table, Instant pending) throws IOException {
    InstantTime instant = pending.requestedTime();
    Begun<? extends ServiceExecution> begun =
        pending.action() == Action.COMPACTION
            ? CompactionExecution.begin(
                table, instant, clock, takeOver(settings.config().timeout()), lock)
            : ClusteringExecution.begin(
                table, instant, clock, takeOver(settings.clustering().timeout()), lock);
    if (begun instanceof Begun.NotOurs<?> notOurs) {
      LOG.info("Leaving a plan of '{}' alone: {}", settings.path(), notOurs.reason());
      return false;
    }
    if (begun instanceof Begun.Dropped<?> dropped) {
      LOG.warn(
          "Dropped the plan of {} {} of '{}': {}",
          pending.action().word(),
          instant,
          settings.path(),
          dropped.reason());
      return false;
    }
    running = new Running(pending.action(), ((Begun.Started<?>) begun).execution(), wall.millis());
    LOG.info(
        "Executing {} of '{}': {} tasks",
        running.name(),
        settings.path(),
        running.execution.tasks().size());
    finishIfDone();
    return running != null;
  }

  private TakeOver takeOver(Duration timeout) {
    return new TakeOver(owner, timeout, predecessor, wall);
  }

  /** The next task of a worker, the same again if its answer was lost; or nothing now. */
  Optional<ServiceTask> poll(Worker worker) throws IOException {
    forgetOlderAttempts(worker);
    if (running == null || running.failure != null) {
      return Optional.empty();
    }
    ServiceTask task = running.assigned.get(worker);
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

  void onDone(Worker worker, ServiceTask task, List<WriteStat> stats) throws IOException {
    if (isAssigned(worker, task)) {
      running.assigned.remove(worker);
      running.done.put(task.number(), stats);
      finishIfDone();
    }
  }

  void onFailed(Worker worker, ServiceTask task, String reason) throws IOException {
    if (isAssigned(worker, task)) {
      running.assigned.remove(worker);
      fail(task.describe() + ": " + reason);
    }
  }

  private boolean isAssigned(Worker worker, ServiceTask task) {
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
    ServiceTask task = running.assigned.remove(worker);
    if (task != null) {
      if (running.failure == null) {
        running.open.addFirst(task);
      }
      finishIfDone();
    }
  }

  /** All workers begin again. */
  void onAllWorkersLost() throws IOException {
    if (isWaiting()) {
      running.checkpointsToWait = ANNOUNCED_CHECKPOINTS; // the writers begin again, too
    } else if (running != null) {
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
    if (!running.assigned.isEmpty() || !running.open.isEmpty() || awaitsWriters()) {
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

  /**
   * Writers look at the timeline with each barrier. The checkpoint that is under way now may be
   * past that, the next one is not.
   */
  private boolean awaitsWriters() {
    if (running.failure != null
        || running.action != Action.CLUSTERING
        || !settings.announcesClusterings()) {
      return false;
    }
    if (running.checkpointsToWait < 0) {
      try {
        running.execution.announce();
        running.checkpointsToWait = ANNOUNCED_CHECKPOINTS;
      } catch (IOException e) {
        running.failure = "it could not be announced: " + e;
      }
    }
    return running.checkpointsToWait > 0;
  }

  /** What a checkpoint had is committed. */
  void onCaughtUp() throws IOException {
    if (isWaiting()) {
      running.checkpointsToWait--;
      finishIfDone();
    }
  }

  /** Whether all is done but for the checkpoints that writers need to hear of it. */
  boolean isWaiting() {
    return running != null && running.checkpointsToWait > 0;
  }

  /** There are no more checkpoints to wait for. */
  void stopWaiting() throws IOException {
    if (isWaiting()) {
      running.checkpointsToWait = 0;
      finishIfDone();
    }
  }

  private void complete(Running ended) throws IOException {
    String name = ended.name();
    for (int attempt = 0; attempt < COMMIT_ATTEMPTS; attempt++) {
      CommitOutcome outcome = ended.execution.complete(ended.done);
      switch (outcome) {
        case COMMITTED -> {
          failures = 0;
          lastFailure = null;
          long millis = wall.millis() - ended.beginMillis;
          List<WriteStat> stats = new ArrayList<>();
          ended.done.values().forEach(stats::addAll);
          metrics.onCompleted(ended.action, stats, millis);
          LOG.info(
              "Completed {} of '{}': {} files, {} rows, in {} ms",
              name,
              settings.path(),
              stats.size(),
              stats.stream().mapToLong(WriteStat::numWrites).sum(),
              millis);
          return;
        }
        case REFUSED -> {
          LOG.warn(
              "The {} of '{}' was executed by another process as well, or its plan was dropped",
              name,
              settings.path());
          return;
        }
        case UNKNOWN -> LOG.warn("Completing {} got no answer", name);
      }
    }
    giveUp(ended, "it could not be completed", null);
  }

  private void giveUp(Running ended, String reason, @Nullable IOException cause) {
    failures++;
    metrics.onFailed(ended.action);
    long pause = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures - 1, 20));
    notBeforeMillis = wall.millis() + pause;
    lastFailure =
        new IOException(
            "The %s of the table at '%s' failed: %s"
                .formatted(ended.name(), settings.path(), reason),
            cause);
    LOG.error(
        "The {} of '{}' failed ({} in a row): {}. Its plan stays, and is tried again in {}"
            + " ms or later; all rows are in the table.",
        ended.name(),
        settings.path(),
        failures,
        reason,
        pause);
    try {
      ended.execution.giveUp();
    } catch (IOException e) {
      LOG.warn("Left-over files of {}", ended.name(), e);
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
