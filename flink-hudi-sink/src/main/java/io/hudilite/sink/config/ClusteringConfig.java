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
  public static final ClusteringConfig ON = OFF.toBuilder().schedules(true).executes(true).build();

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

  /** What is to be changed of these settings. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Collects what differs from other settings. Parameters as in {@link ClusteringConfig}. */
  public static final class Builder {
    private boolean schedules;
    private boolean executes;
    private int tasks;
    private ClusteringTrigger trigger;
    private ClusteringStrategy strategy;
    private Duration timeout;
    private UpdatesStrategy updates;
    private MemorySize maxMemory;

    private Builder(ClusteringConfig config) {
      this.schedules = config.schedules;
      this.executes = config.executes;
      this.tasks = config.tasks;
      this.trigger = config.trigger;
      this.strategy = config.strategy;
      this.timeout = config.timeout;
      this.updates = config.updates;
      this.maxMemory = config.maxMemory;
    }

    public Builder schedules(boolean schedules) {
      this.schedules = schedules;
      return this;
    }

    public Builder executes(boolean executes) {
      this.executes = executes;
      return this;
    }

    public Builder tasks(int tasks) {
      this.tasks = tasks;
      return this;
    }

    public Builder trigger(ClusteringTrigger trigger) {
      this.trigger = trigger;
      return this;
    }

    public Builder strategy(ClusteringStrategy strategy) {
      this.strategy = strategy;
      return this;
    }

    public Builder timeout(Duration timeout) {
      this.timeout = timeout;
      return this;
    }

    public Builder updates(UpdatesStrategy updates) {
      this.updates = updates;
      return this;
    }

    public Builder maxMemory(MemorySize maxMemory) {
      this.maxMemory = maxMemory;
      return this;
    }

    /**
     * The settings, checked.
     *
     * @throws HudiTableException if a value is out of its range; the message names the option
     */
    public ClusteringConfig build() {
      return new ClusteringConfig(
          schedules, executes, tasks, trigger, strategy, timeout, updates, maxMemory);
    }
  }
}
