package io.hudilite.sql.catalog;

import io.hudilite.core.schema.ColumnChanges;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.table.StoredOptions;
import io.hudilite.sql.HudiTableFactory;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.UniqueConstraint;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;
import org.apache.flink.table.types.utils.TypeConversions;

/**
 * Between a table and what Flink knows of it. The columns, key and partition columns are those of
 * the table; from the options come only those that it has no place for.
 */
final class TableTranslation {
  private TableTranslation() {}

  /** What Flink is told of a table. */
  static CatalogTable toFlink(HudiTable table, StoredOptions stored) throws IOException {
    Map<String, LogicalType> columns = columns(table, stored);
    List<String> key = ifColumns(table.config().recordKeyFields(), columns.keySet());
    Schema.Builder schema = Schema.newBuilder();
    addColumns(schema, columns, stored.ddl());
    if (!key.isEmpty()) {
      if (stored.keyName().isPresent()) {
        schema.primaryKeyNamed(stored.keyName().get(), key);
      } else {
        schema.primaryKey(key);
      }
    }
    Map<String, String> options = new HashMap<>(stored.options());
    options.put("connector", HudiTableFactory.IDENTIFIER);
    return CatalogTable.newBuilder()
        .schema(schema.build())
        .comment(stored.comment().orElse(null))
        .partitionKeys(ifColumns(table.config().partitionFields(), columns.keySet()))
        .options(options)
        .build();
  }

  /**
   * The stored columns as Flink sees them, by name in the order of the table: those of the key hold
   * no nulls, and types are as they were declared.
   */
  static Map<String, LogicalType> columns(HudiTable table, StoredOptions stored)
      throws IOException {
    RowType own = table.schema().rowType();
    List<String> key = ifColumns(table.config().recordKeyFields(), own.getFieldNames());
    Map<String, LogicalType> declared = declaredTypes(stored.ddl());
    Map<String, LogicalType> columns = new LinkedHashMap<>();
    for (RowType.RowField field : own.getFields()) {
      LogicalType type =
          stored.isOfHudisCatalog()
              ? asHudisCatalog(field.getType())
              : declaredOr(field.getType(), declared.get(field.getName()));
      columns.put(field.getName(), key.contains(field.getName()) ? type.copy(false) : type);
    }
    return columns;
  }

  /** None if one of the fields is no column of its own. */
  static List<String> ifColumns(List<String> fields, Collection<String> columns) {
    return columns.containsAll(fields) ? fields : List.of();
  }

  /** In the order of the DDL, and among them those that are made of others. */
  private static void addColumns(
      Schema.Builder schema, Map<String, LogicalType> columns, Map<String, String> ddl) {
    Map<String, DataType> left = new LinkedHashMap<>();
    columns.forEach((name, type) -> left.put(name, TypeConversions.fromLogicalToDataType(type)));
    if (!ddl.isEmpty()) {
      Schema declared = CatalogTable.fromProperties(ddl).getUnresolvedSchema();
      for (Schema.UnresolvedColumn column : declared.getColumns()) {
        if (column instanceof Schema.UnresolvedPhysicalColumn) {
          DataType type = left.remove(column.getName());
          if (type != null) {
            schema.column(column.getName(), type);
            column.getComment().ifPresent(schema::withComment);
          }
        } else {
          schema.fromColumns(List.of(column));
        }
      }
      for (Schema.UnresolvedWatermarkSpec watermark : declared.getWatermarkSpecs()) {
        schema.watermark(watermark.getColumnName(), watermark.getWatermarkExpression());
      }
    }
    left.forEach(schema::column);
  }

  /**
   * The declared type, which may say more than the stored one: {@code SMALLINT}, {@code
   * VARCHAR(5)}, {@code TIMESTAMP(3)}; but the stored one, if the column was changed since.
   */
  private static LogicalType declaredOr(LogicalType stored, @Nullable LogicalType declared) {
    return declared != null && ColumnChanges.isStoredAs(stored, declared)
        ? declared.copy(stored.isNullable())
        : stored;
  }

  /** By name of the column. */
  private static Map<String, LogicalType> declaredTypes(Map<String, String> ddl) {
    Map<String, LogicalType> types = new HashMap<>();
    ddl.forEach(
        (key, text) -> {
          if (key.matches("schema\\.\\d+\\.data-type")) {
            types.put(
                ddl.get(key.replace(".data-type", ".name")),
                LogicalTypeParser.parse(text, TableTranslation.class.getClassLoader()));
          }
        });
    return types;
  }

  /** Hudi's connector for Flink stores {@code TIMESTAMP} where Spark stores instants. */
  private static LogicalType asHudisCatalog(LogicalType type) {
    return type instanceof LocalZonedTimestampType instant
        ? new TimestampType(type.isNullable(), instant.getPrecision())
        : type;
  }

  /** What is to be kept of a table's declaration. */
  static StoredOptions toStored(ResolvedCatalogTable table) {
    Map<String, String> options = new HashMap<>(table.getOptions());
    options.remove("connector");
    options.remove("path");
    String comment = table.getComment();
    return new StoredOptions(
        options,
        Optional.ofNullable(comment).filter(text -> !text.isEmpty()),
        table.getResolvedSchema().getPrimaryKey().map(UniqueConstraint::getName),
        schemaProperties(table),
        false);
  }

  private static Map<String, String> schemaProperties(ResolvedCatalogTable table) {
    Map<String, String> properties = new TreeMap<>();
    table
        .toProperties()
        .forEach(
            (key, value) -> {
              if (key.startsWith("schema.")) {
                properties.put(key, value);
              }
            });
    return properties;
  }

  static List<String> keyColumns(ResolvedCatalogTable table) {
    return table
        .getResolvedSchema()
        .getPrimaryKey()
        .map(UniqueConstraint::getColumns)
        .orElse(List.of());
  }
}
