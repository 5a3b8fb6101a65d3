package io.hudilite.sink.config;

/** Within what a record key is unique. Option {@code index.global.enabled}. */
public enum IndexScope {
  /** In the whole table: a key that shows up in another partition moves there. */
  TABLE,
  /** In each partition: the same key in two partitions is two rows. */
  PARTITION
}
