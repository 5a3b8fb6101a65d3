package io.hudilite.sql;

import static io.hudilite.sql.KnownOption.Concerns.BOTH;
import static io.hudilite.sql.KnownOption.Concerns.READERS;
import static io.hudilite.sql.KnownOption.Concerns.WRITERS;
import static io.hudilite.sql.Values.Zero.ALLOWED;
import static io.hudilite.sql.Values.bool;
import static io.hudilite.sql.Values.duration;
import static io.hudilite.sql.Values.intFrom;
import static io.hudilite.sql.Values.longFrom;
import static io.hudilite.sql.Values.moment;
import static io.hudilite.sql.Values.nonEmptyText;
import static io.hudilite.sql.Values.number;
import static io.hudilite.sql.Values.oneOf;
import static io.hudilite.sql.Values.position;
import static io.hudilite.sql.Values.text;

import io.hudilite.sql.KnownOption.Concerns;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.FallbackKey;

/**
 * Every option that Hudi's Flink connector knows, up to Hudi 1.2, and what becomes of it here, so
 * that a DDL written for Hudi can be used after a change of the connector's name, and nothing in it
 * is ignored without a word.
 */
final class OptionCatalog {
  /** Keys that begin so are handed on, not judged. */
  static final List<String> PASSED_ON = List.of("properties.", "hadoop.");

  private static final String ANY_SIZE = "MB";
  private static final String ONLY_STATE_INDEX = "There is no record-level index.";
  private static final String ONE_NUMBER = "The number of buckets is fixed.";
  private static final String ON_THE_HEAP =
      "Lookup joins look into the memory of the task, which takes no time.";
  private static final String NO_TRACE =
      "Offsets of Kafka belong to the Kafka source and its checkpoints.";
  private static final String WITH_CDC = "It only matters with 'cdc.enabled'.";

  private static final OptionCatalog INSTANCE = new OptionCatalog();

  private final List<KnownOption> options = new ArrayList<>();
  private final Map<String, KnownOption> byKey = new LinkedHashMap<>();

  static OptionCatalog instance() {
    return INSTANCE;
  }

  private OptionCatalog() {
    table();
    changesAndMetadata();
    index();
    reads();
    writes();
    services();
    clustering();
    hiveSync();
    otherHoodieKeys();
    for (KnownOption option : options) {
      put(option.key(), option);
      option.otherKeys().forEach(other -> put(other, option));
    }
  }

  private void put(String key, KnownOption option) {
    if (byKey.put(key, option) != null) {
      throw new IllegalStateException("'" + key + "' stands twice in the catalog");
    }
  }

  /** The option of this name, or of this former name. */
  Optional<KnownOption> find(String key) {
    KnownOption exact = byKey.get(key);
    if (exact != null) {
      return Optional.of(exact);
    }
    return options.stream().filter(option -> option.isPrefix() && option.matches(key)).findFirst();
  }

  List<KnownOption> options() {
    return Collections.unmodifiableList(options);
  }

  /** All names, also former ones, without those that stand for many. */
  Collection<String> keys() {
    TreeSet<String> keys = new TreeSet<>(byKey.keySet());
    keys.removeIf(key -> key.endsWith("*"));
    return keys;
  }

  // ---- C1: table, keys, merging ----

