package io.hudilite.sql;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;

/** The forms of time that {@code read.start-commit} and {@code read.end-commit} accept. */
final class Positions {
  private Positions() {}

  /** Whether the text is an ISO date and time, with or without an offset. */
  static boolean isIsoTime(String text) {
    String iso = text.trim().replace(' ', 'T');
    try {
      return OffsetDateTime.parse(iso) != null;
    } catch (DateTimeException e) {
      // Without an offset, perhaps.
    }
    try {
      return LocalDateTime.parse(iso) != null;
    } catch (DateTimeException e) {
      return false;
    }
  }
}
