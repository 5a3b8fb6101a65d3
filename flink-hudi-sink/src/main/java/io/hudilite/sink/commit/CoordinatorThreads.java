package io.hudilite.sink.commit;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.ThreadFactory;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;

/**
 * Makes the threads of a coordinator in the job manager: with names that thread dumps tell apart,
 * with the classes of the job, and never in the way of the process's end.
 *
 * @param context of the coordinator
 */
public record CoordinatorThreads(OperatorCoordinator.Context context) {
  public CoordinatorThreads {
    requireNonNull(context, "context");
  }

  /**
   * Makes threads for one kind of work.
   *
   * @param work a word, part of the name
   */
  public ThreadFactory named(String work) {
    return task -> {
      Thread thread = new Thread(task, "hudi-" + work + "-" + context.getOperatorId());
      thread.setDaemon(true);
      thread.setContextClassLoader(context.getUserCodeClassloader());
      return thread;
    };
  }
}
