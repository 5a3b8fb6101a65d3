package io.hudilite.sink.commit;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.lease.LeaseHolder;
import io.hudilite.core.lease.WriterFencedException;
import io.hudilite.core.lease.WriterLease;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import javax.annotation.Nullable;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.execution.SuppressRestartsException;
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
 * The shell of {@link CommitProtocol} in the job manager: turns Flink's calls into events, and
 * carries effects out. Flink's thread never waits here. The protocol runs in a thread of its own;
 * commits and rollbacks in a second one; opening an instant in a third one, so that writers go on
 * while a commit is slow.
 *
 * <p>Keeps no state of its own: after a restart the writers bring theirs.
 */
public final class CommitCoordinator implements OperatorCoordinator, CoordinationRequestHandler {
  private static final Logger LOG = LoggerFactory.getLogger(CommitCoordinator.class);

  /** How long an end waits for a commit that is under way. */
  private static final long CLOSE_SECONDS = 30;

  private final CommitSettings settings;
  private final Context context;
  private final InstantSource clock;
  private final CommitMetrics metrics;
  private final CommitSignal signal;
  @Nullable private Generation current;
  private boolean isRunning;

  CommitCoordinator(CommitSettings settings, Context context, InstantSource clock) {
    this.settings = requireNonNull(settings, "settings");
    this.context = requireNonNull(context, "context");
    this.clock = requireNonNull(clock, "clock");
    this.metrics = new CommitMetrics(clock);
    this.signal = CommitSignal.of(context.getCoordinatorStore(), settings.run());
  }

  /** Makes one in the job manager. */
  public static OperatorCoordinator.Provider provider(
      OperatorID operatorId, CommitSettings settings) {
    return new CoordinatorProvider<>(operatorId, settings, CommitCoordinator::new);
  }

  @Override
  public synchronized void start() {
    isRunning = true;
    MetricGroup group = context.metricGroup();
    metrics.register(group);
    begin(CompletableFuture.completedFuture(null));
  }

  private void begin(CompletableFuture<Void> after) {
    current = new Generation(after);
  }

  /**
   * All writers begin again from a checkpoint. What was decided before may be decided otherwise
   * now, so a new protocol begins, when the commit that is under way has ended.
   */
  @Override
  public synchronized void resetToCheckpoint(long checkpointId, @Nullable byte[] checkpointData) {
    if (isRunning && current != null) {
      Generation old = current;
      old.isClosing = true;
      begin(CompletableFuture.runAsync(old::closeForSuccessor));
    }
  }

  @Override
  public void close() {
    Generation last;
    synchronized (this) {
      isRunning = false;
      last = current;
      current = null;
    }
    if (last != null) {
      last.close();
    }
  }

  @Override
  public void handleEventFromOperator(int subtask, int attempt, OperatorEvent event) {
    if (event instanceof Messages.Restored restored) {
      WriteReport report = WriteReportCodec.decode(restored.report());
      submit(protocol -> protocol.onRestored(subtask, attempt, report));
    } else if (event instanceof Messages.Resume resume) {
      submit(
          protocol ->
              protocol.onResume(subtask, attempt, resume.restoredCheckpoint(), resume.reports()));
    } else if (event instanceof Messages.Report report) {
      WriteReport decoded = WriteReportCodec.decode(report.report());
      submit(protocol -> protocol.onReport(decoded));
    } else {
      throw new IllegalStateException("Writer " + subtask + " sent an unknown event: " + event);
    }
  }

  @Override
  public synchronized CompletableFuture<CoordinationResponse> handleCoordinationRequest(
      CoordinationRequest request) {
    Generation generation = current;
    if (generation == null) {
      return CompletableFuture.completedFuture(new Messages.Reply.Stale().toResponse());
    }
    return generation.ask(request);
  }

  @Override
  public void executionAttemptReady(int subtask, int attempt, SubtaskGateway gateway) {
    submit(protocol -> protocol.onAttemptReady(subtask, attempt));
  }

  @Override
  public void executionAttemptFailed(int subtask, int attempt, @Nullable Throwable reason) {
    // What it reported counts until subtaskReset says from which checkpoint it begins again.
  }

  @Override
  public void subtaskReset(int subtask, long checkpointId) {
    submit(protocol -> protocol.onSubtaskReset(subtask, checkpointId));
  }

  @Override
  public void checkpointCoordinator(long checkpointId, CompletableFuture<byte[]> result) {
    result.complete(new byte[0]);
  }

  @Override
  public synchronized void notifyCheckpointComplete(long checkpointId) {
    if (current != null) {
      current.submit(protocol -> protocol.onCheckpointComplete(checkpointId));
      current.signalAfterCommits(checkpointId);
    }
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) {
    submit(protocol -> protocol.onCheckpointAborted(checkpointId));
  }

