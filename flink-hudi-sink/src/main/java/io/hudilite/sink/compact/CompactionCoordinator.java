package io.hudilite.sink.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.compact.CompletionLock;
import io.hudilite.core.compact.ServiceTask;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStatCodec;
import io.hudilite.core.write.CommitOutcome;
import io.hudilite.sink.commit.CommitSignal;
import io.hudilite.sink.commit.CoordinatorProvider;
import io.hudilite.sink.commit.CoordinatorThreads;
import io.hudilite.sink.compact.CompactionMessages.Reply;
import io.hudilite.sink.compact.CompactionMessages.Worker;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.CoordinationRequest;
import org.apache.flink.runtime.operators.coordination.CoordinationRequestHandler;
import org.apache.flink.runtime.operators.coordination.CoordinationResponse;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;
import org.apache.flink.util.FlinkException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell of {@link CompactionCommitter} in the job manager. All its work is done in a thread of
 * its own: commits do not wait for it, but for the short moment in which a compaction becomes
 * visible. Whatever goes wrong here is told and tried again; it never fails a job that writes.
 */
public final class CompactionCoordinator
    implements OperatorCoordinator, CoordinationRequestHandler {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionCoordinator.class);

  /** How long a worker without work waits for an answer. */
  private static final long HOLD_MILLIS = 2_000;

  /** Between two looks for plans that other processes made or left. */
  private static final long LOOK_MILLIS = 30_000;

  private static final long CLOSE_SECONDS = 20;

  private final CompactionSettings settings;
  private final Context context;
  private final InstantSource wall;
  private final CompactionMetrics metrics;
  private final HealthGauges health;
  private final ScheduledThreadPoolExecutor executor;

  /** In the thread of the executor. */
  private final WaitingWorkers waiting = new WaitingWorkers();

  /** Deleting old files takes its time; compactions do not wait for it. */
  private final HousekeepingThread housekeeping;

  @Nullable private CompactionCommitter committer;
  @Nullable private InstantClock clock;
  private boolean isClosed;

  /** Nothing is to be planned any more by a job that runs once. */
  private boolean hasScheduledOnce;

  /** The newest checkpoint whose commits were heard of. */
  private long caughtUp = -1;

  CompactionCoordinator(CompactionSettings settings, Context context, InstantSource wall) {
    this.settings = requireNonNull(settings, "settings");
    this.context = requireNonNull(context, "context");
    this.wall = requireNonNull(wall, "wall");
    this.metrics = new CompactionMetrics(wall);
    this.health = new HealthGauges(wall);
    CoordinatorThreads threads = new CoordinatorThreads(context);
    this.executor = new ScheduledThreadPoolExecutor(1, threads.named("compaction"));
    this.housekeeping =
        new HousekeepingThread(
            settings,
            wall,
            health,
            threads.named("housekeeping"),
            // A job that ends waits for nothing else.
            () -> submit("The end of housekeeping", this::serveWaiting));
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    executor.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
  }

  /** Makes one in the job manager. */
  public static OperatorCoordinator.Provider provider(
      OperatorID operatorId, CompactionSettings settings) {
    return new CoordinatorProvider<>(operatorId, settings, CompactionCoordinator::new);
  }

  /** What is done in the thread of the executor. */
  private interface Work {
    void run() throws IOException;
  }

  private void submit(String what, Work work) {
    try {
      executor.execute(() -> carryOut(what, work));
    } catch (RejectedExecutionException e) {
      LOG.debug("After the end: {}", what);
    }
  }

  private void carryOut(String what, Work work) {
    try {
      work.run();
    } catch (IOException | RuntimeException e) {
      if (isClosed) {
        LOG.debug("After the end: {}", what, e);
      } else {
        metrics.onFailed();
        LOG.error("{} of the table at '{}' failed; it is tried again", what, settings.path(), e);
        if (settings.mode().kind() == CompactionSettings.Kind.ONCE) {
          context.failJob(new FlinkException(what + " of " + settings.path() + " failed", e));
        }
      }
    } catch (Throwable e) {
      // Errors, too: nobody else hears of what ends in this thread.
      context.failJob(e);
    }
  }

  @Override
  public void start() {
    metrics.register(context.metricGroup());
    health.register(context.metricGroup());
    switch (settings.mode().kind()) {
      case BESIDE_WRITER -> {
        CommitSignal signal = CommitSignal.of(context.getCoordinatorStore(), settings.run());
        signal.listen(
            new CommitSignal.Listener() {
              @Override
              public void onReady(InstantClock clock) {
                submit("Finding pending compactions", () -> ready(clock, lockOf(signal)));
              }

              @Override
              public void onCommitted(InstantTime reserved) {
                submit("Table services", () -> afterCommit(reserved));
              }

              @Override
              public void onCaughtUp(long checkpointId) {
                submit(
                    "Compaction",
                    () -> {
                      caughtUp = checkpointId;
                      try {
                        if (committer != null && committer.isWaiting()) {
                          committer.onCaughtUp();
                          committer.beginNext();
                        }
                      } finally {
                        serveWaiting();
                      }
                    });
              }
            });
        every(LOOK_MILLIS, () -> submit("Finding pending compactions", this::look));
      }
      case ONCE -> submit("Compaction", this::startAlone);
      case SERVICE -> {
        submit("Compaction", this::startAlone);
        every(
            Math.max(1, settings.mode().interval().toMillis()),
            () -> submit("Compaction", this::scheduleAlone));
      }
    }
  }

  private void every(long millis, Runnable work) {
    var unused = executor.scheduleWithFixedDelay(work, millis, millis, TimeUnit.MILLISECONDS);
  }

  private static CompletionLock lockOf(CommitSignal signal) {
    return (Supplier<CommitOutcome> commit) -> {
      synchronized (signal.completion()) {
        return commit.get();
      }
    };
  }

  private void ready(InstantClock newClock, CompletionLock lock) throws IOException {
    clock = newClock;
    if (committer == null) {
      committer =
          new CompactionCommitter(
              settings, Storages.of(settings.path()), wall, newClock, lock, metrics);
    } else {
      committer.onClock(newClock);
    }
    look();
  }

  private void startAlone() throws IOException {
    if (committer == null) {
      Storage storage = Storages.of(settings.path());
      TableConfig config = TableConfigStore.load(storage);
      config.requireWritable(settings.path());
      committer =
          new CompactionCommitter(
              settings,
              storage,
              wall,
              new InstantClock(wall, config.timelineZone()),
              CompletionLock.NONE,
              metrics);
    }
    scheduleAlone();
  }

  private void scheduleAlone() throws IOException {
    if (committer != null) {
      if (settings.schedules()) {
        String result = committer.schedule(Optional.empty());
        LOG.info("Plans for '{}': {}", settings.path(), result);
      }
      hasScheduledOnce = true;
      look();
    }
  }

  private void afterCommit(InstantTime reserved) throws IOException {
    if (committer != null) {
      try {
        if (settings.schedules()) {
          committer.schedule(Optional.of(reserved));
        }
      } finally {
        look();
        if (clock != null) {
          housekeeping.ask(clock);
        }
      }
    }
  }

  private void look() throws IOException {
    if (committer != null) {
      committer.beginNext();
      serveWaiting();
    }
  }

  @Override
  public CompletableFuture<CoordinationResponse> handleCoordinationRequest(
      CoordinationRequest request) {
    CompletableFuture<CoordinationResponse> answer = new CompletableFuture<>();
    submit("A message of a worker", () -> handle(request, answer));
    if (executor.isShutdown()) {
      answer.complete(new Reply.Drained().toResponse());
    }
    return answer;
  }

  private void handle(CoordinationRequest request, CompletableFuture<CoordinationResponse> answer)
      throws IOException {
    try {
      if (request instanceof CompactionMessages.Report report) {
        handle(report);
        answer.complete(new Reply.Idle().toResponse());
      } else if (request instanceof CompactionMessages.Leave leave) {
        answer.complete(new Reply.Idle().toResponse());
        waiting.removeIf(leave.worker()::equals);
        if (committer != null) {
          committer.onWorkerLeft(leave.worker());
        }
      } else {
        Runnable giveUp =
            request instanceof CompactionMessages.Drain drain
                ? waiting.forTheEnd(drain.worker(), drain.checkpoint(), answer)
                : waiting.forTask(((CompactionMessages.Poll) request).worker(), answer);
        var unused = executor.schedule(giveUp, HOLD_MILLIS, TimeUnit.MILLISECONDS);
      }
    } finally {
      serveWaiting();
    }
  }

  private void handle(CompactionMessages.Report report) throws IOException {
    if (committer == null) {
      return;
    }
    ServiceTask task = ServiceTaskCodec.decode(report.task());
    try {
      if (report.isFailure()) {
        committer.onFailed(report.worker(), task, report.failure());
      } else {
        committer.onDone(report.worker(), task, WriteStatCodec.decode(report.stats()));
      }
    } finally {
      if (!committer.isRunning()) {
        committer.beginNext();
      }
    }
  }

  private void serveWaiting() throws IOException {
    waiting.serve(this::task, this::drained);
  }

  private Optional<Reply> task(Worker worker) throws IOException {
    return committer == null ? Optional.empty() : committer.poll(worker).map(Reply.Do::new);
  }

  /** A service is never done; a job that ran once has failed if its compaction did. */
  private Optional<Reply> drained(long checkpoint) throws IOException {
    boolean isAlone = settings.mode().kind() != CompactionSettings.Kind.BESIDE_WRITER;
    boolean isLast = checkpoint >= 0 && checkpoint <= caughtUp;
    if (committer != null && isLast) {
      committer.stopWaiting();
    }
    if ((!isAlone && checkpoint > caughtUp)
        || settings.mode().kind() == CompactionSettings.Kind.SERVICE
        || (committer != null && committer.isRunning() && !committer.isWaiting())
        || (!isAlone && !housekeeping.isIdle())
        || (isAlone && !hasScheduledOnce)) {
      return Optional.empty();
    }
    if (isAlone && committer != null && committer.lastFailure().isPresent()) {
      context.failJob(committer.lastFailure().get());
      return Optional.empty();
    }
    return Optional.of(new Reply.Drained());
  }

  @Override
  public void handleEventFromOperator(int subtask, int attempt, OperatorEvent event) {
    throw new IllegalStateException("Compaction task " + subtask + " sent an event: " + event);
  }

  @Override
  public void executionAttemptFailed(int subtask, int attempt, @Nullable Throwable reason) {
    submit("A lost worker", () -> workerLost(subtask));
  }

  private void workerLost(int subtask) throws IOException {
    waiting.removeIf(worker -> worker.subtask() == subtask);
    if (committer != null) {
      committer.onWorkerLost(subtask);
    }
  }

  @Override
  public void executionAttemptReady(int subtask, int attempt, SubtaskGateway gateway) {
    // Workers ask; nothing is sent to them.
  }

  @Override
  public void subtaskReset(int subtask, long checkpointId) {
    submit("A lost worker", () -> workerLost(subtask));
  }

  @Override
  public void resetToCheckpoint(long checkpointId, @Nullable byte[] checkpointData) {
    submit(
        "A restart",
        () -> {
          waiting.removeIf(worker -> true);
          if (committer != null) {
            committer.onAllWorkersLost();
          }
        });
  }

  @Override
  public void checkpointCoordinator(long checkpointId, CompletableFuture<byte[]> result) {
    result.complete(new byte[0]);
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) {
    // Commits are heard of when they are visible, which is later.
  }

  @Override
  public void close() throws InterruptedException {
    submit(
        "The end",
        () -> {
          isClosed = true;
          waiting.letGo();
          if (committer != null) {
            committer.close();
          }
        });
    executor.shutdown();
    housekeeping.endSoon();
    if (!executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
      LOG.warn(
          "The coordinator of compactions of '{}' has not ended after {} s; it is left alone",
          settings.path(),
          CLOSE_SECONDS);
      executor.shutdownNow();
    }
    housekeeping.awaitEnd(CLOSE_SECONDS);
  }
}
