package io.hudilite.core.config;

/** Which of two versions of a row counts. Source: hoodie.record.merge.mode of Hudi 1.x. */
public enum MergeMode {
  /** The version that was committed later. */
  COMMIT_TIME_ORDERING,
  /** The version with the greater ordering value; of equal ones the later. */
  EVENT_TIME_ORDERING,
  /** Decided by a class; not readable here. */
  CUSTOM
}