  private void table() {
    used(HudiOptions.PATH, BOTH, nonEmptyText());
    used(HudiOptions.TABLE_NAME, BOTH, nonEmptyText());
    used(HudiOptions.DATABASE_NAME, BOTH, text());
    used(HudiOptions.TABLE_TYPE, BOTH, oneOf("COPY_ON_WRITE", "MERGE_ON_READ"));
    used(HudiOptions.ORDERING_FIELDS, BOTH, text());
    used(HudiOptions.PAYLOAD_CLASS, BOTH, nonEmptyText());
    used(
        HudiOptions.MERGE_MODE,
        BOTH,
        oneOf("COMMIT_TIME_ORDERING", "EVENT_TIME_ORDERING", "CUSTOM"));
    used(HudiOptions.RECORD_MERGER_IMPLS, BOTH, nonEmptyText());
    used(HudiOptions.RECORD_MERGER_STRATEGY, BOTH, nonEmptyText());
    add(
        HudiOptions.PARTITION_DEFAULT_NAME,
        Verdict.REFUSED,
        BOTH,
        nonEmptyText(),
        List.of(HudiOptions.PARTITION_DEFAULT_NAME.defaultValue()),
        "Null and empty partition values lie in the folder that Hudi's other engines expect.");
    used(HudiOptions.RECORD_KEY_FIELD, BOTH, text());
    used(HudiOptions.PARTITION_PATH_FIELD, BOTH, text());
    used(HudiOptions.HIVE_STYLE_PARTITIONING, BOTH, bool());
    used(HudiOptions.URL_ENCODE_PARTITIONING, BOTH, bool());
    used(HudiOptions.KEY_GENERATOR_CLASS, BOTH, text());
    used(HudiOptions.KEY_GENERATOR_TYPE, BOTH, nonEmptyText());
    noEffect(
        "hoodie.table.partition_extractor_class",
        text(),
        "Partition values are read from the rows, not from folder names.");
    used(HudiOptions.PARTITION_FORMAT, BOTH, text());
    used(
        HudiOptions.TIME_TYPE,
        BOTH,
        oneOf(
            "UNIX_TIMESTAMP",
            "EPOCHMILLISECONDS",
            "EPOCHMICROSECONDS",
            "SCALAR",
            "DATE_STRING",
            "MIXED"));
    used(
        HudiOptions.TIME_UNIT,
        BOTH,
        oneOf(
            "DAYS", "HOURS", "MINUTES", "SECONDS", "MILLISECONDS", "MICROSECONDS", "NANOSECONDS"));
    used(HudiOptions.TIME_INPUT_FORMAT, BOTH, text());
    used(HudiOptions.TIME_INPUT_DELIMITER, BOTH, nonEmptyText());
    used(HudiOptions.TIME_INPUT_ZONE, BOTH, text());
    used(HudiOptions.TIME_OUTPUT_FORMAT, BOTH, nonEmptyText());
    used(HudiOptions.TIME_OUTPUT_ZONE, BOTH, nonEmptyText());
    used(HudiOptions.TIME_ZONE, BOTH, nonEmptyText());
    refused(
        "write.utc-timezone",
        WRITERS,
        bool(),
        List.of("true"),
        "A TIMESTAMP is stored with its wall-clock digits, in whatever zone the job runs; use"
            + " TIMESTAMP_LTZ for a moment.");
    used(HudiOptions.READ_UTC_TIMEZONE, READERS, bool());
    add(
        HudiOptions.WRITE_TABLE_VERSION,
        Verdict.NOT_YET,
        WRITERS,
        oneOf("8", "9"),
        List.of("8"),
        "New tables are made in version 8, which Hudi 1.0, 1.1 and 1.2 read and write; versions 6,"
            + " 8 and 9 are read.");
    refused(
        "hoodie.table.format",
        BOTH,
        text(),
        List.of("native"),
        "Only Hudi's native table format is known.");
    noEffect("source.avro-schema", text(), "The columns are those of the DDL.");
    noEffect("source.avro-schema.path", text(), "The columns are those of the DDL.");
    noEffect("eventtime.field", text(), "Freshness is not tracked by a column.");
  }

  // ---- C2: change streams, metadata table ----

