package io.hudilite.sql.catalog;

import static java.util.Objects.requireNonNull;

import io.hudilite.sql.HudiDynamicSink;
import io.hudilite.sql.HudiTableFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;

/**
 * Makes sinks and sources of the tables of a catalog: their {@code path} is not among their
 * options, but where the catalog has them.
 */
final class CatalogTableFactory implements DynamicTableSinkFactory, DynamicTableSourceFactory {
  private final HudiTableFactory tables = new HudiTableFactory();
  private final CatalogFolders folders;

  CatalogTableFactory(CatalogFolders folders) {
    this.folders = requireNonNull(folders, "folders");
  }

  @Override
  public String factoryIdentifier() {
    return tables.factoryIdentifier();
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of();
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return tables.optionalOptions();
  }

  @Override
  public DynamicTableSink createDynamicTableSink(Context context) {
    return tables.createDynamicTableSink(withPath(context));
  }

  @Override
  public DynamicTableSource createDynamicTableSource(Context context) {
    return tables.createDynamicTableSource(withPath(context));
  }

  /** The sink of a table that may not be there yet; complains of all that is wrong with it. */
  HudiDynamicSink sinkOf(ObjectIdentifier name, ResolvedCatalogTable table) {
    return (HudiDynamicSink)
        createDynamicTableSink(
            new FactoryUtil.DefaultDynamicTableContext(
                name,
                table,
                Map.of(),
                new Configuration(),
                Thread.currentThread().getContextClassLoader(),
                false));
  }

  private Context withPath(Context context) {
    ResolvedCatalogTable table = context.getCatalogTable();
    Map<String, String> options = new HashMap<>(table.getOptions());
    options.put("path", folders.pathOf(context.getObjectIdentifier().toObjectPath()));
    return new FactoryUtil.DefaultDynamicTableContext(
        context.getObjectIdentifier(),
        table.copy(options),
        context.getEnrichmentOptions(),
        context.getConfiguration(),
        context.getClassLoader(),
        context.isTemporary());
  }
}
