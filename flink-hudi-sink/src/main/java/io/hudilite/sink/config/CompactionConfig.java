package io.hudilite.sink.config;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.compact.CompactionTrigger;
import io.hudilite.core.compact.PlanLimits;
import io.hudilite.core.config.HudiTableException;
import java.io.Serializable;
import java.time.Duration;
import org.apache.flink.configuration.MemorySize;

/**
 * Compaction of a merge-on-read table by the job that writes it.
 *
 * @param schedules option {@code compaction.schedule.enabled}: makes plans after commits
 * @param executes option {@code compaction.async.enabled}: carries plans out while it writes
 * @param tasks option {@code compaction.tasks}: parallelism, 0 for that of the writers
 * @param trigger when there is a new plan
 * @param limits what is in a plan
 * @param timeout option {@code compaction.timeout.seconds}: an execution by another job or engine
 *     that shows no sign of life for so long is taken for dead, and its plan is done again
 * @param maxMemory option {@code compaction.max_memory}: bytes of log records that one task holds,
 *     less when the heap is small; what is more goes to a temporary file
 */
public record CompactionConfig(
    boolean schedules,
    boolean executes,
    int tasks,
    CompactionTrigger trigger,
    PlanLimits limits,
    Duration timeout,
    MemorySize maxMemory)
    implements Serializable {

  /** What a user gets who sets nothing: a plan every 5 commits, carried out by the job. */
  public static final CompactionConfig DEFAULT =
      new CompactionConfig(
          true,
          true,
          0,
          CompactionTrigger.DEFAULT,
          PlanLimits.DEFAULT,
          Duration.ofMinutes(20),
          MemorySize.ofMebiBytes(100));

  /** No compaction by this job. */
  public static final CompactionConfig OFF = DEFAULT.withSchedules(false).withExecutes(false);

  public CompactionConfig {
    requireNonNull(trigger, "trigger");
    requireNonNull(limits, "limits");
    requireNonNull(timeout, "timeout");
    requireNonNull(maxMemory, "maxMemory");
    if (tasks < 0) {
      throw new HudiTableException("'compaction.tasks' is " + tasks + "; set it to 1 or more");
    }
    if (timeout.isNegative() || timeout.isZero()) {
      throw new HudiTableException(
          "'compaction.timeout.seconds' is " + timeout.toSeconds() + "; set it to 1 or more");
    }
  }

  /** Whether there is anything to do. */
  public boolean isOn() {
    return schedules || executes;
  }

  public CompactionConfig withSchedules(boolean on) {
    return new CompactionConfig(on, executes, tasks, trigger, limits, timeout, maxMemory);
  }

  public CompactionConfig withExecutes(boolean on) {
    return new CompactionConfig(schedules, on, tasks, trigger, limits, timeout, maxMemory);
  }

  public CompactionConfig withTasks(int number) {
    return new CompactionConfig(schedules, executes, number, trigger, limits, timeout, maxMemory);
  }

  public CompactionConfig withTrigger(CompactionTrigger other) {
    return new CompactionConfig(schedules, executes, tasks, other, limits, timeout, maxMemory);
  }

  public CompactionConfig withLimits(PlanLimits other) {
    return new CompactionConfig(schedules, executes, tasks, trigger, other, timeout, maxMemory);
  }

  public CompactionConfig withTimeout(Duration other) {
    return new CompactionConfig(schedules, executes, tasks, trigger, limits, other, maxMemory);
  }

  public CompactionConfig withMaxMemory(MemorySize other) {
    return new CompactionConfig(schedules, executes, tasks, trigger, limits, timeout, other);
  }
}
