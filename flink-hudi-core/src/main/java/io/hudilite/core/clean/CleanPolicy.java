package io.hudilite.core.clean;

/** What is kept, by Hudi's words. */
public enum CleanPolicy {
  /** All that the views of the last n commits need. */
  KEEP_LATEST_COMMITS,
  /** The last n slices of each file group. */
  KEEP_LATEST_FILE_VERSIONS,
  /** All that was written in the last n hours, and the newest slice of each file group. */
  KEEP_LATEST_BY_HOURS
}