  private void changesAndMetadata() {
    used(HudiOptions.CHANGELOG_ENABLED, BOTH, bool());
    refused(
        new String[] {"cdc.enabled", "hoodie.table.cdc.enabled"},
        BOTH,
        bool(),
        List.of("false"),
        "Change files are neither written nor read; a streaming read gives the changes of each"
            + " commit as an upsert stream.");
    notYet(
        new String[] {
          "cdc.supplemental.logging.mode", "hoodie.table.cdc.supplemental.logging.mode"
        },
        oneOf("op_key_only", "data_before", "data_before_after"),
        List.of("op_key_only", "data_before", "data_before_after"),
        WITH_CDC);
    notYet("read.cdc.from.changelog", bool(), List.of("true", "false"), WITH_CDC);
    notYet(
        new String[] {"metadata.enabled", "hoodie.metadata.enable"},
        bool(),
        List.of("false"),
        "Tables are made without a metadata table; files are found by listing.");
    String noMetadata = "There is no metadata table to be compacted.";
    noEffect("metadata.compaction.delta_commits", intFrom(1), noMetadata);
    noEffect("metadata.compaction.schedule.enabled", bool(), noMetadata);
    noEffect("metadata.compaction.async.enabled", bool(), noMetadata);
  }

  // ---- C3: index ----

  private void index() {
    add(
        HudiOptions.INDEX_TYPE,
        Verdict.REFUSED,
        WRITERS,
        oneOf(
            "FLINK_STATE",
            "BUCKET",
            "RECORD_LEVEL_INDEX",
            "GLOBAL_RECORD_LEVEL_INDEX",
            "RECORD_INDEX",
            "INMEMORY",
            "BLOOM",
            "GLOBAL_BLOOM",
            "SIMPLE",
            "GLOBAL_SIMPLE",
            "HBASE"),
        List.of("FLINK_STATE", "BUCKET"),
        "Set 'index.type'='FLINK_STATE', which also moves keys between partitions and loads itself"
            + " from the table when its state is missing; or BUCKET, which needs no state.");
    add(
        "index.bootstrap.enabled",
        Verdict.ALWAYS_SO,
        WRITERS,
        bool(),
        List.of(),
        "Keys that the state does not cover are loaded from the table at the start.");
    used(HudiOptions.INDEX_STATE_TTL, WRITERS, number("days", ALLOWED));
    used(HudiOptions.INDEX_GLOBAL_ENABLED, WRITERS, bool());
    notYet(
        "index.partition.regex",
        text(),
        List.of(".*"),
        "The keys of all partitions are loaded, so that none is written a second time.");
    noEffect("index.bootstrap.rocksdb.path", text(), "Keys are loaded into Flink's state.");
    noEffect("index.rli.cache.size", longFrom(1), ONLY_STATE_INDEX);
    noEffect("index.rli.cache.concurrent.partitions.num", intFrom(1), ONLY_STATE_INDEX);
    noEffect("index.rli.lookup.minibatch.size", intFrom(1), ONLY_STATE_INDEX);
    noEffect("index.rli.write.buffer.size", longFrom(1), ONLY_STATE_INDEX);
    noEffect("index.write.tasks", intFrom(1), ONLY_STATE_INDEX);
    refused(
        new String[] {"hoodie.index.bucket.engine", "hoodie.bucket.index.engine"},
        WRITERS,
        oneOf("SIMPLE", "CONSISTENT_HASHING"),
        List.of("SIMPLE"),
        "Each partition has a fixed number of buckets: SIMPLE.");
    used(HudiOptions.BUCKET_NUMBER, WRITERS, intFrom(1));
    notYet("hoodie.bucket.index.min.num.buckets", intFrom(1), List.of(), ONE_NUMBER);
    notYet("hoodie.bucket.index.max.num.buckets", intFrom(1), List.of(), ONE_NUMBER);
    used(HudiOptions.BUCKET_HASH_FIELD, WRITERS, text());
    add(
        "hoodie.bucket.index.partition.rule.type",
        Verdict.ALWAYS_SO,
        WRITERS,
        oneOf("regex"),
        List.of(),
        "Expressions for partitions are always regular expressions.");
    used(HudiOptions.BUCKET_EXPRESSIONS, WRITERS, text());
    notYet(
        "write.index_bootstrap.tasks",
        intFrom(1),
        List.of(),
        "Keys are loaded by the tasks of 'write.bucket_assign.tasks'.");
  }

