package io.hudilite.sink.config;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.clustering.ClusteringStrategy;
import io.hudilite.core.clustering.ClusteringTrigger;
import io.hudilite.core.clustering.UpdatesStrategy;
import io.hudilite.core.config.HudiTableException;
import java.io.Serializable;
import java.time.Duration;
import org.apache.flink.configuration.MemorySize;

/**
 * Clustering of a table by the job that writes it.
 *
 * @param schedules option {@code clustering.schedule.enabled}: makes plans after commits
 * @param executes option {@code clustering.async.enabled}: carries plans out while it writes
 * @param tasks option {@code clustering.tasks}: parallelism, 0 for that of the writers
 * @param trigger when there is a new plan
 * @param strategy what is in a plan
 * @param timeout an execution by another job or engine that shows no sign of life for so long is
 *     taken for dead, and its plan is done again
 * @param updates option {@code hoodie.clustering.updates.strategy}
 * @param maxMemory heap of one task for sorting and merging, less when the heap is small
 */
public record ClusteringConfig(
    boolean schedules,
    boolean executes,
    int tasks,
    ClusteringTrigger trigger,
    ClusteringStrategy strategy,
    Duration timeout,
    UpdatesStrategy updates,
    MemorySize maxMemory)
    implements Serializable {

  /** No clustering by this job, as for a user who sets nothing. */
  public static final ClusteringConfig OFF =
      new ClusteringConfig(
          false,
          false,
          0,
          ClusteringTrigger.DEFAULT,
          ClusteringStrategy.DEFAULT,
          Duration.ofMinutes(20),
          UpdatesStrategy.ALLOW,
          MemorySize.ofMebiBytes(256));

  /** Plans and executes with Hudi's defaults. */
  public static final ClusteringConfig ON = OFF.withSchedules(true).withExecutes(true);

  public ClusteringConfig {
    requireNonNull(trigger, "trigger");
    requireNonNull(strategy, "strategy");
    requireNonNull(timeout, "timeout");
    requireNonNull(updates, "updates");
    requireNonNull(maxMemory, "maxMemory");
    if (tasks < 0) {
      throw new HudiTableException("'clustering.tasks' is " + tasks + "; set it to 1 or more");
    }
    if (timeout.isNegative() || timeout.isZero()) {
      throw new HudiTableException("The time-out of clusterings is " + timeout + "; set it to 1 s");
    }
  }

  /** Whether there is anything to do. */
  public boolean isOn() {
    return schedules || executes;
  }

  public ClusteringConfig withSchedules(boolean on) {
    return new ClusteringConfig(
        on, executes, tasks, trigger, strategy, timeout, updates, maxMemory);
  }

  public ClusteringConfig withExecutes(boolean on) {
    return new ClusteringConfig(
        schedules, on, tasks, trigger, strategy, timeout, updates, maxMemory);
  }

  public ClusteringConfig withTasks(int number) {
    return new ClusteringConfig(
        schedules, executes, number, trigger, strategy, timeout, updates, maxMemory);
  }

  public ClusteringConfig withTrigger(ClusteringTrigger other) {
    return new ClusteringConfig(
        schedules, executes, tasks, other, strategy, timeout, updates, maxMemory);
  }

  public ClusteringConfig withStrategy(ClusteringStrategy other) {
    return new ClusteringConfig(
        schedules, executes, tasks, trigger, other, timeout, updates, maxMemory);
  }

  public ClusteringConfig withTimeout(Duration other) {
    return new ClusteringConfig(
        schedules, executes, tasks, trigger, strategy, other, updates, maxMemory);
  }

  public ClusteringConfig withMaxMemory(MemorySize other) {
    return new ClusteringConfig(
        schedules, executes, tasks, trigger, strategy, timeout, updates, other);
  }

  public ClusteringConfig withUpdates(UpdatesStrategy other) {
    return new ClusteringConfig(
        schedules, executes, tasks, trigger, strategy, timeout, other, maxMemory);
  }
}
