package io.hudilite.core.timeline;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

/**
 * A moment on the timeline: {@code yyyyMMddHHmmssSSS} in the time zone of the table, or {@code
 * yyyyMMddHHmmss} in old tables. Ordered as text, so a 14-digit time sorts before all 17-digit
 * times of its second. Source: Hudi 1.0.2 HoodieInstantTimeGenerator.
 */
public record InstantTime(String digits) implements Comparable<InstantTime>, Serializable {
  private static final Pattern FORM = Pattern.compile("\\d{14,20}|\\d{1,3}");
  // "SSS" directly behind "ss" could not be parsed before Java 9; formatting is all we need here.
  private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS");

  /** Before every instant of a table. */
  public static final InstantTime BEGINNING = new InstantTime("00000000000000");

  public InstantTime {
    requireNonNull(digits, "digits");
    if (!FORM.matcher(digits).matches()) {
      throw new IllegalArgumentException(
          "'" + digits + "' is no instant time: expected 17 digits yyyyMMddHHmmssSSS, or 14");
    }
  }

  /** The instant time of an epoch millisecond, as a clock in {@code zone} shows it. */
  public static InstantTime ofMillis(long epochMillis, ZoneId zone) {
    return new InstantTime(
        FORMAT.format(LocalDateTime.ofInstant(java.time.Instant.ofEpochMilli(epochMillis), zone)));
  }

  public static InstantTime ofUtcMillis(long epochMillis) {
    return ofMillis(epochMillis, ZoneOffset.UTC);
  }

  /**
   * Epoch milliseconds of this time in {@code zone}; a 14-digit time counts as its second's end.
   */
  public long toMillis(ZoneId zone) {
    String text = digits.length() < 17 ? digits + "999" : digits.substring(0, 17);
    return LocalDateTime.parse(text, FORMAT).atZone(zone).toInstant().toEpochMilli();
  }

  /** As {@link #toMillis}, but the later of two moments where the zone's clocks were set back. */
  long toLatestMillis(ZoneId zone) {
    String text = digits.length() < 17 ? digits + "999" : digits.substring(0, 17);
    return LocalDateTime.parse(text, FORMAT)
        .atZone(zone)
        .withLaterOffsetAtOverlap()
        .toInstant()
        .toEpochMilli();
  }

  public boolean isBefore(InstantTime other) {
    return compareTo(other) < 0;
  }

  public boolean isAfter(InstantTime other) {
    return compareTo(other) > 0;
  }

  @Override
  public int compareTo(InstantTime other) {
    return digits.compareTo(other.digits);
  }

  @Override
  public String toString() {
    return digits;
  }
}
