package io.hudilite.sql;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.schema.ColumnChanges;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.sink.config.SinkConfig;
import io.hudilite.sql.KnownOption.Concerns;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.logical.LogicalTypeFamily;

/**
 * Makes sinks and sources of tables with {@code 'connector'='hudi-lite'}. All that can be known to
 * be wrong before a job runs is refused here: options, columns, and a table at the path that is
 * another one than declared.
 */
public final class HudiTableFactory implements DynamicTableSinkFactory, DynamicTableSourceFactory {
  public static final String IDENTIFIER = "hudi-lite";

  private static final String BUILT_IN_DATABASE = "default_database";

  @Override
  public String factoryIdentifier() {
    return IDENTIFIER;
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of(TableOptions.PATH);
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    Set<ConfigOption<?>> optional = new HashSet<>(OptionCatalog.instance().configOptions());
    optional.remove(TableOptions.PATH);
    return Set.copyOf(optional);
  }

  /**
   * @throws HudiTableException if the table cannot be written as declared
   */
  @Override
  public DynamicTableSink createDynamicTableSink(Context context) {
    ResolvedCatalogTable ddl = context.getCatalogTable();
    String table = context.getObjectIdentifier().asSummaryString();
    EffectiveOptions options = EffectiveOptions.of(table, ddl.getOptions(), Concerns.WRITERS);
    String path = pathOf(options);
    WritablePath.requireFolder(table, path);
    Optional<StoredTable> stored = StoredTable.at(path);
    TableDeclaration declared =
        TableDeclaration.of(ddl.getResolvedSchema(), ddl.getPartitionKeys(), options, stored);
    if (stored.isPresent()) {
      stored.get().config().requireSame(declared.properties(), path);
      stored.get().config().requireWritable(path);
      ColumnComparison.requireWritable(
          table,
          declared.schema().rowType(),
          stored.get().columns(),
          stored.get().config().fieldsWithRoles());
    } else {
      WritablePath.requireUnused(table, path);
    }
    SinkConfig config = SinkSettings.of(options, declared, stored);
    TableSchema schema = declared.schema();
    if (stored.isPresent()) {
      schema =
          new TableSchema(
              new ColumnChanges(stored.get().columns(), schema.rowType())
                  .declaredWithNullabilityOfTable(),
              schema.recordKeyColumns(),
              schema.partitionColumns(),
              schema.orderingColumns());
    }
    return new HudiDynamicSink(
        options,
        path,
        tableName(options, context.getObjectIdentifier(), stored),
        declared,
        schema,
        tableProperties(options, context.getObjectIdentifier(), declared, stored),
        config,
        context.getConfiguration());
  }

  /**
   * @throws HudiTableException if there is no such table, or it cannot be read as declared
   */
  @Override
  public DynamicTableSource createDynamicTableSource(Context context) {
    ResolvedCatalogTable ddl = context.getCatalogTable();
    String table = context.getObjectIdentifier().asSummaryString();
    EffectiveOptions options = EffectiveOptions.of(table, ddl.getOptions(), Concerns.READERS);
    FactoryUtil.validateWatermarkOptions(IDENTIFIER, Configuration.fromMap(ddl.getOptions()));
    String path = pathOf(options);
    ReadSettings settings = ReadSettings.of(options);
    Optional<StoredTable> stored = StoredTable.at(path);
    ResolvedSchema resolved = ddl.getResolvedSchema();
    TableDeclaration declared =
        TableDeclaration.of(resolved, ddl.getPartitionKeys(), options, stored);
    if (stored.isPresent()) {
      TableConfig config = stored.get().config();
      config.requireSame(declared.properties(), path);
      config.requireReadable(path);
      ColumnComparison.requireReadable(table, declared.schema().rowType(), stored.get().columns());
    } else if (!settings.isStreaming() || StoredTable.isOccupied(path)) {
      throw new HudiTableException(
          "Table %s: there is no table at 'path'='%s' (no .hoodie/hoodie.properties).%s Check the path; if it is right, write to the table first."
              .formatted(
                  table,
                  path,
                  StoredTable.near(path).map(" There is one at '%s'."::formatted).orElse("")));
    }
    requireTextsInMetaColumns(table, resolved);
    List<String> key =
        stored
            .map(is -> is.config().recordKeyFields())
            .orElse(declared.schema().recordKeyColumns());
    if (settings.isStreaming() && resolved.getPrimaryKey().isEmpty() && !key.isEmpty()) {
      throw new HudiTableException(
          "Table %s has the key %s, so a streaming read gives changes of rows, which Flink can only follow by a PRIMARY KEY. Declare PRIMARY KEY (%s) NOT ENFORCED."
              .formatted(table, key, String.join(", ", key)));
    }
    return new HudiDynamicSource(
        options, path, stored.map(StoredTable::config), declared.schema(), settings);
  }

  private static void requireTextsInMetaColumns(String table, ResolvedSchema ddl) {
    for (Column column : ddl.getColumns()) {
      if (column instanceof Column.MetadataColumn meta
          && !meta.getDataType().getLogicalType().is(LogicalTypeFamily.CHARACTER_STRING)) {
        String name = meta.getName();
        throw new HudiTableException(
            "Table %s: the meta column '%s' is %s in the DDL, but meta columns are texts. Declare it as STRING; a commit time becomes a time by TO_TIMESTAMP(%s, 'yyyyMMddHHmmssSSS')."
                .formatted(table, name, meta.getDataType(), name));
      }
    }
  }

  private static String pathOf(EffectiveOptions options) {
    String path =
        options
            .given(TableOptions.PATH)
            .orElseThrow(
                () ->
                    new HudiTableException(
                        "Table %s has no 'path'. Set it to the folder of the table, such as file:///data/orders."
                            .formatted(options.table())));
    WholePath.require("Table " + options.table(), TableOptions.PATH.key(), path);
    return path;
  }

  private static String tableName(
      EffectiveOptions options, ObjectIdentifier identifier, Optional<StoredTable> stored) {
    return stored
        .map(is -> is.config().tableName())
        .or(() -> options.given(TableOptions.TABLE_NAME))
        .orElseGet(() -> identifier.getObjectName().replaceAll("[^A-Za-z0-9_]", "_"));
  }

  private static Map<String, String> tableProperties(
      EffectiveOptions options,
      ObjectIdentifier identifier,
      TableDeclaration declared,
      Optional<StoredTable> stored) {
    Map<String, String> properties = new HashMap<>(declared.properties());
    // Flink's built-in database says nothing of the table, and Hudi 1.0.2 on Spark registers no
    // table whose database has another name than its own.
    if (stored.isEmpty() && !identifier.getDatabaseName().equals(BUILT_IN_DATABASE)) {
      properties.putIfAbsent(TableConfig.DATABASE_NAME, identifier.getDatabaseName());
    }
    return properties;
  }
}
