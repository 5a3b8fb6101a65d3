package io.hudilite.sink.assign;

/** When assigners begin. */
public enum AssignStart {
  /**
   * When the job has the right to write the table: before that another job may still write, and
   * what it commits later would be missed.
   */
  WITH_LEASE,
  /**
   * At once, as in batch, where the coordinator may start only after the assigners have ended. If
   * another job is alive then, the coordinator refuses this one.
   */
  AT_ONCE
}
