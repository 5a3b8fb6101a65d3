package io.hudilite.core.schema;

import io.hudilite.core.config.HudiTableException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
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
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;

/** Flink's types for Avro schemas that other engines wrote. */
final class AvroToFlink {
  private AvroToFlink() {}

  static RowType rowType(Schema record) {
    if (record.getType() != Schema.Type.RECORD) {
      throw new HudiTableException(
          "The schema of a table is an Avro record, but this one is: " + record);
    }
    return row(record, "", new HashSet<>());
  }

  private static RowType row(Schema record, String path, Set<String> within) {
    if (!within.add(record.getFullName())) {
      throw new HudiTableException(
          "Column '%s': Avro record %s contains itself, which no SQL type can say."
              .formatted(path, record.getFullName()));
    }
    List<RowType.RowField> fields = new ArrayList<>();
    for (Schema.Field field : record.getFields()) {
      String column = path.isEmpty() ? field.name() : path + "." + field.name();
      fields.add(new RowType.RowField(field.name(), type(field.schema(), column, within)));
    }
    within.remove(record.getFullName());
    return new RowType(false, fields);
  }

  private static LogicalType type(Schema schema, String column, Set<String> within) {
    org.apache.avro.LogicalType logical = schema.getLogicalType();
    return switch (schema.getType()) {
      case UNION -> {
        List<Schema> others =
            schema.getTypes().stream().filter(t -> t.getType() != Schema.Type.NULL).toList();
        if (others.size() != 1) {
          throw noType(column, schema);
        }
        yield type(others.get(0), column, within).copy(schema.isNullable());
      }
      case BOOLEAN -> new BooleanType(false);
      case INT -> logical instanceof LogicalTypes.Date ? new DateType(false) : new IntType(false);
      case LONG -> ofLong(logical);
      case FLOAT -> new FloatType(false);
      case DOUBLE -> new DoubleType(false);
      case STRING, ENUM -> new VarCharType(false, VarCharType.MAX_LENGTH);
      case BYTES, FIXED ->
          logical instanceof LogicalTypes.Decimal decimal
                  && decimal.getPrecision() <= DecimalType.MAX_PRECISION
              ? new DecimalType(false, decimal.getPrecision(), decimal.getScale())
              : new VarBinaryType(false, VarBinaryType.MAX_LENGTH);
      case ARRAY -> new ArrayType(false, type(schema.getElementType(), column + "[]", within));
      case MAP ->
          new MapType(
              false,
              new VarCharType(false, VarCharType.MAX_LENGTH),
              type(schema.getValueType(), column + "{}", within));
      case RECORD -> row(schema, column, within);
      case NULL -> throw noType(column, schema);
    };
  }

  private static LogicalType ofLong(org.apache.avro.LogicalType logical) {
    String name = logical == null ? "" : logical.getName();
    return switch (name) {
      case "timestamp-millis" -> new LocalZonedTimestampType(false, 3);
      case "timestamp-micros" -> new LocalZonedTimestampType(false, 6);
      case "timestamp-nanos" -> new LocalZonedTimestampType(false, 9);
      case "local-timestamp-millis" -> new TimestampType(false, 3);
      case "local-timestamp-micros" -> new TimestampType(false, 6);
      case "local-timestamp-nanos" -> new TimestampType(false, 9);
      default -> new BigIntType(false);
    };
  }

  private static HudiTableException noType(String column, Schema schema) {
    return new HudiTableException(
        "Column '%s' is %s in Avro, for which SQL has no type. Leave the column out of the table's"
                .formatted(column, schema)
            + " declaration.");
  }
}
