package io.hudilite.core.config;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;

/**
 * The table config {@code hoodie.properties}, typed. Immutable. Reads table versions 6, 8 and 9 and
 * makes version 8. Source: Hudi 1.0.2 HoodieTableConfig.
 */
public final class TableConfig {
  public static final String NAME = "hoodie.table.name";
  public static final String DATABASE_NAME = "hoodie.database.name";
  public static final String CHECKSUM = "hoodie.table.checksum";
  public static final String TYPE = "hoodie.table.type";
  public static final String VERSION = "hoodie.table.version";
  public static final String RECORD_KEY_FIELDS = "hoodie.table.recordkey.fields";
  public static final String PARTITION_FIELDS = "hoodie.table.partition.fields";

  /** Version 8's name of the ordering field; the only one that Hudi 1.0 knows. */
  public static final String PRECOMBINE_FIELD = "hoodie.table.precombine.field";

  /** Version 9's name of the ordering fields; in any version it counts before the older name. */
  public static final String ORDERING_FIELDS = "hoodie.table.ordering.fields";

  public static final String MERGE_MODE = "hoodie.record.merge.mode";
  public static final String MERGE_STRATEGY_ID = "hoodie.record.merge.strategy.id";
  public static final String PAYLOAD_CLASS = "hoodie.compaction.payload.class";
  public static final String KEY_GENERATOR_TYPE = "hoodie.table.keygenerator.type";
  public static final String KEY_GENERATOR_CLASS = "hoodie.table.keygenerator.class";
  public static final String HIVE_STYLE_PARTITIONING =
      "hoodie.datasource.write.hive_style_partitioning";
  public static final String URL_ENCODE_PARTITIONS =
      "hoodie.datasource.write.partitionpath.urlencode";
  public static final String CREATE_SCHEMA = "hoodie.table.create.schema";
  public static final String TIMELINE_ZONE = "hoodie.table.timeline.timezone";
  public static final String METADATA_PARTITIONS = "hoodie.table.metadata.partitions";
  public static final String METADATA_PARTITIONS_INFLIGHT =
      "hoodie.table.metadata.partitions.inflight";
  public static final String PARTIAL_UPDATE_MODE = "hoodie.table.partial.update.mode";

  /** Of tables that were made here with a bucket index, as the three after it. */
  public static final String INDEX_TYPE = "hoodie.index.type";

  public static final String BUCKETS = "hoodie.bucket.index.num.buckets";
  public static final String BUCKET_FIELDS = "hoodie.bucket.index.hash.field";
  public static final String BUCKET_EXPRESSIONS = "hoodie.bucket.index.partition.expressions";

  public static final String CDC_ENABLED = "hoodie.table.cdc.enabled";

  private final Map<String, String> properties;
  private final TableVersion version;
  private final TableType type;
  private final MergeMode mergeMode;
  private final List<String> recordKeyFields;
  private final List<String> partitionFields;
  private final List<String> orderingFields;
  private final KeyGeneratorType keyGenerator;
  private final ZoneId timelineZone;

  private TableConfig(Map<String, String> properties, String location) {
    this.properties = Map.copyOf(properties);
    this.version = readVersion(location);
    if (!properties.containsKey(NAME)) {
      throw new HudiTableException(
          "The table config of '%s' has no '%s'. Add the table's name to .hoodie/hoodie.properties."
              .formatted(location, NAME));
    }
    requireChecksum(location);
    this.type = readEnum(TableType.class, TYPE, TableType.COPY_ON_WRITE, location);
    this.recordKeyFields = fields(RECORD_KEY_FIELDS);
    this.partitionFields =
        fields(PARTITION_FIELDS).stream().map(TableConfig::withoutKeyKind).toList();
    List<String> ordering = fields(ORDERING_FIELDS);
    this.orderingFields = ordering.isEmpty() ? fields(PRECOMBINE_FIELD) : ordering;
    this.mergeMode = readMergeMode(location);
    this.keyGenerator = readKeyGenerator(location);
    this.timelineZone =
        "UTC".equalsIgnoreCase(properties.getOrDefault(TIMELINE_ZONE, "LOCAL"))
            ? ZoneOffset.UTC
            : ZoneId.systemDefault();
  }