  // ---- C4: reads and lookup ----

  private void reads() {
    used(HudiOptions.READ_TASKS, READERS, intFrom(1));
    used(HudiOptions.QUERY_TYPE, READERS, oneOf("snapshot", "read_optimized", "incremental"));
    refused(
        "hoodie.datasource.merge.type",
        READERS,
        oneOf("payload_combine", "skip_merge"),
        List.of("payload_combine"),
        "Log files are always merged with their base file; 'hoodie.datasource.query.type'="
            + "'read_optimized' reads base files only.");
    used(HudiOptions.READ_STREAMING_ENABLED, READERS, bool());
    used(HudiOptions.READ_STREAMING_CHECK_INTERVAL, READERS, intFrom(1));
    String neverChanges = "What compaction and clustering write is never read as a change.";
    add(
        "read.streaming.skip_compaction",
        Verdict.ALWAYS_SO,
        READERS,
        bool(),
        List.of(),
        neverChanges);
    add(
        "read.streaming.skip_clustering",
        Verdict.ALWAYS_SO,
        READERS,
        bool(),
        List.of(),
        neverChanges);
    used(HudiOptions.READ_SKIP_OVERWRITE, READERS, bool());
    used(HudiOptions.READ_START_COMMIT, READERS, position());
    used(HudiOptions.READ_END_COMMIT, READERS, moment());
    used(HudiOptions.READ_COMMITS_LIMIT, READERS, intFrom(1));
    used(HudiOptions.READ_SPLITS_LIMIT, READERS, intFrom(1));
    used(HudiOptions.READ_SPLIT_SIZE, READERS, intFrom(1));
    noEffect("read.source-v2.enabled", bool(), "There is one source, and it is of that kind.");
    notYet(
        "read.data.skipping.enabled",
        bool(),
        List.of("false"),
        "Files are skipped by partition only; results are the same.");
    notYet(
        new String[] {"read.data.skipping.rli.keys.max.num", "read.record.index.keys.max.count"},
        intFrom(0),
        List.of(),
        "There is no record-level index to look into.");
    used(HudiOptions.LOOKUP_CACHE_TTL, READERS, duration());
    notYet("lookup.join.cache.type", oneOf("heap", "rocksdb"), List.of("heap"), ON_THE_HEAP);
    notYet("lookup.join.rocksdb.path", text(), List.of(), ON_THE_HEAP);
    notYet("lookup.async", bool(), List.of("false"), ON_THE_HEAP);
    notYet("lookup.async-thread-number", intFrom(1), List.of(), ON_THE_HEAP);
  }

  // ---- C5: writes ----

