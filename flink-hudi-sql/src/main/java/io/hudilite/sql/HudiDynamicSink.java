package io.hudilite.sql;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.sink.HudiSink;
import io.hudilite.sink.HudiTruncation;
import io.hudilite.sink.config.ClusteringConfig;
import io.hudilite.sink.config.CompactionConfig;
import io.hudilite.sink.config.HousekeepingConfig;
import io.hudilite.sink.config.IndexKind;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.config.SinkConfig;
import io.hudilite.sink.config.WriteOperation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.RowLevelModificationScanContext;
import org.apache.flink.table.connector.sink.DataStreamSinkProvider;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.abilities.SupportsOverwrite;
import org.apache.flink.table.connector.sink.abilities.SupportsPartitioning;
import org.apache.flink.table.connector.sink.abilities.SupportsRowLevelDelete;
import org.apache.flink.table.connector.sink.abilities.SupportsRowLevelUpdate;
import org.apache.flink.table.connector.sink.abilities.SupportsTruncate;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The target of INSERT INTO, INSERT OVERWRITE, DELETE, UPDATE and TRUNCATE TABLE. */
public final class HudiDynamicSink
    implements DynamicTableSink,
        SupportsPartitioning,
        SupportsOverwrite,
        SupportsRowLevelDelete,
        SupportsRowLevelUpdate,
        SupportsTruncate {
  private static final Logger LOG = LoggerFactory.getLogger(HudiDynamicSink.class);

  private final EffectiveOptions options;
  private final String path;
  private final String tableName;
  private final TableDeclaration declared;
  private final TableSchema schema;
  private final Map<String, String> tableProperties;
  private final SinkConfig config;
  private final CompactionConfig compaction;
  private final ClusteringConfig clustering;
  private final HousekeepingConfig housekeeping;
  private final ReadableConfig jobOptions;
  private boolean overwrites;
  private boolean changesRows;
  private Map<String, String> staticPartition = Map.of();

  HudiDynamicSink(
      EffectiveOptions options,
      String path,
      String tableName,
      TableDeclaration declared,
      TableSchema schema,
      Map<String, String> tableProperties,
      SinkConfig config,
      ReadableConfig jobOptions) {
    this.options = requireNonNull(options, "options");
    this.path = requireNonNull(path, "path");
    this.tableName = requireNonNull(tableName, "tableName");
    this.declared = requireNonNull(declared, "declared");
    this.schema = requireNonNull(schema, "schema");
    this.tableProperties = Map.copyOf(tableProperties);
    this.config = requireNonNull(config, "config");
    this.compaction = ServiceSettings.compaction(options);
    this.clustering = ServiceSettings.clustering(options);
    this.housekeeping = ServiceSettings.housekeeping(options);
    this.jobOptions = requireNonNull(jobOptions, "jobOptions");
  }

  /**
   * Insert-only for insert-only queries, so that Flink 2.3 does not ask for ON CONFLICT, nor any
   * Flink put a materializer before the sink. Otherwise changes without UPDATE_BEFORE: a key's
   * newest row is enough, unless a key is only unique in its partition: then it takes the older row
   * to know the partition that it leaves.
   */
  @Override
  public ChangelogMode getChangelogMode(ChangelogMode requested) {
    requireKey();
    if (requested.containsOnly(RowKind.INSERT) || !config().operation().takesChanges()) {
      return ChangelogMode.insertOnly();
    }
    if (config.indexScope() == IndexScope.PARTITION) {
      return ChangelogMode.all();
    }
    return ChangelogMode.newBuilder()
        .addContainedKind(RowKind.INSERT)
        .addContainedKind(RowKind.UPDATE_AFTER)
        .addContainedKind(RowKind.DELETE)
        .build();
  }

  /**
   * Without a key rows can only be added.
   *
   * @throws HudiTableException if the operation needs a key that the table does not have
   */
  public void requireKey() {
    if (schema.recordKeyColumns().isEmpty()
        && (!config().operation().appends() || config.index() == IndexKind.BUCKET)) {
      throw new HudiTableException(
          "Table %s has no key, and %s. Declare PRIMARY KEY (...) NOT ENFORCED, or set '%s'; or add rows without keys: '%s'='insert' or 'bulk_insert', and no '%s'."
              .formatted(
                  options.table(),
                  config.index() == IndexKind.BUCKET
                      ? "buckets are told by the key"
                      : "rows are written, changed and deleted by key",
                  TableOptions.RECORD_KEY_FIELD.key(),
                  WriteOptions.OPERATION.key(),
                  TableOptions.INDEX_TYPE.key()));
    }
  }

  @Override
  public SinkRuntimeProvider getSinkRuntimeProvider(Context context) {
    requireKey(); // batch jobs do not ask for a changelog mode
    options.log(LOG);
    return new DataStreamSinkProvider() {
      @Override
      public DataStreamSink<?> consumeDataStream(
          ProviderContext providerContext, DataStream<RowData> rows) {
        return sink(providerContext::generateUid).append(rows);
      }
    };
  }

  private HudiSink sink(Function<String, Optional<String>> uids) {
    HudiSink.Builder sink =
        HudiSink.builder()
            .path(path)
            .tableName(tableName)
            .tableType(declared.type())
            .mergeMode(declared.mergeMode())
            .schema(schema)
            .config(config())
            .compaction(compaction)
            .clustering(clustering)
            .housekeeping(housekeeping)
            .overwrittenPartition(overwrites ? staticPartition : Map.of())
            .jobOptions(jobOptions)
            .uids(uids);
    tableProperties.forEach(sink::tableProperty);
    return sink.build();
  }

  /**
   * Makes the table if there is none, without a job.
   *
   * @throws HudiTableException if it cannot be made
   */
  public void createTable() {
    sink(operator -> Optional.empty()).createTable();
  }

  /** The operation of the statement; of those that only add rows, DELETE and UPDATE are none. */
  private SinkConfig config() {
    if (overwrites) {
      boolean isWholeTable =
          schema.partitionColumns().isEmpty()
              || (staticPartition.isEmpty()
                  && options
                      .get(WriteOptions.PARTITION_OVERWRITE_MODE)
                      .trim()
                      .equalsIgnoreCase("STATIC"));
      return config.withOperation(
          isWholeTable ? WriteOperation.INSERT_OVERWRITE_TABLE : WriteOperation.INSERT_OVERWRITE);
    }
    return changesRows ? config.withOperation(WriteOperation.UPSERT) : config;
  }

  /** Flink puts the values into the rows; here they tell what an overwrite replaces. */
  @Override
  public void applyStaticPartition(Map<String, String> partition) {
    staticPartition = Map.copyOf(partition);
  }

  @Override
  public void applyOverwrite(boolean overwrite) {
    overwrites = overwrite;
  }

  /** The deleted rows come whole, as deletes. */
  @Override
  public RowLevelDeleteInfo applyRowLevelDelete(@Nullable RowLevelModificationScanContext context) {
    changesRows = true;
    return new RowLevelDeleteInfo() {
      @Override
      public Optional<List<Column>> requiredColumns() {
        return Optional.empty();
      }

      @Override
      public RowLevelDeleteMode getRowLevelDeleteMode() {
        return RowLevelDeleteMode.DELETED_ROWS;
      }
    };
  }

  /**
   * The changed rows come whole. A key or a partition cannot be changed so: the old row would stay.
   */
  @Override
  public RowLevelUpdateInfo applyRowLevelUpdate(
      List<Column> updatedColumns, @Nullable RowLevelModificationScanContext context) {
    for (Column column : updatedColumns) {
      boolean isKey = schema.recordKeyColumns().contains(column.getName());
      boolean staysBehind =
          schema.partitionColumns().contains(column.getName())
              && config.indexScope() == IndexScope.PARTITION;
      if (isKey || staysBehind) {
        throw new HudiTableException(
            "Table %s: UPDATE cannot set '%s', which belongs to the %s: the row would stay where it is, and come a second time. DELETE the row and INSERT the new one."
                .formatted(options.table(), column.getName(), isKey ? "key" : "partition"));
      }
    }
    changesRows = true;
    return new RowLevelUpdateInfo() {
      @Override
      public Optional<List<Column>> requiredColumns() {
        return Optional.empty();
      }

      @Override
      public RowLevelUpdateMode getRowLevelUpdateMode() {
        return RowLevelUpdateMode.UPDATED_ROWS;
      }
    };
  }

  /** One commit that replaces all file groups by nothing. */
  @Override
  public void executeTruncation() {
    HudiTruncation.run(path);
  }

  @Override
  public DynamicTableSink copy() {
    HudiDynamicSink copy =
        new HudiDynamicSink(
            options, path, tableName, declared, schema, tableProperties, config, jobOptions);
    copy.overwrites = overwrites;
    copy.changesRows = changesRows;
    copy.staticPartition = staticPartition;
    return copy;
  }

  @Override
  public String asSummaryString() {
    return "hudi-lite table " + options.table();
  }
}
