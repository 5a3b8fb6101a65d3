package io.hudilite.core.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Whether a stored config fits what a user declares, and what can be done here. */
final class TableConfigCheck {
  /** Begins the keys that say how partition paths show times. */
  private static final String TIME_PARTITIONS = "hoodie.keygen.timebased.";

  private TableConfigCheck() {}

  static void requireSame(TableConfig stored, Map<String, String> declared, String location) {
    List<String> conflicts = new ArrayList<>();
    compare(conflicts, declared, TableConfig.NAME, stored.tableName());
    compare(conflicts, declared, TableConfig.TYPE, stored.type().name());
    compareFields(conflicts, declared, TableConfig.RECORD_KEY_FIELDS, stored.recordKeyFields());
    compareFields(conflicts, declared, TableConfig.PARTITION_FIELDS, stored.partitionFields());
    String orderingKey =
        given(declared, TableConfig.ORDERING_FIELDS).isPresent()
            ? TableConfig.ORDERING_FIELDS
            : TableConfig.PRECOMBINE_FIELD;
    compareFields(conflicts, declared, orderingKey, stored.orderingFields());
    compare(conflicts, declared, TableConfig.MERGE_MODE, stored.mergeMode().name());
    given(declared, TableConfig.PAYLOAD_CLASS)
        .filter(
            payload ->
                MergeRule.ofPayloadClass(payload)
                    .map(rule -> rule.mode() != stored.mergeMode())
                    .orElseGet(
                        () ->
                            !MergeRule.customClass(payload)
                                .equals(stored.value(TableConfig.PAYLOAD_CLASS))))
        .ifPresent(
            payload ->
                conflicts.add(
                    "'%s' is '%s' in the declaration, but the table's merge mode is %s with '%s'"
                        .formatted(
                            TableConfig.PAYLOAD_CLASS,
                            payload,
                            stored.mergeMode(),
                            stored.value(TableConfig.PAYLOAD_CLASS).orElse(""))));
    compareKeyGenerator(
        conflicts, declared, TableConfig.KEY_GENERATOR_TYPE, stored, KeyGeneratorType::ofType);
    compareKeyGenerator(
        conflicts, declared, TableConfig.KEY_GENERATOR_CLASS, stored, KeyGeneratorType::ofClass);
    for (String key : declared.keySet()) {
      if (key.startsWith(TIME_PARTITIONS)) {
        compare(conflicts, declared, key, stored.value(key).orElse(""));
      }
    }
    compareFlag(
        conflicts, declared, TableConfig.HIVE_STYLE_PARTITIONING, stored.isHiveStylePartitioned());
    compareFlag(
        conflicts, declared, TableConfig.URL_ENCODE_PARTITIONS, stored.isPartitionPathUrlEncoded());
    if (stored.bucketNumber().isPresent()) {
      compare(
          conflicts,
          declared,
          TableConfig.BUCKETS,
          String.valueOf(stored.bucketNumber().getAsInt()));
      compare(conflicts, declared, TableConfig.BUCKET_EXPRESSIONS, stored.bucketExpressions());
      compareFields(conflicts, declared, TableConfig.BUCKET_FIELDS, stored.bucketFields());
    }
    compareFlag(conflicts, declared, TableConfig.CDC_ENABLED, stored.isCdcEnabled());
    if (!conflicts.isEmpty()) {
      throw new HudiTableException(
          ("The declaration does not fit the table at '%s': %s. Declare what is stored (or leave"
                  + " it out, then it is taken from the table), or give another path for a new"
                  + " table.")
              .formatted(location, String.join("; ", conflicts)));
    }
  }

