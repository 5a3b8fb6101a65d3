package io.hudilite.sink;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.key.BucketCounts;
import io.hudilite.core.key.KeyExtractor;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.merge.FillingMerger;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.ColumnChanges;
import io.hudilite.core.schema.StoredTypes;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.BucketCountsStore;
import io.hudilite.core.table.HudiTable;
import io.hudilite.sink.assign.FilledColumns;
import io.hudilite.sink.config.IndexKind;
import io.hudilite.sink.config.SinkConfig;
import io.hudilite.sink.config.WriteOperation;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.types.logical.RowType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table that is written to: the one that is there, checked against what was declared, or the
 * one that will be made.
 */
final class DeclaredTable {
  private static final Logger LOG = LoggerFactory.getLogger(DeclaredTable.class);

  private final HudiSink.Builder settings;
  private final TableConfig config;
  private final RowType rows;
  private final RowType storedTypes;

  private DeclaredTable(
      HudiSink.Builder settings, TableConfig config, RowType rows, RowType storedTypes) {
    this.settings = settings;
    this.config = config;
    this.rows = rows;
    this.storedTypes = storedTypes;
  }

  /**
   * @throws HudiTableException if another table is there, or one that cannot be written; or a
   *     column cannot be one of the key, the partition or the ordering
   */
  static DeclaredTable of(HudiSink.Builder settings) {
    TableConfig config = find(settings);
    RowType declared = settings.schema.rowType();
    Storage storage = Storages.of(settings.path);
    try {
      if (TableConfigStore.find(storage).isEmpty()) {
        return new DeclaredTable(settings, config, declared, StoredTypes.ofNewTable(declared))
            .requireColumnsForTheirRoles();
      }
      RowType stored = HudiTable.open(storage).schema().rowType();
      ColumnChanges changes = new ColumnChanges(stored, declared);
      if (!changes.isNone()) {
        LOG.info(
            "Table at '{}' has the columns {}; with the first commit it gets those declared, {}",
            settings.path,
            stored.asSummaryString(),
            declared.asSummaryString());
      }
      RowType rows = changes.rows();
      return new DeclaredTable(settings, config, rows, StoredTypes.in(stored, rows))
          .requireColumnsForTheirRoles();
    } catch (IOException e) {
      throw cannotLookAt(settings, e);
    }
  }

  /** Here, since a job that fails by it would have made the table already. */
  private DeclaredTable requireColumnsForTheirRoles() {
    var unused = new KeyExtractor(schema(), KeyFormat.of(config), rows);
    return this;
  }

  TableConfig config() {
    return config;
  }

  /**
   * The columns as they are declared, in the order of the table: the files of a table keep to one
   * order, and new columns come last, whatever order a declaration has.
   */
  RowType rows() {
    return rows;
  }

  /** The same as the table stores them, or will, and what they are to it. */
  TableSchema schema() {
    // Commit-time ordering takes no notice of the ordering column, so it may hold nulls.
    return new TableSchema(
        storedTypes,
        settings.schema.recordKeyColumns(),
        settings.schema.partitionColumns(),
        config.mergeBehavior().orderingFields());
  }

  /**
   * @throws HudiTableException if the operation is not possible in this table, or in such a job
   */
  DeclaredTable requireFits(JobKind job) {
    SinkConfig sink = settings.config;
    if (sink.operation() == WriteOperation.INSERT_DISTINCT && sink.index() == IndexKind.BUCKET) {
      throw new HudiTableException(
          "The table at '%s' is in buckets, which do not know what keys there are, so 'hoodie.datasource.write.insert.drop.duplicates' cannot be true. Leave duplicates out in the query, or write into a new table with 'index.type' FLINK_STATE."
              .formatted(settings.path));
    }
    requireKey();
    if (sink.operation().overwrites() && !job.isBatch()) {
      throw new HudiTableException(
          "The table at '%s' can only be overwritten by a batch job: a streaming job would do so anew with each checkpoint. Set 'execution.runtime-mode' to batch."
              .formatted(settings.path));
    }
    if (settings.clustering.isOn()) {
      requireClusterable();
    }
    if (sink.operation() == WriteOperation.UPSERT) {
      warnOfLateRows();
    }
    return this;
  }