  private synchronized void submit(Event event) {
    if (current != null) {
      current.submit(event);
    }
  }

  /** One call of the protocol. */
  private interface Event {
    List<Effect> happen(CommitProtocol protocol);
  }

  /** One start of the job, or one restart of all its writers: protocol and threads. */
  private final class Generation {
    private final ExecutorService decisions = thread("decisions");
    private final ExecutorService commits = thread("commits");
    private final ExecutorService openings = thread("openings");
    private final ScheduledExecutorService heartbeats =
        Executors.newSingleThreadScheduledExecutor(threads("heartbeats"));
    private final Map<Long, CompletableFuture<CoordinationResponse>> asked = new HashMap<>();
    private final AtomicLong requests = new AtomicLong();
    private final CountDownLatch closing = new CountDownLatch(1);

    /** Down as soon as the end begins: who waits for another job's end waits no longer. */
    private final CountDownLatch ending = new CountDownLatch(1);

    private final CommitProtocol protocol;

    /** Written before the protocol starts, read in the threads of opening and committing. */
    private volatile InstantCommitter committer;

    /**
     * From then on nothing that goes wrong here matters to the job: it is over, or goes on anew.
     */
    private volatile boolean isClosing;

    /** In the thread of commits. Later ones would follow a gap. */
    private boolean hasCommitFailed;

    /** In the thread of decisions: whether all is written, and another job may begin. */
    private boolean isOver;

    private Generation(CompletableFuture<Void> after) {
      protocol =
          new CommitProtocol(settings.run(), settings.timing(), context.currentParallelism());
      var unused = after.whenCompleteAsync((nothing, error) -> prepare(), commits);
    }

    private ExecutorService thread(String work) {
      return Executors.newSingleThreadExecutor(threads(work));
    }

    private ThreadFactory threads(String work) {
      return task -> {
        Thread thread = new Thread(task, "hudi-" + work + "-" + context.getOperatorId());
        thread.setDaemon(true);
        thread.setContextClassLoader(context.getUserCodeClassloader());
        return thread;
      };
    }

    private void prepare() {
      long waitMillis = settings.retryInterval().toMillis();
      for (int tries = 0; ; tries++) {
        try {
          committer =
              InstantCommitter.start(
                  settings,
                  Storages.of(settings.path()),
                  clock,
                  this::pauseUnlessClosing,
                  this::takeLease);
          long beatMillis = settings.heartbeatInterval().toMillis();
          var unused =
              heartbeats.scheduleWithFixedDelay(
                  this::beat, beatMillis, beatMillis, TimeUnit.MILLISECONDS);
          signal.ready(committer.clock());
          if (settings.timing() == CommitTiming.AT_END && committer.isDone()) {
            LOG.info("Run {} has committed to '{}' before", settings.run(), settings.path());
            submit(CommitProtocol::onFoundDone);
          } else {
            List<InstantTime> pending = committer.older();
            submit(p -> p.onStarted(pending));
          }
          return;
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        } catch (IOException e) {
          if (tries >= settings.retries()) {
            fail("The table at '%s' cannot be opened".formatted(settings.path()), e);
            return;
          }
          LOG.warn("The table at '{}' cannot be opened yet", settings.path(), e);
          if (!tryPause(waitMillis)) {
            return;
          }
          waitMillis *= 2;
        } catch (Throwable e) {
          fail("The table at '%s' cannot be written".formatted(settings.path()), e);
          return;
        }
      }
    }

    private WriterLease takeLease(Storage storage) throws IOException, InterruptedException {
      Map<String, String> names = context.metricGroup().getAllVariables();
      LeaseHolder holder =
          new LeaseHolder(
              settings.run(),
              names.getOrDefault("<job_name>", "unknown"),
              "job id %s, process %s, start %s"
                  .formatted(
                      names.getOrDefault("<job_id>", "unknown"),
                      ManagementFactory.getRuntimeMXBean().getName(),
                      UUID.randomUUID()),
              Instant.ofEpochMilli(clock.millis()).toString(),
              settings.patience());
      return WriterLease.acquire(storage, holder, System::nanoTime, this::pauseUnlessEnding);
    }

    private void pauseUnlessEnding(long millis) throws InterruptedException {
      if (ending.await(millis, TimeUnit.MILLISECONDS)) {
        throw new InterruptedException("The coordinator is being closed");
      }
    }

    private void beat() {
      try {
        committer.beat();
      } catch (WriterFencedException e) {
        fail("The table at '%s' was taken over".formatted(settings.path()), e);
        heartbeats.shutdown();
      } catch (IOException | RuntimeException e) {
        LOG.warn("No sign of life can be shown on the table at '{}'", settings.path(), e);
      }
    }

