package io.hudilite.sink.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.compact.ServiceTask;
import io.hudilite.core.timeline.WriteStatCodec;
import io.hudilite.sink.compact.CompactionMessages.Reply;
import io.hudilite.sink.compact.CompactionMessages.Worker;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.annotation.Nullable;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.jobgraph.tasks.TaskOperatorEventGateway;
import org.apache.flink.runtime.operators.coordination.CoordinationRequest;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.SerializedValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator {@code compaction}: asks the coordinator for tasks and does them in a thread of its
 * own, so that barriers pass without waiting. Has no state, takes no rows and emits none. At the
 * end of its input it lets what is under way end.
 */
public final class CompactionOperator<T> extends AbstractStreamOperator<T>
    implements OneInputStreamOperator<T, T>, BoundedOneInput {
  private static final long serialVersionUID = 1L;
  private static final Logger OWN_LOG = LoggerFactory.getLogger(CompactionOperator.class);
  private static final long END_MILLIS = 60_000;

  private final transient CompactionSettings settings;
  private transient Worker worker;
  private transient TaskOperatorEventGateway gateway;
  private transient OperatorID operatorId;
  private transient volatile boolean isClosing;
  @Nullable private transient Thread thread;
  private transient boolean isAtEnd;

  private transient TaskRunner runner;

  CompactionOperator(StreamOperatorParameters<T> parameters, CompactionSettings settings) {
    this.settings = requireNonNull(settings, "settings");
    setup(parameters.getContainingTask(), parameters.getStreamConfig(), parameters.getOutput());
    this.processingTimeService = parameters.getProcessingTimeService();
  }

  @Override
  public void open() throws Exception {
    super.open();
    TaskInfo task = getRuntimeContext().getTaskInfo();
    worker = new Worker(task.getIndexOfThisSubtask(), task.getAttemptNumber());
    gateway = getContainingTask().getEnvironment().getOperatorCoordinatorEventGateway();
    operatorId = getOperatorID();
    if (!settings.executes()) {
      return;
    }
    int slots =
        getContainingTask()
            .getEnvironment()
            .getTaskManagerInfo()
            .getConfiguration()
            .get(TaskManagerOptions.NUM_TASK_SLOTS);
    CompactionMemory.join();
    runner =
        new TaskRunner(
            settings,
            CompactionMemory.workerBytes(slots),
            getContainingTask()
                .getEnvironment()
                .getIOManager()
                .getSpillingDirectories()[0]
                .toPath(),
            () -> isClosing);
    Thread started = new Thread(this::work, "hudi-compaction-" + task.getTaskNameWithSubtasks());
    started.setDaemon(true);
    started.setContextClassLoader(getRuntimeContext().getUserCodeClassLoader());
    thread = started;
    started.start();
  }

  @Override
  public void processElement(StreamRecord<T> element) {
    // Nothing comes this way; the edge only gives the operator its place.
  }

  /** The thread of the worker. */
  private void work() {
    AskPolicy policy = new AskPolicy();
    while (!isClosing) {
      try {
        Reply reply = ask(new CompactionMessages.Poll(worker));
        policy.onAnswer();
        if (reply instanceof Reply.Do toDo) {
          ask(perform(toDo.task()));
        }
      } catch (InterruptedException e) {
        return;
      } catch (IOException | RuntimeException e) {
        if (!pause(policy, e)) {
          return;
        }
      }
    }
  }

  /** Returns whether to go on. */
  private boolean pause(AskPolicy policy, Exception failure) {
    long millis = policy.onFailure();
    if (!isClosing && policy.hasBecomeHopeless()) {
      OWN_LOG.error(
          "The coordinator of compactions of the table at '{}' has not answered {} times in a row:"
              + " this task compacts and clusters nothing until it does. Look for errors of its"
              + " operator in the log of the job manager; writing goes on. Plans stay on the"
              + " timeline, and another job may carry them out",
          settings.path(),
          policy.failures(),
          failure);
      if (settings.mode().kind() != CompactionSettings.Kind.BESIDE_WRITER) {
        // A job that is for nothing else.
        getContainingTask()
            .getEnvironment()
            .failExternally(new IOException("The coordinator does not answer", failure));
      }
    } else if (!isClosing) {
      OWN_LOG.warn(
          "The coordinator of compactions cannot be asked now; again in {} ms", millis, failure);
    }
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  private CompactionMessages.Report perform(ServiceTask task) throws InterruptedException {
    byte[] bytes = ServiceTaskCodec.encode(task);
    try {
      return new CompactionMessages.Report(
          worker, bytes, WriteStatCodec.encode(runner.run(task)), "");
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      if (isClosing) {
        throw new InterruptedException("The operator ends");
      }
      OWN_LOG.warn("The work on {} failed", task.describe(), e);
      runner.forget();
      return new CompactionMessages.Report(worker, bytes, new byte[0], String.valueOf(e));
    }
  }

  private Reply ask(CoordinationRequest request) throws IOException, InterruptedException {
    while (true) {
      try {
        return Reply.of(
            gateway.sendRequestToCoordinator(operatorId, new SerializedValue<>(request)).get());
      } catch (ExecutionException e) {
        if (ExceptionUtils.findThrowable(e, TimeoutException.class).isEmpty()) {
          throw new IOException("The coordinator did not answer to " + request, e);
        }
      }
    }
  }

  @Override
  public void endInput() throws Exception {
    isAtEnd = true;
    drain(-1);
  }

  /** The last commit may have made a plan. */
  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    if (isAtEnd) {
      drain(checkpointId);
    }
  }

  private void drain(long checkpoint) throws IOException, InterruptedException {
    if (settings.executes()
        || settings.housekeeping().isOn()
        || settings.mode().kind() != CompactionSettings.Kind.BESIDE_WRITER) {
      while (!(ask(new CompactionMessages.Drain(worker, checkpoint)) instanceof Reply.Drained)) {
        // The coordinator answers now and then, so that an interrupt is noticed.
      }
    }
  }

  /** Without waiting: a coordinator that has ended as well needs not to know. */
  private void leave() throws IOException {
    var unused =
        gateway
            .sendRequestToCoordinator(
                operatorId, new SerializedValue<>(new CompactionMessages.Leave(worker)))
            .exceptionally(
                e -> {
                  OWN_LOG.debug("The coordinator of compactions was not told of the end", e);
                  return null;
                });
  }

  @Override
  public void close() throws Exception {
    isClosing = true;
    if (thread != null) {
      CompactionMemory.leave();
      thread.interrupt();
      thread.join(END_MILLIS);
      thread = null;
      leave();
    }
    super.close();
  }
}