  private void writes() {
    used(
        HudiOptions.OPERATION,
        WRITERS,
        oneOf(
            "upsert",
            "insert",
            "bulk_insert",
            "insert_overwrite",
            "insert_overwrite_table",
            "delete"));
    add(
        "write.precombine",
        Verdict.ALWAYS_SO,
        WRITERS,
        bool(),
        List.of(),
        "Rows of one key are always merged before an upsert writes them, and never by an insert.");
    used(HudiOptions.WRITE_TASKS, WRITERS, intFrom(1));
    used(HudiOptions.BUCKET_ASSIGN_TASKS, WRITERS, intFrom(1));
    used(HudiOptions.WRITE_TASK_MAX_SIZE, WRITERS, number(ANY_SIZE, Values.Zero.REFUSED));
    used(HudiOptions.WRITE_BATCH_SIZE, WRITERS, number(ANY_SIZE, Values.Zero.REFUSED));
    noEffect("write.memory.segment.page.size", intFrom(1), "The page size is chosen by itself.");
    notYet(
        "write.buffer.memory.type",
        oneOf("ON_HEAP", "MANAGED"),
        List.of("ON_HEAP"),
        "The buffer lies on the heap, within 'write.task.max.size'.");
    String unsorted = "Rows are written in the order of their arrival.";
    notYet(
        "write.buffer.type",
        oneOf("NONE", "BOUNDED_IN_MEMORY", "DISRUPTOR", "CONTINUOUS_SORT"),
        List.of("NONE"),
        unsorted);
    notYet("write.buffer.sort.enabled", bool(), List.of("false"), unsorted);
    notYet("write.buffer.sort.keys", text(), List.of(""), unsorted);
    notYet("write.buffer.size", longFrom(1), List.of("1000"), unsorted);
    noEffect("write.buffer.sort.continuous.drain.size", intFrom(1), unsorted);
    noEffect("write.buffer.disruptor.ring.size", intFrom(1), "There is no ring buffer.");
    noEffect("write.buffer.disruptor.wait.strategy", text(), "There is no ring buffer.");
    used(HudiOptions.WRITE_MERGE_MAX_MEMORY, WRITERS, intFrom(1));
    used(HudiOptions.WRITE_LOG_BLOCK_SIZE, WRITERS, intFrom(1));
    notYet(
        "write.log.max.size",
        longFrom(1),
        List.of("1024"),
        "Each flush writes a log file of its own.");
    used(HudiOptions.WRITE_PARQUET_BLOCK_SIZE, WRITERS, intFrom(1));
    used(HudiOptions.WRITE_PARQUET_MAX_FILE_SIZE, WRITERS, intFrom(1));
    used(HudiOptions.WRITE_PARQUET_PAGE_SIZE, WRITERS, intFrom(1));
    used(HudiOptions.WRITE_RATE_LIMIT, WRITERS, longFrom(0));
    used(HudiOptions.RETRY_TIMES, WRITERS, intFrom(0));
    used(HudiOptions.RETRY_INTERVAL_MILLIS, WRITERS, longFrom(0));
    used(HudiOptions.HEARTBEAT_INTERVAL_MILLIS, WRITERS, longFrom(10));
    used(HudiOptions.HEARTBEAT_TOLERABLE_MISSES, WRITERS, intFrom(2));
    used(HudiOptions.IGNORE_FAILED, WRITERS, bool());
    add(
        "write.fail.fast",
        Verdict.ALWAYS_SO,
        WRITERS,
        bool(),
        List.of(),
        "A row that cannot be written fails the job at once, unless 'write.ignore.failed' is"
            + " true.");
    noEffect(
        "write.commit.ack.timeout",
        longFrom(0),
        "Writers do not wait for the commit of the last checkpoint.");
    refused(
        "write.client.id", WRITERS, text(), List.of(""), "One job at a time writes to a table.");
    add(
        "write.extra.metadata.enabled",
        Verdict.ALWAYS_SO,
        WRITERS,
        bool(),
        List.of(),
        "The checkpoint id stands in each commit.");
    noEffect(
        "write.incremental.job.graph.generation", bool(), "The job graph has one way to be made.");
    used(HudiOptions.INSERT_CLUSTER, WRITERS, bool());
    notYet("write.insert.partitioner.class.name", text(), List.of(""), "It has one partitioner.");
    notYet(
        "write.insert.partitioner.default_parallelism_per_partition",
        intFrom(1),
        List.of("30"),
        "It has one partitioner.");
    used(HudiOptions.BULK_INSERT_SHUFFLE, WRITERS, bool());
    add(
        "write.bulk_insert.sort_input",
        Verdict.ALWAYS_SO,
        WRITERS,
        bool(),
        List.of(),
        "The rows of a partition are always put together before they are written.");
    used(HudiOptions.BULK_INSERT_SORT_BY_KEY, WRITERS, bool());
    noEffect(
        "write.sort.memory",
        intFrom(1),
        "Rows are sorted within 'write.task.max.size', and on disk.");
    used(HudiOptions.PARTITION_OVERWRITE_MODE, WRITERS, oneOf("STATIC", "DYNAMIC"));
    for (String traced :
        List.of(
            "dc",
            "env",
            "hadoop.user",
            "job.name",
            "source.cluster",
            "target.cluster",
            "topic.id",
            "topic.name",
            "caller.service.name",
            "checkpoint.service",
            "service.name",
            "service.tier")) {
      noEffect("kafka.offset.trace." + traced, text(), NO_TRACE);
    }
  }

