package io.hudilite.core.key;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.types.RowKind;

/**
 * Turns record keys and partition paths back into columns: what a delete leaves of a row, and what
 * a path says of all rows below it. The reverse of {@link KeyExtractor}, also for paths that it
 * does not write. Safe for use by several threads.
 */
public final class KeyParser {
  private final TableSchema schema;
  private final KeyFormat format;
  private final FieldText[] keyFields;
  private final FieldText[] partitionFields;

  /**
   * @throws HudiTableException if a key or partition column has a type that cannot be one
   */
  public KeyParser(TableSchema schema, KeyFormat format) {
    this.schema = requireNonNull(schema, "schema");
    this.format = requireNonNull(format, "format");
    this.keyFields = fields("record key", schema.recordKeyColumns());
    this.partitionFields = fields("partition", schema.partitionColumns());
  }

  private FieldText[] fields(String role, List<String> columns) {
    return columns.stream()
        .map(column -> FieldText.of(role, column, typeOf(column)))
        .toArray(FieldText[]::new);
  }

  private LogicalType typeOf(String column) {
    return schema.rowType().getTypeAt(schema.rowType().getFieldIndex(column));
  }

  /**
   * A new row of the table's type and of kind DELETE: key, partition and ordering columns are
   * filled as far as they are known, all others are null.
   *
   * @throws HudiTableException if a text is no value of its column
   */
  public GenericRowData deletedRow(String recordKey, String partitionPath, OrderingValue ordering) {
    GenericRowData row = new GenericRowData(RowKind.DELETE, schema.rowType().getFieldCount());
    List<String> orderingColumns = schema.orderingColumns();
    for (int i = 0; i < orderingColumns.size(); i++) {
      OrderingValue value = part(ordering, i, orderingColumns.size());
      LogicalType type = typeOf(orderingColumns.get(i));
      row.setField(indexOf(orderingColumns.get(i)), OrderingFields.toField(value, type));
    }
    if (pathsHoldValues()) {
      Object[] values = partitionValues(partitionPath);
      for (int i = 0; i < values.length; i++) {
        row.setField(indexOf(partitionFields[i].column()), values[i]);
      }
    }
    List<String> texts = keyTexts(recordKey);
    for (int i = 0; i < texts.size(); i++) {
      String text = texts.get(i);
      Object value = text == null ? null : keyFields[i].parse(text);
      row.setField(indexOf(keyFields[i].column()), value);
    }
    return row;
  }

  private int indexOf(String column) {
    return schema.rowType().getFieldIndex(column);
  }

  private static OrderingValue part(OrderingValue ordering, int index, int count) {
    if (ordering.kind() == OrderingValue.Kind.LIST) {
      List<?> values = (List<?>) ordering.value();
      return index < values.size() ? (OrderingValue) values.get(index) : OrderingValue.NONE;
    }
    return count == 1 ? ordering : OrderingValue.NONE;
  }

  /** Whether the values of the partition columns can be told from the path alone. */
  public boolean pathsHoldValues() {
    return switch (format.keyGenerator()) {
      case SIMPLE, NON_PARTITION, COMPLEX, COMPLEX_WITH_FIELD_NAME -> true;
      case TIMESTAMP, CUSTOM, UNKNOWN -> false;
    };
  }

  /** One text for each key column; null for a null value. */
  private List<String> keyTexts(String recordKey) {
    List<String> texts = new ArrayList<>();
    if (keyFields.length == 0) {
      return texts;
    }
    if (keyFields.length == 1) {
      String prefix = keyFields[0].column() + ":";
      boolean named =
          format.keyGenerator() == KeyGenerator.COMPLEX_WITH_FIELD_NAME
              && recordKey.startsWith(prefix);
      texts.add(named ? recordKey.substring(prefix.length()) : recordKey);
      return texts;
    }
    int at = keyFields[0].column().length() + 1;
    if (!recordKey.startsWith(keyFields[0].column() + ":")) {
      throw noKey(recordKey);
    }
    for (int i = 0; i < keyFields.length; i++) {
      int end = recordKey.length();
      int next = end;
      if (i + 1 < keyFields.length) {
        String separator = "," + keyFields[i + 1].column() + ":";
        end = recordKey.indexOf(separator, at);
        if (end < 0) {
          throw noKey(recordKey);
        }
        next = end + separator.length();
      }
      String text = recordKey.substring(at, end);
      texts.add(
          switch (text) {
            case KeyExtractor.NULL_VALUE -> null;
            case KeyExtractor.EMPTY_VALUE -> "";
            default -> text;
          });
      at = next;
    }
    return texts;
  }

  private HudiTableException noKey(String recordKey) {
    return new HudiTableException(
        "The record key '%s' does not have the form 'column:value,column:value' of the key fields %s. The table was written with other key fields than it declares."
            .formatted(recordKey, schema.recordKeyColumns()));
  }

  /**
   * The values of the partition columns in Flink's internal classes, in the order of {@link
   * TableSchema#partitionColumns()}; null for the default partition.
   *
   * @throws HudiTableException if the path does not have the table's form, or not {@link
   *     #pathsHoldValues()}
   */
  public Object[] partitionValues(String partitionPath) {
    List<String> texts = partitionTexts(partitionPath);
    Object[] values = new Object[texts.size()];
    for (int i = 0; i < values.length; i++) {
      String text = texts.get(i);
      values[i] = text == null ? null : partitionFields[i].parse(text);
    }
    return values;
  }

  /** The same values as text, url-decoded and without {@code column=}; null as above. */
  public List<String> partitionTexts(String partitionPath) {
    if (!pathsHoldValues()) {
      throw new HudiTableException(
          "The key generator of the table is %s: its paths, such as '%s', do not tell the values of %s."
              .formatted(format.keyGenerator(), partitionPath, schema.partitionColumns()));
    }
    List<String> texts = new ArrayList<>();
    if (partitionFields.length == 0) {
      return texts;
    }
    // A single column may hold slashes that were not encoded.
    String[] segments =
        partitionFields.length == 1 ? new String[] {partitionPath} : partitionPath.split("/", -1);
    if (segments.length != partitionFields.length) {
      throw new HudiTableException(
          "The partition path '%s' has %d parts, but the table has the partition fields %s."
              .formatted(partitionPath, segments.length, schema.partitionColumns()));
    }
    for (int i = 0; i < segments.length; i++) {
      texts.add(textOf(segments[i], partitionFields[i].column()));
    }
    return texts;
  }

  private String textOf(String segment, String column) {
    String value = segment;
    if (format.hiveStyle() && value.startsWith(column + "=")) {
      value = value.substring(column.length() + 1);
    }
    if (value.equals(format.defaultPartitionName())) {
      return null;
    }
    return format.urlEncode() ? PathText.unescape(value) : value;
  }
}
