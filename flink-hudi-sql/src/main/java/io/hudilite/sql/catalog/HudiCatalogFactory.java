package io.hudilite.sql.catalog;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.sql.HudiTableFactory;
import io.hudilite.sql.WholePath;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.catalog.Catalog;
import org.apache.flink.table.factories.CatalogFactory;
import org.apache.flink.table.factories.FactoryUtil;

/** Makes catalogs: {@code CREATE CATALOG c WITH ('type'='hudi-lite', 'catalog.path'='…')}. */
public final class HudiCatalogFactory implements CatalogFactory {
  /** Folder that holds the folders of the databases. */
  public static final ConfigOption<String> CATALOG_PATH =
      ConfigOptions.key("catalog.path")
          .stringType()
          .noDefaultValue()
          .withDescription("Folder that holds a folder for each database.");

  /** Database that is there without having been created. */
  public static final ConfigOption<String> DEFAULT_DATABASE =
      ConfigOptions.key("default-database")
          .stringType()
          .defaultValue("default")
          .withDescription("Database that is there without having been created.");

  /** Hudi's: only its folder based catalog is one of ours. */
  public static final ConfigOption<String> MODE =
      ConfigOptions.key("mode")
          .stringType()
          .defaultValue("dfs")
          .withDescription("Accepted for Hudi's sake: dfs is the only mode.");

  @Override
  public String factoryIdentifier() {
    return HudiTableFactory.IDENTIFIER;
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of(CATALOG_PATH);
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of(DEFAULT_DATABASE, MODE);
  }

  @Override
  public Catalog createCatalog(Context context) {
    FactoryUtil.CatalogFactoryHelper helper = FactoryUtil.createCatalogFactoryHelper(this, context);
    helper.validate();
    String mode = helper.getOptions().get(MODE);
    if (!mode.equalsIgnoreCase("dfs")) {
      throw new HudiTableException(
          "Catalog %s: 'mode'='%s' is not possible: this catalog keeps all in folders. Leave 'mode' out, or use a catalog of Hive beside this one."
              .formatted(context.getName(), mode));
    }
    String path = helper.getOptions().get(CATALOG_PATH);
    WholePath.require("Catalog " + context.getName(), CATALOG_PATH.key(), path);
    return new HudiCatalog(context.getName(), helper.getOptions().get(DEFAULT_DATABASE), path);
  }
}