  /**
   * Reads {@code hoodie.properties}.
   *
   * @param location the table's base path, for messages
   * @throws HudiTableException if the version is not 6, 8 or 9, the checksum is wrong, or a value
   *     is unknown
   */
  public static TableConfig parse(byte[] content, String location) {
    Map<String, String> properties;
    try {
      properties = PropertiesCodec.decode(content);
    } catch (IllegalArgumentException e) {
      throw new HudiTableException(
          "The table config of '%s' is no Java properties file: %s. Restore .hoodie/hoodie.properties."
              .formatted(location, e.getMessage()),
          e);
    }
    return new TableConfig(properties, location);
  }

  /**
   * The config of a new table of version 8: the given Hudi properties, completed with all that
   * other engines need.
   *
   * @throws HudiTableException if the properties contradict each other
   */
  public static TableConfig forNewTable(Map<String, String> wanted, String location) {
    return new TableConfig(NewTableProperties.complete(wanted, location), location);
  }

  /** A builder for a new table of version 8. */
  public static TableConfigBuilder newTable(String tableName, TableType type) {
    return new TableConfigBuilder(tableName, type);
  }

  /**
   * Compares with what a user declares, so that one table never gets two meanings.
   *
   * @param declared Hudi properties that the user gave; what is absent is taken from the table
   * @throws HudiTableException that shows both values and the way out
   */
  public void requireSame(Map<String, String> declared, String location) {
    TableConfigCheck.requireSame(this, declared, location);
  }

  /**
   * Checks that hudi-lite can write this table.
   *
   * @throws HudiTableException if this table cannot be written here: it is not of version 8, has a
   *     metadata table, or a merge rule that is not known here
   */
  public void requireWritable(String location) {
    TableConfigCheck.requireWritable(this, location);
  }

  /**
   * Checks that hudi-lite can read this table.
   *
   * @throws HudiTableException if this table cannot be read right here, for instance because its
   *     merge mode is CUSTOM
   */
  public void requireReadable(String location) {
    TableConfigCheck.requireReadable(this, location);
  }

  /** All properties as stored. */
  public Map<String, String> properties() {
    return properties;
  }

  /** Content of {@code hoodie.properties}; equal configs give equal bytes. */
  public byte[] toProperties() {
    return PropertiesCodec.encode(properties, "Properties of the table");
  }

  public String tableName() {
    return properties.get(NAME);
  }

  /** Empty if the table belongs to no database. */
  public String databaseName() {
    return properties.getOrDefault(DATABASE_NAME, "");
  }

  public TableVersion version() {
    return version;
  }

  public TableType type() {
    return type;
  }

  /** In the order of the record key; empty for a table without keys. */
  public List<String> recordKeyFields() {
    return recordKeyFields;
  }

  /** In the order of the partition path, without the kinds that CUSTOM generators add. */
  public List<String> partitionFields() {
    return partitionFields;
  }

  /** Columns that key, partition and ordering are made of: their types stay. */
  public Set<String> fieldsWithRoles() {
    Set<String> fields = new TreeSet<>(recordKeyFields);
    fields.addAll(partitionFields);
    fields.addAll(orderingFields());
    return fields;
  }

  /** The partition fields that stand as formatted times in paths. */
  public List<String> timePartitionFields() {
    return switch (keyGenerator) {
      case TIMESTAMP -> partitionFields;
      case CUSTOM ->
          fields(PARTITION_FIELDS).stream()
              .filter(field -> keyKind(field).equalsIgnoreCase("timestamp"))
              .map(TableConfig::withoutKeyKind)
              .toList();
      case SIMPLE, COMPLEX, NON_PARTITION, GLOBAL_DELETE -> List.of();
    };
  }

