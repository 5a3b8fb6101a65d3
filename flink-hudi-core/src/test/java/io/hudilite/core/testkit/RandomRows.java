package io.hudilite.core.testkit;

import io.hudilite.core.schema.Timestamps;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.SmallIntType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.TinyIntType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;

/** Row types and rows by chance: every type that can be stored, nested, with nulls and extremes. */
public final class RandomRows {
  private final Random random;

  public RandomRows(Random random) {
    this.random = random;
  }

  /** A row and its type. */
  public record Sample(RowType type, GenericRowData row) {}

  public Sample next() {
    RowType type = rowType(2, 1 + random.nextInt(8));
    return new Sample(type, row(type));
  }

  /**
   * Columns {@code f0}, {@code f1}...
   *
   * @param depth how far types are nested at most
   */
  public RowType rowType(int depth, int fields) {
    List<RowType.RowField> all = new ArrayList<>();
    for (int i = 0; i < fields; i++) {
      all.add(new RowType.RowField("f" + i, type(depth)));
    }
    return new RowType(false, all);
  }

  private LogicalType type(int depth) {
    boolean nullable = random.nextInt(3) > 0;
    return switch (random.nextInt(depth > 0 ? 16 : 13)) {
      case 0 -> new BooleanType(nullable);
      case 1 -> new TinyIntType(nullable);
      case 2 -> new SmallIntType(nullable);
      case 3 -> new IntType(nullable);
      case 4 -> new BigIntType(nullable);
      case 5 -> new FloatType(nullable);
      case 6 -> new DoubleType(nullable);
      case 7 -> {
        int precision = 1 + random.nextInt(38);
        yield new DecimalType(nullable, precision, random.nextInt(precision + 1));
      }
      case 8 -> new VarCharType(nullable, VarCharType.MAX_LENGTH);
      case 9 -> new VarBinaryType(nullable, VarBinaryType.MAX_LENGTH);
      case 10 -> new DateType(nullable);
      case 11 -> new TimestampType(nullable, random.nextBoolean() ? 3 : 6);
      case 12 -> new LocalZonedTimestampType(nullable, random.nextBoolean() ? 3 : 6);
      case 13 -> new ArrayType(nullable, type(depth - 1));
      case 14 ->
          new MapType(nullable, new VarCharType(false, VarCharType.MAX_LENGTH), type(depth - 1));
      default -> rowType(depth - 1, 1 + random.nextInt(3)).copy(nullable);
    };
  }

  public GenericRowData row(RowType type) {
    GenericRowData row = new GenericRowData(type.getFieldCount());
    for (int i = 0; i < type.getFieldCount(); i++) {
      row.setField(i, value(type.getTypeAt(i)));
    }
    return row;
  }

  private Object value(LogicalType type) {
    if (type.isNullable() && random.nextInt(4) == 0) {
      return null;
    }
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> random.nextBoolean();
      case TINYINT -> (byte) number();
      case SMALLINT -> (short) number();
      case INTEGER -> (int) number();
      case DATE -> (int) number() / 2000;
      case BIGINT -> number();
      case FLOAT ->
          random.nextInt(5) == 0 ? Float.NEGATIVE_INFINITY : (float) random.nextGaussian();
      case DOUBLE -> random.nextInt(5) == 0 ? Double.MIN_VALUE : random.nextGaussian() * 1e200;
      case DECIMAL -> decimal((DecimalType) type);
      case VARCHAR -> StringData.fromString(text());
      case VARBINARY -> {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        yield bytes;
      }
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          TimestampData.fromEpochMillis(
              number() / 100_000,
              Timestamps.precisionOf(type) == 3 ? 0 : random.nextInt(1_000) * 1_000);
      case ARRAY -> {
        Object[] values = new Object[random.nextInt(4)];
        for (int i = 0; i < values.length; i++) {
          values[i] = value(((ArrayType) type).getElementType());
        }
        yield new GenericArrayData(values);
      }
      case MAP -> {
        Map<Object, Object> values = new LinkedHashMap<>();
        int size = random.nextInt(4);
        for (int i = 0; i < size; i++) {
          values.put(
              StringData.fromString("k" + i + text()), value(((MapType) type).getValueType()));
        }
        yield new GenericMapData(values);
      }
      case ROW -> row((RowType) type);
      default -> throw new IllegalStateException(type.toString());
    };
  }

  private long number() {
    return switch (random.nextInt(6)) {
      case 0 -> Long.MIN_VALUE;
      case 1 -> Long.MAX_VALUE;
      case 2 -> random.nextInt(256) - 128;
      default -> random.nextLong();
    };
  }

  private DecimalData decimal(DecimalType type) {
    BigInteger limit = BigInteger.TEN.pow(type.getPrecision());
    BigInteger unscaled =
        switch (random.nextInt(4)) {
          case 0 -> limit.subtract(BigInteger.ONE);
          case 1 -> limit.subtract(BigInteger.ONE).negate();
          default -> new BigInteger(126, random).mod(limit);
        };
    return DecimalData.fromBigDecimal(
        new BigDecimal(unscaled, type.getScale()), type.getPrecision(), type.getScale());
  }

  private String text() {
    return switch (random.nextInt(5)) {
      case 0 -> "";
      case 1 -> "naïve ☃ 𝄞\n\0";
      case 2 -> "x".repeat(random.nextInt(300));
      default -> Long.toString(random.nextLong(), 36);
    };
  }

  /** A value in classes that compare by content, whatever kind of row it came from. */
  public static Object plain(Object value, LogicalType type) {
    if (value == null) {
      return null;
    }
    return switch (type.getTypeRoot()) {
      case TINYINT, SMALLINT -> ((Number) value).intValue();
      case VARCHAR -> value.toString();
      case VARBINARY -> ByteBuffer.wrap((byte[]) value);
      case DECIMAL -> ((DecimalData) value).toBigDecimal();
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          Timestamps.storedUnit(type).toNumber((TimestampData) value);
      case ARRAY -> plain((ArrayData) value, ((ArrayType) type).getElementType());
      case MAP -> {
        MapData map = (MapData) value;
        List<Object> keys = plain(map.keyArray(), ((MapType) type).getKeyType());
        List<Object> values = plain(map.valueArray(), ((MapType) type).getValueType());
        Map<Object, Object> entries = new LinkedHashMap<>();
        for (int i = 0; i < keys.size(); i++) {
          entries.put(keys.get(i), values.get(i));
        }
        yield entries;
      }
      case ROW -> {
        RowData row = (RowData) value;
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < ((RowType) type).getFieldCount(); i++) {
          LogicalType fieldType = ((RowType) type).getTypeAt(i);
          values.add(plain(RowData.createFieldGetter(fieldType, i).getFieldOrNull(row), fieldType));
        }
        yield values;
      }
      default -> value;
    };
  }

  private static List<Object> plain(ArrayData array, LogicalType elementType) {
    ArrayData.ElementGetter getter = ArrayData.createElementGetter(elementType);
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      values.add(plain(getter.getElementOrNull(array, i), elementType));
    }
    return values;
  }

  public static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