  /** Who fills a column of which late row is told by an index only. */
  private void warnOfLateRows() {
    boolean lateRowsFill =
        RecordMerger.of(config) instanceof FillingMerger merger && merger.fillsNullsByOrdering();
    if (lateRowsFill && settings.config.index() == IndexKind.BUCKET) {
      LOG.warn(
          "Table at '{}': late rows fill what newer ones lack, and 'index.type' is BUCKET: if"
              + " several late rows of one key bring the same column, it depends on when log files"
              + " are merged which one fills it. With FLINK_STATE the first one does",
          settings.path);
    } else if (lateRowsFill && FilledColumns.isUnknown(config, schema().rowType())) {
      LOG.warn(
          "Table at '{}': late rows fill what newer ones lack, and it has columns that are NOT NULL"
              + " besides those of key, partition and ordering: if several late rows of one key"
              + " bring the same column, it depends on when log files are merged which one fills"
              + " it. Declare these columns without NOT NULL in a new table",
          settings.path);
    }
  }

  private void requireClusterable() {
    if (settings.config.index() == IndexKind.BUCKET || config.bucketNumber().isPresent()) {
      throw new HudiTableException(
          ("The table at '%s' is in buckets, which a clustering would break: a key is in the file"
                  + " group that its hash tells. Set 'clustering.schedule.enabled' and"
                  + " 'clustering.async.enabled' to false.")
              .formatted(settings.path));
    }
    settings.clustering.strategy().requireSortable(settings.schema.rowType());
  }

  private static TableConfig find(HudiSink.Builder settings) {
    AvroSchemas.requireSupported(settings.schema.rowType());
    Map<String, String> declared = declaredProperties(settings);
    Storage storage = Storages.of(settings.path);
    Optional<TableConfig> existing;
    try {
      existing = TableConfigStore.find(storage);
      if (existing.isPresent()) {
        existing.get().requireSame(declared, settings.path);
        existing.get().requireWritable(settings.path);
        HudiTable table = HudiTable.open(storage);
        requireIndexOf(table, settings);
        SchemaCheck.requireFits(table, settings.schema.rowType(), settings.path);
      }
    } catch (IOException e) {
      throw cannotLookAt(settings, e);
    }
    TableConfig table = existing.orElseGet(() -> TableConfig.forNewTable(declared, settings.path));
    RecordMerger.of(table); // a class that cannot be loaded is told of here
    if (table.mergeBehavior().usesOrdering()) {
      OrderingCheck.requireKept(settings.schema, existing.isEmpty(), settings.path);
    }
    return table;
  }

  /** Without a key rows can only be added. */
  private void requireKey() {
    SinkConfig config = settings.config;
    if (settings.schema.recordKeyColumns().isEmpty()
        && (!config.operation().appends() || config.index() == IndexKind.BUCKET)) {
      throw new HudiTableException(
          "The table at '%s' has no record key, and %s. Declare PRIMARY KEY (...) NOT ENFORCED, or set 'hoodie.datasource.write.recordkey.field'; or add rows without keys, by 'write.operation' insert or bulk_insert and no 'index.type'."
              .formatted(
                  settings.path,
                  config.index() == IndexKind.BUCKET
                      ? "buckets are told by the key"
                      : "rows are told apart by it"));
    }
  }