  /** Whether each partition field says of which kind it is: {@code a:simple,b:timestamp}. */
  public boolean hasPartitionKinds() {
    List<String> fields = fields(PARTITION_FIELDS);
    return !fields.isEmpty()
        && fields.stream()
            .allMatch(
                field ->
                    keyKind(field).equalsIgnoreCase("simple")
                        || keyKind(field).equalsIgnoreCase("timestamp"));
  }

  private static String keyKind(String field) {
    int colon = field.indexOf(':');
    return colon < 0 ? "" : field.substring(colon + 1).trim();
  }

  /** Compared one after the other; empty if none. */
  public List<String> orderingFields() {
    return orderingFields;
  }

  public MergeMode mergeMode() {
    return mergeMode;
  }

  /**
   * How versions of a row are merged, by all keys that say something of it.
   *
   * @throws HudiTableException if the partial update mode is not known
   */
  public MergeBehavior mergeBehavior() {
    return MergeBehavior.of(this);
  }

  public KeyGeneratorType keyGenerator() {
    return keyGenerator;
  }

  public boolean isHiveStylePartitioned() {
    return flag(HIVE_STYLE_PARTITIONING);
  }

  public boolean isPartitionPathUrlEncoded() {
    return flag(URL_ENCODE_PARTITIONS);
  }

  /**
   * How many buckets each partition has that {@link #bucketExpressions} do not name; empty if the
   * table does not say, which does not mean that it has none.
   */
  public OptionalInt bucketNumber() {
    String number = properties.get(BUCKETS);
    return number != null
            && number.matches("[1-9]\\d{0,8}")
            && "BUCKET".equalsIgnoreCase(properties.get(INDEX_TYPE))
        ? OptionalInt.of(Integer.parseInt(number))
        : OptionalInt.empty();
  }

  /** Numbers of buckets by expressions for partition paths; empty if all have the same number. */
  public String bucketExpressions() {
    return value(BUCKET_EXPRESSIONS).orElse("");
  }

  /** Key columns that tell the bucket; empty for all. */
  public List<String> bucketFields() {
    return fields(BUCKET_FIELDS);
  }

  public boolean isCdcEnabled() {
    return flag(CDC_ENABLED);
  }

  /** Avro schema of the columns without meta columns, as JSON. */
  public Optional<String> createSchema() {
    return value(CREATE_SCHEMA);
  }

  /** UTC, or the zone of this process for tables that say LOCAL or nothing. */
  public ZoneId timelineZone() {
    return timelineZone;
  }

  /** The partitions of the table's metadata table that are in use; empty if it has none. */
  public Set<String> metadataPartitions() {
    return Set.copyOf(fields(METADATA_PARTITIONS));
  }

  public Optional<String> partialUpdateMode() {
    return value(PARTIAL_UPDATE_MODE);
  }

  /** Folder of the instant files, relative to the base path. */
  public String timelinePath() {
    return version == TableVersion.SIX
        ? ".hoodie"
        : ".hoodie/" + properties.getOrDefault("hoodie.timeline.path", "timeline");
  }

  /** Folder of the archived timeline, relative to the base path. */
  public String historyPath() {
    return version == TableVersion.SIX
        ? ".hoodie/" + properties.getOrDefault("hoodie.archivelog.folder", "archived")
        : timelinePath() + "/" + properties.getOrDefault("hoodie.timeline.history.path", "history");
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof TableConfig other && properties.equals(other.properties);
  }

  @Override
  public int hashCode() {
    return properties.hashCode();
  }

  @Override
  public String toString() {
    return "TableConfig" + new TreeMap<>(properties);
  }

  /**
   * Decimal CRC-32 of {@code <database or nothing>.<table>}. Source: Hudi 1.0.2
   * HoodieTableConfig.generateChecksum.
   */
  static String checksumOf(String databaseName, String tableName) {
    CRC32 crc = new CRC32();
    crc.update((databaseName + "." + tableName).getBytes(StandardCharsets.UTF_8));
    return Long.toString(crc.getValue());
  }

