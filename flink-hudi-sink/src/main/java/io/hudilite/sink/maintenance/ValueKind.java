package io.hudilite.sink.maintenance;

import io.hudilite.core.config.HudiTableException;
import java.util.Locale;

/** Types of arguments and of results, with the classes of their values. */
public enum ValueKind {
  /** {@link String}. */
  TEXT("STRING"),
  /** {@link Integer}. */
  INTEGER("INT"),
  /** {@link Long}. */
  LONG("BIGINT"),
  /** {@link Double}. */
  NUMBER("DOUBLE"),
  /** {@link Boolean}. */
  FLAG("BOOLEAN"),
  /** {@link java.time.Instant}; only in results. */
  MOMENT("TIMESTAMP_LTZ(3)");

  private final String sqlType;

  ValueKind(String sqlType) {
    this.sqlType = sqlType;
  }

  /** The same type in SQL. */
  public String sqlType() {
    return sqlType;
  }

  /**
   * A value from its text.
   *
   * @param name of the argument, for messages
   * @throws HudiTableException if the text is none of this type
   */
  public Object parse(String name, String text) {
    try {
      return switch (this) {
        case TEXT -> text;
        case INTEGER -> Integer.valueOf(text.trim());
        case LONG -> Long.valueOf(text.trim());
        case NUMBER -> Double.valueOf(text.trim());
        case FLAG ->
            switch (text.trim().toLowerCase(Locale.ROOT)) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException("neither true nor false");
            };
        case MOMENT -> throw new IllegalStateException("No argument is a moment: " + name);
      };
    } catch (IllegalArgumentException e) {
      String range =
          switch (this) {
            case INTEGER, LONG, NUMBER -> "a number";
            case FLAG -> "true or false";
            case TEXT, MOMENT -> "a text";
          };
      throw new HudiTableException("'%s' is '%s'; it must be %s".formatted(name, text, range), e);
    }
  }
}
