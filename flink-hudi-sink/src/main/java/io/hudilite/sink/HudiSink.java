package io.hudilite.sink;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.config.TableType;
import io.hudilite.core.key.BucketCounts;
import io.hudilite.core.key.KeyExtractor;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.StoredTypes;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.sink.assign.AppendAssigner;
import io.hudilite.sink.assign.AssignSettings;
import io.hudilite.sink.assign.AssignStart;
import io.hudilite.sink.assign.BucketAssigner;
import io.hudilite.sink.assign.BucketIndexAssigner;
import io.hudilite.sink.assign.BucketSettings;
import io.hudilite.sink.commit.CommitSettings;
import io.hudilite.sink.commit.CommitTiming;
import io.hudilite.sink.commit.Overwrite;
import io.hudilite.sink.compact.CompactionOperatorFactory;
import io.hudilite.sink.compact.CompactionSettings;
import io.hudilite.sink.config.ClusteringConfig;
import io.hudilite.sink.config.CompactionConfig;
import io.hudilite.sink.config.HousekeepingConfig;
import io.hudilite.sink.config.IndexKind;
import io.hudilite.sink.config.SinkConfig;
import io.hudilite.sink.config.TableProperties;
import io.hudilite.sink.config.WriteOperation;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.LentRows;
import io.hudilite.sink.record.RecordKeySelector;
import io.hudilite.sink.record.RecordTypeInfo;
import io.hudilite.sink.record.RowToRecordFunction;
import io.hudilite.sink.write.StreamWriterFactory;
import io.hudilite.sink.write.WriteSettings;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.transformations.PhysicalTransformation;
import org.apache.flink.streaming.api.transformations.WithBoundedness;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Writes a stream of rows to a table of Apache Hudi: one instant per checkpoint that had rows.
 *
 * <pre>{@code
 * HudiSink.builder()
 *     .path("file:///data/orders")
 *     .tableName("orders")
 *     .schema(new TableSchema(rowType, List.of("order_id"), List.of("dt"), List.of("ts")))
 *     .build()
 *     .append(rows);
 * }</pre>
 *
 * The rows are of {@link TableSchema#rowType()} and in Flink's internal format. {@code INSERT} and
 * {@code UPDATE_AFTER} write a row, {@code DELETE} deletes its key; {@code UPDATE_BEFORE} is needed
 * only if keys are unique per partition, and ignored otherwise.
 *
 * <p>Rows become visible with the checkpoint after them. Bounded input without checkpoints, and
 * batch jobs, become one instant at their end; unbounded input without checkpoints is refused.
 */
public final class HudiSink {
  /** Name of the operator that turns rows into bytes. */
  public static final String ROW_TO_RECORD = "row_to_record";

  /** Name of the operator that gives each row its file group. */
  public static final String BUCKET_ASSIGNER = "bucket_assigner";

  /** Name of the operator that writes files; its coordinator commits. */
  public static final String STREAM_WRITER = "stream_writer";

  /**
   * Name of the operator that compacts file groups; its coordinator plans and completes, cleans and
   * archives.
   */
  public static final String COMPACTION = "compaction";

  /** The same where nothing is compacted, but clustered. */
  public static final String CLUSTERING = "clustering";

  private final Builder settings;

  private HudiSink(Builder settings) {
    this.settings = settings;
  }

  public static Builder builder() {
    return new Builder();
  }

  /**
   * Makes the table if there is none, without writing rows: a catalog does so before any job runs.
   *
   * @throws HudiTableException if another table than declared is at the path, or it cannot be made
   */
  public void createTable() {
    TableConfig wanted = table();
    try {
      TableConfigStore.create(Storages.of(settings.path), wanted);
    } catch (IOException e) {
      throw new HudiTableException(
          "The table at '%s' could not be made: %s. Check that this process may write there, and try again."
              .formatted(settings.path, e),
          e);
    }
  }

  /**
   * Adds the sink behind a stream. The table is looked at, and checked against what was declared;
   * it is made when the job starts.
   *
   * @return the end of the pipeline; names, parallelism and uids are set already
   * @throws HudiTableException if the table at the path is another one than declared or cannot be
   *     written, a column has a type that Hudi has no place for, or the input is unbounded and
   *     checkpointing is off
   */
  public DataStreamSink<?> append(DataStream<RowData> rows) {
    TableConfig table = table();
    CommitTiming timing = timing(rows);
    boolean isBatch = isBatch(rows);
    SinkConfig config = settings.config;
    if (config.operation() == WriteOperation.INSERT_DISTINCT
        && config.index() == IndexKind.BUCKET) {
      throw new HudiTableException(
          "The table at '%s' is in buckets, which do not know what keys there are, so 'hoodie.datasource.write.insert.drop.duplicates' cannot be true. Leave duplicates out in the query, or write into a new table with 'index.type' FLINK_STATE."
              .formatted(settings.path));
    }
    requireKey();
    if (config.operation().overwrites() && !isBatch) {
      throw new HudiTableException(
          "The table at '%s' can only be overwritten by a batch job: a streaming job would do so anew with each checkpoint. Set 'execution.runtime-mode' to batch."
              .formatted(settings.path));
    }
    // Commit-time ordering takes no notice of the ordering column, so it may hold nulls.
    TableSchema schema =
        new TableSchema(
            storedTypes(),
            settings.schema.recordKeyColumns(),
            settings.schema.partitionColumns(),
            table.mergeBehavior().orderingFields());
    int writers =
        config.writeTasks() > 0
            ? config.writeTasks()
            : Math.max(1, rows.getExecutionEnvironment().getParallelism());
    int assigners = config.assignTasks() > 0 ? config.assignTasks() : writers;
    String run = UUID.randomUUID().toString();
    AssignStart start = isBatch ? AssignStart.AT_ONCE : AssignStart.WITH_LEASE;

    SingleOutputStreamOperator<HudiRecord> records =
        named(
            ROW_TO_RECORD,
            (isBatch ? rows : LentRows.of(rows))
                .flatMap(
                    new RowToRecordFunction(
                        schema,
                        settings.schema.rowType(),
                        KeyFormat.of(table),
                        config.indexScope(),
                        config.rowsPerSecond(),
                        config.badRows()),
                    RecordTypeInfo.RECORD));
    records.setParallelism(parallelism(rows));

    DataStream<HudiRecord> located;
    if (config.index() == IndexKind.BUCKET) {
      located = inBuckets(records, table, start, run, writers);
    } else if (config.operation().appends()) {
      located = appended(records, writers);
    } else if (isBatch) {
      located =
          located(
              byKeyHash(records), AssignSettings.Index.HEAP, table, start, run, assigners, writers);
    } else {
      located =
          located(
              records.keyBy(new RecordKeySelector(config.indexScope()), RecordTypeInfo.KEY),
              AssignSettings.Index.FLINK_STATE,
              table,
              start,
              run,
              assigners,
              writers);
    }

    SingleOutputStreamOperator<HudiRecord> written =
        named(
            STREAM_WRITER,
            located.transform(
                STREAM_WRITER,
                RecordTypeInfo.RECORD,
                new StreamWriterFactory(
                    new WriteSettings(
                        settings.path,
                        table.tableName(),
                        schema.rowType(),
                        table.type(),
                        new TableProperties(table, settings.path),
                        config,
                        settings.clustering.updates(),
                        run,
                        timing),
                    new CommitSettings(
                        settings.path,
                        declaredProperties(table),
                        config.operation().word(),
                        overwrite(table),
                        AvroSchemas.toAvro(schema.rowType(), table.tableName()).toString(),
                        dropsSuperseded(config, table),
                        run,
                        timing,
                        config.commitRetries(),
                        config.commitRetryInterval(),
                        config.heartbeatInterval(),
                        config.heartbeatInterval().multipliedBy(config.heartbeatMisses())))));
    written.setParallelism(writers);
    // Two attempts of one writer at the same time would write the same rows twice.
    ((PhysicalTransformation<?>) written.getTransformation())
        .setSupportsConcurrentExecutionAttempts(false);
    SingleOutputStreamOperator<HudiRecord> last =
        withCompaction(written, table, run, writers, !isBatch && knowsPlaces());
    DataStreamSink<HudiRecord> end = last.sinkTo(new DiscardingSink<>());
    end.name("end_of_writer").setParallelism(last.getParallelism());
    settings.uids.apply("end_of_writer").ifPresent(end::uid);
    return end;
  }

  /** No row goes on from the writers: the edge only gives the operator a place in the job. */
  private SingleOutputStreamOperator<HudiRecord> withCompaction(
      SingleOutputStreamOperator<HudiRecord> written,
      TableConfig table,
      String run,
      int writers,
      boolean followsClusterings) {
    CompactionConfig compaction =
        table.type() == TableType.MERGE_ON_READ ? settings.compaction : CompactionConfig.OFF;
    ClusteringConfig clustering = settings.clustering;
    if (!compaction.isOn() && !clustering.isOn() && !settings.housekeeping.isOn()) {
      return written;
    }
    if (clustering.isOn()) {
      requireClusterable(table);
    }
    SinkConfig config = settings.config;
    String name = clustering.isOn() && !compaction.isOn() ? CLUSTERING : COMPACTION;
    SingleOutputStreamOperator<HudiRecord> compacted =
        named(
            name,
            written.transform(
                name,
                RecordTypeInfo.RECORD,
                new CompactionOperatorFactory<>(
                    new CompactionSettings(
                        settings.path,
                        run,
                        CompactionSettings.Mode.BESIDE_WRITER,
                        compaction,
                        clustering,
                        followsClusterings && clustering.isOn(),
                        settings.housekeeping,
                        config.compression(),
                        config.parquetRowGroupSize().getBytes(),
                        (int) Math.min(config.parquetPageSize().getBytes(), 1 << 30)))));
    compacted.setParallelism(
        Math.max(
            tasks(compaction.executes(), compaction.tasks(), writers),
            tasks(clustering.executes(), clustering.tasks(), writers)));
    ((PhysicalTransformation<?>) compacted.getTransformation())
        .setSupportsConcurrentExecutionAttempts(false);
    return compacted;
  }

  /** Whether an index tells where keys are, which a clustering makes untrue. */
  private boolean knowsPlaces() {
    return settings.config.index() == IndexKind.STATE && !settings.config.operation().appends();
  }

  private static int tasks(boolean executes, int wanted, int writers) {
    return !executes ? 1 : wanted > 0 ? wanted : writers;
  }

  private void requireClusterable(TableConfig table) {
    if (settings.config.index() == IndexKind.BUCKET || table.bucketNumber().isPresent()) {
      throw new HudiTableException(
          ("The table at '%s' is in buckets, which a clustering would break: a key is in the file"
                  + " group that its hash tells. Set 'clustering.schedule.enabled' and"
                  + " 'clustering.async.enabled' to false.")
              .formatted(settings.path));
    }
    settings.clustering.strategy().requireSortable(settings.schema.rowType());
  }

  /** Without an index, or with one that forgets, older rows are not known as such. */
  private static boolean dropsSuperseded(SinkConfig config, TableConfig table) {
    return !config.operation().appends()
        && config.index() == IndexKind.STATE
        && !table.mergeBehavior().combinesVersions()
        && config.indexTtl().isZero();
  }

  /** Each bucket is assigned where it is written, so that there is one shuffle. */
  private DataStream<HudiRecord> inBuckets(
      DataStream<HudiRecord> records,
      TableConfig table,
      AssignStart start,
      String run,
      int writers) {
    SinkConfig config = settings.config;
    BucketSettings buckets =
        new BucketSettings(
            config.bucketFields().isEmpty() ? table.recordKeyFields() : config.bucketFields(),
            config.buckets().isUniform()
                ? new BucketCounts(config.buckets().others(), table.bucketExpressions())
                : config.buckets(),
            config.operation().overwrites()
                ? BucketSettings.Groups.NEW
                : BucketSettings.Groups.EXISTING);
    SingleOutputStreamOperator<HudiRecord> located =
        named(
            BUCKET_ASSIGNER,
            records
                .partitionCustom(buckets.partitioner(), buckets.place())
                .transform(
                    BUCKET_ASSIGNER,
                    RecordTypeInfo.RECORD,
                    new BucketIndexAssigner(
                        settings.path, run, config.indexScope(), buckets, start)));
    return located.setParallelism(writers);
  }

  private DataStream<HudiRecord> appended(DataStream<HudiRecord> records, int writers) {
    WriteOperation operation = settings.config.operation();
    boolean isShuffled =
        operation.isBulk() && settings.config.bulkShuffle() && settings.schema.isPartitioned();
    DataStream<HudiRecord> shuffled =
        isShuffled
            ? records.partitionCustom(
                (Integer hash, int channels) -> Math.floorMod(hash * 0x9E3779B9 >>> 8, channels),
                HudiRecord::partitionHash)
            : records;
    return named(
            BUCKET_ASSIGNER,
            shuffled.map(
                new AppendAssigner(settings.path, operation.name().toLowerCase(Locale.ROOT)),
                RecordTypeInfo.RECORD))
        .setParallelism(writers);
  }

  private Overwrite overwrite(TableConfig table) {
    return switch (settings.config.operation()) {
      case UPSERT, INSERT, INSERT_DISTINCT, BULK_INSERT -> Overwrite.NOTHING;
      case INSERT_OVERWRITE_TABLE -> new Overwrite(Overwrite.Scope.TABLE, "");
      case INSERT_OVERWRITE ->
          settings.overwrittenPartition.isEmpty()
              ? new Overwrite(Overwrite.Scope.WRITTEN_PARTITIONS, "")
              : new Overwrite(
                  Overwrite.Scope.PARTITION,
                  KeyExtractor.partitionPath(
                      settings.schema, KeyFormat.of(table), settings.overwrittenPartition));
    };
  }

  private DataStream<HudiRecord> located(
      DataStream<HudiRecord> records,
      AssignSettings.Index index,
      TableConfig table,
      AssignStart start,
      String run,
      int assigners,
      int writers) {
    SingleOutputStreamOperator<HudiRecord> located =
        named(
            BUCKET_ASSIGNER,
            records.transform(
                BUCKET_ASSIGNER,
                RecordTypeInfo.RECORD,
                new BucketAssigner(
                    new AssignSettings(
                        settings.path,
                        new TableProperties(table, settings.path),
                        settings.config,
                        index,
                        start,
                        run,
                        writers,
                        settings.clustering.isOn() && index == AssignSettings.Index.FLINK_STATE))));
    located.setParallelism(assigners);
    return located.partitionCustom(
        (Long fileIdHash, int channels) -> HudiRecord.writerOf(fileIdHash, 0, channels),
        record -> record.fileIdHigh() ^ record.fileIdLow());
  }

  private static DataStream<HudiRecord> byKeyHash(DataStream<HudiRecord> records) {
    return records.partitionCustom(
        (Integer hash, int channels) -> BucketAssigner.assigner(hash, channels),
        HudiRecord::keyHash);
  }

  private SingleOutputStreamOperator<HudiRecord> named(
      String name, SingleOutputStreamOperator<HudiRecord> operator) {
    operator.name(name);
    settings.uids.apply(name).ifPresent(operator::uid);
    return operator;
  }

  private static int parallelism(DataStream<RowData> rows) {
    int own = rows.getParallelism();
    return own > 0 ? own : Math.max(1, rows.getExecutionEnvironment().getParallelism());
  }

  /** The table that is there, or the one that will be made. */
  private TableConfig table() {
    AvroSchemas.requireSupported(settings.schema.rowType());
    Map<String, String> declared = declaredProperties();
    Storage storage = Storages.of(settings.path);
    Optional<TableConfig> existing;
    try {
      existing = TableConfigStore.find(storage);
      if (existing.isPresent()) {
        existing.get().requireSame(declared, settings.path);
        existing.get().requireWritable(settings.path);
        requireIndexOf(existing.get());
        SchemaCheck.requireSame(HudiTable.open(storage), settings.schema.rowType(), settings.path);
      }
    } catch (IOException e) {
      throw cannotLookAt(e);
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

  private void requireIndexOf(TableConfig table) {
    if (table.bucketNumber().isPresent() && settings.config.index() != IndexKind.BUCKET) {
      throw new HudiTableException(
          ("The table at '%s' is in %d buckets, but 'index.type' is not BUCKET: rows would get file"
                  + " groups that no bucket knows. Set 'index.type' to BUCKET.")
              .formatted(settings.path, table.bucketNumber().getAsInt()));
    }
  }

  /** What was declared, and what the table that is there says where nothing was. */
  private Map<String, String> declaredProperties(TableConfig table) {
    Map<String, String> declared = declaredProperties();
    declared.putIfAbsent(TableConfig.KEY_GENERATOR_TYPE, table.keyGenerator().name());
    return declared;
  }

  private Map<String, String> declaredProperties() {
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

  /** The columns as the table stores them, or will. */
  private RowType storedTypes() {
    RowType declared = settings.schema.rowType();
    Storage storage = Storages.of(settings.path);
    try {
      return TableConfigStore.find(storage).isPresent()
          ? StoredTypes.in(HudiTable.open(storage).schema().rowType(), declared)
          : StoredTypes.ofNewTable(declared);
    } catch (IOException e) {
      throw cannotLookAt(e);
    }
  }

  private HudiTableException cannotLookAt(IOException cause) {
    return new HudiTableException(
        "The table at '%s' cannot be looked at: %s. Check the path, and that this process may read and write it."
            .formatted(settings.path, cause),
        cause);
  }

  private CommitTiming timing(DataStream<RowData> rows) {
    if (isBatch(rows)) {
      return CommitTiming.AT_END;
    }
    ReadableConfig job = settings.jobOptions;
    boolean hasCheckpoints =
        rows.getExecutionEnvironment().getCheckpointConfig().isCheckpointingEnabled()
            || job.getOptional(CheckpointingOptions.CHECKPOINTING_INTERVAL)
                .filter(interval -> !interval.isZero())
                .isPresent();
    if (!hasCheckpoints && !isBounded(rows)) {
      throw new HudiTableException(
          "The input of the table at '%s' never ends and checkpointing is off: no row would ever become visible. Set 'execution.checkpointing.interval', for example to 1min."
              .formatted(settings.path));
    }
    if (!hasCheckpoints) {
      return CommitTiming.AT_END;
    }
    boolean hasFinalCheckpoint =
        job.getOptional(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH)
            .orElseGet(
                () ->
                    rows.getExecutionEnvironment()
                        .getConfiguration()
                        .get(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH));
    if (isBounded(rows) && !hasFinalCheckpoint) {
      throw new HudiTableException(
          "The input of the table at '%s' ends, but 'execution.checkpointing.checkpoints-after-tasks-finish' is false: the rows after the last checkpoint would never become visible. Set it to true, its default."
              .formatted(settings.path));
    }
    return CommitTiming.PER_CHECKPOINT;
  }

  private boolean isBatch(DataStream<RowData> rows) {
    RuntimeExecutionMode mode =
        settings
            .jobOptions
            .getOptional(ExecutionOptions.RUNTIME_MODE)
            .orElseGet(
                () ->
                    rows.getExecutionEnvironment()
                        .getConfiguration()
                        .get(ExecutionOptions.RUNTIME_MODE));
    return switch (mode) {
      case BATCH -> true;
      case STREAMING -> false;
      case AUTOMATIC -> isBounded(rows);
    };
  }

  private static boolean isBounded(DataStream<RowData> rows) {
    return rows.getTransformation().getTransitivePredecessors().stream()
        .filter(WithBoundedness.class::isInstance)
        .allMatch(source -> ((WithBoundedness) source).getBoundedness() == Boundedness.BOUNDED);
  }

  /** Collects what to write where. Not safe for use by several threads. */
  public static final class Builder {
    private String path;
    private String tableName;
    private TableType tableType = TableType.MERGE_ON_READ;
    private TableSchema schema;
    private Map<String, String> overwrittenPartition = Map.of();
    private SinkConfig config = SinkConfig.defaults();
    private CompactionConfig compaction = CompactionConfig.DEFAULT;
    private ClusteringConfig clustering = ClusteringConfig.OFF;
    private HousekeepingConfig housekeeping = HousekeepingConfig.DEFAULT;
    private final Map<String, String> tableProperties = new HashMap<>();
    private Function<String, Optional<String>> uids;
    private ReadableConfig jobOptions = new Configuration();

    private Builder() {}

    /** The base path of the table, as a URI or a local path. Required. */
    public Builder path(String path) {
      this.path = requireNonNull(path, "path");
      return this;
    }

    /** Name of the table if it has to be made. Required. */
    public Builder tableName(String name) {
      this.tableName = requireNonNull(name, "name");
      return this;
    }

    /** {@link TableType#MERGE_ON_READ} unless set. */
    public Builder tableType(TableType type) {
      this.tableType = requireNonNull(type, "type");
      return this;
    }

    /** Columns, key, partition and ordering columns. Required. */
    public Builder schema(TableSchema schema) {
      this.schema = requireNonNull(schema, "schema");
      return this;
    }

    /**
     * Which version of a row counts. Unless set: event time if the schema has an ordering column,
     * commit time if not.
     */
    public Builder mergeMode(MergeMode mode) {
      return tableProperty("hoodie.record.merge.mode", mode.name());
    }

    /**
     * A property that the table has, by its key in {@code hoodie.properties}, such as {@code
     * hoodie.datasource.write.hive_style_partitioning}. A table that exists must agree.
     */
    public Builder tableProperty(String key, String value) {
      tableProperties.put(requireNonNull(key, "key"), requireNonNull(value, "value"));
      return this;
    }

    /**
     * Of operation INSERT_OVERWRITE: the partition that is replaced, also if it gets no rows.
     * Unless set, those are that get rows.
     *
     * @param values of the first partition columns, or of all, by column, as in SQL
     */
    public Builder overwrittenPartition(Map<String, String> values) {
      this.overwrittenPartition = new LinkedHashMap<>(values);
      return this;
    }

    /** How to write; {@link SinkConfig#defaults()} unless set. */
    public Builder config(SinkConfig config) {
      this.config = requireNonNull(config, "config");
      return this;
    }

    /** Clustering; {@link ClusteringConfig#OFF} unless set. */
    public Builder clustering(ClusteringConfig config) {
      this.clustering = requireNonNull(config, "config");
      return this;
    }

    /** Compaction of merge-on-read tables; {@link CompactionConfig#DEFAULT} unless set. */
    public Builder compaction(CompactionConfig config) {
      this.compaction = requireNonNull(config, "config");
      return this;
    }

    /** Cleaning and archiving; {@link HousekeepingConfig#DEFAULT} unless set. */
    public Builder housekeeping(HousekeepingConfig config) {
      this.housekeeping = requireNonNull(config, "config");
      return this;
    }

    /**
     * Gives operators their uid by their name, or none. Unless set: {@code
     * hudi-<table>-<operator>}, which allows one sink per table in a job.
     */
    public Builder uids(Function<String, Optional<String>> uidOfOperator) {
      this.uids = requireNonNull(uidOfOperator, "uidOfOperator");
      return this;
    }

    /**
     * Options that the job will run with, as far as the environment of the stream does not have
     * them yet: runtime mode and checkpointing. SQL knows them before the environment does.
     */
    public Builder jobOptions(ReadableConfig options) {
      this.jobOptions = requireNonNull(options, "options");
      return this;
    }

    /**
     * The sink, ready to be put behind a stream.
     *
     * @throws HudiTableException if something required is missing
     */
    public HudiSink build() {
      if (path == null || tableName == null || schema == null) {
        throw new HudiTableException(
            "A Hudi sink needs a path, a table name and a schema; got path '%s', table '%s', schema %s. Set them on the builder."
                .formatted(path, tableName, schema));
      }
      if (uids == null) {
        uids = operator -> Optional.of("hudi-" + tableName + "-" + operator);
      }
      return new HudiSink(this);
    }

    @Override
    public String toString() {
      return "HudiSink["
          + path
          + ", "
          + tableName
          + ", "
          + tableType
          + ", "
          + schema
          + ", "
          + config
          + ", "
          + tableProperties
          + "]";
    }
  }
}
