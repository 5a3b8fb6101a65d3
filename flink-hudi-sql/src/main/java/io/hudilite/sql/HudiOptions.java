package io.hudilite.sql;

import static org.apache.flink.configuration.ConfigOptions.key;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;

/**
 * The options that have an effect, with Hudi's keys, types and defaults. Options without a default
 * are either required ({@link #PATH}) or worked out from the table. What becomes of all other
 * options of Hudi is written in {@link OptionCatalog}.
 */
public final class HudiOptions {

  // ---- the table ----

  public static final ConfigOption<String> PATH =
      key("path")
          .stringType()
          .noDefaultValue()
          .withDescription("Folder of the table; the first writer makes it.");

  public static final ConfigOption<String> TABLE_NAME =
      key("hoodie.table.name")
          .stringType()
          .noDefaultValue()
          .withDescription("Name in hoodie.properties; the name of the DDL by default.");

  public static final ConfigOption<String> DATABASE_NAME =
      key("hoodie.database.name")
          .stringType()
          .noDefaultValue()
          .withDescription("Database in hoodie.properties; the database of the DDL by default.");

  public static final ConfigOption<String> TABLE_TYPE =
      key("table.type")
          .stringType()
          .defaultValue("COPY_ON_WRITE")
          .withFallbackKeys("hoodie.table.type", "hoodie.datasource.write.table.type")
          .withDescription("COPY_ON_WRITE or MERGE_ON_READ; that of the table if there is one.");

  public static final ConfigOption<Integer> WRITE_TABLE_VERSION =
      key("hoodie.write.table.version")
          .intType()
          .defaultValue(8)
          .withDescription("Version of the table format that new tables get; 8 is the only one.");

  // ---- identity of a row, and which version of it counts ----

  public static final ConfigOption<String> RECORD_KEY_FIELD =
      key("hoodie.datasource.write.recordkey.field")
          .stringType()
          .noDefaultValue()
          .withDescription("Key columns, comma separated, where the DDL has no PRIMARY KEY.");

  public static final ConfigOption<String> PARTITION_PATH_FIELD =
      key("hoodie.datasource.write.partitionpath.field")
          .stringType()
          .defaultValue("")
          .withDescription(
              "Partition columns where the DDL has no PARTITIONED BY; with kinds, such as"
                  + " 'region:simple,ts:timestamp', beside it.");

  public static final ConfigOption<String> ORDERING_FIELDS =
      key("ordering.fields")
          .stringType()
          .noDefaultValue()
          .withFallbackKeys(
              "precombine.field",
              "write.precombine.field",
              "hoodie.datasource.write.precombine.field")
          .withDescription(
              "Column by which a row is newer than another of its key; 'no_precombine' for none.");

