package io.hudilite.core.key;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.Utf8Text;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.Timestamps;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * Text of one column inside record keys and partition paths, and the way back. Strings stand as
 * they are, numbers in decimal digits, dates as {@code yyyy-MM-dd}, timestamps as their stored
 * number. Source: KeyGenUtils and HoodieAvroUtils.convertValueForAvroLogicalTypes of Hudi 1.0.2.
 */
final class FieldText {

  /** Appends the UTF-8 text of a field that is not null. */
  interface Writer {
    void append(RowData row, int index, AvroBuffer out);
  }

  /** Makes a field of its text. */
  interface Parser {
    Object parse(String text);
  }

  private final String column;
  private final LogicalType type;
  private final Writer writer;
  private final Parser parser;

  private FieldText(String column, LogicalType type, Writer writer, Parser parser) {
    this.column = column;
    this.type = type;
    this.writer = writer;
    this.parser = parser;
  }

  /**
   * @param role for the message: what the column is meant to be
   */
  static FieldText of(String role, String column, LogicalType type) {
    return of(role, column, type, type);
  }

  /**
   * @param type of the rows
   * @param stored of the table: tells the unit of timestamps
   */
  static FieldText of(String role, String column, LogicalType type, LogicalType stored) {
    return switch (type.getTypeRoot()) {
      case CHAR, VARCHAR ->
          new FieldText(
              column,
              type,
              (row, i, out) -> Utf8Text.append(row.getString(i), out),
              StringData::fromString);
      case BOOLEAN ->
          new FieldText(
              column,
              type,
              (row, i, out) -> append(Boolean.toString(row.getBoolean(i)), out),
              FieldText::parseBoolean);
      case TINYINT ->
          new FieldText(
              column, type, (row, i, out) -> Utf8Text.append(row.getByte(i), out), Byte::valueOf);
      case SMALLINT ->
          new FieldText(
              column, type, (row, i, out) -> Utf8Text.append(row.getShort(i), out), Short::valueOf);
      case INTEGER ->
          new FieldText(
              column, type, (row, i, out) -> Utf8Text.append(row.getInt(i), out), Integer::valueOf);
      case BIGINT ->
          new FieldText(
              column, type, (row, i, out) -> Utf8Text.append(row.getLong(i), out), Long::valueOf);
      case FLOAT ->
          new FieldText(
              column,
              type,
              (row, i, out) -> append(Float.toString(row.getFloat(i)), out),
              Float::valueOf);
      case DOUBLE ->
          new FieldText(
              column,
              type,
              (row, i, out) -> append(Double.toString(row.getDouble(i)), out),
              Double::valueOf);
      case DATE ->
          new FieldText(
              column,
              type,
              (row, i, out) -> append(LocalDate.ofEpochDay(row.getInt(i)).toString(), out),
              text -> Math.toIntExact(LocalDate.parse(text).toEpochDay()));
      case DECIMAL -> {
        int precision = ((DecimalType) type).getPrecision();
        int scale = ((DecimalType) type).getScale();
        yield new FieldText(
            column,
            type,
            (row, i, out) ->
                append(row.getDecimal(i, precision, scale).toBigDecimal().toString(), out),
            text -> parseDecimal(text, precision, scale));
      }
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> {
        int precision = Timestamps.precisionOf(type);
        Timestamps.Unit unit = Timestamps.storedUnit(stored);
        yield new FieldText(
            column,
            type,
            (row, i, out) -> Utf8Text.append(unit.toNumber(row.getTimestamp(i, precision)), out),
            text -> unit.fromNumber(Long.parseLong(text)));
      }
      default ->
          throw new HudiTableException(
              "The %s field '%s' has the type %s, of which there is no text that all engines agree on. Use a column of type STRING, or CAST it to STRING."
                  .formatted(role, column, type.asSummaryString()));
    };
  }

  String column() {
    return column;
  }

  void append(RowData row, int index, AvroBuffer out) {
    writer.append(row, index, out);
  }

  /**
   * @throws HudiTableException if the text is no value of the column
   */
  Object parse(String text) {
    try {
      return parser.parse(text);
    } catch (NumberFormatException | DateTimeParseException | ArithmeticException e) {
      throw new HudiTableException(
          "'%s' is no value of column '%s', which is %s. The table's keys or paths were made from another type: declare the column as STRING."
              .formatted(text, column, type.asSummaryString()),
          e);
    }
  }

  private static void append(String ascii, AvroBuffer out) {
    out.writeRaw(ascii.getBytes(StandardCharsets.UTF_8));
  }

  private static Object parseBoolean(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new NumberFormatException(text);
    };
  }

  private static Object parseDecimal(String text, int precision, int scale) {
    BigDecimal number = new BigDecimal(text);
    DecimalData value = DecimalData.fromBigDecimal(number, precision, scale);
    if (value == null || value.toBigDecimal().compareTo(number) != 0) {
      throw new ArithmeticException(text);
    }
    return value;
  }
}
