package io.hudilite.core.schema;

import io.hudilite.core.config.HudiTableException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.avro.JsonProperties;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * Avro schemas of tables. A nullable column is the union of null and its type with default null.
 * Names follow Hudi: record {@code hoodie.<table>.<table>_record}, nested records and decimals
 * named after their column in a namespace of their own. Source: AvroConversionUtils of Hudi 1.0.2
 * and files that it wrote.
 */
public final class AvroSchemas {
  private static final Pattern AVRO_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private AvroSchemas() {}

  /**
   * Schema of the table's own columns, as it stands in commits under {@code schema}.
   *
   * @throws HudiTableException as {@link #requireSupported}
   */
  public static Schema toAvro(RowType rowType, String tableName) {
    requireSupported(rowType);
    return tableRecord(rowType, tableName, List.of());
  }

  /**
   * The same with the five meta columns first: the schema of log blocks and base files.
   *
   * @param rowType the table's own columns
   */
  public static Schema toAvroWithMeta(RowType rowType, String tableName) {
    requireSupported(rowType);
    return tableRecord(rowType, tableName, MetaColumns.NAMES);
  }

  /**
   * Schema of rows that do not leave this process: of any columns, meta columns among them, or of
   * none.
   */
  public static Schema toAvroOfColumns(RowType rowType) {
    return record(rowType, "columns", "in_memory", List.of());
  }

  /** The five meta columns, and then the columns of {@code rowType}. */
  public static RowType withMetaColumns(RowType rowType) {
    List<RowType.RowField> fields = new ArrayList<>();
    for (String name : MetaColumns.NAMES) {
      fields.add(new RowType.RowField(name, VarCharType.STRING_TYPE));
    }
    fields.addAll(rowType.getFields());
    return new RowType(rowType.isNullable(), fields);
  }

  /** The columns of {@code rowType} that are not meta columns. */
  public static RowType withoutMetaColumns(RowType rowType) {
    return new RowType(
        rowType.isNullable(),
        rowType.getFields().stream()
            .filter(field -> !MetaColumns.isMetaColumn(field.getName()))
            .toList());
  }

  /**
   * Flink's types for all fields of a record, meta columns included. {@code timestamp-*} becomes
   * TIMESTAMP_LTZ, {@code local-timestamp-*} TIMESTAMP. The way back from {@link #toAvro} is not
   * exact: Avro knows no TINYINT, no CHAR(3), and not which kind of TIMESTAMP a column was.
   *
   * @throws HudiTableException if a field has no type in Flink
   */
  public static RowType toRowType(Schema record) {
    return AvroToFlink.rowType(record);
  }

  /**
   * Bytes of the smallest two's complement number that holds every decimal of a precision: the size
   * of its {@code fixed}.
   */
  public static int decimalBytes(int precision) {
    return BigInteger.TEN.pow(precision).subtract(BigInteger.ONE).bitLength() / 8 + 1;
  }

  /**
   * Checks that Hudi has a place for the name and the type of each column.
   *
   * @param rowType the table's own columns
   * @throws HudiTableException naming column, type, and what to CAST to
   */
  public static void requireSupported(RowType rowType) {
    if (rowType.getFieldCount() == 0) {
      throw new HudiTableException("A table needs at least one column, this one has none.");
    }
    for (RowType.RowField field : rowType.getFields()) {
      if (MetaColumns.isMetaColumn(field.getName())) {
        throw new HudiTableException(
            "Column '%s' has the name of a column that Hudi adds to each table itself. Leave it out"
                    .formatted(field.getName())
                + " of the columns that are written, or rename it.");
      }
    }
    requireFields("", rowType);
  }

  private static void requireFields(String path, RowType rowType) {
    Set<String> seen = new HashSet<>();
    for (RowType.RowField field : rowType.getFields()) {
      String column = path + field.getName();
      if (!AVRO_NAME.matcher(field.getName()).matches()) {
        throw new HudiTableException(
            "Column '%s': Hudi stores schemas in Avro, whose names consist of letters, digits and"
                    .formatted(column)
                + " '_' and do not begin with a digit. Rename the column in the table, and in the"
                + " query with AS.");
      }
      if (!seen.add(field.getName())) {
        throw new HudiTableException("There are two columns '%s'.".formatted(column));
      }
      requireType(column, field.getType());
    }
  }

