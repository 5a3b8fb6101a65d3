package io.hudilite.core.avro;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.Floats;
import io.hudilite.core.schema.Timestamps;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;

/**
 * Makes the decoder of a wanted type for each type that a writer may have used. What widens is
 * Hudi's schema evolution: int to long to float to double, numbers to decimals, everything plain to
 * string.
 */
final class ValueDecoders {
  private ValueDecoders() {}

  static ValueDecoder of(Schema writer, LogicalType target, String column) {
    if (writer.getType() == Schema.Type.UNION) {
      return union(writer, target, column);
    }
    if (writer.getType() == Schema.Type.NULL) {
      return in -> null;
    }
    return switch (target.getTypeRoot()) {
      case BOOLEAN ->
          switch (writer.getType()) {
            case BOOLEAN -> AvroInput::readBoolean;
            default -> throw mismatch(writer, target, column);
          };
      case TINYINT ->
          narrow(writer, target, column, Byte.MIN_VALUE, Byte.MAX_VALUE, value -> (byte) value);
      case SMALLINT ->
          narrow(writer, target, column, Short.MIN_VALUE, Short.MAX_VALUE, value -> (short) value);
      case INTEGER, DATE ->
          switch (writer.getType()) {
            case INT -> AvroInput::readInt;
            default -> throw mismatch(writer, target, column);
          };
      case BIGINT ->
          switch (writer.getType()) {
            case INT, LONG -> AvroInput::readLong;
            default -> throw mismatch(writer, target, column);
          };
      case FLOAT ->
          switch (writer.getType()) {
            case INT, LONG -> in -> (float) in.readLong();
            case FLOAT -> AvroInput::readFloat;
            default -> throw mismatch(writer, target, column);
          };
      case DOUBLE ->
          switch (writer.getType()) {
            case INT, LONG -> in -> (double) in.readLong();
            case FLOAT -> in -> Floats.toDouble(in.readFloat());
            case DOUBLE -> AvroInput::readDouble;
            default -> throw mismatch(writer, target, column);
          };
      case DECIMAL -> decimal(writer, (DecimalType) target, column);
      case CHAR, VARCHAR -> string(writer, target, column);
      case BINARY, VARBINARY ->
          switch (writer.getType()) {
            case BYTES, STRING -> AvroInput::readBytes;
            case FIXED -> {
              int size = writer.getFixedSize();
              yield in -> in.readRaw(size);
            }
            default -> throw mismatch(writer, target, column);
          };
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          timestamp(writer, target, column);
      case ARRAY ->
          switch (writer.getType()) {
            case ARRAY -> array(writer, (ArrayType) target, column);
            default -> throw mismatch(writer, target, column);
          };
      case MAP ->
          switch (writer.getType()) {
            case MAP -> map(writer, (MapType) target, column);
            default -> throw mismatch(writer, target, column);
          };
      case ROW -> {
        if (writer.getType() != Schema.Type.RECORD) {
          throw mismatch(writer, target, column);
        }
        RecordDecoder record = new RecordDecoder(writer, (RowType) target, column + ".");
        yield record::decode;
      }
      default -> throw mismatch(writer, target, column);
    };
  }

  private static ValueDecoder union(Schema writer, LogicalType target, String column) {
    ValueDecoder[] branches =
        writer.getTypes().stream()
            .map(branch -> of(branch, target, column))
            .toArray(ValueDecoder[]::new);
    if (branches.length == 2 && writer.getTypes().get(0).getType() == Schema.Type.NULL) {
      ValueDecoder value = branches[1];
      return in -> in.readBranch(2) == 0 ? null : value.decode(in);
    }
    return in -> branches[in.readBranch(branches.length)].decode(in);
  }

  /** Makes the boxed value of a narrow type. */
  private interface Narrowing {
    Object of(int value);
  }

  private static ValueDecoder narrow(
      Schema writer, LogicalType target, String column, int min, int max, Narrowing narrowing) {
    if (writer.getType() != Schema.Type.INT) {
      throw mismatch(writer, target, column);
    }
    return in -> {
      int value = in.readInt();
      if (value < min || value > max) {
        throw new HudiTableException(
            "Column '%s' holds %d, which is no %s. Declare it as INT."
                .formatted(column, value, target.asSummaryString()));
      }
      return narrowing.of(value);
    };
  }

