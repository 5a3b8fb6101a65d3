package io.hudilite.sink.config;

/** What writing a row means. Option {@code write.operation}. */
public enum WriteOperation {
  /** A row replaces the row of the same key; deletes are applied. */
  UPSERT,
  /** Every row is added, also when its key is in the table already; deletes are refused. */
  INSERT
}
