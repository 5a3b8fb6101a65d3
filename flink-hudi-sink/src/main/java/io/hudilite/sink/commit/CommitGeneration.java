package io.hudilite.sink.commit;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.timeline.InstantTime;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.operators.coordination.CoordinationRequest;
import org.apache.flink.runtime.operators.coordination.CoordinationResponse;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.util.FlinkException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One start of the job, or one restart of all its writers: a {@link CommitProtocol} of its own,
 * which runs in one thread, the questions that it has not answered yet, and the {@link
 * CommitExecutor} that does to the table what it decides. Safe for use by several threads.
 */
final class CommitGeneration implements CommitExecutor.Listener {
  /** Of the coordinator: who looks for its lines need not know its parts. */
  private static final Logger LOG = LoggerFactory.getLogger(CommitCoordinator.class);

  private final CommitSettings settings;
  private final OperatorCoordinator.Context context;
  private final CommitMetrics metrics;
  private final CommitSignal signal;
  private final ExecutorService decisions;
  private final CommitExecutor executor;
  private final AtomicLong requests = new AtomicLong();

  /** In the thread of decisions, as are the next two. */
  private final CommitProtocol protocol;

  private final Map<Long, CompletableFuture<CoordinationResponse>> asked = new HashMap<>();

  /** Whether all is written, and another job may begin. */
  private boolean isOver;

  CommitGeneration(
      CommitSettings settings,
      OperatorCoordinator.Context context,
      InstantSource clock,
      CommitMetrics metrics,
      CommitSignal signal) {
    this.settings = requireNonNull(settings, "settings");
    this.context = requireNonNull(context, "context");
    this.metrics = requireNonNull(metrics, "metrics");
    this.signal = requireNonNull(signal, "signal");
    CoordinatorThreads threads = new CoordinatorThreads(context);
    decisions = Executors.newSingleThreadExecutor(threads.named("decisions"));
    protocol = new CommitProtocol(settings.run(), settings.timing(), context.currentParallelism());
    executor = new CommitExecutor(settings, context, clock, metrics, signal, threads, this);
  }

  /** One call of the protocol. */
  interface Event {
    List<Effect> happen(CommitProtocol protocol);
  }

  /**
   * Opens the table and begins.
   *
   * @param after what must have ended before
   */
  void start(CompletableFuture<Void> after) {
    executor.start(after);
  }

  /** Has the protocol hear of something; what it decides is carried out. Does not wait. */
  void submit(Event event) {
    try {
      decisions.execute(() -> happen(event));
    } catch (RejectedExecutionException e) {
      LOG.debug("Message after the end", e);
    } catch (Throwable e) {
      failJob(e);
    }
  }

  /** Asks the protocol; the answer comes when it is known. Does not wait. */
  CompletableFuture<CoordinationResponse> ask(CoordinationRequest request) {
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

  /** Tells table services of a checkpoint, behind the commits that are decided by then. */
  void signalAfterCommits(long checkpointId) {
    try {
      decisions.execute(() -> executor.afterCommits(() -> signal.caughtUp(checkpointId)));
    } catch (RejectedExecutionException e) {
      LOG.debug("Checkpoint {} completed after the end", checkpointId, e);
    }
  }

  @Override
  public void onStarted(List<InstantTime> pending) {
    submit(p -> p.onStarted(pending));
  }

  @Override
  public void onFoundDone() {
    submit(CommitProtocol::onFoundDone);
  }

  @Override
  public void onOpened(long slot, InstantTime instant) {
    submit(p -> p.onOpened(slot, instant));
  }

  @Override
  public void onCommitted(InstantTime instant) {
    submit(p -> p.onCommitted(instant));
  }

  /** Fails the job. What the user must mend first is not tried again. */
  @Override
  public void onFailure(String what, Throwable cause) {
    if (!executor.isEnding()) {
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
            // With its class: the message of some is a path only.
            : new FlinkException(what + ": " + cause, cause));
  }

  private void happen(Event event) {
    try {
      List<Effect> effects = event.happen(protocol);
      metrics.setPendingCommits(protocol.pendingCommits());
      if (protocol.isOver() != isOver) {
        isOver = protocol.isOver();
        if (isOver) {
          // Before the last writer may end: when the job is finished another one may begin.
          executor.afterCommits(() -> releaseAndThen(effects));
          return;
        }
        executor.afterCommits(executor::holdLease);
      }
      effects.forEach(this::carryOut);
    } catch (Throwable e) {
      // Errors, too: nobody else hears of what ends in this thread, and the job would hang.
      if (!executor.isEnding()) {
        LOG.error("The commit protocol failed", e);
      }
      failJob(e);
    }
  }

  private void releaseAndThen(List<Effect> effects) {
    executor.release();
    try {
      decisions.execute(() -> effects.forEach(this::carryOut));
    } catch (RejectedExecutionException e) {
      LOG.debug("Answers after the end", e);
    }
  }

  private void carryOut(Effect effect) {
    if (effect instanceof Effect.Open open) {
      executor.open(open.slot());
    } else if (effect instanceof Effect.Commit commit) {
      executor.commit(commit);
    } else if (effect instanceof Effect.RollBack rollBack) {
      executor.rollBack(rollBack.instant());
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

  private void failJob(Throwable cause) {
    if (executor.isEnding()) {
      LOG.warn("After the end of the coordinator of '{}'", settings.path(), cause);
    } else {
      context.failJob(cause);
    }
  }

  /** From now on nothing that goes wrong here matters to the job: it is over, or goes on anew. */
  void announceEnd() {
    executor.announceEnd();
  }

  /** Ends; another job may write then. */
  void close() {
    close(executor::release);
  }

  /** Ends; the next generation takes the table over, and nobody can come in between. */
  void closeForSuccessor() {
    close(() -> {});
  }

  /** Lets the commit that is under way end; at most for a while. */
  private void close(Runnable inTheEnd) {
    executor.giveUpWaiting();
    try {
      decisions.submit(() -> {}).get(CommitExecutor.CLOSE_SECONDS, TimeUnit.SECONDS);
      executor.finishCommits(inTheEnd);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
      LOG.warn("The coordinator of '{}' did not end in order", settings.path(), e);
    } finally {
      executor.stop();
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
