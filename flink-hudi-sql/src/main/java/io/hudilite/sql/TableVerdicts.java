package io.hudilite.sql;

import static io.hudilite.sql.KnownOption.Concerns.BOTH;
import static io.hudilite.sql.KnownOption.Concerns.READERS;
import static io.hudilite.sql.KnownOption.Concerns.WRITERS;
import static io.hudilite.sql.Values.Zero.ALLOWED;
import static io.hudilite.sql.Values.bool;
import static io.hudilite.sql.Values.intFrom;
import static io.hudilite.sql.Values.longFrom;
import static io.hudilite.sql.Values.nonEmptyText;
import static io.hudilite.sql.Values.number;
import static io.hudilite.sql.Values.oneOf;
import static io.hudilite.sql.Values.text;

import java.util.List;

/**
 * What becomes of the options of the table, its keys, its merge rule, its changes, its metadata
 * table and its index.
 */
final class TableVerdicts {
  private static final String ONLY_STATE_INDEX = "There is no record-level index.";
  private static final String ONE_NUMBER = "The number of buckets is fixed.";
  private static final String WITH_CDC = "It only matters with 'cdc.enabled'.";

  private TableVerdicts() {}

  static void addTo(OptionList list) {
    table(list);
    changesAndMetadata(list);
    index(list);
  }

  // ---- C1: table, keys, merging ----

  private static void table(OptionList list) {
    list.used(TableOptions.PATH, BOTH, nonEmptyText());
    list.used(TableOptions.TABLE_NAME, BOTH, nonEmptyText());
    list.used(TableOptions.DATABASE_NAME, BOTH, text());
    list.used(TableOptions.TABLE_TYPE, BOTH, oneOf("COPY_ON_WRITE", "MERGE_ON_READ"));
    list.used(TableOptions.ORDERING_FIELDS, BOTH, text());
    list.used(TableOptions.PAYLOAD_CLASS, BOTH, nonEmptyText());
    list.used(
        TableOptions.MERGE_MODE,
        BOTH,
        oneOf("COMMIT_TIME_ORDERING", "EVENT_TIME_ORDERING", "CUSTOM"));
    list.used(TableOptions.RECORD_MERGER_IMPLS, BOTH, nonEmptyText());
    list.used(TableOptions.RECORD_MERGER_STRATEGY, BOTH, nonEmptyText());
    list.add(
        TableOptions.PARTITION_DEFAULT_NAME,
        Verdict.REFUSED,
        BOTH,
        nonEmptyText(),
        List.of(TableOptions.PARTITION_DEFAULT_NAME.defaultValue()),
        "Null and empty partition values lie in the folder that Hudi's other engines expect.");
    list.used(TableOptions.RECORD_KEY_FIELD, BOTH, text());
    list.used(TableOptions.PARTITION_PATH_FIELD, BOTH, text());
    list.used(TableOptions.HIVE_STYLE_PARTITIONING, BOTH, bool());
    list.used(TableOptions.URL_ENCODE_PARTITIONING, BOTH, bool());
    list.used(TableOptions.KEY_GENERATOR_CLASS, BOTH, text());
    list.used(TableOptions.KEY_GENERATOR_TYPE, BOTH, nonEmptyText());
    list.noEffect(
        "hoodie.table.partition_extractor_class",
        text(),
        "Partition values are read from the rows, not from folder names.");
    list.used(TableOptions.PARTITION_FORMAT, BOTH, text());
    list.used(
        TableOptions.TIME_TYPE,
        BOTH,
        oneOf(
            "UNIX_TIMESTAMP",
            "EPOCHMILLISECONDS",
            "EPOCHMICROSECONDS",
            "SCALAR",
            "DATE_STRING",
            "MIXED"));
    list.used(
        TableOptions.TIME_UNIT,
        BOTH,
        oneOf(
            "DAYS", "HOURS", "MINUTES", "SECONDS", "MILLISECONDS", "MICROSECONDS", "NANOSECONDS"));
    list.used(TableOptions.TIME_INPUT_FORMAT, BOTH, text());
    list.used(TableOptions.TIME_INPUT_DELIMITER, BOTH, nonEmptyText());
    list.used(TableOptions.TIME_INPUT_ZONE, BOTH, text());
    list.used(TableOptions.TIME_OUTPUT_FORMAT, BOTH, nonEmptyText());
    list.used(TableOptions.TIME_OUTPUT_ZONE, BOTH, nonEmptyText());
    list.used(TableOptions.TIME_ZONE, BOTH, nonEmptyText());
    list.refused(
        "write.utc-timezone",
        WRITERS,
        bool(),
        List.of("true"),
        "A TIMESTAMP is stored with its wall-clock digits, in whatever zone the job runs; use"
            + " TIMESTAMP_LTZ for a moment.");
    list.used(ReadOptions.READ_UTC_TIMEZONE, READERS, bool());
    list.add(
        TableOptions.WRITE_TABLE_VERSION,
        Verdict.NOT_YET,
        WRITERS,
        oneOf("8", "9"),
        List.of("8"),
        "New tables are made in version 8, which Hudi 1.0, 1.1 and 1.2 read and write; versions 6,"
            + " 8 and 9 are read.");
    list.refused(
        "hoodie.table.format",
        BOTH,
        text(),
        List.of("native"),
        "Only Hudi's native table format is known.");
    list.noEffect("source.avro-schema", text(), "The columns are those of the DDL.");
    list.noEffect("source.avro-schema.path", text(), "The columns are those of the DDL.");
    list.noEffect("eventtime.field", text(), "Freshness is not tracked by a column.");
  }

