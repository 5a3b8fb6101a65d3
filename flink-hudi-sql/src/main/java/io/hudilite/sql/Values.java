package io.hudilite.sql;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.apache.flink.util.TimeUtils;

/**
 * What may stand behind an option key.
 *
 * @param range completes "is not ..., it must be", for a person
 */
record Values(String range, Predicate<String> allowed) {

  static Values text() {
    return new Values("a text", value -> true);
  }

  static Values nonEmptyText() {
    return new Values("a text that is not empty", value -> !value.isBlank());
  }

  static Values bool() {
    return new Values(
        "true or false",
        value -> value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false"));
  }

  static Values intFrom(int least) {
    return wholeNumber(least, Integer.MAX_VALUE);
  }

  static Values longFrom(long least) {
    return wholeNumber(least, Long.MAX_VALUE);
  }

  private static Values wholeNumber(long least, long most) {
    return new Values(
        "a whole number from " + least + " to " + most,
        value -> {
          try {
            long number = Long.parseLong(value);
            return number >= least && number <= most;
          } catch (NumberFormatException e) {
            return false;
          }
        });
  }

  /** A number of {@code unit}, greater than 0, or 0 where {@code zero} may stand for "off". */
  static Values number(String unit, Zero zero) {
    return new Values(
        "a number of " + unit + (zero == Zero.ALLOWED ? ", 0 or more" : " greater than 0"),
        value -> {
          try {
            double number = Double.parseDouble(value);
            return Double.isFinite(number) && (number > 0 || (zero == Zero.ALLOWED && number == 0));
          } catch (NumberFormatException e) {
            return false;
          }
        });
  }

  static Values duration() {
    return new Values(
        "a duration such as '10 min'",
        value -> {
          try {
            return TimeUtils.parseDuration(value).compareTo(Duration.ZERO) >= 0;
          } catch (IllegalArgumentException e) {
            return false;
          }
        });
  }

  /** One of some words; letter case does not count. */
  static Values oneOf(String... words) {
    List<String> known = List.of(words);
    return new Values(
        "one of " + String.join(", ", known),
        value -> known.stream().anyMatch(word -> word.equalsIgnoreCase(value)));
  }

  /** Instant time of 14 or 17 digits, {@code earliest}, {@code latest} or an ISO date and time. */
  static Values position() {
    return new Values(
        "'earliest', 'latest', an instant of 14 or 17 digits (yyyyMMddHHmmss, yyyyMMddHHmmssSSS),"
            + " a day such as 2026-01-31, or an ISO time such as 2026-01-31T10:00:00Z",
        value ->
            List.of("earliest", "latest").contains(value.toLowerCase(Locale.ROOT))
                || Positions.isMoment(value));
  }

  /** Like {@link #position}, but a moment, not a word. */
  static Values moment() {
    return new Values(
        "an instant of 14 or 17 digits (yyyyMMddHHmmss, yyyyMMddHHmmssSSS), a day such as 2026-01-31,"
            + " or an ISO time such as 2026-01-31T10:00:00Z",
        Positions::isMoment);
  }

  enum Zero {
    ALLOWED,
    REFUSED
  }
}