  // ---- C6: compaction, cleaning, archiving ----

  private void services() {
    used(HudiOptions.COMPACTION_SCHEDULE_ENABLED, WRITERS, bool());
    used(HudiOptions.COMPACTION_ASYNC_ENABLED, WRITERS, bool());
    noEffect(
        "compaction.operation.execute.async.enabled",
        bool(),
        "Compactions always have a thread of their own.");
    used(HudiOptions.COMPACTION_TASKS, WRITERS, intFrom(1));
    used(
        HudiOptions.COMPACTION_TRIGGER_STRATEGY,
        WRITERS,
        oneOf(
            "num_commits",
            "num_commits_after_last_request",
            "time_elapsed",
            "num_and_time",
            "num_or_time"));
    used(HudiOptions.COMPACTION_DELTA_COMMITS, WRITERS, intFrom(1));
    used(HudiOptions.COMPACTION_DELTA_SECONDS, WRITERS, intFrom(1));
    used(HudiOptions.COMPACTION_TIMEOUT_SECONDS, WRITERS, intFrom(1));
    used(HudiOptions.COMPACTION_MAX_MEMORY, WRITERS, intFrom(1));
    used(HudiOptions.COMPACTION_TARGET_IO, WRITERS, longFrom(1));
    noEffect("hoodie.compact.inline", bool(), "Compactions run beside the writer, never inline.");
    used(HudiOptions.COMPACTION_STRATEGY, WRITERS, nonEmptyText());
    used(HudiOptions.COMPACTION_LOG_SIZE_THRESHOLD, WRITERS, longFrom(0));
    used(HudiOptions.CLEAN_ASYNC_ENABLED, WRITERS, bool());
    used(
        HudiOptions.CLEAN_POLICY,
        WRITERS,
        oneOf("KEEP_LATEST_COMMITS", "KEEP_LATEST_FILE_VERSIONS", "KEEP_LATEST_BY_HOURS"));
    used(HudiOptions.CLEAN_RETAIN_COMMITS, WRITERS, intFrom(1));
    used(HudiOptions.CLEAN_RETAIN_HOURS, WRITERS, intFrom(1));
    used(HudiOptions.CLEAN_RETAIN_FILE_VERSIONS, WRITERS, intFrom(1));
    used(HudiOptions.FAILED_WRITES_POLICY, WRITERS, oneOf("EAGER", "LAZY"));
    used(HudiOptions.CLEAN_MAX_COMMITS, WRITERS, intFrom(1));
    used(HudiOptions.ARCHIVE_MAX_COMMITS, WRITERS, intFrom(1));
    used(HudiOptions.ARCHIVE_MIN_COMMITS, WRITERS, intFrom(1));
    used(HudiOptions.ARCHIVE_AUTOMATIC, WRITERS, bool());
  }

  // ---- C7: clustering ----

