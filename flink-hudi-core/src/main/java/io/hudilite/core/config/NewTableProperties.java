package io.hudilite.core.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Completes what a user wants of a new table to all that readers of a table of version 8 need.
 * Source: the properties that Hudi 1.0.2 writes on CREATE TABLE.
 */
final class NewTableProperties {
  private static final Map<String, String> ALWAYS =
      Map.ofEntries(
          Map.entry(TableConfig.VERSION, "8"),
          Map.entry("hoodie.table.initial.version", "8"),
          Map.entry("hoodie.timeline.layout.version", "2"),
          Map.entry("hoodie.timeline.path", "timeline"),
          Map.entry("hoodie.timeline.history.path", "history"),
          Map.entry("hoodie.archivelog.folder", "history"),
          Map.entry(TableConfig.TIMELINE_ZONE, "UTC"),
          Map.entry("hoodie.table.base.file.format", "PARQUET"),
          Map.entry("hoodie.table.multiple.base.file.formats.enable", "false"),
          Map.entry("hoodie.populate.meta.fields", "true"),
          Map.entry("hoodie.partition.metafile.use.base.format", "false"),
          Map.entry("hoodie.datasource.write.drop.partition.columns", "false"));

  private NewTableProperties() {}

  static Map<String, String> complete(Map<String, String> wanted, String location) {
    Map<String, String> result = new TreeMap<>();
    wanted.forEach(
        (key, value) -> {
          if (!value.isBlank()) {
            result.put(key, value.trim());
          }
        });
    if (!result.containsKey(TableConfig.NAME)) {
      throw new HudiTableException(
          "A new table at '%s' needs a name. Set 'hoodie.table.name'.".formatted(location));
    }
    ALWAYS.forEach((key, value) -> putAlways(result, key, value, location));
    result.put(
        TableConfig.TYPE,
        result
            .getOrDefault(TableConfig.TYPE, TableType.COPY_ON_WRITE.name())
            .toUpperCase(Locale.ROOT));
    result.putIfAbsent(TableConfig.HIVE_STYLE_PARTITIONING, "false");
    result.putIfAbsent(TableConfig.URL_ENCODE_PARTITIONS, "false");
    result.putIfAbsent(TableConfig.CDC_ENABLED, "false");
    putOrderingField(result, location);
    putMergeRule(result, location);
    putKeyGenerator(result, location);
    refuseMetadataTable(result, location);
    result.put(
        TableConfig.CHECKSUM,
        TableConfig.checksumOf(
            result.getOrDefault(TableConfig.DATABASE_NAME, ""), result.get(TableConfig.NAME)));
    return result;
  }

  private static void putAlways(
      Map<String, String> result, String key, String value, String location) {
    String asked = result.put(key, value);
    if (asked != null && !asked.equalsIgnoreCase(value)) {
      throw new HudiTableException(
          "'%s'='%s' is not possible for a new table at '%s': it is always '%s'. Leave it out."
              .formatted(key, asked, location, value));
    }
  }

  /** Hudi 1.0 knows only the older key, and reads wrong rows without a word if it is missing. */
  private static void putOrderingField(Map<String, String> result, String location) {
    String named = result.remove(TableConfig.ORDERING_FIELDS);
    if (named == null) {
      named = result.get(TableConfig.PRECOMBINE_FIELD);
    }
    if (named == null) {
      return;
    }
    List<String> fields = TableConfig.splitFields(named);
    if (fields.size() > 1) {
      throw new HudiTableException(
          ("Several ordering fields %s for '%s': a table of version 8 has one."
                  + " Name one in 'ordering.fields'.")
              .formatted(fields, location));
    }
    result.put(TableConfig.PRECOMBINE_FIELD, fields.get(0));
  }

  private static void putMergeRule(Map<String, String> result, String location) {
    boolean ordered = result.containsKey(TableConfig.PRECOMBINE_FIELD);
    Optional<String> payload = Optional.ofNullable(result.get(TableConfig.PAYLOAD_CLASS));
    Optional<MergeRule> byPayload = payload.flatMap(MergeRule::ofPayloadClass);
    if (payload.isPresent() && byPayload.isEmpty()) {
      putCustomRule(result, payload.get(), location);
      return;
    }
    Optional<MergeMode> mode =
        Optional.ofNullable(result.get(TableConfig.MERGE_MODE)).map(text -> modeOf(text, location));
    MergeRule rule =
        mode.isPresent()
            ? MergeRule.ofMode(mode.get())
                .orElseThrow(() -> new HudiTableException(unknownMode("CUSTOM", location)))
            : byPayload.orElse(ordered ? MergeRule.EVENT_TIME : MergeRule.COMMIT_TIME);
    if (byPayload.isPresent() && byPayload.get() != rule) {
      throw new HudiTableException(
          "'%s' is %s, but the payload class '%s' of '%s' means %s. Leave one of the two out."
              .formatted(
                  TableConfig.MERGE_MODE,
                  rule.mode(),
                  payload.get(),
                  location,
                  byPayload.get().mode()));
    }
    if (rule == MergeRule.EVENT_TIME && !ordered) {
      throw new HudiTableException(
          ("The merge mode of '%s' is EVENT_TIME_ORDERING, but there is no ordering field. Set"
                  + " 'ordering.fields' to a column, or the merge mode to COMMIT_TIME_ORDERING.")
              .formatted(location));
    }
    result.put(TableConfig.MERGE_MODE, rule.mode().name());
    result.put(TableConfig.MERGE_STRATEGY_ID, rule.strategyId());
    result.put(TableConfig.PAYLOAD_CLASS, rule.payloadClass());
  }

