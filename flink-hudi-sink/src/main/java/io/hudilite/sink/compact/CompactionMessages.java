package io.hudilite.sink.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.compact.ServiceTask;
import java.io.IOException;
import java.io.Serializable;
import java.util.Base64;
import java.util.List;
import org.apache.flink.runtime.operators.coordination.CoordinationRequest;
import org.apache.flink.runtime.operators.coordination.CoordinationResponse;
import org.apache.flink.streaming.api.operators.collect.CollectCoordinationResponse;

/** What operators ask, and what they are told. All requests may be sent again. */
final class CompactionMessages {
  private static final String DO = "Do ";

  private CompactionMessages() {}

  /** An operator, by its number and its attempt. */
  record Worker(int subtask, int attempt) implements Serializable {}

  /** Asks for a task. */
  record Poll(Worker worker) implements CoordinationRequest {}

  /** Tells how a task ended. */
  @SuppressWarnings("ArrayRecordComponent") // messages are passed on, never compared
  record Report(Worker worker, byte[] task, byte[] stats, String failure)
      implements CoordinationRequest {
    Report {
      requireNonNull(worker, "worker");
      requireNonNull(task, "task");
      requireNonNull(stats, "stats");
      requireNonNull(failure, "failure");
    }

    boolean isFailure() {
      return !failure.isEmpty();
    }
  }

  /**
   * Asks whether there is nothing more to do, so that the operator may end.
   *
   * @param checkpoint whose commits are to be looked at before; -1 for none
   */
  record Drain(Worker worker, long checkpoint) implements CoordinationRequest {}

  /** Ends: what was given to the operator goes to another one. */
  record Leave(Worker worker) implements CoordinationRequest {}

  /** Answer to a request. */
  sealed interface Reply {

    /** To be done. */
    record Do(ServiceTask task) implements Reply {}

    /** Nothing now, or understood; ask again. */
    record Idle() implements Reply {}

    /** Nothing more to do. */
    record Drained() implements Reply {}

    /**
     * The reply in a class of Flink: answers are read by a class loader that does not know the
     * user's jar.
     */
    default CoordinationResponse toResponse() {
      String text =
          this instanceof Do toDo
              ? DO + Base64.getEncoder().encodeToString(ServiceTaskCodec.encode(toDo.task))
              : getClass().getSimpleName();
      return new CollectCoordinationResponse(text, 0, List.of());
    }

    /** The reverse of {@link #toResponse()}. */
    static Reply of(CoordinationResponse response) throws IOException {
      String text = ((CollectCoordinationResponse) response).getVersion();
      if (text.startsWith(DO)) {
        return new Do(
            ServiceTaskCodec.decode(Base64.getDecoder().decode(text.substring(DO.length()))));
      }
      return text.equals("Drained") ? new Drained() : new Idle();
    }
  }
}