  private void clustering() {
    used(HudiOptions.CLUSTERING_SCHEDULE_ENABLED, WRITERS, bool());
    used(HudiOptions.CLUSTERING_ASYNC_ENABLED, WRITERS, bool());
    used(HudiOptions.CLUSTERING_DELTA_COMMITS, WRITERS, intFrom(1));
    used(HudiOptions.CLUSTERING_TASKS, WRITERS, intFrom(1));
    used(HudiOptions.CLUSTERING_MAX_MEMORY, WRITERS, intFrom(1));
    used(HudiOptions.CLUSTERING_STRATEGY_CLASS, WRITERS, nonEmptyText());
    used(
        HudiOptions.CLUSTERING_FILTER_MODE,
        WRITERS,
        oneOf("NONE", "RECENT_DAYS", "SELECTED_PARTITIONS", "DAY_ROLLING"));
    used(HudiOptions.CLUSTERING_LOOKBACK, WRITERS, intFrom(1));
    used(HudiOptions.CLUSTERING_SKIP_LATEST, WRITERS, intFrom(0));
    used(HudiOptions.CLUSTERING_BEGIN_PARTITION, WRITERS, text());
    used(HudiOptions.CLUSTERING_END_PARTITION, WRITERS, text());
    used(HudiOptions.CLUSTERING_PARTITION_PATTERN, WRITERS, text());
    used(HudiOptions.CLUSTERING_PARTITION_SELECTED, WRITERS, text());
    used(HudiOptions.CLUSTERING_TARGET_FILE_BYTES, WRITERS, longFrom(1));
    used(HudiOptions.CLUSTERING_SMALL_FILE_LIMIT, WRITERS, longFrom(0));
    used(HudiOptions.CLUSTERING_SORT_COLUMNS, WRITERS, text());
    used(HudiOptions.CLUSTERING_MAX_GROUPS, WRITERS, intFrom(1));
    used(HudiOptions.CLUSTERING_MAX_GROUP_BYTES, WRITERS, longFrom(1));
    used(HudiOptions.CLUSTERING_LAYOUT, WRITERS, oneOf("linear", "z-order", "hilbert"));
    used(HudiOptions.CLUSTERING_UPDATES, WRITERS, nonEmptyText());
    noEffect(
        "hoodie.clustering.inline", bool(), "Clusterings run beside the writer, never inline.");
    noEffect(
        "hoodie.layout.optimize.curve.build.method",
        text(),
        "Curves go through ranks of a sample of the rows.");
    noEffect("hoodie.clustering.execution.strategy.class", text(), "There is one way to do it.");
    notYet(
        "hoodie.clustering.plan.strategy.small.file.limit",
        longFrom(0),
        List.of(),
        "Set 'clustering.plan.strategy.small.file.limit' (in MB).");
  }

  // ---- C8: Hive sync ----

  private void hiveSync() {
    refused(
        new String[] {"hive_sync.enabled", "hive_sync.enable"},
        WRITERS,
        bool(),
        List.of("false"),
        "This jar has no Hive client. Tables need no metastore; register the folder there by other"
            + " means if another engine wants it.");
    add(
        "hive_sync.mode",
        Verdict.ALWAYS_SO,
        WRITERS,
        oneOf("HMS", "HIVEQL", "JDBC", "GLUE"),
        List.of(),
        "Hive sync is off.");
    add(
        "hive_sync.table.strategy",
        Verdict.ALWAYS_SO,
        WRITERS,
        oneOf("RO", "RT", "ALL"),
        List.of(),
        "Hive sync is off.");
    for (String name :
        List.of(
            "metastore.uris",
            "db",
            "table",
            "jdbc_url",
            "username",
            "password",
            "partition_fields",
            "partition_extractor_class",
            "file_format",
            "table_properties",
            "serde_properties",
            "conf.dir")) {
      add("hive_sync." + name, Verdict.ALWAYS_SO, WRITERS, text(), List.of(), "Hive sync is off.");
    }
    for (String name :
        List.of(
            "assume_date_partitioning",
            "use_jdbc",
            "auto_create_db",
            "ignore_exceptions",
            "skip_ro_suffix",
            "support_timestamp")) {
      add("hive_sync." + name, Verdict.ALWAYS_SO, WRITERS, bool(), List.of(), "Hive sync is off.");
    }
  }

  // ---- C9: keys of Hudi's write client that people put into the WITH clause ----

