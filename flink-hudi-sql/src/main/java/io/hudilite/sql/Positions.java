package io.hudilite.sql;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.source.config.CommitTimeParser;
import java.time.DateTimeException;
import java.time.OffsetDateTime;

/** The forms of time that {@code read.start-commit} and {@code read.end-commit} accept. */
final class Positions {
  private Positions() {}

  /** Whether the text is a moment: digits, a day, a date and time, with or without an offset. */
  static boolean isMoment(String text) {
    try {
      return OffsetDateTime.parse(text.trim().replace(' ', 'T')) != null;
    } catch (DateTimeException e) {
      // Without an offset, perhaps.
    }
    try {
      return CommitTimeParser.end("position", text) != null;
    } catch (HudiTableException e) {
      return false;
    }
  }
}
