package io.hudilite.core.repair;

/** Within what two rows of one record key are too many. */
public enum KeyScope {
  /** In the whole table. */
  TABLE,
  /** In a partition: the same key in two partitions is two rows by right. */
  PARTITION
}