  private void otherHoodieKeys() {
    used(HudiOptions.PARQUET_SMALL_FILE_LIMIT, WRITERS, longFrom(0));
    used(HudiOptions.PARQUET_MAX_FILE_SIZE_BYTES, WRITERS, longFrom(1));
    used(HudiOptions.LOG_BLOCK_FORMAT, WRITERS, oneOf("auto", "avro", "parquet"));
    used(
        HudiOptions.PARQUET_COMPRESSION_CODEC,
        WRITERS,
        oneOf("snappy", "zstd", "gzip", "uncompressed"));
    notYet(
        "hoodie.parquet.block.size",
        longFrom(1),
        List.of(),
        "Set 'write.parquet.block.size' (in MB).");
    refused(
        "hoodie.write.concurrency.mode",
        WRITERS,
        text(),
        List.of("SINGLE_WRITER"),
        "One job at a time writes to a table; a second one is refused.");
    notYet(
        "hoodie.write.lock.*",
        text(),
        List.of(),
        "No lock is taken: each instant is decided by an atomic file in the table's folder.");
    String noBloom = "Keys are found through Flink state, not through bloom filters.";
    noEffect("hoodie.bloom.index.*", text(), noBloom);
    noEffect("hoodie.index.bloom.*", text(), noBloom);
    used(HudiOptions.DROP_DUPLICATES, WRITERS, bool());
    refused(
        "hoodie.populate.meta.fields",
        WRITERS,
        bool(),
        List.of("true"),
        "The meta columns are always written; incremental reads need them.");
    refused(
        "hoodie.schema.on.read.enable",
        BOTH,
        bool(),
        List.of("false"),
        "Columns are matched by name.");
    refused(
        "hoodie.datasource.write.drop.partition.columns",
        WRITERS,
        bool(),
        List.of("false"),
        "Partition columns are always stored in the rows.");
    noEffect("hoodie.write.markers.type", text(), "Markers are written in one form.");
    noEffect("hoodie.embed.timeline.server", bool(), "There is no timeline server.");
    noEffect("hoodie.metrics.*", text(), "Metrics are Flink's, and always on.");
    notYet("hoodie.precommit.validators*", text(), List.of(""), "Commits are not validated.");
    notYet(
        "hoodie.write.rolling.metadata.keys",
        text(),
        List.of(""),
        "Metadata of earlier commits is not carried on.");
  }

  // ---- the words of the lists above ----

  private void used(ConfigOption<?> option, Concerns concerns, Values values) {
    add(option, Verdict.USED, concerns, values, List.of(), "");
  }

  private void add(
      ConfigOption<?> option,
      Verdict verdict,
      Concerns concerns,
      Values values,
      List<String> harmless,
      String note) {
    List<String> others = new ArrayList<>();
    for (FallbackKey fallback : option.fallbackKeys()) {
      others.add(fallback.getKey());
    }
    options.add(new KnownOption(option.key(), others, verdict, values, harmless, concerns, note));
  }

  private void noEffect(String key, Values values, String why) {
    add(key, Verdict.NO_EFFECT, BOTH, values, List.of(), why);
  }

  private void notYet(String key, Values values, List<String> harmless, String note) {
    notYet(new String[] {key}, values, harmless, note);
  }

  private void notYet(String[] keys, Values values, List<String> harmless, String note) {
    add(keys, Verdict.NOT_YET, BOTH, values, harmless, note);
  }

  private void refused(
      String key, Concerns concerns, Values values, List<String> harmless, String possible) {
    refused(new String[] {key}, concerns, values, harmless, possible);
  }

  private void refused(
      String[] keys, Concerns concerns, Values values, List<String> harmless, String possible) {
    add(keys, Verdict.REFUSED, concerns, values, harmless, possible);
  }

  private void add(
      String key,
      Verdict verdict,
      Concerns concerns,
      Values values,
      List<String> harmless,
      String note) {
    add(new String[] {key}, verdict, concerns, values, harmless, note);
  }

  private void add(
      String[] keys,
      Verdict verdict,
      Concerns concerns,
      Values values,
      List<String> harmless,
      String note) {
    List<String> all = List.of(keys);
    options.add(
        new KnownOption(
            all.get(0), all.subList(1, all.size()), verdict, values, harmless, concerns, note));
  }
}
