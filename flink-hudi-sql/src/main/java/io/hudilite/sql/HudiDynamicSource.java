package io.hudilite.sql;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.ColumnCondition;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.source.HudiSource;
import io.hudilite.source.HudiStream;
import io.hudilite.source.config.RowHints;
import io.hudilite.sql.ReadSettings.Extent;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import javax.annotation.Nullable;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.source.DataStreamScanProvider;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.SourceProvider;
import org.apache.flink.table.connector.source.abilities.SupportsFilterPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsLimitPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsProjectionPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsReadingMetadata;
import org.apache.flink.table.connector.source.abilities.SupportsWatermarkPushDown;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table in a FROM clause. Reads the columns that the query needs, of the partitions that its
 * filter may want. The planner calls the {@code apply} methods, on copies, as often as it likes.
 */
public final class HudiDynamicSource
    implements ScanTableSource,
        SupportsProjectionPushDown,
        SupportsFilterPushDown,
        SupportsLimitPushDown,
        SupportsReadingMetadata,
        SupportsWatermarkPushDown {
  private static final Logger LOG = LoggerFactory.getLogger(HudiDynamicSource.class);

  private final EffectiveOptions options;
  private final String path;
  private final Optional<TableConfig> stored;
  private final TableSchema schema;
  private final ReadSettings settings;
  private List<String> columns;
  private List<String> metaColumns = List.of();
  @Nullable private PartitionCondition partitions;
  @Nullable private ColumnCondition rows;
  private long limit = Long.MAX_VALUE;
  @Nullable private WatermarkStrategy<RowData> watermarks;

  HudiDynamicSource(
      EffectiveOptions options,
      String path,
      Optional<TableConfig> stored,
      TableSchema schema,
      ReadSettings settings) {
    this.options = requireNonNull(options, "options");
    this.path = requireNonNull(path, "path");
    this.stored = requireNonNull(stored, "stored");
    this.schema = requireNonNull(schema, "schema");
    this.settings = requireNonNull(settings, "settings");
    this.columns = schema.rowType().getFieldNames();
  }

  /** Changes of keys for a streaming read, rows for all others. */
  @Override
  public ChangelogMode getChangelogMode() {
    return settings.isStreaming() && !schema.recordKeyColumns().isEmpty()
        ? ChangelogMode.upsert()
        : ChangelogMode.insertOnly();
  }

  @Override
  public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
    options.log(LOG);
    HudiSource.Builder source =
        HudiSource.builder()
            .path(path)
            .rowType(wantedType())
            .ranges(settings.ranges())
            .hints(new RowHints(rows, limit));
    ZoneId zone = stored.map(TableConfig::timelineZone).orElse(ZoneOffset.UTC);
    String start = settings.start().map(time -> ReadSettings.inZone(time, zone)).orElse(null);
    String end = settings.end().map(time -> ReadSettings.inZone(time, zone)).orElse(null);
    if (partitions != null && stored.isPresent()) {
      // How folders are called is known only when there are some.
      source.partitionFilter(
          PartitionPruning.filter(partitions, schema, KeyFormat.of(stored.get())));
    }
    switch (settings.extent()) {
      case SNAPSHOT -> source.bounded().asOf(end);
      case BASE_FILES -> source.bounded().readOptimized();
      case CHANGES ->
          source.bounded().startCommit(start == null ? "earliest" : start).endCommit(end);
      case STREAMING ->
          source
              .continuous()
              .startCommit(start)
              .endCommit(end)
              .checkInterval(settings.checkInterval());
    }
    Integer tasks = settings.tasks().orElse(null);
    if (settings.isStreaming()) {
      HudiStream stream =
          HudiStream.of(source)
              .keyColumns(schema.recordKeyColumns())
              .watermarks(watermarks)
              .parallelism(tasks);
      RowType all = schema.rowType();
      return provider(
          false, (uids, env) -> stream.uids(uids::generateUid).read(env, sourceName(), all));
    }
    if (watermarks == null) {
      return SourceProvider.of(source.build(), tasks);
    }
    HudiSource rows = source.build();
    WatermarkStrategy<RowData> strategy = watermarks;
    return provider(
        true,
        (uids, env) -> {
          DataStreamSource<RowData> stream = env.fromSource(rows, strategy, sourceName());
          uids.generateUid("source").ifPresent(stream::uid);
          return tasks == null ? stream : stream.setParallelism(tasks);
        });
  }

  private String sourceName() {
    return "hudi_source: " + options.table();
  }

  private static ScanRuntimeProvider provider(
      boolean isBounded,
      BiFunction<ProviderContext, StreamExecutionEnvironment, DataStream<RowData>> read) {
    return new DataStreamScanProvider() {
      @Override
      public DataStream<RowData> produceDataStream(
          ProviderContext context, StreamExecutionEnvironment env) {
        return read.apply(context, env);
      }

      @Override
      public boolean isBounded() {
        return isBounded;
      }
    };
  }

  @Override
  public void applyWatermark(WatermarkStrategy<RowData> strategy) {
    watermarks = strategy;
  }

  private RowType wantedType() {
    List<RowType.RowField> fields = new ArrayList<>();
    for (String column : columns) {
      int index = schema.rowType().getFieldIndex(column);
      fields.add(new RowType.RowField(column, schema.rowType().getTypeAt(index)));
    }
    for (String column : metaColumns) {
      fields.add(new RowType.RowField(column, new VarCharType(VarCharType.MAX_LENGTH)));
    }
    return new RowType(false, fields);
  }

  @Override
  public boolean supportsNestedProjection() {
    return false;
  }

  @Override
  public void applyProjection(int[][] projectedFields, DataType producedDataType) {
    List<String> names = schema.rowType().getFieldNames();
    List<String> projected = new ArrayList<>();
    for (int[] field : projectedFields) {
      projected.add(names.get(field[0]));
    }
    columns = List.copyOf(projected);
  }

  /** Flink asks for it only where no filter is left between; and it still counts the rows. */
  @Override
  public void applyLimit(long rowLimit) {
    limit = rowLimit;
  }

  /**
   * Uses what it can for leaving out partitions and row groups, and leaves all filters to Flink.
   */
  @Override
  public Result applyFilters(List<ResolvedExpression> filters) {
    PartitionPruning pruning = new PartitionPruning(schema);
    List<ResolvedExpression> accepted = new ArrayList<>();
    partitions = null;
    rows = RowConditions.of(filters, schema).orElse(null);
    for (ResolvedExpression filter : filters) {
      Optional<PartitionCondition> condition = pruning.conditionOf(filter);
      if (condition.isPresent()) {
        accepted.add(filter);
        partitions =
            partitions == null
                ? condition.get()
                : new PartitionCondition.And(partitions, condition.get());
      }
    }
    return Result.of(accepted, new ArrayList<>(filters));
  }

  @Override
  public Map<String, DataType> listReadableMetadata() {
    Map<String, DataType> metadata = new LinkedHashMap<>();
    MetaColumns.NAMES.forEach(name -> metadata.put(name, DataTypes.STRING().nullable()));
    return metadata;
  }

  @Override
  public void applyReadableMetadata(List<String> metadataKeys, DataType producedDataType) {
    metaColumns = List.copyOf(metadataKeys);
  }

  @Override
  public DynamicTableSource copy() {
    HudiDynamicSource copy = new HudiDynamicSource(options, path, stored, schema, settings);
    copy.columns = columns;
    copy.metaColumns = metaColumns;
    copy.partitions = partitions;
    copy.rows = rows;
    copy.limit = limit;
    copy.watermarks = watermarks;
    return copy;
  }

  @Override
  public String asSummaryString() {
    return settings.extent() == Extent.STREAMING
        ? "changes of hudi-lite table " + options.table()
        : "hudi-lite table " + options.table();
  }
}