  private static void requireType(String column, LogicalType type) {
    switch (type.getTypeRoot()) {
      case BOOLEAN,
          TINYINT,
          SMALLINT,
          INTEGER,
          BIGINT,
          FLOAT,
          DOUBLE,
          DECIMAL,
          CHAR,
          VARCHAR,
          BINARY,
          VARBINARY,
          DATE -> {}
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> {
        if (Timestamps.precisionOf(type) > 6) {
          String name =
              type.is(
                      org.apache.flink.table.types.logical.LogicalTypeRoot
                          .TIMESTAMP_WITHOUT_TIME_ZONE)
                  ? "TIMESTAMP"
                  : "TIMESTAMP_LTZ";
          throw refused(column, type, "it keeps at most microseconds", name + "(6)");
        }
      }
      case ARRAY -> requireType(column + "[]", ((ArrayType) type).getElementType());
      case MAP -> {
        MapType map = (MapType) type;
        switch (map.getKeyType().getTypeRoot()) {
          case CHAR, VARCHAR -> {}
          default ->
              throw refused(
                  column,
                  type,
                  "the keys of its maps are strings",
                  "MAP<STRING, " + map.getValueType().asSummaryString() + ">");
        }
        requireType(column + "{}", map.getValueType());
      }
      case ROW -> {
        RowType row = (RowType) type;
        if (row.getFieldCount() == 0) {
          throw refused(column, type, "a row needs at least one field", "STRING");
        }
        requireFields(column + ".", row);
      }
      case TIME_WITHOUT_TIME_ZONE ->
          throw refused(column, type, "it has no time of day that every engine reads", "STRING");
      case TIMESTAMP_WITH_TIME_ZONE ->
          throw refused(column, type, "it keeps no time zone per value", "TIMESTAMP_LTZ(6)");
      case INTERVAL_YEAR_MONTH, INTERVAL_DAY_TIME ->
          throw refused(column, type, "it has no intervals", "BIGINT");
      case MULTISET ->
          throw refused(column, type, "it has no multisets", "STRING or MAP<STRING, INT>");
      case NULL -> throw refused(column, type, "a column needs a type", "STRING");
      case DISTINCT_TYPE ->
          throw refused(column, type, "it has no user-defined types", "the type it is made of");
      case STRUCTURED_TYPE -> throw refused(column, type, "it has no user-defined types", "ROW");
      default -> throw refused(column, type, "it has no place for such values", "STRING or BYTES");
    }
  }

  private static HudiTableException refused(
      String column, LogicalType type, String why, String castTo) {
    return new HudiTableException(
        "Column '%s' has the type %s, which a Hudi table cannot store: %s. Declare it as %s and CAST it in the query."
            .formatted(column, type.asSummaryString(), why, castTo));
  }

  private static Schema tableRecord(RowType rowType, String tableName, List<String> metaColumns) {
    String legal = tableName.replaceAll("[^A-Za-z0-9_]", "_");
    if (legal.isEmpty() || Character.isDigit(legal.charAt(0))) {
      legal = "_" + legal;
    }
    List<Schema.Field> meta = new ArrayList<>();
    for (String name : metaColumns) {
      meta.add(field(name, nullable(Schema.create(Schema.Type.STRING)), true));
    }
    return record(rowType, legal + "_record", "hoodie." + legal, meta);
  }

  private static Schema record(
      RowType rowType, String name, String namespace, List<Schema.Field> first) {
    List<Schema.Field> fields = new ArrayList<>(first);
    for (RowType.RowField field : rowType.getFields()) {
      Schema schema = type(field.getType(), field.getName(), namespace + "." + name);
      fields.add(field(field.getName(), schema, field.getType().isNullable()));
    }
    return Schema.createRecord(name, null, namespace, false, fields);
  }

  private static Schema.Field field(String name, Schema schema, boolean nullable) {
    return nullable
        ? new Schema.Field(name, schema, "", JsonProperties.NULL_VALUE)
        : new Schema.Field(name, schema, "", null);
  }

  private static Schema nullable(Schema schema) {
    return Schema.createUnion(Schema.create(Schema.Type.NULL), schema);
  }

  private static Schema type(LogicalType type, String name, String namespace) {
    Schema schema = notNull(type, name, namespace);
    return type.isNullable() ? nullable(schema) : schema;
  }

  private static Schema notNull(LogicalType type, String name, String namespace) {
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> Schema.create(Schema.Type.BOOLEAN);
      case TINYINT, SMALLINT, INTEGER -> Schema.create(Schema.Type.INT);
      case BIGINT -> Schema.create(Schema.Type.LONG);
      case FLOAT -> Schema.create(Schema.Type.FLOAT);
      case DOUBLE -> Schema.create(Schema.Type.DOUBLE);
      case CHAR, VARCHAR -> Schema.create(Schema.Type.STRING);
      case BINARY, VARBINARY -> Schema.create(Schema.Type.BYTES);
      case DATE -> LogicalTypes.date().addToSchema(Schema.create(Schema.Type.INT));
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> {
        Schema number = Schema.create(Schema.Type.LONG);
        yield switch (Timestamps.storedUnit(type)) {
          case MILLIS -> LogicalTypes.timestampMillis().addToSchema(number);
          case MICROS -> LogicalTypes.timestampMicros().addToSchema(number);
          case NANOS -> throw new IllegalStateException(type + " was accepted");
        };
      }
      case DECIMAL -> {
        DecimalType decimal = (DecimalType) type;
        Schema fixed =
            Schema.createFixed(
                "fixed", null, namespace + "." + name, decimalBytes(decimal.getPrecision()));
        yield LogicalTypes.decimal(decimal.getPrecision(), decimal.getScale()).addToSchema(fixed);
      }
      case ARRAY -> Schema.createArray(type(((ArrayType) type).getElementType(), name, namespace));
      case MAP -> Schema.createMap(type(((MapType) type).getValueType(), name, namespace));
      case ROW -> record((RowType) type, name, namespace, List.of());
      default -> throw new IllegalStateException(type + " was accepted");
    };
  }
}
