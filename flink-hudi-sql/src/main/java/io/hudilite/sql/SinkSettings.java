package io.hudilite.sql;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableType;
import io.hudilite.core.key.BucketCounts;
import io.hudilite.core.log.LogBlockFormat;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.write.FailedWrites;
import io.hudilite.sink.config.BadRows;
import io.hudilite.sink.config.BulkOrder;
import io.hudilite.sink.config.IndexKind;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.config.SinkConfig;
import io.hudilite.sink.config.WriteOperation;
import io.hudilite.sql.EffectiveOptions.Origin;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.MemorySize;

/** Turns options of writers into the sink's config. */
final class SinkSettings {
  private static final long MEBIBYTE = 1024 * 1024;

  private SinkSettings() {}

  /**
   * @param declared the table, as it is written
   * @param stored the table, if there is one
   */
  static SinkConfig of(
      EffectiveOptions options, TableDeclaration declared, Optional<StoredTable> stored) {
    TableSchema schema = declared.schema();
    Optional<BucketCounts> counts = stored.flatMap(StoredTable::buckets);
    IndexKind index = index(options, counts);
    double ttlDays = options.get(TableOptions.INDEX_STATE_TTL);
    if (ttlDays > 0 && schema.isPartitioned() && options.get(TableOptions.INDEX_GLOBAL_ENABLED)) {
      options.warn(
          "'%s'='%s': a key that is not in the state is looked up in the files of all partitions, new keys too; with '%s'='false' only in those of its own partition"
              .formatted(
                  TableOptions.INDEX_STATE_TTL.key(),
                  ttlDays,
                  TableOptions.INDEX_GLOBAL_ENABLED.key()));
    }
    SinkConfig.Builder config =
        SinkConfig.builder()
            .operation(operation(options, declared.type()))
            .bulkShuffle(options.get(WriteOptions.BULK_INSERT_SHUFFLE))
            .bulkOrder(
                options.get(WriteOptions.BULK_INSERT_SORT_BY_KEY)
                    ? BulkOrder.RECORD_KEY
                    : BulkOrder.ARRIVAL)
            .index(index)
            .indexScope(scope(options, index, schema))
            .indexTtl(Duration.ofMillis(Math.round(ttlDays * Duration.ofDays(1).toMillis())))
            .taskMaxSize(megabytes(options.get(WriteOptions.WRITE_TASK_MAX_SIZE)))
            .batchSize(megabytes(options.get(WriteOptions.WRITE_BATCH_SIZE)))
            .mergeMemory(megabytes(options.get(WriteOptions.WRITE_MERGE_MAX_MEMORY)))
            .logBlockSize(megabytes(options.get(WriteOptions.WRITE_LOG_BLOCK_SIZE)))
            .logBlockFormat(
                logBlocks(
                    options.get(WriteOptions.LOG_BLOCK_FORMAT).trim().toUpperCase(Locale.ROOT)))
            .parquetRowGroupSize(megabytes(options.get(WriteOptions.WRITE_PARQUET_BLOCK_SIZE)))
            .parquetPageSize(megabytes(options.get(WriteOptions.WRITE_PARQUET_PAGE_SIZE)))
            .maxFileSize(
                options
                    .given(WriteOptions.PARQUET_MAX_FILE_SIZE_BYTES)
                    .map(MemorySize::new)
                    .orElseGet(
                        () -> megabytes(options.get(WriteOptions.WRITE_PARQUET_MAX_FILE_SIZE))))
            .smallFileLimit(new MemorySize(options.get(WriteOptions.PARQUET_SMALL_FILE_LIMIT)))
            .rowsPerSecond(options.get(WriteOptions.WRITE_RATE_LIMIT))
            .badRows(options.get(WriteOptions.IGNORE_FAILED) ? BadRows.LEAVE_OUT : BadRows.FAIL)
            .commitRetries(options.get(WriteOptions.RETRY_TIMES))
            .commitRetryInterval(Duration.ofMillis(options.get(WriteOptions.RETRY_INTERVAL_MILLIS)))
            .heartbeatInterval(
                Duration.ofMillis(options.get(WriteOptions.HEARTBEAT_INTERVAL_MILLIS)))
            .heartbeatMisses(options.get(WriteOptions.HEARTBEAT_TOLERABLE_MISSES))
            .failedWrites(failedWrites(options));
    if (index == IndexKind.BUCKET) {
      config
          .buckets(new BucketCounts(bucketNumber(options, counts), expressions(options, counts)))
          .bucketFields(bucketFields(options, schema, stored.map(StoredTable::config)));
    }
    requireOneSize(options);
    options.given(WriteOptions.WRITE_TASKS).ifPresent(config::writeTasks);
    options.given(WriteOptions.BUCKET_ASSIGN_TASKS).ifPresent(config::assignTasks);
    options
        .given(WriteOptions.PARQUET_COMPRESSION_CODEC)
        .ifPresent(codec -> config.compression(codec.toUpperCase(Locale.ROOT)));
    return config.build();
  }

