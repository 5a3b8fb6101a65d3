package io.hudilite.sink.commit;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;
import java.util.List;
import org.apache.flink.runtime.operators.coordination.CoordinationRequest;
import org.apache.flink.runtime.operators.coordination.CoordinationResponse;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;
import org.apache.flink.streaming.api.operators.collect.CollectCoordinationResponse;

/**
 * What writers and coordinator tell each other. Reports travel in the form of {@link
 * WriteReportCodec}, the same as in state.
 */
public final class Messages {
  private Messages() {}

  /** A writer begins, and has this report in its state. One at a time, as messages are limited. */
  @SuppressWarnings("ArrayRecordComponent") // messages are passed on, never compared
  public record Restored(byte[] report) implements OperatorEvent {}

  /**
   * A writer begins, and has told of its state.
   *
   * @param restoredCheckpoint -1 if it has no state
   * @param reports how many it has told of
   */
  public record Resume(long restoredCheckpoint, int reports) implements OperatorEvent {}

  /** A writer has passed a barrier. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Report(byte[] report) implements OperatorEvent {}

  /** Asks for the instant of an epoch. */
  public record InstantRequest(int subtask, int attempt, long epoch)
      implements CoordinationRequest {}

  /** Asks to be answered when the instants are visible. */
  public record AwaitRequest(int subtask, int attempt, List<InstantTime> instants)
      implements CoordinationRequest {
    public AwaitRequest {
      instants = List.copyOf(instants);
    }
  }

  /** The last report of a writer without checkpoints; answered when the writer may end. */
  @SuppressWarnings("ArrayRecordComponent")
  public record EndRequest(byte[] report) implements CoordinationRequest {}

  /** Answer to a request. */
  public sealed interface Reply {

    /** Files of the epoch belong to this instant. */
    record Begun(InstantTime instant) implements Reply {
      public Begun {
        requireNonNull(instant, "instant");
      }
    }

    /** All is committed: what was to be written is in the table already. */
    record Done() implements Reply {}

    /** The asked-for instants are visible. */
    record Committed() implements Reply {}

    /** Whoever asked is thought to be gone, or the job is failing. */
    record Stale() implements Reply {}

    /**
     * The reply in a class of Flink: answers are read by a class loader that does not know the
     * user's jar.
     */
    default CoordinationResponse toResponse() {
      String text;
      if (this instanceof Begun begun) {
        text = begun.instant().digits();
      } else {
        text = getClass().getSimpleName();
      }
      return new CollectCoordinationResponse(text, 0, List.of());
    }

    /** The reverse of {@link #toResponse()}. */
    static Reply of(CoordinationResponse response) {
      String text = ((CollectCoordinationResponse) response).getVersion();
      return switch (text) {
        case "Done" -> new Done();
        case "Committed" -> new Committed();
        case "Stale" -> new Stale();
        default -> new Begun(new InstantTime(text));
      };
    }
  }
}
