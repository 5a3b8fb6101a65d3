package io.hudilite.sink.config;

/** How the file group of a key is found. Option {@code index.type}. */
public enum IndexKind {
  /** By the state of the job, or in batch by a look at the table: {@code FLINK_STATE}. */
  STATE,
  /** By a hash of the key, without any state: {@code BUCKET}. */
  BUCKET
}
