package io.hudilite.source.read;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;

/**
 * Reads the digits of each TIMESTAMP, also within other values, as UTC, and shows them on the clock
 * of this machine. Moments (TIMESTAMP_LTZ) stay what they are. Source: {@code read.utc-timezone} =
 * false of Hudi 1.0.2, Int64TimestampColumnReader.
 */
final class LocalTimes {
  private LocalTimes() {}

  /** From a value that is not null. */
  @FunctionalInterface
  interface Conversion {
    Object apply(Object value);
  }

  /** Whether there are such values in rows of this type. */
  static boolean concern(LogicalType type) {
    return switch (type.getTypeRoot()) {
      case TIMESTAMP_WITHOUT_TIME_ZONE -> true;
      case ARRAY, MAP, ROW -> type.getChildren().stream().anyMatch(LocalTimes::concern);
      default -> false;
    };
  }

  static Conversion conversion(LogicalType type) {
    if (!concern(type)) {
      return value -> value;
    }
    return switch (type.getTypeRoot()) {
      case ARRAY -> array(((ArrayType) type).getElementType());
      case MAP -> map((MapType) type);
      case ROW -> row((RowType) type);
      default -> value -> here((TimestampData) value);
    };
  }

  private static TimestampData here(TimestampData utc) {
    return TimestampData.fromLocalDateTime(
        LocalDateTime.ofInstant(
            utc.toLocalDateTime().toInstant(ZoneOffset.UTC), ZoneId.systemDefault()));
  }

  private static Conversion array(LogicalType elementType) {
    ArrayData.ElementGetter getter = ArrayData.createElementGetter(elementType.copy(true));
    Conversion conversion = conversion(elementType);
    return value -> new GenericArrayData(converted((ArrayData) value, getter, conversion));
  }

  private static Object[] converted(
      ArrayData array, ArrayData.ElementGetter getter, Conversion conversion) {
    Object[] elements = new Object[array.size()];
    for (int i = 0; i < elements.length; i++) {
      Object element = getter.getElementOrNull(array, i);
      elements[i] = element == null ? null : conversion.apply(element);
    }
    return elements;
  }

  private static Conversion map(MapType type) {
    ArrayData.ElementGetter keys = ArrayData.createElementGetter(type.getKeyType().copy(true));
    ArrayData.ElementGetter values = ArrayData.createElementGetter(type.getValueType().copy(true));
    Conversion conversion = conversion(type.getValueType());
    return value -> {
      MapData map = (MapData) value;
      Object[] converted = converted(map.valueArray(), values, conversion);
      Map<Object, Object> entries = new HashMap<>();
      for (int i = 0; i < converted.length; i++) {
        entries.put(keys.getElementOrNull(map.keyArray(), i), converted[i]);
      }
      return new GenericMapData(entries);
    };
  }

  private static Conversion row(RowType type) {
    int fields = type.getFieldCount();
    RowData.FieldGetter[] getters = new RowData.FieldGetter[fields];
    Conversion[] conversions = new Conversion[fields];
    for (int i = 0; i < fields; i++) {
      getters[i] = RowData.createFieldGetter(type.getTypeAt(i).copy(true), i);
      conversions[i] = conversion(type.getTypeAt(i));
    }
    return value -> {
      RowData row = (RowData) value;
      GenericRowData converted = new GenericRowData(row.getRowKind(), fields);
      for (int i = 0; i < fields; i++) {
        Object field = getters[i].getFieldOrNull(row);
        converted.setField(i, field == null ? null : conversions[i].apply(field));
      }
      return converted;
    };
  }
}
