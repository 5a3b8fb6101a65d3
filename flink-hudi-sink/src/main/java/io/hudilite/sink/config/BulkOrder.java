package io.hudilite.sink.config;

/** How the rows of a bulk insert lie in a file. */
public enum BulkOrder {
  /** As they came. */
  ARRIVAL,
  /** By record key. Option {@code write.bulk_insert.sort_input.by_record_key}. */
  RECORD_KEY
}
