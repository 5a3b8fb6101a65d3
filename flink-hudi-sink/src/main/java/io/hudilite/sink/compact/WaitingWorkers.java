package io.hudilite.sink.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.sink.compact.CompactionMessages.Reply;
import io.hudilite.sink.compact.CompactionMessages.Worker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.flink.runtime.operators.coordination.CoordinationResponse;

/**
 * Workers whose question has no answer yet: whether there is a task, or whether all is done. Each
 * waits once for either. Not safe for use by several threads.
 */
final class WaitingWorkers {
  private final List<Wait> waits = new ArrayList<>();

  /**
   * @param end whether it waits for the end, after this checkpoint; empty if for a task
   */
  private record Wait(
      Worker worker, OptionalLong end, CompletableFuture<CoordinationResponse> answer) {}

  /** What is known for a question now. */
  interface Answers<T> {

    /** Empty if it must wait on. */
    Optional<Reply> find(T question) throws IOException;
  }

  /** Lets a worker wait for a task. Returns what tells it that there is none, if it still waits. */
  Runnable forTask(Worker worker, CompletableFuture<CoordinationResponse> answer) {
    return add(new Wait(worker, OptionalLong.empty(), answer));
  }

  /**
   * Lets a worker wait until all is done. Returns what tells it that it is not, if it still waits.
   *
   * @param checkpoint whose commits are to be looked at before; -1 for none
   */
  Runnable forTheEnd(
      Worker worker, long checkpoint, CompletableFuture<CoordinationResponse> answer) {
    return add(new Wait(worker, OptionalLong.of(checkpoint), answer));
  }

  /** Instead of what the worker asked before. */
  private Runnable add(Wait wait) {
    requireNonNull(wait.answer, "answer");
    waits.removeIf(
        other -> other.worker.equals(wait.worker) && other.end.isPresent() == wait.end.isPresent());
    waits.add(wait);
    return () -> {
      if (waits.remove(wait)) {
        wait.answer.complete(new Reply.Idle().toResponse());
      }
    };
  }

  /** Answers all that can be answered. */
  void serve(Answers<Worker> tasks, Answers<Long> ends) throws IOException {
    for (Wait wait : List.copyOf(waits)) {
      Optional<Reply> reply =
          wait.end.isPresent() ? ends.find(wait.end.getAsLong()) : tasks.find(wait.worker);
      if (reply.isPresent()) {
        waits.remove(wait);
        wait.answer.complete(reply.get().toResponse());
      }
    }
  }

  /** Forgets workers that hear no answer any more. */
  void removeIf(Predicate<Worker> isGone) {
    waits.removeIf(wait -> isGone.test(wait.worker));
  }

  /** Tells all that nothing is left to do. */
  void letGo() {
    waits.forEach(wait -> wait.answer.complete(new Reply.Drained().toResponse()));
    waits.clear();
  }
}
