package io.hudilite.core.base;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.Floats;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.LocalDate;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;

/**
 * Reads the current value of a column, which is not null, as the wanted type in Flink's internal
 * form. It knows all conversions; {@link BatchColumn} has faster ways for the common ones.
 */
@FunctionalInterface
interface ScalarReader {

  Object read(ColumnReader column);

  /**
   * The reader for a stored type and a wanted one.
   *
   * @param name of the column, for messages
   * @throws HudiTableException if there is no way from the one to the other
   */
  static ScalarReader of(String name, PrimitiveType stored, LogicalType wanted) {
    ScalarReader reader =
        switch (wanted.getTypeRoot()) {
          case BOOLEAN -> ofBoolean(stored);
          case TINYINT -> isPlainInt(stored) ? column -> (byte) column.getInteger() : null;
          case SMALLINT -> isPlainInt(stored) ? column -> (short) column.getInteger() : null;
          case INTEGER, DATE -> isInt32(stored) ? ColumnReader::getInteger : null;
          case BIGINT -> ofLong(stored);
          case FLOAT -> ofFloat(stored);
          case DOUBLE -> ofDouble(stored);
          case CHAR, VARCHAR -> ofString(stored);
          case BINARY, VARBINARY ->
              isBytes(stored) ? column -> column.getBinary().getBytes() : null;
          case DECIMAL -> ofDecimal(stored, (DecimalType) wanted);
          case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
              ofTimestamp(stored, LogicalTypeChecks.getPrecision(wanted));
          default -> null;
        };
    if (reader == null) {
      throw mismatch(name, stored, wanted);
    }
    return reader;
  }

  static HudiTableException mismatch(
      String name, org.apache.parquet.schema.Type stored, LogicalType wanted) {
    return new HudiTableException(
        "Column '%s' is stored as %s, which cannot be read as %s. Declare the column with the type that the table's schema has, or a wider one."
            .formatted(name, stored.toString().replaceAll("\\s+", " "), wanted.asSummaryString()));
  }

  @Nullable
  private static ScalarReader ofBoolean(PrimitiveType stored) {
    return stored.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.BOOLEAN
        ? ColumnReader::getBoolean
        : null;
  }

  @Nullable
  private static ScalarReader ofLong(PrimitiveType stored) {
    if (decimalOf(stored).isPresent()) {
      return null;
    }
    return switch (stored.getPrimitiveTypeName()) {
      case INT32 -> column -> (long) column.getInteger();
      case INT64 -> ColumnReader::getLong;
      default -> null;
    };
  }

  @Nullable
  private static ScalarReader ofFloat(PrimitiveType stored) {
    return switch (stored.getPrimitiveTypeName()) {
      case INT32 -> isPlainInt(stored) ? column -> (float) column.getInteger() : null;
      case INT64 -> isPlainLong(stored) ? column -> (float) column.getLong() : null;
      case FLOAT -> ColumnReader::getFloat;
      default -> null;
    };
  }

  @Nullable
  private static ScalarReader ofDouble(PrimitiveType stored) {
    return switch (stored.getPrimitiveTypeName()) {
      case INT32 -> isPlainInt(stored) ? column -> (double) column.getInteger() : null;
      case INT64 -> isPlainLong(stored) ? column -> (double) column.getLong() : null;
      case FLOAT -> column -> Floats.toDouble(column.getFloat());
      case DOUBLE -> ColumnReader::getDouble;
      default -> null;
    };
  }

  @Nullable
  private static ScalarReader ofString(PrimitiveType stored) {
    Optional<DecimalLogicalTypeAnnotation> decimal = decimalOf(stored);
    if (decimal.isPresent()) {
      int scale = decimal.get().getScale();
      return column -> StringData.fromString(decimalOf(column, stored, scale).toPlainString());
    }
    return switch (stored.getPrimitiveTypeName()) {
      case BINARY, FIXED_LEN_BYTE_ARRAY ->
          column -> StringData.fromBytes(column.getBinary().getBytes());
      case INT32 ->
          stored.getLogicalTypeAnnotation() instanceof DateLogicalTypeAnnotation
              ? column ->
                  StringData.fromString(LocalDate.ofEpochDay(column.getInteger()).toString())
              : column -> StringData.fromString(String.valueOf(column.getInteger()));
      case INT64 -> column -> StringData.fromString(String.valueOf(column.getLong()));
      case FLOAT -> column -> StringData.fromString(String.valueOf(column.getFloat()));
      case DOUBLE -> column -> StringData.fromString(String.valueOf(column.getDouble()));
      default -> null;
    };
  }

  @Nullable
  private static ScalarReader ofDecimal(PrimitiveType stored, DecimalType wanted) {
    int precision = wanted.getPrecision();
    int scale = wanted.getScale();
    boolean isNumber = isPlainInt(stored) || isPlainLong(stored);
    if (!isNumber && decimalOf(stored).isEmpty()) {
      return null;
    }
    int storedScale = decimalOf(stored).map(DecimalLogicalTypeAnnotation::getScale).orElse(0);
    if (storedScale > scale) {
      return null;
    }
    return column -> {
      BigDecimal value = decimalOf(column, stored, storedScale);
      DecimalData decimal = DecimalData.fromBigDecimal(value, precision, scale);
      if (decimal == null) {
        throw new ArithmeticException(
            "The decimal %s does not fit in %s".formatted(value, wanted.asSummaryString()));
      }
      return decimal;
    };
  }