  private static void putCustomRule(Map<String, String> result, String payload, String location) {
    String className =
        MergeRule.customClass(payload)
            .orElseThrow(
                () ->
                    new HudiTableException(
                        ("The payload class '%s' of '%s' is not known here. Use one of"
                                + " DefaultHoodieRecordPayload, OverwriteWithLatestAvroPayload,"
                                + " OverwriteNonDefaultsWithLatestAvroPayload,"
                                + " PartialUpdateAvroPayload, FirstValueAvroPayload, or the whole"
                                + " name of a class of yours.")
                            .formatted(payload, location)));
    String mode = result.getOrDefault(TableConfig.MERGE_MODE, MergeMode.CUSTOM.name());
    if (!mode.equalsIgnoreCase(MergeMode.CUSTOM.name())) {
      throw new HudiTableException(
          "'%s' is %s, but the payload class '%s' of '%s' means CUSTOM. Leave one of the two out."
              .formatted(TableConfig.MERGE_MODE, mode, payload, location));
    }
    result.put(TableConfig.MERGE_MODE, MergeMode.CUSTOM.name());
    result.put(TableConfig.MERGE_STRATEGY_ID, MergeRule.PAYLOAD_BASED);
    result.put(TableConfig.PAYLOAD_CLASS, className);
    String simple = className.substring(className.lastIndexOf('.') + 1);
    boolean needsOrder =
        simple.equals("PartialUpdateAvroPayload") || simple.equals("FirstValueAvroPayload");
    if (needsOrder && !result.containsKey(TableConfig.PRECOMBINE_FIELD)) {
      throw new HudiTableException(
          "The payload class '%s' of '%s' needs an ordering field. Set 'ordering.fields' to a column."
              .formatted(simple, location));
    }
  }

  private static MergeMode modeOf(String text, String location) {
    return Arrays.stream(MergeMode.values())
        .filter(mode -> mode.name().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(() -> new HudiTableException(unknownMode(text, location)));
  }

  private static String unknownMode(String text, String location) {
    return "The merge mode '%s' of '%s' is not possible here. Use EVENT_TIME_ORDERING or"
            .formatted(text, location)
        + " COMMIT_TIME_ORDERING.";
  }

  private static void putKeyGenerator(Map<String, String> result, String location) {
    String className = result.remove(TableConfig.KEY_GENERATOR_CLASS);
    String typeName = result.get(TableConfig.KEY_GENERATOR_TYPE);
    KeyGeneratorType type;
    if (typeName == null && className == null) {
      type =
          KeyGeneratorType.inferred(
              TableConfig.splitFields(result.getOrDefault(TableConfig.RECORD_KEY_FIELDS, ""))
                  .size(),
              TableConfig.splitFields(result.getOrDefault(TableConfig.PARTITION_FIELDS, ""))
                  .size());
    } else {
      type =
          (className == null
                  ? KeyGeneratorType.ofType(typeName)
                  : KeyGeneratorType.ofClass(className))
              .orElseThrow(
                  () ->
                      new HudiTableException(
                          "The key generator '%s' of '%s' is not known here; known are %s."
                              .formatted(
                                  className == null ? typeName : className,
                                  location,
                                  Arrays.toString(KeyGeneratorType.values()))));
    }
    result.put(TableConfig.KEY_GENERATOR_TYPE, type.name());
  }

  private static void refuseMetadataTable(Map<String, String> result, String location) {
    for (String key :
        List.of(TableConfig.METADATA_PARTITIONS, TableConfig.METADATA_PARTITIONS_INFLIGHT)) {
      if (result.containsKey(key)) {
        throw new HudiTableException(
            ("'%s'='%s' is not possible for a new table at '%s': no metadata table is written"
                    + " here. Leave it out.")
                .formatted(key, result.get(key), location));
      }
    }
  }
}
