package io.hudilite.core.key;

/**
 * How record keys and partition paths are made. Source: hoodie.table.keygenerator.type of Hudi
 * 1.0.2, with {@code COMPLEX} split by what it does to a single key column.
 */
public enum KeyGenerator {
  /** One key column, one partition column. */
  SIMPLE,
  /** No partitions. */
  NON_PARTITION,
  /** Several key or partition columns; a single key column stands as {@code value}. */
  COMPLEX,
  /** As COMPLEX, but a single key column stands as {@code column:value}. */
  COMPLEX_WITH_FIELD_NAME,
  /** One key column, and one partition column that stands as a formatted time. */
  TIMESTAMP,
  /** Each partition column as it is, or as a formatted time. */
  CUSTOM,
  /** Partition paths are made in a way that the table does not tell: can be read, not written. */
  UNKNOWN
}