  static void requireWritable(TableConfig stored, String location) {
    if (stored.version() != TableVersion.EIGHT) {
      throw new HudiTableException(
          ("The table at '%s' has version %d; only version 8 can be written here. Upgrade or"
                  + " downgrade it with Hudi's own tools, or write to a new path.")
              .formatted(location, stored.version().number()));
    }
    for (String key :
        List.of(TableConfig.METADATA_PARTITIONS, TableConfig.METADATA_PARTITIONS_INFLIGHT)) {
      Optional<String> partitions = stored.value(key);
      if (partitions.isPresent()) {
        throw new HudiTableException(
            ("The table at '%s' has a metadata table ('%s'='%s'), which is not kept up to date"
                    + " here, so that other engines would not see new files. Switch it off in the"
                    + " table: write once with Hudi and 'hoodie.metadata.enable'='false'.")
                .formatted(location, key, partitions.get()));
      }
    }
    requireWritableMerge(stored, location);
    if (stored.orderingFields().size() > 1) {
      throw new HudiTableException(
          "The table at '%s' has several ordering fields %s; one can be written here."
                  .formatted(location, stored.orderingFields())
              + " Write to a new path with one of them.");
    }
    requireValue(stored, "hoodie.populate.meta.fields", "true", location, "written");
    requireValue(
        stored, "hoodie.datasource.write.drop.partition.columns", "false", location, "written");
    requireValue(stored, "hoodie.table.base.file.format", "PARQUET", location, "written");
  }

  static void requireReadable(TableConfig stored, String location) {
    stored
        .mergeBehavior(); // refuses what it does not know; a class that decides is looked for later
    requireValue(stored, "hoodie.table.base.file.format", "PARQUET", location, "read");
    stored
        .value("hoodie.bootstrap.base.path")
        .ifPresent(
            path -> {
              throw new HudiTableException(
                  ("The table at '%s' takes a part of its rows from '%s' (bootstrap), which cannot"
                          + " be read here. Rewrite the table with Hudi.")
                      .formatted(location, path));
            });
  }

  private static void requireWritableMerge(TableConfig stored, String location) {
    stored.mergeBehavior(); // refuses what it does not know
    stored
        .partialUpdateMode()
        .ifPresent(
            mode -> {
              throw new HudiTableException(
                  ("The table at '%s' cannot be written here: '%s'='%s' fills columns from older"
                          + " rows, which is not known here. Write it with Hudi 1.1 or newer.")
                      .formatted(location, TableConfig.PARTIAL_UPDATE_MODE, mode));
            });
  }

  private static void requireValue(
      TableConfig stored, String key, String value, String location, String done) {
    stored
        .value(key)
        .filter(actual -> !actual.equalsIgnoreCase(value))
        .ifPresent(
            actual -> {
              throw new HudiTableException(
                  "The table at '%s' cannot be %s here: '%s' is '%s', and only '%s' is known."
                          .formatted(location, done, key, actual, value)
                      + " Rewrite the table with Hudi.");
            });
  }

  private static Optional<String> given(Map<String, String> declared, String key) {
    return Optional.ofNullable(declared.get(key)).map(String::trim).filter(text -> !text.isEmpty());
  }

  private static void compare(
      List<String> conflicts, Map<String, String> declared, String key, String stored) {
    given(declared, key)
        .filter(wanted -> !wanted.equalsIgnoreCase(stored))
        .ifPresent(wanted -> conflicts.add(conflict(key, wanted, stored)));
  }

  private static void compareFields(
      List<String> conflicts, Map<String, String> declared, String key, List<String> stored) {
    given(declared, key)
        .filter(wanted -> !withoutKinds(TableConfig.splitFields(wanted)).equals(stored))
        .ifPresent(wanted -> conflicts.add(conflict(key, wanted, String.join(",", stored))));
  }

  private static List<String> withoutKinds(List<String> fields) {
    return fields.stream().map(TableConfig::withoutKeyKind).toList();
  }

  private static void compareFlag(
      List<String> conflicts, Map<String, String> declared, String key, boolean stored) {
    compare(conflicts, declared, key, Boolean.toString(stored).toLowerCase(Locale.ROOT));
  }

  private static void compareKeyGenerator(
      List<String> conflicts,
      Map<String, String> declared,
      String key,
      TableConfig stored,
      java.util.function.Function<String, Optional<KeyGeneratorType>> parser) {
    given(declared, key)
        .filter(wanted -> !parser.apply(wanted).equals(Optional.of(stored.keyGenerator())))
        .ifPresent(wanted -> conflicts.add(conflict(key, wanted, stored.keyGenerator().name())));
  }

  private static String conflict(String key, String wanted, String stored) {
    return "'%s' is '%s' in the declaration, but %s in the table"
        .formatted(key, wanted, stored.isEmpty() ? "not set" : "'" + stored + "'");
  }
}
