package io.hudilite.e2e.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.scan.SplitReader;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.table.HudiTable;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;

/** Rows as text that is the same whether they are read by us or by Hudi. */
final class TableRows {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT);

  private TableRows() {}

  /** All rows of splits with their meta columns, each as text; sorted. */
  static List<String> read(HudiTable table, List<ScanSplit> splits) throws IOException {
    List<String> rows = new ArrayList<>();
    visit(table, splits, (kind, row) -> rows.add(row.toString()));
    return rows.stream().sorted().toList();
  }

  /** The same without meta columns, of the newest state. */
  static List<String> data(HudiTable table) throws IOException {
    List<String> rows = new ArrayList<>();
    visit(
        table,
        new ScanPlanner().snapshot(table),
        (kind, row) -> {
          row.keySet().removeIf(MetaColumns::isMetaColumn);
          rows.add(row.toString());
        });
    return rows.stream().sorted().toList();
  }

  static void visit(
      HudiTable table, List<ScanSplit> splits, BiConsumer<RowKind, Map<String, String>> visitor)
      throws IOException {
    ReadContext context = table.readContext();
    RowType wanted = AvroSchemas.withMetaColumns(table.schema().rowType());
    RowData.FieldGetter[] getters = new RowData.FieldGetter[wanted.getFieldCount()];
    for (int i = 0; i < getters.length; i++) {
      getters[i] = RowData.createFieldGetter(wanted.getTypeAt(i).copy(true), i);
    }
    for (ScanSplit split : splits) {
      try (SplitReader reader = SplitReader.open(context, split, wanted)) {
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          Map<String, String> fields = new TreeMap<>();
          for (int i = 0; i < getters.length; i++) {
            Object value = getters[i].getFieldOrNull(row);
            fields.put(wanted.getFieldNames().get(i), text(value, wanted.getTypeAt(i)));
          }
          visitor.accept(row.getRowKind(), fields);
        }
      }
    }
  }

  /** As the oracle writes it; numbers without trailing zeros. */
  private static String text(Object value, LogicalType type) {
    if (value instanceof DecimalData decimal) {
      return number(decimal.toBigDecimal());
    }
    if (value instanceof Double || value instanceof Float) {
      return number(new BigDecimal(value.toString()));
    }
    if (value instanceof byte[] bytes) {
      return Base64.getEncoder().encodeToString(bytes);
    }
    if (value instanceof TimestampData time) {
      return MICROS.format(time.toLocalDateTime());
    }
    if (value instanceof Integer day && type.is(LogicalTypeRoot.DATE)) {
      return LocalDate.ofEpochDay(day).toString();
    }
    return String.valueOf(value);
  }

  /** The same of what Hudi read, with or without meta columns. */
  static List<String> data(HudiOracle.Result result) throws IOException {
    return texts(result).stream()
        .map(row -> row.replaceAll("_hoodie_\\w+=[^,}]*, ", ""))
        .sorted()
        .toList();
  }

  /** All columns that Hudi read. */
  static List<String> texts(HudiOracle.Result result) throws IOException {
    List<String> rows = new ArrayList<>();
    for (JsonNode row : result.rows()) {
      Map<String, String> fields = new TreeMap<>();
      row.fields()
          .forEachRemaining(
              field ->
                  fields.put(
                      field.getKey(),
                      field.getValue().isNumber()
                          ? number(field.getValue().decimalValue())
                          : field.getValue().asText()));
      rows.add(fields.toString());
    }
    return rows.stream().sorted().toList();
  }

  private static String number(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }
}