    private void release() {
      try {
        committer.release();
      } catch (IOException | RuntimeException e) {
        LOG.warn("Another job must wait until it may write to '{}'", settings.path(), e);
      }
    }

    private boolean tryPause(long millis) {
      try {
        pauseUnlessClosing(millis);
        return true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    private void pauseUnlessClosing(long millis) throws InterruptedException {
      if (closing.await(millis, TimeUnit.MILLISECONDS)) {
        throw new InterruptedException("The coordinator is being closed");
      }
    }

    private void submit(Event event) {
      try {
        decisions.execute(() -> happen(event));
      } catch (RejectedExecutionException e) {
        LOG.debug("Message after the end", e);
      } catch (Throwable e) {
        failJob(e);
      }
    }

    private void failJob(Throwable cause) {
      if (isClosing) {
        LOG.warn("After the end of the coordinator of '{}'", settings.path(), cause);
      } else {
        context.failJob(cause);
      }
    }

    private void happen(Event event) {
      try {
        List<Effect> effects = event.happen(protocol);
        metrics.setPendingCommits(protocol.pendingCommits());
        if (protocol.isOver() != isOver) {
          isOver = protocol.isOver();
          if (isOver) {
            // Before the last writer may end: when the job is finished another one may begin.
            commits.execute(() -> releaseAndThen(effects));
            return;
          }
          commits.execute(this::holdLease);
        }
        effects.forEach(this::carryOut);
      } catch (Throwable e) {
        // Errors, too: nobody else hears of what ends in this thread, and the job would hang.
        if (!isClosing) {
          LOG.error("The commit protocol failed", e);
        }
        failJob(e);
      }
    }

    /** Behind the commits that are decided by then. */
    private void signalAfterCommits(long checkpointId) {
      try {
        decisions.execute(() -> commits.execute(() -> signal.caughtUp(checkpointId)));
      } catch (RejectedExecutionException e) {
        LOG.debug("Checkpoint {} completed after the end", checkpointId, e);
      }
    }

    private void releaseAndThen(List<Effect> effects) {
      release();
      try {
        decisions.execute(() -> effects.forEach(this::carryOut));
      } catch (RejectedExecutionException e) {
        LOG.debug("Answers after the end", e);
      }
    }

    /** A writer runs again after all seemed to be over. */
    private void holdLease() {
      try {
        committer.holdLease();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Throwable e) {
        fail("The table at '%s' cannot be written again".formatted(settings.path()), e);
      }
    }

    private CompletableFuture<CoordinationResponse> ask(CoordinationRequest request) {
      long id = requests.incrementAndGet();
      CompletableFuture<CoordinationResponse> answer = new CompletableFuture<>();
      submit(
          p -> {
            asked.put(id, answer);
            if (request instanceof Messages.InstantRequest r) {
              return p.onRequest(id, r.subtask(), r.attempt(), r.epoch());
            }
            if (request instanceof Messages.AwaitRequest r) {
              return p.onAwait(id, r.subtask(), r.attempt(), r.instants());
            }
            if (request instanceof Messages.EndRequest r) {
              return p.onEnd(id, WriteReportCodec.decode(r.report()));
            }
            throw new IllegalStateException("Unknown request: " + request);
          });
      return answer;
    }

    private void carryOut(Effect effect) {
      if (effect instanceof Effect.Open open) {
        openings.execute(() -> open(open.slot()));
      } else if (effect instanceof Effect.Commit commit) {
        commits.execute(() -> commit(commit));
      } else if (effect instanceof Effect.RollBack rollBack) {
        commits.execute(() -> rollBack(rollBack.instant()));
      } else if (effect instanceof Effect.Answer answer) {
        reply(answer.request(), new Messages.Reply.Begun(answer.instant()));
      } else if (effect instanceof Effect.AnswerDone answer) {
        reply(answer.request(), new Messages.Reply.Done());
      } else if (effect instanceof Effect.AnswerStale answer) {
        reply(answer.request(), new Messages.Reply.Stale());
      } else if (effect instanceof Effect.AnswerCommitted answer) {
        reply(answer.request(), new Messages.Reply.Committed());
      } else if (effect instanceof Effect.FailJob fail) {
        failJob(new FlinkException(fail.reason()));
      }
    }

    private void reply(long request, Messages.Reply reply) {
      CompletableFuture<CoordinationResponse> answer = asked.remove(request);
      if (answer != null) {
        answer.complete(reply.toResponse());
      }
    }

    private void open(long slot) {
      long waitMillis = settings.retryInterval().toMillis();
      for (int tries = 0; ; tries++) {
        try {
          InstantTime instant = committer.open();
          LOG.debug("Opened instant {} of '{}'", instant, settings.path());
          if (isClosing) {
            committer.giveUp(instant);
          } else {
            submit(p -> p.onOpened(slot, instant));
          }
          return;
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        } catch (WriterFencedException e) {
          failOpening(e);
          return;
        } catch (IOException e) {
          if (tries >= settings.retries()) {
            failOpening(e);
            return;
          }
          LOG.warn(
              "No instant can be opened on the table at '{}' yet; trying again in {} ms ({} of {})",
              settings.path(),
              waitMillis,
              tries + 1,
              settings.retries(),
              e);
          if (!tryPause(waitMillis)) {
            return;
          }
          waitMillis *= 2;
        } catch (Throwable e) {
          failOpening(e);
          return;
        }
      }
    }

    private void failOpening(Throwable cause) {
      fail("No instant can be opened on the table at '%s'".formatted(settings.path()), cause);
    }

    private void commit(Effect.Commit commit) {
      if (hasCommitFailed) {
        return; // the job restarts, and its state commits it in order
      }
      long begin = System.nanoTime();
      try {
        boolean isNew;
        synchronized (signal.completion()) {
          isNew = committer.commit(commit);
        }
        signal.committed(committer.clock().next());
        if (isNew) {
          onCommit(commit, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        } else {
          LOG.debug("Instant {} of '{}' was visible before", commit.instant(), settings.path());
        }
        submit(p -> p.onCommitted(commit.instant()));
        tidyUp();
      } catch (InterruptedException e) {
        hasCommitFailed = true;
        Thread.currentThread().interrupt();
        LOG.info("Gave instant {} up, as the job ends; its state commits it", commit.instant());
      } catch (Throwable e) {
        hasCommitFailed = true;
        metrics.onFailure();
        fail(
            "Instant %s of checkpoint %d cannot be committed to the table at '%s'"
                .formatted(commit.instant(), commit.checkpoint(), settings.path()),
            e);
      }
    }

    private void onCommit(Effect.Commit commit, long millis) {
      CommitMetrics.Size size = CommitMetrics.Size.of(commit.reports());
      metrics.onCommit(millis, size);
      LOG.info(
          "Committed instant {} of '{}': checkpoint {}, {} rows, {} files, {} bytes, in {} ms, {} ms after it was opened",
          commit.instant(),
          settings.path(),
          commit.checkpoint() == WriteReport.END_OF_INPUT ? "none" : commit.checkpoint(),
          size.rows(),
          size.files(),
          size.bytes(),
          millis,
          committer.millisSince(commit.instant()));
    }

    private void tidyUp() throws InterruptedException {
      try {
        committer.rollBackStrays();
        committer.removeLateFiles();
      } catch (IOException e) {
        // After the next commit it is tried again.
        LOG.warn("Not all that older writers left in '{}' is removed", settings.path(), e);
      }
    }

    private void rollBack(InstantTime instant) {
      String what =
          "Instant %s of the table at '%s' cannot be rolled back"
              .formatted(instant, settings.path());
      try {
        if (!committer.rollBack(instant)) {
          fail(
              what,
              new IOException(
                  "an older writer had decided to commit it; the job restarts to take its rows into account"));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Throwable e) {
        fail(what, e);
      }
    }

    /** Fails the job. What the user must mend first is not tried again. */
    private void fail(String what, Throwable cause) {
      if (!isClosing) {
        LOG.error(what, cause);
      }
      submit(
          p ->
              p.onFailure(what, OptionalLong.empty()).stream()
                  .filter(e -> !(e instanceof Effect.FailJob))
                  .toList());
      failJob(
          cause instanceof HudiTableException
              ? new SuppressRestartsException(cause)
              : new FlinkException(what + ": " + cause.getMessage(), cause));
    }

    /** Ends; another job may write then. */
    void close() {
      close(this::release);
    }

    /** Ends; the next generation takes the table over, and nobody can come in between. */
    void closeForSuccessor() {
      close(() -> {});
    }

    /** Lets the commit that is under way end; at most for a while. */
    private void close(Runnable inTheEnd) {
      isClosing = true;
      ending.countDown();
      try {
        decisions.submit(() -> {}).get(CLOSE_SECONDS, TimeUnit.SECONDS);
        commits.execute(
            () -> {
              if (committer != null) {
                inTheEnd.run();
              }
            });
        commits.shutdown();
        if (!commits.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
          LOG.warn(
              "A commit to '{}' is still under way after {} s; it is left alone",
              settings.path(),
              CLOSE_SECONDS);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
        LOG.warn("The coordinator of '{}' did not end in order", settings.path(), e);
      } finally {
        closing.countDown();
        heartbeats.shutdownNow();
        commits.shutdownNow();
        openings.shutdownNow();
        decisions.shutdown();
        try {
          if (decisions.awaitTermination(1, TimeUnit.SECONDS)) {
            asked.values().forEach(a -> a.complete(new Messages.Reply.Stale().toResponse()));
            asked.clear();
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }
}
