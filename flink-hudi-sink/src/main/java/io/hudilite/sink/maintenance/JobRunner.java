package io.hudilite.sink.maintenance;

import java.util.function.Consumer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Runs the part of an operation that is too much for the process that calls. */
@FunctionalInterface
public interface JobRunner {
  /**
   * Runs a job.
   *
   * @param job adds its operators to an environment
   * @return whether the job has ended well; false if it was only submitted
   * @throws Exception if it failed
   */
  boolean run(String name, Consumer<StreamExecutionEnvironment> job) throws Exception;
}