  public static final ConfigOption<String> MERGE_MODE =
      key("hoodie.write.record.merge.mode")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "EVENT_TIME_ORDERING, COMMIT_TIME_ORDERING, or CUSTOM with a payload class.");

  public static final ConfigOption<String> PAYLOAD_CLASS =
      key("payload.class")
          .stringType()
          .defaultValue("org.apache.hudi.common.model.EventTimeAvroPayload")
          .withFallbackKeys("write.payload.class", "hoodie.datasource.write.payload.class")
          .withDescription(
              "Hudi's class for the merge rule, its package may be left out; or a class of yours, a"
                  + " RecordMerger.");

  public static final ConfigOption<String> RECORD_MERGER_IMPLS =
      key("record.merger.impls")
          .stringType()
          .noDefaultValue()
          .withFallbackKeys("hoodie.write.record.merge.custom.implementation.classes")
          .withDescription(
              "Hudi's merger classes for the merge mode, comma separated; or a class of yours.");

  public static final ConfigOption<String> RECORD_MERGER_STRATEGY =
      key("record.merger.strategy")
          .stringType()
          .noDefaultValue()
          .withFallbackKeys("hoodie.write.record.merge.strategy.id")
          .withDescription("Hudi's identifier of the merge mode.");

  public static final ConfigOption<String> KEY_GENERATOR_TYPE =
      key("hoodie.datasource.write.keygenerator.type")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "SIMPLE, COMPLEX, NON_PARTITION, TIMESTAMP or CUSTOM; follows from the key by"
                  + " default.");

  public static final ConfigOption<String> KEY_GENERATOR_CLASS =
      key("hoodie.datasource.write.keygenerator.class")
          .stringType()
          .noDefaultValue()
          .withDescription("Hudi's class for the key generator type.");

  public static final ConfigOption<String> PARTITION_FORMAT =
      key("write.partition.format")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Format of partition folders that stand for times, such as yyyyMMddHH; without it"
                  + " they hold the value: dates as yyyy-MM-dd.");

  public static final ConfigOption<String> TIME_TYPE =
      key("hoodie.keygen.timebased.timestamp.type")
          .stringType()
          .noDefaultValue()
          .withFallbackKeys("hoodie.deltastreamer.keygen.timebased.timestamp.type")
          .withDescription(
              "What partition values are that stand as times: UNIX_TIMESTAMP, EPOCHMILLISECONDS,"
                  + " EPOCHMICROSECONDS, SCALAR, DATE_STRING or MIXED; follows from the column.");

  public static final ConfigOption<String> TIME_UNIT =
      key("hoodie.keygen.timebased.timestamp.scalar.time.unit")
          .stringType()
          .noDefaultValue()
          .withFallbackKeys("hoodie.deltastreamer.keygen.timebased.timestamp.scalar.time.unit")
          .withDescription("Unit of SCALAR, such as DAYS or SECONDS.");

  public static final ConfigOption<String> TIME_INPUT_FORMAT =
      key("hoodie.keygen.timebased.input.dateformat")
          .stringType()
          .noDefaultValue()
          .withFallbackKeys("hoodie.deltastreamer.keygen.timebased.input.dateformat")
          .withDescription("Formats of DATE_STRING, comma separated.");

  public static final ConfigOption<String> TIME_INPUT_DELIMITER =
      key("hoodie.keygen.timebased.input.dateformat.list.delimiter.regex")
          .stringType()
          .noDefaultValue()
          .withFallbackKeys(
              "hoodie.deltastreamer.keygen.timebased.input.dateformat.list.delimiter.regex")
          .withDescription("What separates them.");

  public static final ConfigOption<String> TIME_INPUT_ZONE =
      key("hoodie.keygen.timebased.input.timezone")
          .stringType()
          .noDefaultValue()
          .withFallbackKeys("hoodie.deltastreamer.keygen.timebased.input.timezone")
          .withDescription("Time zone of texts that name none.");

  public static final ConfigOption<String> TIME_OUTPUT_FORMAT =
      key("hoodie.keygen.timebased.output.dateformat")
          .stringType()
          .noDefaultValue()
          .withFallbackKeys("hoodie.deltastreamer.keygen.timebased.output.dateformat")
          .withDescription("Format of partition folders, such as yyyy/MM/dd.");

  public static final ConfigOption<String> TIME_OUTPUT_ZONE =
      key("hoodie.keygen.timebased.output.timezone")
          .stringType()
          .noDefaultValue()
          .withFallbackKeys("hoodie.deltastreamer.keygen.timebased.output.timezone")
          .withDescription("Time zone of partition folders; UTC by default.");

  public static final ConfigOption<String> TIME_ZONE =
      key("hoodie.keygen.timebased.timezone")
          .stringType()
          .noDefaultValue()
          .withFallbackKeys("hoodie.deltastreamer.keygen.timebased.timezone")
          .withDescription("Both time zones.");

  public static final ConfigOption<Boolean> HIVE_STYLE_PARTITIONING =
      key("hoodie.datasource.write.hive_style_partitioning")
          .booleanType()
          .defaultValue(false)
          .withDescription("Whether partition folders are called column=value.");

  public static final ConfigOption<Boolean> URL_ENCODE_PARTITIONING =
      key("hoodie.datasource.write.partitionpath.urlencode")
          .booleanType()
          .defaultValue(false)
          .withDescription("Whether special characters in partition values are escaped.");

  public static final ConfigOption<String> PARTITION_DEFAULT_NAME =
      key("partition.default_name")
          .stringType()
          .defaultValue("__HIVE_DEFAULT_PARTITION__")
          .withDescription("Folder for null and empty partition values.");

  public static final ConfigOption<Boolean> INDEX_GLOBAL_ENABLED =
      key("index.global.enabled")
          .booleanType()
          .defaultValue(true)
          .withDescription("Whether a key is moved when its partition changes.");

  public static final ConfigOption<Double> INDEX_STATE_TTL =
      key("index.state.ttl")
          .doubleType()
          .defaultValue(0D)
          .withDescription(
              "Days after which the state forgets an unwritten key, which is then looked up in the"
                  + " table; 0 for never.");

  public static final ConfigOption<String> INDEX_TYPE =
      key("index.type")
          .stringType()
          .defaultValue("FLINK_STATE")
          .withFallbackKeys("hoodie.index.type")
          .withDescription("FLINK_STATE, or BUCKET, which needs no state; that of the table.");

  public static final ConfigOption<Integer> BUCKET_NUMBER =
      key("hoodie.bucket.index.num.buckets")
          .intType()
          .defaultValue(4)
          .withDescription("File groups of each partition, with BUCKET; that of the table.");

  public static final ConfigOption<String> BUCKET_EXPRESSIONS =
      key("hoodie.bucket.index.partition.expressions")
          .stringType()
          .defaultValue("")
          .withDescription(
              "Other numbers for some partitions: 'regex,count;...', the first that matches a whole"
                  + " partition path counts; those of the table.");

  public static final ConfigOption<String> BUCKET_HASH_FIELD =
      key("hoodie.bucket.index.hash.field")
          .stringType()
          .defaultValue("")
          .withDescription("Key columns that tell the bucket, with BUCKET; all by default.");

  // ---- writing ----

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

  // ---- reading ----

  public static final ConfigOption<Integer> READ_TASKS =
      key("read.tasks")
          .intType()
          .noDefaultValue()
          .withFallbackKeys("scan.parallelism")
          .withDescription("Parallelism of the source; that of the job by default.");

  public static final ConfigOption<String> QUERY_TYPE =
      key("hoodie.datasource.query.type")
          .stringType()
          .defaultValue("snapshot")
          .withDescription("snapshot, read_optimized (base files only) or incremental.");

  public static final ConfigOption<Boolean> READ_STREAMING_ENABLED =
      key("read.streaming.enabled")
          .booleanType()
          .defaultValue(false)
          .withDescription("Whether the read goes on with what is committed later.");

  public static final ConfigOption<Integer> READ_STREAMING_CHECK_INTERVAL =
      key("read.streaming.check-interval")
          .intType()
          .defaultValue(60)
          .withDescription("Seconds between looks at the timeline.");

  public static final ConfigOption<String> READ_START_COMMIT =
      key("read.start-commit")
          .stringType()
          .noDefaultValue()
          .withFallbackKeys("read.streaming.start-commit")
          .withDescription("First instant to read, included; 'earliest' or 'latest'.");

  public static final ConfigOption<String> READ_END_COMMIT =
      key("read.end-commit")
          .stringType()
          .noDefaultValue()
          .withDescription("Last instant to read, included.");

  public static final ConfigOption<Integer> READ_COMMITS_LIMIT =
      key("read.commits.limit")
          .intType()
          .noDefaultValue()
          .withDescription("Commits that a streaming read takes at once at most.");

  public static final ConfigOption<Integer> READ_SPLITS_LIMIT =
      key("read.splits.limit")
          .intType()
          .defaultValue(Integer.MAX_VALUE)
          .withDescription("File groups that a streaming read takes at once at most.");

  public static final ConfigOption<Integer> READ_SPLIT_SIZE =
      key("read.split.size")
          .intType()
          .defaultValue(128)
          .withDescription(
              "MB of a base file without log files that one reader takes at most, of a state of the table;"
                  + " larger files are divided by row group.");

  public static final ConfigOption<Duration> LOOKUP_CACHE_TTL =
      key("lookup.join.cache.ttl")
          .durationType()
          .defaultValue(Duration.ofMinutes(60))
          .withDescription(
              "How old the rows of a lookup join may be before it looks for new commits; every task"
                  + " keeps the table in its memory.");

  public static final ConfigOption<Boolean> READ_SKIP_OVERWRITE =
      key("read.streaming.skip_insertoverwrite")
          .booleanType()
          .defaultValue(false)
          .withDescription("Whether changes leave out what INSERT OVERWRITE did.");

  public static final ConfigOption<Boolean> READ_UTC_TIMEZONE =
      key("read.utc-timezone")
          .booleanType()
          .defaultValue(true)
          .withDescription(
              "Whether a TIMESTAMP shows the digits that are stored; else these are taken for UTC"
                  + " and shown on the clock of the machine that reads.");

  public static final ConfigOption<Boolean> CHANGELOG_ENABLED =
      key("changelog.enabled")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Whether a streaming read gives the changes of each commit by itself, also if several"
                  + " were made since it last looked.");

  /** All options above, in the order of this class. */
  // ---- compaction ----

  public static final ConfigOption<Boolean> COMPACTION_SCHEDULE_ENABLED =
      key("compaction.schedule.enabled")
          .booleanType()
          .defaultValue(true)
          .withDescription("Whether the job that writes plans compactions (MERGE_ON_READ).");

  public static final ConfigOption<Boolean> COMPACTION_ASYNC_ENABLED =
      key("compaction.async.enabled")
          .booleanType()
          .defaultValue(true)
          .withDescription("Whether it carries them out, too, while it writes.");

  public static final ConfigOption<Integer> COMPACTION_TASKS =
      key("compaction.tasks")
          .intType()
          .noDefaultValue()
          .withDescription("Parallelism of compactions; that of the writer by default.");

  public static final ConfigOption<String> COMPACTION_TRIGGER_STRATEGY =
      key("compaction.trigger.strategy")
          .stringType()
          .defaultValue("num_commits")
          .withFallbackKeys("hoodie.compact.inline.trigger.strategy")
          .withDescription(
              "num_commits, num_commits_after_last_request, time_elapsed, num_and_time or"
                  + " num_or_time.");

  public static final ConfigOption<Integer> COMPACTION_DELTA_COMMITS =
      key("compaction.delta_commits")
          .intType()
          .defaultValue(5)
          .withFallbackKeys("hoodie.compact.inline.max.delta.commits")
          .withDescription("Delta commits between two compactions.");

  public static final ConfigOption<Integer> COMPACTION_DELTA_SECONDS =
      key("compaction.delta_seconds")
          .intType()
          .defaultValue(3600)
          .withFallbackKeys("hoodie.compact.inline.max.delta.seconds")
          .withDescription("Seconds between two compactions.");

  public static final ConfigOption<Integer> COMPACTION_TIMEOUT_SECONDS =
      key("compaction.timeout.seconds")
          .intType()
          .defaultValue(1200)
          .withDescription(
              "Seconds without a sign of life after which another job's compaction is done again.");

  public static final ConfigOption<Integer> COMPACTION_MAX_MEMORY =
      key("compaction.max_memory")
          .intType()
          .defaultValue(100)
          .withDescription(
              "MB of log records that a compaction holds; at most a tenth of the heap for all.");

  public static final ConfigOption<Long> COMPACTION_TARGET_IO =
      key("compaction.target_io")
          .longType()
          .defaultValue(512_000L)
          .withFallbackKeys("hoodie.compaction.target.io")
          .withDescription("MB that one compaction reads and writes at most.");

  public static final ConfigOption<String> COMPACTION_STRATEGY =
      key("hoodie.compaction.strategy")
          .stringType()
          .defaultValue("LogFileSizeBasedCompactionStrategy")
          .withDescription("Which file groups come first, by Hudi's class for it.");

  public static final ConfigOption<Long> COMPACTION_LOG_SIZE_THRESHOLD =
      key("hoodie.compaction.logfile.size.threshold")
          .longType()
          .defaultValue(0L)
          .withDescription("Bytes of log files below which a file group is left alone.");

  // ---- cleaning and archiving ----

  public static final ConfigOption<Boolean> CLEAN_ASYNC_ENABLED =
      key("clean.async.enabled")
          .booleanType()
          .defaultValue(true)
          .withFallbackKeys(
              "hoodie.clean.async.enabled", "hoodie.clean.async", "hoodie.clean.automatic")
          .withDescription("Whether the job that writes deletes old file slices after commits.");

  public static final ConfigOption<String> CLEAN_POLICY =
      key("clean.policy")
          .stringType()
          .defaultValue("KEEP_LATEST_COMMITS")
          .withFallbackKeys("hoodie.clean.policy", "hoodie.cleaner.policy")
          .withDescription(
              "KEEP_LATEST_COMMITS, KEEP_LATEST_FILE_VERSIONS or KEEP_LATEST_BY_HOURS.");

  public static final ConfigOption<Integer> CLEAN_RETAIN_COMMITS =
      key("clean.retain_commits")
          .intType()
          .defaultValue(30)
          .withFallbackKeys(
              "hoodie.clean.commits.retained",
              "clean.commits.retained",
              "hoodie.cleaner.commits.retained")
          .withDescription("Commits whose view of the table stays readable.");

  public static final ConfigOption<Integer> CLEAN_RETAIN_HOURS =
      key("clean.retain_hours")
          .intType()
          .defaultValue(24)
          .withFallbackKeys("hoodie.clean.hours.retained", "hoodie.cleaner.hours.retained")
          .withDescription("Hours that stay readable with KEEP_LATEST_BY_HOURS.");

  public static final ConfigOption<Integer> CLEAN_RETAIN_FILE_VERSIONS =
      key("clean.retain_file_versions")
          .intType()
          .defaultValue(5)
          .withFallbackKeys(
              "hoodie.clean.fileversions.retained", "hoodie.cleaner.fileversions.retained")
          .withDescription("Slices of each file group with KEEP_LATEST_FILE_VERSIONS.");

  public static final ConfigOption<Integer> CLEAN_MAX_COMMITS =
      key("hoodie.clean.max.commits")
          .intType()
          .defaultValue(1)
          .withDescription("Commits after which the next clean is planned.");

  public static final ConfigOption<Boolean> ARCHIVE_AUTOMATIC =
      key("hoodie.archive.automatic")
          .booleanType()
          .defaultValue(true)
          .withDescription("Whether the job that writes archives old instants.");

  public static final ConfigOption<Integer> ARCHIVE_MAX_COMMITS =
      key("archive.max_commits")
          .intType()
          .defaultValue(50)
          .withFallbackKeys("hoodie.keep.max.commits")
          .withDescription("Commits on the active timeline above which it is archived.");

  public static final ConfigOption<Integer> ARCHIVE_MIN_COMMITS =
      key("archive.min_commits")
          .intType()
          .defaultValue(40)
          .withFallbackKeys("hoodie.keep.min.commits")
          .withDescription(
              "Commits that stay on it; 10 more than those retained by the clean, if that is"
                  + " more.");

  // ---- clustering ----

  public static final ConfigOption<Boolean> CLUSTERING_SCHEDULE_ENABLED =
      key("clustering.schedule.enabled")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Whether the job that writes plans clusterings, which make few large files of many"
                  + " small ones.");

  public static final ConfigOption<Boolean> CLUSTERING_ASYNC_ENABLED =
      key("clustering.async.enabled")
          .booleanType()
          .defaultValue(false)
          .withFallbackKeys("hoodie.clustering.async.enabled")
          .withDescription("Whether it carries them out, too, while it writes.");

  public static final ConfigOption<Integer> CLUSTERING_DELTA_COMMITS =
      key("clustering.delta_commits")
          .intType()
          .defaultValue(4)
          .withFallbackKeys(
              "hoodie.clustering.async.max.commits", "hoodie.clustering.inline.max.commits")
          .withDescription("Commits between two clusterings.");

  public static final ConfigOption<Integer> CLUSTERING_TASKS =
      key("clustering.tasks")
          .intType()
          .noDefaultValue()
          .withDescription("Parallelism of clusterings; that of the writer by default.");

  public static final ConfigOption<Integer> CLUSTERING_MAX_MEMORY =
      key("clustering.max_memory")
          .intType()
          .defaultValue(256)
          .withDescription(
              "MB of rows that one task sorts in memory, beyond it in local files; at most a tenth"
                  + " of the heap for all.");

  public static final ConfigOption<String> CLUSTERING_STRATEGY_CLASS =
      key("clustering.plan.strategy.class")
          .stringType()
          .defaultValue("FlinkSizeBasedClusteringPlanStrategy")
          .withFallbackKeys("hoodie.clustering.plan.strategy.class")
          .withDescription(
              "By size; RecentDays or SelectedPartitions in the name set the partition filter mode,"
                  + " too.");

  public static final ConfigOption<String> CLUSTERING_FILTER_MODE =
      key("clustering.plan.partition.filter.mode")
          .stringType()
          .defaultValue("NONE")
          .withFallbackKeys("hoodie.clustering.plan.partition.filter.mode")
          .withDescription(
              "NONE for all partitions, RECENT_DAYS, SELECTED_PARTITIONS or DAY_ROLLING.");

  public static final ConfigOption<Integer> CLUSTERING_LOOKBACK =
      key("clustering.plan.strategy.daybased.lookback.partitions")
          .intType()
          .defaultValue(2)
          .withFallbackKeys("hoodie.clustering.plan.strategy.daybased.lookback.partitions")
          .withDescription("Partitions that RECENT_DAYS takes.");

  public static final ConfigOption<Integer> CLUSTERING_SKIP_LATEST =
      key("clustering.plan.strategy.daybased.skipfromlatest.partitions")
          .intType()
          .defaultValue(0)
          .withFallbackKeys("hoodie.clustering.plan.strategy.daybased.skipfromlatest.partitions")
          .withDescription("Newest partitions that RECENT_DAYS leaves alone.");

  public static final ConfigOption<String> CLUSTERING_BEGIN_PARTITION =
      key("clustering.plan.strategy.cluster.begin.partition")
          .stringType()
          .defaultValue("")
          .withFallbackKeys("hoodie.clustering.plan.strategy.cluster.begin.partition")
          .withDescription("First partition path of SELECTED_PARTITIONS.");

  public static final ConfigOption<String> CLUSTERING_END_PARTITION =
      key("clustering.plan.strategy.cluster.end.partition")
          .stringType()
          .defaultValue("")
          .withFallbackKeys("hoodie.clustering.plan.strategy.cluster.end.partition")
          .withDescription("Last partition path of SELECTED_PARTITIONS.");

  public static final ConfigOption<String> CLUSTERING_PARTITION_PATTERN =
      key("clustering.plan.strategy.partition.regex.pattern")
          .stringType()
          .defaultValue("")
          .withFallbackKeys("hoodie.clustering.plan.strategy.partition.regex.pattern")
          .withDescription(
              "Only partition paths that this regular expression matches are clustered.");

  public static final ConfigOption<String> CLUSTERING_PARTITION_SELECTED =
      key("clustering.plan.strategy.partition.selected")
          .stringType()
          .defaultValue("")
          .withFallbackKeys("hoodie.clustering.plan.strategy.partition.selected")
          .withDescription("Only these partition paths, parted by commas, are clustered.");

  public static final ConfigOption<Long> CLUSTERING_TARGET_FILE_BYTES =
      key("clustering.plan.strategy.target.file.max.bytes")
          .longType()
          .defaultValue(1073741824L)
          .withFallbackKeys("hoodie.clustering.plan.strategy.target.file.max.bytes")
          .withDescription("Size of the files that a clustering makes.");

  public static final ConfigOption<Long> CLUSTERING_SMALL_FILE_LIMIT =
      key("clustering.plan.strategy.small.file.limit")
          .longType()
          .defaultValue(600L)
          .withDescription("MB below which a base file is clustered.");

  public static final ConfigOption<String> CLUSTERING_SORT_COLUMNS =
      key("clustering.plan.strategy.sort.columns")
          .stringType()
          .defaultValue("")
          .withFallbackKeys("hoodie.clustering.plan.strategy.sort.columns")
          .withDescription("Columns, parted by commas, that rows are sorted by.");

  public static final ConfigOption<Integer> CLUSTERING_MAX_GROUPS =
      key("clustering.plan.strategy.max.num.groups")
          .intType()
          .defaultValue(30)
          .withFallbackKeys("hoodie.clustering.plan.strategy.max.num.groups")
          .withDescription("Tasks in one plan at most.");

  public static final ConfigOption<Long> CLUSTERING_MAX_GROUP_BYTES =
      key("hoodie.clustering.plan.strategy.max.bytes.per.group")
          .longType()
          .defaultValue(2147483648L)
          .withDescription("Bytes that one task reads at most.");

  public static final ConfigOption<String> CLUSTERING_LAYOUT =
      key("hoodie.layout.optimize.strategy")
          .stringType()
          .defaultValue("linear")
          .withDescription(
              "How the sort columns count: linear (one after the other), z-order or hilbert (all"
                  + " alike).");

  public static final ConfigOption<String> CLUSTERING_UPDATES =
      key("hoodie.clustering.updates.strategy")
          .stringType()
          .defaultValue("SparkAllowUpdateStrategy")
          .withDescription(
              "What becomes of updates of rows that are being clustered: with"
                  + " SparkAllowUpdateStrategy they are written and their files left out of the"
                  + " clustering, with SparkRejectUpdateStrategy they fail the job.");

  static final List<ConfigOption<?>> ALL =
      List.of(
          PATH,
          TABLE_NAME,
          DATABASE_NAME,
          TABLE_TYPE,
          WRITE_TABLE_VERSION,
          RECORD_KEY_FIELD,
          PARTITION_PATH_FIELD,
          ORDERING_FIELDS,
          MERGE_MODE,
          PAYLOAD_CLASS,
          RECORD_MERGER_IMPLS,
          RECORD_MERGER_STRATEGY,
          KEY_GENERATOR_TYPE,
          KEY_GENERATOR_CLASS,
          PARTITION_FORMAT,
          TIME_TYPE,
          TIME_UNIT,
          TIME_INPUT_FORMAT,
          TIME_INPUT_DELIMITER,
          TIME_INPUT_ZONE,
          TIME_OUTPUT_FORMAT,
          TIME_OUTPUT_ZONE,
          TIME_ZONE,
          HIVE_STYLE_PARTITIONING,
          URL_ENCODE_PARTITIONING,
          PARTITION_DEFAULT_NAME,
          INDEX_GLOBAL_ENABLED,
          INDEX_STATE_TTL,
          INDEX_TYPE,
          BUCKET_NUMBER,
          BUCKET_EXPRESSIONS,
          BUCKET_HASH_FIELD,
          OPERATION,
          DROP_DUPLICATES,
          INSERT_CLUSTER,
          BULK_INSERT_SHUFFLE,
          BULK_INSERT_SORT_BY_KEY,
          PARTITION_OVERWRITE_MODE,
          WRITE_TASKS,
          BUCKET_ASSIGN_TASKS,
          WRITE_TASK_MAX_SIZE,
          WRITE_BATCH_SIZE,
          WRITE_MERGE_MAX_MEMORY,
          WRITE_LOG_BLOCK_SIZE,
          LOG_BLOCK_FORMAT,
          WRITE_PARQUET_BLOCK_SIZE,
          WRITE_PARQUET_PAGE_SIZE,
          WRITE_PARQUET_MAX_FILE_SIZE,
          PARQUET_MAX_FILE_SIZE_BYTES,
          PARQUET_SMALL_FILE_LIMIT,
          PARQUET_COMPRESSION_CODEC,
          WRITE_RATE_LIMIT,
          IGNORE_FAILED,
          RETRY_TIMES,
          RETRY_INTERVAL_MILLIS,
          HEARTBEAT_INTERVAL_MILLIS,
          HEARTBEAT_TOLERABLE_MISSES,
          FAILED_WRITES_POLICY,
          READ_TASKS,
          QUERY_TYPE,
          READ_STREAMING_ENABLED,
          READ_STREAMING_CHECK_INTERVAL,
          READ_START_COMMIT,
          READ_END_COMMIT,
          READ_COMMITS_LIMIT,
          READ_SPLITS_LIMIT,
          READ_SPLIT_SIZE,
          LOOKUP_CACHE_TTL,
          READ_SKIP_OVERWRITE,
          READ_UTC_TIMEZONE,
          CHANGELOG_ENABLED,
          COMPACTION_SCHEDULE_ENABLED,
          COMPACTION_ASYNC_ENABLED,
          COMPACTION_TASKS,
          COMPACTION_TRIGGER_STRATEGY,
          COMPACTION_DELTA_COMMITS,
          COMPACTION_DELTA_SECONDS,
          COMPACTION_TIMEOUT_SECONDS,
          COMPACTION_MAX_MEMORY,
          COMPACTION_TARGET_IO,
          COMPACTION_STRATEGY,
          COMPACTION_LOG_SIZE_THRESHOLD,
          CLEAN_ASYNC_ENABLED,
          CLEAN_POLICY,
          CLEAN_RETAIN_COMMITS,
          CLEAN_RETAIN_HOURS,
          CLEAN_RETAIN_FILE_VERSIONS,
          ARCHIVE_AUTOMATIC,
          ARCHIVE_MAX_COMMITS,
          CLUSTERING_SCHEDULE_ENABLED,
          CLUSTERING_ASYNC_ENABLED,
          CLUSTERING_DELTA_COMMITS,
          CLUSTERING_TASKS,
          CLUSTERING_MAX_MEMORY,
          CLUSTERING_STRATEGY_CLASS,
          CLUSTERING_FILTER_MODE,
          CLUSTERING_LOOKBACK,
          CLUSTERING_SKIP_LATEST,
          CLUSTERING_BEGIN_PARTITION,
          CLUSTERING_END_PARTITION,
          CLUSTERING_PARTITION_PATTERN,
          CLUSTERING_PARTITION_SELECTED,
          CLUSTERING_TARGET_FILE_BYTES,
          CLUSTERING_SMALL_FILE_LIMIT,
          CLUSTERING_SORT_COLUMNS,
          CLUSTERING_MAX_GROUPS,
          CLUSTERING_MAX_GROUP_BYTES,
          CLUSTERING_LAYOUT,
          CLUSTERING_UPDATES,
          ARCHIVE_MIN_COMMITS);

  private HudiOptions() {}
}
