package io.hudilite.core.config;

import java.util.Map;
import java.util.TreeMap;

/** Puts the config of a new table together. Not safe for use by several threads. */
public final class TableConfigBuilder {
  private final Map<String, String> properties = new TreeMap<>();

  TableConfigBuilder(String tableName, TableType type) {
    properties.put(TableConfig.NAME, tableName);
    properties.put(TableConfig.TYPE, type.name());
  }

  public TableConfigBuilder databaseName(String name) {
    return property(TableConfig.DATABASE_NAME, name);
  }

  public TableConfigBuilder recordKeyFields(String... names) {
    return property(TableConfig.RECORD_KEY_FIELDS, String.join(",", names));
  }

  public TableConfigBuilder partitionFields(String... names) {
    return property(TableConfig.PARTITION_FIELDS, String.join(",", names));
  }

  /** Also makes the merge mode EVENT_TIME_ORDERING, unless it is set. */
  public TableConfigBuilder orderingField(String name) {
    return property(TableConfig.PRECOMBINE_FIELD, name);
  }

  public TableConfigBuilder mergeMode(MergeMode mode) {
    return property(TableConfig.MERGE_MODE, mode.name());
  }

  public TableConfigBuilder hiveStylePartitioning() {
    return property(TableConfig.HIVE_STYLE_PARTITIONING, "true");
  }

  public TableConfigBuilder createSchema(String avroSchemaJson) {
    return property(TableConfig.CREATE_SCHEMA, avroSchemaJson);
  }

  /** Any other Hudi property. */
  public TableConfigBuilder property(String key, String value) {
    properties.put(key, value);
    return this;
  }

  public TableConfig build() {
    return TableConfig.forNewTable(properties, properties.get(TableConfig.NAME));
  }
}
