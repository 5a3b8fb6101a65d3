package io.hudilite.core.scan;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hudilite.core.base.RowReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;

/** Rows as text in one form, whether they come from a reader or from a file of JSON lines. */
final class RowJson {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS");

  private RowJson() {}

  /** All rows, in the order of the reader. */
  static List<String> of(RowReader reader, RowType type) throws IOException {
    List<String> rows = new ArrayList<>();
    try (reader) {
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        rows.add(of(row, type));
      }
    }
    return rows;
  }

  static String of(RowData row, RowType type) {
    return String.valueOf(value(row, type));
  }

  /** The lines of a file, each in the form of {@link #of(RowData, RowType)}. */
  static List<String> ofLines(String lines) throws IOException {
    List<String> rows = new ArrayList<>();
    for (String line : lines.split("\n", -1)) {
      if (!line.isBlank()) {
        rows.add(String.valueOf(normal(MAPPER.readTree(line))));
      }
    }
    Collections.sort(rows);
    return rows;
  }

  static JsonNode parse(String line) throws IOException {
    return MAPPER.readTree(line);
  }

  private static Object normal(JsonNode node) {
    if (node.isObject()) {
      TreeMap<String, Object> sorted = new TreeMap<>();
      node.fields().forEachRemaining(field -> sorted.put(field.getKey(), normal(field.getValue())));
      return sorted;
    }
    if (node.isArray()) {
      List<Object> elements = new ArrayList<>();
      node.forEach(element -> elements.add(normal(element)));
      return elements;
    }
    return node.isNumber() ? number(node.decimalValue()) : node.asText();
  }

  private static String number(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  private static TreeMap<String, Object> value(RowData row, RowType type) {
    TreeMap<String, Object> sorted = new TreeMap<>();
    for (int i = 0; i < type.getFieldCount(); i++) {
      Object field = RowData.createFieldGetter(type.getTypeAt(i), i).getFieldOrNull(row);
      sorted.put(type.getFieldNames().get(i), value(field, type.getTypeAt(i)));
    }
    return sorted;
  }

  private static Object value(Object field, LogicalType type) {
    if (field == null) {
      return "null";
    }
    return switch (type.getTypeRoot()) {
      case DATE -> LocalDate.ofEpochDay((Integer) field).toString();
      case TIMESTAMP_WITHOUT_TIME_ZONE ->
          TIMESTAMP.format(((org.apache.flink.table.data.TimestampData) field).toLocalDateTime());
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          TIMESTAMP.format(((org.apache.flink.table.data.TimestampData) field).toLocalDateTime())
              + "Z";
      case BINARY, VARBINARY -> Base64.getEncoder().encodeToString((byte[]) field);
      case DECIMAL -> number(((org.apache.flink.table.data.DecimalData) field).toBigDecimal());
      case TINYINT, SMALLINT, INTEGER, BIGINT, FLOAT, DOUBLE ->
          number(new BigDecimal(field.toString()));
      case ROW -> value((RowData) field, (RowType) type);
      case ARRAY -> elements((ArrayData) field, ((ArrayType) type).getElementType());
      case MAP -> entries((MapData) field, (MapType) type);
      default -> field.toString();
    };
  }

  private static List<Object> elements(ArrayData array, LogicalType type) {
    ArrayData.ElementGetter getter = ArrayData.createElementGetter(type);
    List<Object> elements = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      elements.add(value(getter.getElementOrNull(array, i), type));
    }
    return elements;
  }

  private static TreeMap<String, Object> entries(MapData map, MapType type) {
    List<Object> keys = elements(map.keyArray(), type.getKeyType());
    List<Object> values = elements(map.valueArray(), type.getValueType());
    TreeMap<String, Object> entries = new TreeMap<>();
    for (int i = 0; i < keys.size(); i++) {
      entries.put(String.valueOf(keys.get(i)), values.get(i));
    }
    return entries;
  }
}