  // ---- C2: change streams, metadata table ----

  private static void changesAndMetadata(OptionList list) {
    list.used(ReadOptions.CHANGELOG_ENABLED, BOTH, bool());
    list.refused(
        new String[] {"cdc.enabled", "hoodie.table.cdc.enabled"},
        BOTH,
        bool(),
        List.of("false"),
        "Change files are neither written nor read; a streaming read gives the changes of each"
            + " commit as an upsert stream.");
    list.notYet(
        new String[] {
          "cdc.supplemental.logging.mode", "hoodie.table.cdc.supplemental.logging.mode"
        },
        oneOf("op_key_only", "data_before", "data_before_after"),
        List.of("op_key_only", "data_before", "data_before_after"),
        WITH_CDC);
    list.notYet("read.cdc.from.changelog", bool(), List.of("true", "false"), WITH_CDC);
    list.notYet(
        new String[] {"metadata.enabled", "hoodie.metadata.enable"},
        bool(),
        List.of("false"),
        "Tables are made without a metadata table; files are found by listing.");
    String noMetadata = "There is no metadata table to be compacted.";
    list.noEffect("metadata.compaction.delta_commits", intFrom(1), noMetadata);
    list.noEffect("metadata.compaction.schedule.enabled", bool(), noMetadata);
    list.noEffect("metadata.compaction.async.enabled", bool(), noMetadata);
  }

  // ---- C3: index ----

  private static void index(OptionList list) {
    list.add(
        TableOptions.INDEX_TYPE,
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
    list.add(
        "index.bootstrap.enabled",
        Verdict.ALWAYS_SO,
        WRITERS,
        bool(),
        List.of(),
        "Keys that the state does not cover are loaded from the table at the start.");
    list.used(TableOptions.INDEX_STATE_TTL, WRITERS, number("days", ALLOWED));
    list.used(TableOptions.INDEX_GLOBAL_ENABLED, WRITERS, bool());
    list.notYet(
        "index.partition.regex",
        text(),
        List.of(".*"),
        "The keys of all partitions are loaded, so that none is written a second time.");
    list.noEffect("index.bootstrap.rocksdb.path", text(), "Keys are loaded into Flink's state.");
    list.noEffect("index.rli.cache.size", longFrom(1), ONLY_STATE_INDEX);
    list.noEffect("index.rli.cache.concurrent.partitions.num", intFrom(1), ONLY_STATE_INDEX);
    list.noEffect("index.rli.lookup.minibatch.size", intFrom(1), ONLY_STATE_INDEX);
    list.noEffect("index.rli.write.buffer.size", longFrom(1), ONLY_STATE_INDEX);
    list.noEffect("index.write.tasks", intFrom(1), ONLY_STATE_INDEX);
    list.refused(
        new String[] {"hoodie.index.bucket.engine", "hoodie.bucket.index.engine"},
        WRITERS,
        oneOf("SIMPLE", "CONSISTENT_HASHING"),
        List.of("SIMPLE"),
        "Each partition has a fixed number of buckets: SIMPLE.");
    list.used(TableOptions.BUCKET_NUMBER, WRITERS, intFrom(1));
    list.notYet("hoodie.bucket.index.min.num.buckets", intFrom(1), List.of(), ONE_NUMBER);
    list.notYet("hoodie.bucket.index.max.num.buckets", intFrom(1), List.of(), ONE_NUMBER);
    list.used(TableOptions.BUCKET_HASH_FIELD, WRITERS, text());
    list.add(
        "hoodie.bucket.index.partition.rule.type",
        Verdict.ALWAYS_SO,
        WRITERS,
        oneOf("regex"),
        List.of(),
        "Expressions for partitions are always regular expressions.");
    list.used(TableOptions.BUCKET_EXPRESSIONS, WRITERS, text());
    list.notYet(
        "write.index_bootstrap.tasks",
        intFrom(1),
        List.of(),
        "Keys are loaded by the tasks of 'write.bucket_assign.tasks'.");
  }
}
