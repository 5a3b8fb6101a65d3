package io.hudilite.sql;

import static org.apache.flink.configuration.ConfigOptions.key;

import org.apache.flink.configuration.ConfigOption;

/**
 * How rows are written. With Hudi's keys, types and defaults; what becomes of all other options of
 * Hudi is written in {@link OptionCatalog}.
 */
public final class WriteOptions {
  public static final ConfigOption<String> OPERATION =
      key("write.operation")
          .stringType()
          .defaultValue("upsert")
          .withFallbackKeys("hoodie.datasource.write.operation")
          .withDescription(
              "upsert, insert (adds rows, whatever their keys), or bulk_insert (the same for much"
                  + " at once).");

  public static final ConfigOption<Boolean> DROP_DUPLICATES =
      key("hoodie.datasource.write.insert.drop.duplicates")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Whether rows whose key is in the table are left out: upsert becomes insert then.");

  public static final ConfigOption<Boolean> BULK_INSERT_SHUFFLE =
      key("write.bulk_insert.shuffle_input")
          .booleanType()
          .defaultValue(true)
          .withDescription("Whether a bulk insert writes each partition in one task.");

  public static final ConfigOption<Boolean> INSERT_CLUSTER =
      key("write.insert.cluster")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Whether inserts into a COPY_ON_WRITE table fill the small files that are there, by"
                  + " writing them anew with the rows that are added, instead of making new ones;"
                  + " less is written in the same time.");

  public static final ConfigOption<Boolean> BULK_INSERT_SORT_BY_KEY =
      key("write.bulk_insert.sort_input.by_record_key")
          .booleanType()
          .defaultValue(false)
          .withDescription("Whether a bulk insert sorts the rows of a file by their key.");

  public static final ConfigOption<String> PARTITION_OVERWRITE_MODE =
      key("write.partition.overwrite.mode")
          .stringType()
          .defaultValue("DYNAMIC")
          .withDescription(
              "What INSERT OVERWRITE without PARTITION replaces: DYNAMIC the partitions that get"
                  + " rows, STATIC the whole table.");

  public static final ConfigOption<Integer> WRITE_TASKS =
      key("write.tasks")
          .intType()
          .noDefaultValue()
          .withFallbackKeys("sink.parallelism")
          .withDescription("Parallelism of the stream writer; that of the job by default.");

  public static final ConfigOption<Integer> BUCKET_ASSIGN_TASKS =
      key("write.bucket_assign.tasks")
          .intType()
          .noDefaultValue()
          .withDescription("Parallelism of the bucket assigner; that of the writer by default.");

  public static final ConfigOption<Double> WRITE_TASK_MAX_SIZE =
      key("write.task.max.size")
          .doubleType()
          .defaultValue(1024D)
          .withDescription("Memory in MB for the rows that one writer holds back.");

  public static final ConfigOption<Double> WRITE_BATCH_SIZE =
      key("write.batch.size")
          .doubleType()
          .defaultValue(256D)
          .withDescription("MB of rows of one file group that are written at once.");

  public static final ConfigOption<Integer> WRITE_MERGE_MAX_MEMORY =
      key("write.merge.max_memory")
          .intType()
          .defaultValue(100)
          .withDescription(
              "MB for the changes of a file group while its base file is rewritten; at most a"
                  + " quarter of the writer's memory.");

  public static final ConfigOption<Integer> WRITE_LOG_BLOCK_SIZE =
      key("write.log_block.size")
          .intType()
          .defaultValue(128)
          .withDescription("Size in MB at which a log block ends; more than 16 counts as 16.");

  public static final ConfigOption<String> LOG_BLOCK_FORMAT =
      key("hoodie.logfile.data.block.format")
          .stringType()
          .defaultValue("auto")
          .withDescription(
              "How log blocks hold rows: avro; parquet, which takes about a third of the bytes and lets a query read the columns it wants; auto: parquet, but avro for blocks of less than 16 KiB, for which parquet takes more.");

  public static final ConfigOption<Integer> WRITE_PARQUET_BLOCK_SIZE =
      key("write.parquet.block.size")
          .intType()
          .defaultValue(120)
          .withDescription("Row group size in MB; at most a quarter of the writer's memory.");

  public static final ConfigOption<Integer> WRITE_PARQUET_PAGE_SIZE =
      key("write.parquet.page.size").intType().defaultValue(1).withDescription("Page size in MB.");

  public static final ConfigOption<Integer> WRITE_PARQUET_MAX_FILE_SIZE =
      key("write.parquet.max.file.size")
          .intType()
          .defaultValue(120)
          .withDescription("Size in MB that a base file should not exceed.");

  public static final ConfigOption<Long> PARQUET_MAX_FILE_SIZE_BYTES =
      key("hoodie.parquet.max.file.size")
          .longType()
          .noDefaultValue()
          .withDescription("The same in bytes.");

  public static final ConfigOption<Long> PARQUET_SMALL_FILE_LIMIT =
      key("hoodie.parquet.small.file.limit")
          .longType()
          .defaultValue(104857600L)
          .withDescription("Bytes below which a file group takes in new keys; 0 for never.");

  public static final ConfigOption<String> PARQUET_COMPRESSION_CODEC =
      key("hoodie.parquet.compression.codec")
          .stringType()
          .noDefaultValue()
          .withDescription("snappy, zstd, gzip or uncompressed.");

  public static final ConfigOption<Long> WRITE_RATE_LIMIT =
      key("write.rate.limit")
          .longType()
          .defaultValue(0L)
          .withDescription("Rows per second of all writers together; 0 for no limit.");

  public static final ConfigOption<Boolean> IGNORE_FAILED =
      key("write.ignore.failed")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Whether rows that cannot be written are left out, counted and told of in the log,"
                  + " instead of failing the job.");

  public static final ConfigOption<Integer> RETRY_TIMES =
      key("write.retry.times")
          .intType()
          .defaultValue(3)
          .withDescription("How often a failed commit is tried again.");

  public static final ConfigOption<Long> RETRY_INTERVAL_MILLIS =
      key("write.retry.interval.ms")
          .longType()
          .defaultValue(2000L)
          .withDescription("Milliseconds before the first retry, doubled each time.");

  public static final ConfigOption<Long> HEARTBEAT_INTERVAL_MILLIS =
      key("hoodie.client.heartbeat.interval_in_ms")
          .longType()
          .defaultValue(2000L)
          .withDescription("How often a writing job shows in the table's folder that it is alive.");

  public static final ConfigOption<Integer> HEARTBEAT_TOLERABLE_MISSES =
      key("hoodie.client.heartbeat.tolerable.misses")
          .intType()
          .defaultValue(5)
          .withDescription(
              "For how many intervals a writing job may show nothing until another takes it for"
                  + " dead.");

  public static final ConfigOption<String> FAILED_WRITES_POLICY =
      key("hoodie.clean.failed.writes.policy")
          .stringType()
          .defaultValue("EAGER")
          .withFallbackKeys("hoodie.cleaner.policy.failed.writes")
          .withDescription(
              "EAGER rolls back all that others have pending, for a job that is the table's only"
                  + " writer; LAZY, beside Hudi's writers, what has shown no sign of life for"
                  + " `hoodie.client.heartbeat.interval_in_ms` (60 s if not set) times"
                  + " `hoodie.client.heartbeat.tolerable.misses` (2).");

  private WriteOptions() {}
}
