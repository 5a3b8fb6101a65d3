package io.hudilite.sink.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.sink.commit.Messages;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.jobgraph.tasks.TaskOperatorEventGateway;
import org.apache.flink.runtime.operators.coordination.CoordinationRequest;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.SerializedValue;

/**
 * Asks the coordinator and waits for its answer. All requests may be sent again, so a time-out of
 * Flink's messages only means to ask once more; the coordinator itself ends the wait by failing the
 * job, and a cancelled task by an interrupt.
 */
final class CoordinatorClient {
  private final TaskOperatorEventGateway gateway;
  private final OperatorID operatorId;

  CoordinatorClient(TaskOperatorEventGateway gateway, OperatorID operatorId) {
    this.gateway = requireNonNull(gateway, "gateway");
    this.operatorId = requireNonNull(operatorId, "operatorId");
  }

  /**
   * @throws IOException if the coordinator thinks that this writer is gone, or cannot be reached
   */
  Messages.Reply ask(CoordinationRequest request) throws IOException, InterruptedException {
    while (true) {
      try {
        Messages.Reply reply =
            Messages.Reply.of(
                gateway.sendRequestToCoordinator(operatorId, new SerializedValue<>(request)).get());
        if (reply instanceof Messages.Reply.Stale) {
          throw new IOException(
              "The commit coordinator does not count on this attempt of the writer any more (%s): the job is failing, or the attempt was replaced"
                  .formatted(request));
        }
        return reply;
      } catch (ExecutionException e) {
        if (ExceptionUtils.findThrowable(e, TimeoutException.class).isEmpty()) {
          throw new IOException("The commit coordinator did not answer to " + request, e);
        }
      }
    }
  }

  /**
   * Asks without waiting. No answer is an answer, too: whoever asks asks again later. Not an event
   * of the coordinator, since Flink restarts the job when an event meets a task that has just
   * ended.
   *
   * @param onCommitted run in a thread of Flink's messages when the answer is that all is visible
   */
  void askOnce(Messages.AwaitRequest request, Runnable onCommitted) throws IOException {
    var unused =
        gateway
            .sendRequestToCoordinator(operatorId, new SerializedValue<>(request))
            .thenAccept(
                response -> {
                  if (Messages.Reply.of(response) instanceof Messages.Reply.Committed) {
                    onCommitted.run();
                  }
                });
  }
}
