package io.hudilite.source.config;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.scan.StartingPosition;
import io.hudilite.core.timeline.InstantTime;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the times that users give: 17 digits {@code yyyyMMddHHmmssSSS}, 14 digits {@code
 * yyyyMMddHHmmss}, or a timestamp such as {@code 2026-01-31 23:59:59.123} or {@code
 * 2026-01-31T23:59}, or a day. All are wall-clock times in the time zone of the table's timeline.
 */
public final class CommitTimeParser {
  private static final String EARLIEST = "earliest";
  private static final String LATEST = "latest";
  private static final Pattern TIMESTAMP =
      Pattern.compile(
          "(\\d{4})-(\\d\\d)-(\\d\\d)(?:[ T](\\d\\d):(\\d\\d)(?::(\\d\\d)(?:\\.(\\d{1,3}))?)?)?");
  private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");

  private CommitTimeParser() {}

  /**
   * Where to begin; the first moment of what was given.
   *
   * @param option for the message
   * @throws HudiTableException if the text is no time and neither {@code earliest} nor {@code
   *     latest}
   */
  public static StartingPosition start(String option, String text) {
    return switch (text.trim().toLowerCase(Locale.ROOT)) {
      case EARLIEST -> new StartingPosition.Earliest();
      case LATEST -> new StartingPosition.Latest();
      default ->
          new StartingPosition.At(
              new InstantTime(digits(option, text, "000", ", 'earliest' or 'latest'")));
    };
  }

  /** Where to end: the last moment of what was given, so that a second takes in all of it. */
  public static InstantTime end(String option, String text) {
    String digits = digits(option, text, "999", "");
    return new InstantTime(digits.length() == 14 ? digits + "999" : digits);
  }

  private static String digits(String option, String text, String missing, String words) {
    String trimmed = text.trim();
    if (trimmed.matches("\\d{14}|\\d{17}") && isDate(trimmed.substring(0, 14))) {
      return trimmed;
    }
    Matcher timestamp = TIMESTAMP.matcher(trimmed);
    if (timestamp.matches()) {
      boolean isEnd = missing.equals("999");
      String millis = timestamp.group(7);
      String digits =
          timestamp.group(1)
              + timestamp.group(2)
              + timestamp.group(3)
              + orElse(timestamp.group(4), isEnd ? "23" : "00")
              + orElse(timestamp.group(5), isEnd ? "59" : "00")
              + orElse(timestamp.group(6), isEnd ? "59" : "00");
      if (isDate(digits)) {
        return digits + (millis == null ? missing : (millis + "00").substring(0, 3));
      }
    }
    throw new HudiTableException(
        "'%s' is '%s', which is no commit time. Give 17 digits yyyyMMddHHmmssSSS, 14 digits yyyyMMddHHmmss, a timestamp such as '2026-01-31 23:59:59.123'%s."
            .formatted(option, text, words));
  }

  private static String orElse(String text, String absent) {
    return text == null ? absent : text;
  }

  private static boolean isDate(String digits) {
    // The times before all others, such as 00000000000000, are no dates but legal.
    if (digits.startsWith("0000")) {
      return true;
    }
    try {
      return SECONDS.format(LocalDateTime.parse(digits, SECONDS)).equals(digits);
    } catch (DateTimeException e) {
      return false;
    }
  }
}
