package io.hudilite.sink.commit;

import static java.util.Objects.requireNonNull;

import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import javax.annotation.Nullable;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.CoordinationRequest;
import org.apache.flink.runtime.operators.coordination.CoordinationRequestHandler;
import org.apache.flink.runtime.operators.coordination.CoordinationResponse;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;

/**
 * The shell of {@link CommitProtocol} in the job manager: turns Flink's calls into events, and
 * carries effects out. Flink's thread never waits here. The protocol runs in a thread of its own;
 * commits and rollbacks in a second one; opening an instant in a third one, so that writers go on
 * while a commit is slow.
 *
 * <p>Keeps no state of its own: after a restart the writers bring theirs.
 */
public final class CommitCoordinator implements OperatorCoordinator, CoordinationRequestHandler {
  private final CommitSettings settings;
  private final Context context;
  private final InstantSource clock;
  private final CommitMetrics metrics;
  private final CommitSignal signal;
  @Nullable private CommitGeneration current;
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
    current = new CommitGeneration(settings, context, clock, metrics, signal);
    current.start(after);
  }

  /**
   * All writers begin again from a checkpoint. What was decided before may be decided otherwise
   * now, so a new protocol begins, when the commit that is under way has ended.
   */
  @Override
  public synchronized void resetToCheckpoint(long checkpointId, @Nullable byte[] checkpointData) {
    if (isRunning && current != null) {
      CommitGeneration old = current;
      old.announceEnd();
      begin(CompletableFuture.runAsync(old::closeForSuccessor));
    }
  }

  @Override
  public void close() {
    CommitGeneration last;
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
    CommitGeneration generation = current;
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

  private synchronized void submit(CommitGeneration.Event event) {
    if (current != null) {
      current.submit(event);
    }
  }
}
