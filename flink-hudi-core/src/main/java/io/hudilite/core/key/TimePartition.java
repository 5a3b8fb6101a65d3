package io.hudilite.core.key;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import java.io.Serializable;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a partition column becomes a formatted time in paths, as Hudi's TimestampBasedKeyGenerator
 * does it. Formats are those of Joda time, as far as java.time means the same by them. Source: Hudi
 * 1.0.2 TimestampBasedAvroKeyGenerator and TimestampKeyGeneratorConfig.
 *
 * @param column the partition column
 * @param kind what its values are
 * @param unit of SCALAR
 * @param inputFormats of DATE_STRING and MIXED: the first one that fits counts
 * @param inputZone zone of texts without one
 * @param outputFormat of the path
 * @param outputZone in which the path shows the time
 */
public record TimePartition(
    String column,
    Kind kind,
    TimeUnit unit,
    List<String> inputFormats,
    String inputZone,
    String outputFormat,
    String outputZone)
    implements Serializable {
  /** Begins the keys of all properties. */
  public static final String PREFIX = "hoodie.keygen.timebased.";

  public static final String TYPE = PREFIX + "timestamp.type";
  public static final String UNIT = PREFIX + "timestamp.scalar.time.unit";
  public static final String INPUT_FORMAT = PREFIX + "input.dateformat";
  public static final String INPUT_DELIMITER = PREFIX + "input.dateformat.list.delimiter.regex";
  public static final String INPUT_ZONE = PREFIX + "input.timezone";
  public static final String OUTPUT_FORMAT = PREFIX + "output.dateformat";
  public static final String OUTPUT_ZONE = PREFIX + "output.timezone";
  public static final String ZONE = PREFIX + "timezone";

  private static final Pattern SHORT_OFFSET = Pattern.compile("(GMT|UTC)([+-])(\\d)(:\\d\\d)?");

  private static final String OLD_PREFIX = "hoodie.deltastreamer.keygen.timebased.";

  /** What the values of the column are. */
  public enum Kind {
    /** Seconds since 1970. */
    UNIX_TIMESTAMP,
    EPOCHMILLISECONDS,
    EPOCHMICROSECONDS,
    /** Numbers of some unit since 1970. */
    SCALAR,
    /** Texts. */
    DATE_STRING,
    /** Texts or milliseconds since 1970. */
    MIXED
  }

  public TimePartition {
    requireNonNull(column, "column");
    requireNonNull(kind, "kind");
    requireNonNull(unit, "unit");
    inputFormats = new ArrayList<>(inputFormats); // travels in job graphs
    requireNonNull(inputZone, "inputZone");
    requireNonNull(outputFormat, "outputFormat");
    requireNonNull(outputZone, "outputZone");
    TimeText.formatter(outputFormat);
    inputFormats.forEach(TimeText::formatter);
    zone(inputZone);
    zone(outputZone);
    if (inputFormats.isEmpty() && (kind == Kind.DATE_STRING || kind == Kind.MIXED)) {
      throw new HudiTableException(
          "'%s' is %s, but '%s' does not say how the texts of column '%s' are read. Set it, for example to yyyy-MM-dd."
              .formatted(TYPE, kind, INPUT_FORMAT, column));
    }
  }

  /**
   * A zone by its name, also in the forms of {@link java.util.TimeZone}, such as GMT+8.
   *
   * @throws HudiTableException if there is none
   */
  static ZoneId zone(String name) {
    Matcher offset = SHORT_OFFSET.matcher(name);
    try {
      return ZoneId.of(
          offset.matches()
              ? "%s%s0%s%s"
                  .formatted(
                      offset.group(1),
                      offset.group(2),
                      offset.group(3),
                      offset.group(4) == null ? ":00" : offset.group(4))
              : name);
    } catch (DateTimeException e) {
      throw new HudiTableException(
          "'%s' under '%s' is no time zone. Use one such as UTC, GMT+8:00 or Asia/Shanghai."
              .formatted(name, PREFIX),
          e);
    }
  }

  /**
   * What the properties of a table say of a column; empty if they do not say how paths look, as in
   * tables of Hudi before 0.14.
   *
   * @throws HudiTableException if a value is not known here
   */
  public static Optional<TimePartition> of(String column, Map<String, String> properties) {
    Optional<String> output = value(properties, OUTPUT_FORMAT);
    Optional<String> type = value(properties, TYPE);
    if (output.isEmpty() || type.isEmpty()) {
      return Optional.empty();
    }
    String common = value(properties, ZONE).orElse("UTC");
    List<String> inputs = new ArrayList<>();
    value(properties, INPUT_FORMAT)
        .ifPresent(
            formats ->
                inputs.addAll(
                    Arrays.stream(formats.split(value(properties, INPUT_DELIMITER).orElse(","), -1))
                        .map(String::trim)
                        .filter(format -> !format.isEmpty())
                        .toList()));
    return Optional.of(
        new TimePartition(
            column,
            constant(Kind.class, TYPE, type.get()),
            value(properties, UNIT)
                .map(unit -> constant(TimeUnit.class, UNIT, unit))
                .orElse(TimeUnit.SECONDS),
            inputs,
            value(properties, INPUT_ZONE).orElse(common),
            output.get(),
            value(properties, OUTPUT_ZONE).orElse(common)));
  }

  private static Optional<String> value(Map<String, String> properties, String key) {
    return Optional.ofNullable(properties.get(key))
        .or(() -> Optional.ofNullable(properties.get(OLD_PREFIX + key.substring(PREFIX.length()))))
        .map(String::trim)
        .filter(text -> !text.isEmpty());
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String key, String text) {
    try {
      return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new HudiTableException(
          "'%s' is '%s'; known values are %s."
              .formatted(key, text, Arrays.toString(type.getEnumConstants())),
          e);
    }
  }
}