  private static BigDecimal decimalOf(ColumnReader column, PrimitiveType stored, int scale) {
    return switch (stored.getPrimitiveTypeName()) {
      case INT32 -> BigDecimal.valueOf(column.getInteger(), scale);
      case INT64 -> BigDecimal.valueOf(column.getLong(), scale);
      default -> new BigDecimal(new BigInteger(column.getBinary().getBytesUnsafe()), scale);
    };
  }

  @Nullable
  private static ScalarReader ofTimestamp(PrimitiveType stored, int precision) {
    return switch (stored.getPrimitiveTypeName()) {
      case INT64 -> {
        if (!isPlainLong(stored) && timestampOf(stored).isEmpty()) {
          yield null;
        }
        TimeUnits units = TimeUnits.of(stored, precision);
        yield column -> units.timestamp(column.getLong());
      }
      case INT96 -> column -> TimeUnits.fromInt96(column.getBinary(), precision);
      default -> null;
    };
  }

  static boolean isInt32(PrimitiveType stored) {
    return stored.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.INT32
        && decimalOf(stored).isEmpty();
  }

  /** Whether it is an int without a meaning of its own. */
  static boolean isPlainInt(PrimitiveType stored) {
    return stored.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.INT32
        && isPlainNumber(stored);
  }

  static boolean isPlainLong(PrimitiveType stored) {
    return stored.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.INT64
        && isPlainNumber(stored);
  }

  private static boolean isPlainNumber(PrimitiveType stored) {
    LogicalTypeAnnotation annotation = stored.getLogicalTypeAnnotation();
    return annotation == null
        || annotation instanceof LogicalTypeAnnotation.IntLogicalTypeAnnotation;
  }

  static boolean isBytes(PrimitiveType stored) {
    return stored.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.BINARY
        || stored.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
  }

  static Optional<DecimalLogicalTypeAnnotation> decimalOf(PrimitiveType stored) {
    return stored.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation decimal
        ? Optional.of(decimal)
        : Optional.empty();
  }

  static Optional<TimestampLogicalTypeAnnotation> timestampOf(PrimitiveType stored) {
    return stored.getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation time
        ? Optional.of(time)
        : Optional.empty();
  }

  /**
   * From a stored count to a timestamp of the wanted precision; finer digits are cut off.
   *
   * @param perMilli stored units in a millisecond
   * @param nanosPerUnit nanoseconds in a stored unit
   * @param nanosKept what the nanoseconds of a millisecond are cut down to a multiple of
   */
  record TimeUnits(long perMilli, int nanosPerUnit, int nanosKept) {
    private static final int JULIAN_DAY_OF_EPOCH = 2_440_588;
    private static final long MILLIS_PER_DAY = 86_400_000L;
    private static final int NANOS_PER_MILLI = 1_000_000;

    /** Without a unit in the file it is the one that the wanted type is stored in. */
    static TimeUnits of(PrimitiveType stored, int precision) {
      LogicalTypeAnnotation.TimeUnit unit =
          timestampOf(stored)
              .map(TimestampLogicalTypeAnnotation::getUnit)
              .orElse(
                  precision <= 3
                      ? LogicalTypeAnnotation.TimeUnit.MILLIS
                      : LogicalTypeAnnotation.TimeUnit.MICROS);
      int kept = nanosKept(precision);
      return switch (unit) {
        case MILLIS -> new TimeUnits(1, NANOS_PER_MILLI, kept);
        case MICROS -> new TimeUnits(1_000, 1_000, kept);
        case NANOS -> new TimeUnits(NANOS_PER_MILLI, 1, kept);
      };
    }

    private static int nanosKept(int precision) {
      if (precision <= 3) {
        return NANOS_PER_MILLI;
      }
      return precision <= 6 ? 1_000 : 1;
    }

    TimestampData timestamp(long count) {
      long millis = Math.floorDiv(count, perMilli);
      int nanos = (int) (count - millis * perMilli) * nanosPerUnit;
      return TimestampData.fromEpochMillis(millis, nanos - nanos % nanosKept);
    }

    /** Nanoseconds of the day and Julian day, little-endian, in UTC. */
    static TimestampData fromInt96(Binary binary, int precision) {
      ByteBuffer bytes = binary.toByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
      if (bytes.remaining() != 12) {
        throw new IllegalArgumentException("An INT96 of %d bytes".formatted(bytes.remaining()));
      }
      long nanosOfDay = bytes.getLong();
      long day = (long) bytes.getInt() - JULIAN_DAY_OF_EPOCH;
      long millis = day * MILLIS_PER_DAY + Math.floorDiv(nanosOfDay, NANOS_PER_MILLI);
      int nanos = Math.floorMod(nanosOfDay, NANOS_PER_MILLI);
      return TimestampData.fromEpochMillis(millis, nanos - nanos % nanosKept(precision));
    }
  }
}
