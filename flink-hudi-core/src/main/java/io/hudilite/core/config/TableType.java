package io.hudilite.core.config;

/** How updates are stored: by new base files, or by log files that readers merge. */
public enum TableType {
  COPY_ON_WRITE,
  MERGE_ON_READ
}
