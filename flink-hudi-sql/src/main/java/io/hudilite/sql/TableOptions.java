package io.hudilite.sql;

import static org.apache.flink.configuration.ConfigOptions.key;

import org.apache.flink.configuration.ConfigOption;

/**
 * What a table is: where it lies, its keys, partitions, merge rule and index. With Hudi's keys,
 * types and defaults; options without a default are either required ({@link #PATH}) or worked out
 * from the table. What becomes of all other options of Hudi is written in {@link OptionCatalog}.
 */
public final class TableOptions {
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

  private TableOptions() {}
}
