package io.hudilite.core.key;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.Timestamps;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * Writes a partition column as a formatted time, see {@link TimePartition}. Not safe for use by
 * several threads.
 */
final class TimeText {
  /** Letters that Joda time and java.time take for the same; Y is the year of the era there. */
  private static final String KNOWN_LETTERS = "yYMdDHhmsSaE";

  /** Gives the time of a value. */
  private interface Millis {
    long of(RowData row, int index);
  }

  private final Millis millis;
  private final long ofNull;
  private final DateTimeFormatter output;
  private long lastMillis = Long.MIN_VALUE;
  private byte[] last = new byte[0];

  /**
   * @param type of the column in rows
   * @param stored of the column in the table: tells the unit of timestamps
   * @throws HudiTableException if values of the type are no times of this kind
   */
  TimeText(TimePartition time, LogicalType type, LogicalType stored) {
    this.millis = millis(time, type, stored);
    this.ofNull = toMillis(time, 1); // Hudi's default value
    this.output = formatter(time.outputFormat()).withZone(TimePartition.zone(time.outputZone()));
  }

  /** Appends the text of a field that may be null. */
  void append(RowData row, int index, AvroBuffer out) {
    long at = row.isNullAt(index) ? ofNull : millis.of(row, index);
    if (at != lastMillis) {
      last = output.format(utc(at)).getBytes(StandardCharsets.UTF_8);
      lastMillis = at;
    }
    out.writeRaw(last);
  }

  private static OffsetDateTime utc(long millis) {
    return LocalDateTime.ofEpochSecond(
            Math.floorDiv(millis, 1000L),
            (int) Math.floorMod(millis, 1000L) * 1_000_000,
            ZoneOffset.UTC)
        .atOffset(ZoneOffset.UTC);
  }

  private static Millis millis(TimePartition time, LogicalType type, LogicalType stored) {
    boolean isText = time.kind() == TimePartition.Kind.DATE_STRING;
    return switch (type.getTypeRoot()) {
      case CHAR, VARCHAR -> {
        if (!isText && time.kind() != TimePartition.Kind.MIXED) {
          throw unfit(time, type);
        }
        List<DateTimeFormatter> inputs = new ArrayList<>();
        for (String format : time.inputFormats()) {
          inputs.add(parser(format, TimePartition.zone(time.inputZone())));
        }
        yield (row, i) -> parse(time, row.getString(i).toString(), inputs);
      }
      case TINYINT, SMALLINT, INTEGER, DATE, BIGINT -> {
        if (isText) {
          throw unfit(time, type);
        }
        yield switch (type.getTypeRoot()) {
          case TINYINT -> (row, i) -> toMillis(time, row.getByte(i));
          case SMALLINT -> (row, i) -> toMillis(time, row.getShort(i));
          case BIGINT -> (row, i) -> toMillis(time, row.getLong(i));
          default -> (row, i) -> toMillis(time, row.getInt(i));
        };
      }
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> {
        if (isText) {
          throw unfit(time, type);
        }
        int precision = Timestamps.precisionOf(type);
        Timestamps.Unit unit = Timestamps.storedUnit(stored);
        yield (row, i) -> toMillis(time, unit.toNumber(row.getTimestamp(i, precision)));
      }
      default -> throw unfit(time, type);
    };
  }

  private static long toMillis(TimePartition time, long number) {
    return switch (time.kind()) {
      case UNIX_TIMESTAMP -> TimeUnit.SECONDS.toMillis(number);
      case EPOCHMICROSECONDS -> Math.floorDiv(number, 1000L);
      case SCALAR ->
          time.unit() == TimeUnit.MICROSECONDS
              ? Math.floorDiv(number, 1000L)
              : time.unit() == TimeUnit.NANOSECONDS
                  ? Math.floorDiv(number, 1_000_000L)
                  : time.unit().toMillis(number);
      case EPOCHMILLISECONDS, DATE_STRING, MIXED -> number;
    };
  }

  private static long parse(TimePartition time, String text, List<DateTimeFormatter> inputs) {
    for (DateTimeFormatter input : inputs) {
      try {
        TemporalAccessor parsed = input.parse(text);
        return parsed.getLong(ChronoField.INSTANT_SECONDS) * 1000
            + parsed.get(ChronoField.MILLI_OF_SECOND);
      } catch (DateTimeException e) {
        // The next format may fit.
      }
    }
    throw new HudiTableException(
        "'%s' in partition column '%s' is no time of the form %s. Mend the values in the query, or add their form to '%s'."
            .formatted(text, time.column(), time.inputFormats(), TimePartition.INPUT_FORMAT));
  }

  private static HudiTableException unfit(TimePartition time, LogicalType type) {
    return new HudiTableException(
        "The partition column '%s' is %s, of which '%s'='%s' makes no time. Use a STRING with DATE_STRING, or a number, DATE or TIMESTAMP with one of the other kinds."
            .formatted(time.column(), type.asSummaryString(), TimePartition.TYPE, time.kind()));
  }

  /**
   * @throws HudiTableException if the format has a letter that means other things elsewhere
   */
  static DateTimeFormatter formatter(String format) {
    return builder(format).toFormatter(Locale.ROOT);
  }

  private static DateTimeFormatter parser(String format, ZoneId zone) {
    return builder(format)
        .parseDefaulting(ChronoField.MONTH_OF_YEAR, 1)
        .parseDefaulting(ChronoField.DAY_OF_MONTH, 1)
        .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
        .parseDefaulting(ChronoField.MINUTE_OF_HOUR, 0)
        .parseDefaulting(ChronoField.SECOND_OF_MINUTE, 0)
        .toFormatter(Locale.ROOT)
        .withZone(zone);
  }

  private static DateTimeFormatterBuilder builder(String format) {
    StringBuilder pattern = new StringBuilder();
    boolean isQuoted = false;
    for (char letter : format.toCharArray()) {
      isQuoted ^= letter == '\'';
      boolean isLetter = Character.isLetter(letter) && !isQuoted;
      if (isLetter && letter == 'Z') {
        pattern.append("XX");
      } else if (isLetter && KNOWN_LETTERS.indexOf(letter) < 0) {
        throw unknown(format, null);
      } else {
        pattern.append(isLetter && (letter == 'y' || letter == 'Y') ? 'u' : letter);
      }
    }
    try {
      return new DateTimeFormatterBuilder().appendPattern(pattern.toString());
    } catch (IllegalArgumentException e) {
      throw unknown(format, e);
    }
  }

  private static HudiTableException unknown(String format, @Nullable Exception cause) {
    return new HudiTableException(
        "The time format '%s' is not known here. Use the letters y M d H m s S, such as yyyyMMdd or yyyy/MM/dd/HH."
            .formatted(format),
        cause);
  }
}
