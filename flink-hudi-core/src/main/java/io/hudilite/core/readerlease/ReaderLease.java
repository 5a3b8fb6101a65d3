package io.hudilite.core.readerlease;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;

/**
 * A reader's claim on the table as it was at a position, and all that came later.
 *
 * @param reader name of the reader: letters, digits, {@code -}; unique among those of the table
 * @param position a completion time: the view of the table at it is needed, and all changes after
 *     it
 * @param expiresMillis epoch milliseconds from which on the lease is void
 */
public record ReaderLease(String reader, InstantTime position, long expiresMillis) {
  public ReaderLease {
    requireNonNull(reader, "reader");
    requireNonNull(position, "position");
    if (!reader.matches("[A-Za-z0-9-]{1,100}")) {
      throw new IllegalArgumentException(
          "'" + reader + "' is no name for a reader: letters, digits and '-' only");
    }
  }

  public boolean isExpired(long nowMillis) {
    return nowMillis >= expiresMillis;
  }
}
