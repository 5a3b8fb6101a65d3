package io.hudilite.source.config;

/** How the changes of a key are kept in order on their way out of a continuous read. */
public enum RowOrder {
  /**
   * One reader reads everything: whatever way the rows of a key take, none can overtake another.
   */
  ONE_READER,
  /**
   * All readers read. Rows carry their stage as timestamp, and watermarks tell which stages are
   * over; an operator behind the source, keyed by record key, puts each key in order.
   */
  STAGED
}