  /** The defaults of heartbeats are Hudi's, with whose writers they have to agree. */
  private static FailedWrites failedWrites(EffectiveOptions options) {
    if (!options.get(WriteOptions.FAILED_WRITES_POLICY).trim().equalsIgnoreCase("LAZY")) {
      return FailedWrites.EAGER;
    }
    return FailedWrites.lazy(
        options
            .given(WriteOptions.HEARTBEAT_INTERVAL_MILLIS)
            .map(Duration::ofMillis)
            .orElse(FailedWrites.LAZY.beatInterval()),
        options.given(WriteOptions.HEARTBEAT_TOLERABLE_MISSES).orElse(2));
  }

  private static LogBlockFormat logBlocks(String option) {
    return option.equals("AUTO") ? LogBlockFormat.BY_SIZE : LogBlockFormat.valueOf(option);
  }

  private static IndexKind index(EffectiveOptions options, Optional<BucketCounts> stored) {
    if (options.given(TableOptions.INDEX_TYPE).isEmpty() && stored.isPresent()) {
      options.settle(TableOptions.INDEX_TYPE.key(), "BUCKET", Origin.TABLE);
      return IndexKind.BUCKET;
    }
    return options.get(TableOptions.INDEX_TYPE).trim().equalsIgnoreCase("BUCKET")
        ? IndexKind.BUCKET
        : IndexKind.STATE;
  }

  private static int bucketNumber(EffectiveOptions options, Optional<BucketCounts> stored) {
    Optional<Integer> ofTable = stored.map(BucketCounts::others);
    ofTable.ifPresent(
        number -> options.settle(TableOptions.BUCKET_NUMBER.key(), number, Origin.TABLE));
    return options
        .given(TableOptions.BUCKET_NUMBER)
        .or(() -> ofTable)
        .orElse(TableOptions.BUCKET_NUMBER.defaultValue());
  }

  private static String expressions(EffectiveOptions options, Optional<BucketCounts> stored) {
    String ofTable = stored.map(BucketCounts::expressions).orElse("");
    Optional<String> given =
        options.given(TableOptions.BUCKET_EXPRESSIONS).filter(text -> !text.isBlank());
    if (given.isPresent() && stored.isPresent() && !given.get().equals(ofTable)) {
      throw new HudiTableException(
          "Table %s: '%s' is '%s', but '%s' in the table, whose rows are in these buckets. Leave the option out; for other numbers, read the table into a new one."
              .formatted(
                  options.table(), TableOptions.BUCKET_EXPRESSIONS.key(), given.get(), ofTable));
    }
    if (!ofTable.isEmpty()) {
      options.settle(TableOptions.BUCKET_EXPRESSIONS.key(), ofTable, Origin.TABLE);
    }
    return given.orElse(ofTable);
  }

  private static List<String> bucketFields(
      EffectiveOptions options, TableSchema schema, Optional<TableConfig> stored) {
    List<String> given = options.givenNames(TableOptions.BUCKET_HASH_FIELD);
    if (given.isEmpty()) {
      return stored.map(TableConfig::bucketFields).orElse(List.of());
    }
    if (!schema.recordKeyColumns().containsAll(given)) {
      throw new HudiTableException(
          "Table %s: '%s'='%s' must name columns of the record key, which is %s."
              .formatted(
                  options.table(),
                  TableOptions.BUCKET_HASH_FIELD.key(),
                  String.join(",", given),
                  schema.recordKeyColumns()));
    }
    return given;
  }