  private TableVersion readVersion(String location) {
    String text = properties.get(VERSION);
    Optional<TableVersion> known = Optional.empty();
    if (text != null && text.matches("\\d{1,4}")) {
      known = TableVersion.ofNumber(Integer.parseInt(text));
    }
    return known.orElseThrow(
        () ->
            new HudiTableException(
                ("The table at '%s' has table version %s; versions 6, 8 and 9 can be read here."
                        + " Upgrade or downgrade it with Hudi's own tools to version 8.")
                    .formatted(location, text == null ? "(none)" : "'" + text + "'")));
  }

  private void requireChecksum(String location) {
    String stored = properties.get(CHECKSUM);
    String right = checksumOf(databaseName(), tableName());
    if (stored != null && !stored.equals(right)) {
      throw new HudiTableException(
          ("The table config of '%s' is damaged: '%s' is %s, but for database '%s' and table '%s'"
                  + " it must be %s. Restore .hoodie/hoodie.properties, or correct the names or the"
                  + " checksum in it.")
              .formatted(location, CHECKSUM, stored, databaseName(), tableName(), right));
    }
  }

  private MergeMode readMergeMode(String location) {
    if (value(MERGE_MODE).isPresent()) {
      return readEnum(MergeMode.class, MERGE_MODE, MergeMode.CUSTOM, location);
    }
    Optional<String> payload = value(PAYLOAD_CLASS);
    if (payload.isPresent()) {
      return MergeRule.ofPayloadClass(payload.get()).map(MergeRule::mode).orElse(MergeMode.CUSTOM);
    }
    return orderingFields.isEmpty() || version == TableVersion.SIX
        ? MergeMode.COMMIT_TIME_ORDERING
        : MergeMode.EVENT_TIME_ORDERING;
  }

  private KeyGeneratorType readKeyGenerator(String location) {
    Optional<String> typeName = value(KEY_GENERATOR_TYPE);
    Optional<String> className = value(KEY_GENERATOR_CLASS);
    if (typeName.isEmpty() && className.isEmpty()) {
      return KeyGeneratorType.inferred(recordKeyFields.size(), partitionFields.size());
    }
    return typeName
        .flatMap(KeyGeneratorType::ofType)
        .or(() -> className.flatMap(KeyGeneratorType::ofClass))
        .orElseThrow(
            () ->
                new HudiTableException(
                    "The key generator '%s' of the table at '%s' is not known here; known are %s."
                        .formatted(
                            typeName.or(() -> className).orElse(""),
                            location,
                            Arrays.toString(KeyGeneratorType.values()))));
  }

  private <E extends Enum<E>> E readEnum(Class<E> kind, String key, E whenAbsent, String location) {
    String text = properties.get(key);
    if (text == null || text.isBlank()) {
      return whenAbsent;
    }
    try {
      return Enum.valueOf(kind, text.trim().toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new HudiTableException(
          "'%s' of the table at '%s' is '%s'; known values are %s."
              .formatted(key, location, text, Arrays.toString(kind.getEnumConstants())),
          e);
    }
  }

  /** The stored value of a key; empty if absent or blank. */
  Optional<String> value(String key) {
    return Optional.ofNullable(properties.get(key)).filter(text -> !text.isBlank());
  }

  private boolean flag(String key) {
    return Boolean.parseBoolean(properties.getOrDefault(key, "false").trim());
  }

  private List<String> fields(String key) {
    return splitFields(properties.getOrDefault(key, ""));
  }

  static List<String> splitFields(String text) {
    List<String> names = new ArrayList<>();
    for (String name : requireNonNull(text).split(",", -1)) {
      if (!name.isBlank()) {
        names.add(name.trim());
      }
    }
    return List.copyOf(names);
  }

  static String withoutKeyKind(String field) {
    int colon = field.indexOf(':');
    return colon < 0 ? field : field.substring(0, colon);
  }
}
