package io.hudilite.core.base;

import java.math.BigDecimal;
import java.math.BigInteger;
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

/** Random types and rows of them from a seed, and rows as values that can be compared. */
final class RowsOfTypes {
  private final Random random;

  RowsOfTypes(long seed) {
    this.random = new Random(seed);
  }

  RowType rowType() {
    return rowType(1 + random.nextInt(8), 0);
  }

  private RowType rowType(int count, int depth) {
    List<RowType.RowField> fields = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fields.add(new RowType.RowField("f" + i, type(depth)));
    }
    return new RowType(random.nextInt(4) > 0, fields);
  }

  private LogicalType type(int depth) {
    LogicalType type =
        switch (random.nextInt(depth < 3 ? 17 : 13)) {
          case 0 -> new BooleanType();
          case 1 -> new TinyIntType();
          case 2 -> new SmallIntType();
          case 3 -> new IntType();
          case 4 -> new BigIntType();
          case 5 -> new FloatType();
          case 6 -> new DoubleType();
          case 7, 8 -> VarCharType.STRING_TYPE;
          case 9 -> new VarBinaryType(VarBinaryType.MAX_LENGTH);
          case 10 -> decimalType();
          case 11 -> new DateType();
          case 12 ->
              random.nextBoolean()
                  ? new TimestampType(random.nextInt(7))
                  : new LocalZonedTimestampType(random.nextInt(7));
          case 13 -> new ArrayType(type(depth + 1));
          case 14 -> new MapType(VarCharType.STRING_TYPE, type(depth + 1));
          default -> rowType(1 + random.nextInt(3), depth + 1);
        };
    return type.copy(random.nextInt(4) > 0);
  }

  private DecimalType decimalType() {
    int precision = 1 + random.nextInt(38);
    return new DecimalType(precision, random.nextInt(precision + 1));
  }

  RowData row(RowType type) {
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
      case TINYINT -> (byte) random.nextInt();
      case SMALLINT -> (short) random.nextInt();
      case INTEGER -> random.nextInt();
      case DATE -> random.nextInt(40_000) - 10_000;
      case BIGINT -> random.nextLong();
      case FLOAT -> random.nextFloat();
      case DOUBLE -> random.nextGaussian();
      case VARCHAR -> StringData.fromString(text());
      case VARBINARY -> {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        yield bytes;
      }
      case DECIMAL -> {
        DecimalType decimal = (DecimalType) type;
        BigInteger unscaled =
            new BigInteger(120, random).mod(BigInteger.TEN.pow(decimal.getPrecision()));
        yield DecimalData.fromBigDecimal(
            new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), decimal.getScale()),
            decimal.getPrecision(),
            decimal.getScale());
      }
      case TIMESTAMP_WITHOUT_TIME_ZONE -> time(((TimestampType) type).getPrecision());
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> time(((LocalZonedTimestampType) type).getPrecision());
      case ARRAY -> {
        Object[] items = new Object[random.nextInt(4)];
        for (int i = 0; i < items.length; i++) {
          items[i] = value(((ArrayType) type).getElementType());
        }
        yield new GenericArrayData(items);
      }
      case MAP -> {
        Map<Object, Object> entries = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          entries.put(StringData.fromString(text()), value(((MapType) type).getValueType()));
        }
        yield new GenericMapData(entries);
      }
      case ROW -> row((RowType) type);
      default -> throw new IllegalArgumentException("No values of " + type);
    };
  }

  private TimestampData time(int precision) {
    long millis = random.nextLong() >> 22;
    return precision <= 3
        ? TimestampData.fromEpochMillis(millis)
        : TimestampData.fromEpochMillis(millis, random.nextInt(1000) * 1000);
  }

  private String text() {
    String[] some = {"", "a", "zwölf", "\uD83D\uDE00", "abcdefghijklmnopqrst"};
    return random.nextInt(3) == 0
        ? some[random.nextInt(some.length)]
        : Long.toString(random.nextLong(), 36);
  }

  /** The row as a list of plain values, nested ones as lists and maps. */
  static Object plain(RowData row, RowType type) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < type.getFieldCount(); i++) {
      LogicalType field = type.getTypeAt(i);
      values.add(plain(RowData.createFieldGetter(field, i).getFieldOrNull(row), field));
    }
    return values;
  }

  private static Object plain(Object value, LogicalType type) {
    if (value == null) {
      return null;
    }
    return switch (type.getTypeRoot()) {
      case VARCHAR -> value.toString();
      case VARBINARY -> new BigInteger(1, (byte[]) value) + "/" + ((byte[]) value).length;
      case ARRAY -> items((ArrayData) value, ((ArrayType) type).getElementType());
      case MAP -> {
        MapType map = (MapType) type;
        Map<Object, Object> entries = new LinkedHashMap<>();
        List<Object> keys = items(((MapData) value).keyArray(), map.getKeyType().copy(false));
        List<Object> values = items(((MapData) value).valueArray(), map.getValueType());
        for (int i = 0; i < keys.size(); i++) {
          entries.put(keys.get(i), values.get(i));
        }
        yield entries;
      }
      case ROW -> plain((RowData) value, (RowType) type);
      default -> value;
    };
  }

  private static List<Object> items(ArrayData array, LogicalType type) {
    ArrayData.ElementGetter getter = ArrayData.createElementGetter(type);
    List<Object> items = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      items.add(plain(array.isNullAt(i) ? null : getter.getElementOrNull(array, i), type));
    }
    return items;
  }
}