  private static ValueDecoder string(Schema writer, LogicalType target, String column) {
    return switch (writer.getType()) {
      case STRING -> AvroInput::readString;
      case BYTES, FIXED -> {
        if (writer.getLogicalType() instanceof LogicalTypes.Decimal decimal) {
          ValueDecoder number = unscaled(writer, decimal.getPrecision(), decimal.getScale());
          yield in -> StringData.fromString(String.valueOf(number.decode(in)));
        }
        if (writer.getType() == Schema.Type.FIXED) {
          int size = writer.getFixedSize();
          yield in -> StringData.fromBytes(in.readRaw(size));
        }
        yield AvroInput::readString;
      }
      case ENUM -> {
        List<String> symbols = writer.getEnumSymbols();
        yield in -> StringData.fromString(symbols.get(in.readBranch(symbols.size())));
      }
      case INT ->
          writer.getLogicalType() instanceof LogicalTypes.Date
              ? in -> StringData.fromString(LocalDate.ofEpochDay(in.readInt()).toString())
              : in -> StringData.fromString(Integer.toString(in.readInt()));
      case LONG -> in -> StringData.fromString(Long.toString(in.readLong()));
      case FLOAT -> in -> StringData.fromString(Float.toString(in.readFloat()));
      case DOUBLE -> in -> StringData.fromString(Double.toString(in.readDouble()));
      case BOOLEAN -> in -> StringData.fromString(Boolean.toString(in.readBoolean()));
      case RECORD, ARRAY, MAP, UNION, NULL -> throw mismatch(writer, target, column);
    };
  }

  private static ValueDecoder decimal(Schema writer, DecimalType target, String column) {
    int precision = target.getPrecision();
    int scale = target.getScale();
    return switch (writer.getType()) {
      case BYTES, FIXED -> {
        if (!(writer.getLogicalType() instanceof LogicalTypes.Decimal stored)) {
          throw mismatch(writer, target, column);
        }
        ValueDecoder number = unscaled(writer, stored.getPrecision(), stored.getScale());
        if (stored.getScale() == scale && stored.getPrecision() == precision) {
          yield number;
        }
        yield in -> {
          BigDecimal value = ((DecimalData) decoded(number, in)).toBigDecimal();
          return fitting(value, precision, scale, column);
        };
      }
      case INT, LONG -> in -> fitting(BigDecimal.valueOf(in.readLong()), precision, scale, column);
      default -> throw mismatch(writer, target, column);
    };
  }

  private static Object decoded(ValueDecoder decoder, AvroInput in) throws MalformedAvroException {
    Object value = decoder.decode(in);
    if (value == null) {
      throw new MalformedAvroException("A value is missing");
    }
    return value;
  }

  private static DecimalData fitting(BigDecimal value, int precision, int scale, String column) {
    DecimalData fitting = DecimalData.fromBigDecimal(value, precision, scale);
    if (fitting == null || fitting.toBigDecimal().compareTo(value) != 0) {
      throw new HudiTableException(
          "Column '%s' holds %s, which does not fit into DECIMAL(%d, %d). Declare a wider decimal."
              .formatted(column, value.toPlainString(), precision, scale));
    }
    return fitting;
  }

  /** A decimal in its own precision and scale. */
  private static ValueDecoder unscaled(Schema writer, int precision, int scale) {
    int fixedSize = writer.getType() == Schema.Type.FIXED ? writer.getFixedSize() : -1;
    boolean compact = DecimalData.isCompact(precision);
    return in -> {
      int length = fixedSize >= 0 ? fixedSize : in.readLength();
      if (length == 0) {
        throw new MalformedAvroException("A decimal without bytes at byte " + in.position());
      }
      int at = in.advance(length);
      if (compact && length <= 8) {
        byte[] bytes = in.array();
        long number = bytes[at];
        for (int i = at + 1; i < at + length; i++) {
          number = (number << 8) | (bytes[i] & 0xFF);
        }
        if (number >= POWERS[precision] || number <= -POWERS[precision]) {
          throw tooManyDigits(precision);
        }
        return DecimalData.fromUnscaledLong(number, precision, scale);
      }
      BigInteger number = new BigInteger(in.array(), at, length);
      // Cheap first: a digit has less than 4 bits.
      DecimalData value =
          number.bitLength() > 4 * precision
              ? null
              : DecimalData.fromBigDecimal(new BigDecimal(number, scale), precision, scale);
      if (value == null) {
        throw tooManyDigits(precision);
      }
      return value;
    };
  }

