package io.hudilite.sink.config;

/**
 * What becomes of rows that cannot be written, such as one without a key. Option {@code
 * write.ignore.failed}.
 */
public enum BadRows {
  /** The job fails, and nothing of the checkpoint is visible. */
  FAIL,
  /** They are left out; each is counted, and the log says what is wrong with it. */
  LEAVE_OUT
}