  /** A bucket knows nothing of other partitions. */
  private static IndexScope scope(EffectiveOptions options, IndexKind index, TableSchema schema) {
    boolean isGlobal = options.get(TableOptions.INDEX_GLOBAL_ENABLED);
    boolean mayMove = !schema.recordKeyColumns().containsAll(schema.partitionColumns());
    if (index == IndexKind.STATE) {
      if (mayMove && !isGlobal && !schema.recordKeyColumns().isEmpty()) {
        options.warn(
            "'%s'='false' and a key without %s: a key that comes with another partition is a second row, unless the change says the old partition, too (-U, -D)"
                .formatted(TableOptions.INDEX_GLOBAL_ENABLED.key(), schema.partitionColumns()));
      }
      return isGlobal ? IndexScope.TABLE : IndexScope.PARTITION;
    }
    if (!mayMove) {
      return IndexScope.TABLE; // a key never changes its partition
    }
    if (isGlobal && options.given(TableOptions.INDEX_GLOBAL_ENABLED).isPresent()) {
      throw new HudiTableException(
          "Table %s: '%s'='true' and '%s'='BUCKET' contradict each other: buckets do not know in which partition a key was before, so it would stay there. Add %s to the key, or set '%s'='FLINK_STATE'."
              .formatted(
                  options.table(),
                  TableOptions.INDEX_GLOBAL_ENABLED.key(),
                  TableOptions.INDEX_TYPE.key(),
                  schema.partitionColumns(),
                  TableOptions.INDEX_TYPE.key()));
    }
    options.warn(
        "'%s'='BUCKET' and a key without %s: a key that comes with another partition is a second row, unless the change says the old partition, too (-U, -D)"
            .formatted(TableOptions.INDEX_TYPE.key(), schema.partitionColumns()));
    return IndexScope.PARTITION;
  }

  private static WriteOperation operation(EffectiveOptions options, TableType type) {
    String operation = options.get(WriteOptions.OPERATION).trim().toLowerCase(Locale.ROOT);
    return switch (operation) {
      case "upsert" -> distinct(options, WriteOperation.UPSERT);
      case "insert" -> distinct(options, insert(options, type));
      case "bulk_insert" -> {
        if (options.get(WriteOptions.DROP_DUPLICATES)) {
          throw new HudiTableException(
              "Table %s: '%s'='true' and '%s'='bulk_insert' contradict each other: a bulk insert looks no key up. Set the operation to insert."
                  .formatted(
                      options.table(),
                      WriteOptions.DROP_DUPLICATES.key(),
                      WriteOptions.OPERATION.key()));
        }
        yield WriteOperation.BULK_INSERT;
      }
      default ->
          throw new HudiTableException(
              "Table %s: '%s'='%s' is no operation of INSERT INTO. Use the statement %s, or set upsert, insert or bulk_insert."
                  .formatted(
                      options.table(),
                      WriteOptions.OPERATION.key(),
                      operation,
                      operation.equals("delete") ? "DELETE FROM" : "INSERT OVERWRITE"));
    };
  }

  private static WriteOperation insert(EffectiveOptions options, TableType type) {
    if (!options.get(WriteOptions.INSERT_CLUSTER)) {
      return WriteOperation.INSERT;
    }
    if (type == TableType.MERGE_ON_READ) {
      options.warn(
          "'%s'='true' has no effect on a MERGE_ON_READ table, as in Hudi: inserts make new files; 'clustering.async.enabled'='true' joins them"
              .formatted(WriteOptions.INSERT_CLUSTER.key()));
    }
    return WriteOperation.INSERT_INTO_SMALL_FILES;
  }

  /** The operation, or that which leaves out rows whose key is there. */
  private static WriteOperation distinct(EffectiveOptions options, WriteOperation operation) {
    if (!options.get(WriteOptions.DROP_DUPLICATES)) {
      return operation;
    }
    if (operation == WriteOperation.UPSERT) {
      options.warn(
          "'%s'='true' turns '%s'='upsert' into insert: rows whose key is in the table are left out"
              .formatted(WriteOptions.DROP_DUPLICATES.key(), WriteOptions.OPERATION.key()));
    }
    return WriteOperation.INSERT_DISTINCT;
  }

  private static void requireOneSize(EffectiveOptions options) {
    ConfigOption<Long> bytes = WriteOptions.PARQUET_MAX_FILE_SIZE_BYTES;
    ConfigOption<Integer> mebibytes = WriteOptions.WRITE_PARQUET_MAX_FILE_SIZE;
    if (options.given(bytes).isPresent()
        && options.given(mebibytes).isPresent()
        && options.get(bytes) != options.get(mebibytes) * MEBIBYTE) {
      throw new HudiTableException(
          "Table %s: '%s'='%s' (bytes) and '%s'='%s' (MB) are two names of one size, with different values. Keep one."
              .formatted(
                  options.table(),
                  bytes.key(),
                  options.get(bytes),
                  mebibytes.key(),
                  options.get(mebibytes)));
    }
  }

  private static MemorySize megabytes(double megabytes) {
    return new MemorySize(Math.round(megabytes * MEBIBYTE));
  }
}