  private static MalformedAvroException tooManyDigits(int precision) {
    return new MalformedAvroException(
        "A decimal has more than the " + precision + " digits of its type");
  }

  /** Powers of ten, as far as a long holds them. */
  private static final long[] POWERS = new long[19];

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = POWERS[i - 1] * 10;
    }
  }

  /**
   * @param exponent at most 18
   */
  static long powerOfTen(int exponent) {
    return POWERS[exponent];
  }

  private static ValueDecoder timestamp(Schema writer, LogicalType target, String column) {
    if (writer.getType() != Schema.Type.LONG) {
      throw mismatch(writer, target, column);
    }
    String logical = writer.getLogicalType() == null ? "" : writer.getLogicalType().getName();
    Timestamps.Unit wanted = Timestamps.storedUnit(target);
    Timestamps.Unit stored =
        switch (logical) {
          case "timestamp-millis", "local-timestamp-millis" -> Timestamps.Unit.MILLIS;
          case "timestamp-micros", "local-timestamp-micros" -> Timestamps.Unit.MICROS;
          case "timestamp-nanos", "local-timestamp-nanos" -> Timestamps.Unit.NANOS;
          default -> wanted; // a bare long: only the declaration knows
        };
    if (stored.compareTo(wanted) <= 0) {
      return in -> stored.fromNumber(in.readLong());
    }
    return in -> {
      TimestampData value = stored.fromNumber(in.readLong());
      int nanos =
          wanted == Timestamps.Unit.MILLIS ? 0 : value.getNanoOfMillisecond() / 1_000 * 1_000;
      return TimestampData.fromEpochMillis(value.getMillisecond(), nanos);
    };
  }

  private static ValueDecoder array(Schema writer, ArrayType target, String column) {
    Schema elementSchema = writer.getElementType();
    ValueDecoder element = of(elementSchema, target.getElementType(), column + "[]");
    int minBytes = ValueSkipper.minBytes(elementSchema);
    return in -> {
      List<Object> values = new ArrayList<>();
      for (int count = in.readBlockCount(minBytes);
          count > 0;
          count = in.readBlockCount(minBytes)) {
        for (int i = 0; i < count; i++) {
          values.add(element.decode(in));
        }
      }
      return new GenericArrayData(values.toArray());
    };
  }

  private static ValueDecoder map(Schema writer, MapType target, String column) {
    switch (target.getKeyType().getTypeRoot()) {
      case CHAR, VARCHAR -> {}
      default -> throw mismatch(writer, target, column);
    }
    ValueDecoder value = of(writer.getValueType(), target.getValueType(), column + "{}");
    int minBytes = 1 + ValueSkipper.minBytes(writer.getValueType());
    return in -> {
      Map<Object, Object> entries = new LinkedHashMap<>();
      for (int count = in.readBlockCount(minBytes);
          count > 0;
          count = in.readBlockCount(minBytes)) {
        for (int i = 0; i < count; i++) {
          StringData key = in.readString();
          entries.put(key, value.decode(in));
        }
      }
      return new GenericMapData(entries);
    };
  }

  private static HudiTableException mismatch(Schema writer, LogicalType target, String column) {
    String logical =
        writer.getLogicalType() == null ? "" : " (" + writer.getLogicalType().getName() + ")";
    return new HudiTableException(
        "Column '%s' is stored as Avro %s%s, which cannot be read as %s. Declare it as %s."
            .formatted(
                column,
                writer.getType().getName(),
                logical,
                target.asSummaryString(),
                suggestion(writer)));
  }

  private static String suggestion(Schema writer) {
    return switch (writer.getType()) {
      case BOOLEAN -> "BOOLEAN";
      case INT -> writer.getLogicalType() instanceof LogicalTypes.Date ? "DATE" : "INT";
      case LONG -> writer.getLogicalType() == null ? "BIGINT" : "TIMESTAMP(6)";
      case FLOAT -> "FLOAT";
      case DOUBLE -> "DOUBLE";
      case BYTES, FIXED ->
          writer.getLogicalType() instanceof LogicalTypes.Decimal decimal
              ? "DECIMAL(" + decimal.getPrecision() + ", " + decimal.getScale() + ")"
              : "BYTES";
      case ARRAY -> "ARRAY";
      case MAP -> "MAP<STRING, ...>";
      case RECORD -> "ROW";
      case STRING, ENUM, UNION, NULL -> "STRING";
    };
  }
}
