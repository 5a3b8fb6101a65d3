package io.hudilite.sink.config;

/** What writing a row means. Option {@code write.operation}. */
public enum WriteOperation {
  /** A row replaces the row of the same key; deletes are applied. */
  UPSERT,
  /**
   * Rows are added without a look at the index, for input whose keys are all new and distinct: that
   * is not checked, and of rows that have one key some are merged and some are not. Deletes are
   * refused.
   */
  INSERT
}