  /** Another engine may have written down counts that the properties do not tell. */
  private static void requireCounts(HudiTable table, HudiSink.Builder settings) throws IOException {
    Optional<BucketCounts> found = BucketCountsStore.find(table.storage(), table.timeline());
    Optional<BucketCounts> stored = BucketCountsStore.of(table.config());
    if (found.isEmpty()) {
      return;
    }
    if (stored.isPresent() && !stored.get().equals(found.get())) {
      throw new HudiTableException(
          "The table at '%s' has buckets by '%s', as another engine has written down when it rescaled them, but by '%s' in hoodie.properties. Set '%s' there to '%d' and '%s' to '%s', and declare the same."
              .formatted(
                  settings.path,
                  found.get(),
                  stored.get(),
                  TableConfig.BUCKETS,
                  found.get().others(),
                  TableConfig.BUCKET_EXPRESSIONS,
                  found.get().expressions()));
    }
    if (stored.isEmpty() && !found.get().equals(settings.config.buckets())) {
      throw new HudiTableException(
          "The table at '%s' has buckets by partition: '%s', but these options say '%s'. Set 'hoodie.bucket.index.num.buckets' to '%d' and 'hoodie.bucket.index.partition.expressions' to '%s'."
              .formatted(
                  settings.path,
                  found.get(),
                  settings.config.buckets(),
                  found.get().others(),
                  found.get().expressions()));
    }
  }

  private static void requireIndexOf(HudiTable table, HudiSink.Builder settings)
      throws IOException {
    if (settings.config.index() == IndexKind.BUCKET) {
      requireCounts(table, settings);
      return;
    }
    Optional<BucketCounts> counts = BucketCountsStore.of(table);
    if (counts.isPresent()) {
      throw new HudiTableException(
          ("The table at '%s' is in %s buckets, but 'index.type' is not BUCKET: rows would get file"
                  + " groups that no bucket knows. Set 'index.type' to BUCKET.")
              .formatted(settings.path, counts.get()));
    }
    if (BucketCountsStore.looksBucketed(table)) {
      throw new HudiTableException(
          ("The file groups of the table at '%s' are called as buckets are, but 'index.type' is not"
                  + " BUCKET: rows would get file groups that no bucket knows. Set 'index.type' to"
                  + " BUCKET, and 'hoodie.bucket.index.num.buckets' to what its other writers have.")
              .formatted(settings.path));
    }
  }

  /** What was declared, and what the table that is there says where nothing was. */
  Map<String, String> properties() {
    Map<String, String> declared = declaredProperties(settings);
    declared.putIfAbsent(TableConfig.KEY_GENERATOR_TYPE, config.keyGenerator().name());
    return declared;
  }

  private static Map<String, String> declaredProperties(HudiSink.Builder settings) {
    Map<String, String> declared = new HashMap<>(settings.tableProperties);
    declared.put(TableConfig.NAME, settings.tableName);
    declared.put(TableConfig.TYPE, settings.tableType.name());
    TableSchema schema = settings.schema;
    if (!schema.recordKeyColumns().isEmpty()) {
      declared.put(TableConfig.RECORD_KEY_FIELDS, String.join(",", schema.recordKeyColumns()));
    }
    if (schema.isPartitioned()) {
      // A property may say more of the same columns: their kinds.
      declared.putIfAbsent(
          TableConfig.PARTITION_FIELDS, String.join(",", schema.partitionColumns()));
    }
    if (!schema.orderingColumns().isEmpty()) {
      declared.put(TableConfig.PRECOMBINE_FIELD, String.join(",", schema.orderingColumns()));
    }
    if (settings.config.index() == IndexKind.BUCKET) {
      // Hudi's other engines leave these to the options of each writer; a table that names them
      // cannot be written with others.
      declared.put(TableConfig.INDEX_TYPE, "BUCKET");
      BucketCounts buckets = settings.config.buckets();
      declared.put(TableConfig.BUCKETS, Integer.toString(buckets.others()));
      if (!buckets.isUniform()) {
        declared.put(TableConfig.BUCKET_EXPRESSIONS, buckets.expressions());
      }
      if (!settings.config.bucketFields().isEmpty()) {
        declared.put(TableConfig.BUCKET_FIELDS, String.join(",", settings.config.bucketFields()));
      }
    }
    declared.putIfAbsent(
        TableConfig.CREATE_SCHEMA,
        AvroSchemas.toAvro(StoredTypes.ofNewTable(schema.rowType()), settings.tableName)
            .toString());
    return declared;
  }

  private static HudiTableException cannotLookAt(HudiSink.Builder settings, IOException cause) {
    return new HudiTableException(
        "The table at '%s' cannot be looked at: %s. Check the path, and that this process may read and write it."
            .formatted(settings.path, cause),
        cause);
  }
}
