package io.hudilite.core.merge;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * Values that stand for "not given" in columns that were declared with a default in Avro, as other
 * engines may create a table: a text, a number or a truth value. In all other columns null does.
 * Source: Hudi 1.0.2 OverwriteNonDefaultsWithLatestAvroPayload.overwriteField.
 */
public final class ColumnDefaults {
  /** Null everywhere. */
  public static final ColumnDefaults NULLS = new ColumnDefaults(Map.of());

  /** Fields with such a default, by name. */
  private final Map<String, Schema.Field> fields;

  private ColumnDefaults(Map<String, Schema.Field> fields) {
    this.fields = requireNonNull(fields, "fields");
  }

  /**
   * Those of a table.
   *
   * @param createSchema Avro schema that the table was created with, if it says so
   */
  public static ColumnDefaults of(Optional<String> createSchema) {
    if (createSchema.isEmpty()) {
      return NULLS;
    }
    Map<String, Schema.Field> fields = new HashMap<>();
    for (Schema.Field field : new Schema.Parser().parse(createSchema.get()).getFields()) {
      if (field.hasDefaultValue() && !JsonProperties.NULL_VALUE.equals(field.defaultVal())) {
        fields.put(field.name(), field);
      }
    }
    return fields.isEmpty() ? NULLS : new ColumnDefaults(fields);
  }

  /**
   * The default as it stands in rows.
   *
   * @param type of the column, as it is read
   * @return null if null stands for "not given"
   */
  @Nullable
  Object of(String column, LogicalType type) {
    Schema.Field field = fields.get(column);
    if (field == null) {
      return null;
    }
    Object value = field.defaultVal();
    return switch (type.getTypeRoot()) {
      case CHAR, VARCHAR -> value instanceof String text ? StringData.fromString(text) : null;
      case BOOLEAN -> value instanceof Boolean ? value : null;
      case TINYINT -> value instanceof Number number ? number.byteValue() : null;
      case SMALLINT -> value instanceof Number number ? number.shortValue() : null;
      case INTEGER, DATE -> value instanceof Number number ? number.intValue() : null;
      case BIGINT -> value instanceof Number number ? number.longValue() : null;
      case FLOAT -> value instanceof Number number ? number.floatValue() : null;
      case DOUBLE -> value instanceof Number number ? number.doubleValue() : null;
      default -> null;
    };
  }

  /**
   * A schema of the same table with its defaults, so that the next reader knows them, too: each
   * column that has one keeps it, and with it the place of null in its union.
   */
  public Schema in(Schema schema) {
    if (fields.isEmpty()) {
      return schema;
    }
    List<Schema.Field> all = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      Schema.Field stored = fields.get(field.name());
      all.add(
          stored == null
              ? new Schema.Field(field, field.schema())
              : new Schema.Field(
                  field.name(),
                  field.schema().isNullable() ? valueFirst(field.schema()) : field.schema(),
                  field.doc(),
                  stored.defaultVal()));
    }
    return Schema.createRecord(
        schema.getName(), schema.getDoc(), schema.getNamespace(), false, all);
  }

  /** The default of a union is one of its first type. */
  private static Schema valueFirst(Schema union) {
    List<Schema> types = new ArrayList<>(union.getTypes());
    types.sort((a, b) -> Boolean.compare(a.isNullable(), b.isNullable()));
    return Schema.createUnion(types);
  }
}
