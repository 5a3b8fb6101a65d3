package io.hudilite.sql;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.source.config.PartitionFilter;
import io.hudilite.sql.ReadSettings.Extent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.abilities.SupportsAggregatePushDown;
import org.apache.flink.table.connector.source.abilities.SupportsDynamicFiltering;
import org.apache.flink.table.connector.source.abilities.SupportsFilterPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsLimitPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsProjectionPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsReadingMetadata;
import org.apache.flink.table.connector.source.abilities.SupportsStatisticReport;
import org.apache.flink.table.connector.source.abilities.SupportsWatermarkPushDown;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.expressions.AggregateExpression;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.plan.stats.TableStats;
import org.apache.flink.table.types.DataType;

/**
 * A table in a FROM clause. Reads the columns that the query needs, of the partitions that its
 * filter may want. The planner calls the {@code apply} methods, on copies, as often as it likes.
 */
public final class HudiDynamicSource
    implements ScanTableSource,
        LookupTableSource,
        SupportsProjectionPushDown,
        SupportsFilterPushDown,
        SupportsLimitPushDown,
        SupportsAggregatePushDown,
        SupportsDynamicFiltering,
        SupportsStatisticReport,
        SupportsReadingMetadata,
        SupportsWatermarkPushDown {
  /** The planner's own class, hidden from everybody else: COUNT(*), COUNT(1) and the like. */
  private static final String COUNT_OF_ROWS = "Count1AggFunction";

  private final EffectiveOptions options;
  private final String path;
  private final Optional<TableConfig> stored;
  private final TableSchema schema;
  private final ReadSettings settings;
  private PushedDown pushed;
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
    this.pushed = PushedDown.nothing(schema);
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
    return new TableScan(options, path, stored, schema, settings).provider(pushed, watermarks);
  }

  /** Joins with {@code FOR SYSTEM_TIME AS OF} a processing time. */
  @Override
  public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
    return new TableScan(options, path, stored, schema, settings).lookup(pushed, context.getKeys());
  }

  @Override
  public void applyWatermark(WatermarkStrategy<RowData> strategy) {
    watermarks = strategy;
  }

  /** Changes carry the columns of their key, so that columns keep their names. */
  @Override
  public boolean supportsNestedProjection() {
    return !settings.isStreaming();
  }

  @Override
  public void applyProjection(int[][] projectedFields, DataType producedDataType) {
    pushed = pushed.withColumns(pushed.columns().withPaths(projectedFields));
  }

  /** Flink asks for it only where no filter is left between; and it still counts the rows. */
  @Override
  public void applyLimit(long rowLimit) {
    pushed = pushed.withLimit(rowLimit);
  }

  /**
   * Uses what it can for leaving out partitions, files and row groups, and leaves all filters to
   * Flink.
   */
  @Override
  public Result applyFilters(List<ResolvedExpression> filters) {
    PartitionPruning pruning = new PartitionPruning(schema);
    List<ResolvedExpression> accepted = new ArrayList<>();
    PartitionCondition partitions = null;
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
    pushed = pushed.withConditions(partitions, RowConditions.of(filters, schema).orElse(null));
    return Result.of(accepted, new ArrayList<>(filters));
  }

  /** Takes on the number of all rows; Flink adds up what the readers counted. */
  @Override
  public boolean applyAggregates(
      List<int[]> groupingSets, List<AggregateExpression> aggregates, DataType producedDataType) {
    boolean countsRows =
        !settings.isStreaming()
            && watermarks == null
            && pushed.limit() == Long.MAX_VALUE
            && pushed.rows() == null
            && pushed.partitions() == null
            && groupingSets.stream().allMatch(columns -> columns.length == 0)
            && aggregates.stream().allMatch(HudiDynamicSource::isCountOfRows);
    if (countsRows) {
      pushed = pushed.withCounts(aggregates.size());
    }
    return countsRows;
  }

  private static boolean isCountOfRows(AggregateExpression aggregate) {
    return aggregate.getFunctionDefinition().getClass().getSimpleName().equals(COUNT_OF_ROWS)
        && !aggregate.isDistinct()
        && aggregate.getFilterExpression().isEmpty();
  }

  /** Partition columns of which folder names tell the value. */
  @Override
  public List<String> listAcceptedFilterFields() {
    return stored.isPresent()
            && PartitionPruning.tellsValues(KeyFormat.of(stored.get()))
            && JoinedPartitions.canBeTold()
        ? schema.partitionColumns().stream()
            .filter(
                column ->
                    PartitionPruning.isComparable(
                        schema.rowType().getTypeAt(schema.rowType().getFieldIndex(column))))
            .toList()
        : List.of();
  }

  @Override
  public void applyDynamicFiltering(List<String> candidateFilterFields) {
    pushed = pushed.withJoinedPartitions(candidateFilterFields);
  }

  @Override
  public TableStats reportStatistics() {
    return stored.isPresent() && settings.extent() == Extent.SNAPSHOT && settings.end().isEmpty()
        ? TableEstimate.of(path, partitionFilter(), pushed.columns().read())
        : TableStats.UNKNOWN;
  }

  private PartitionFilter partitionFilter() {
    return PartitionPruning.filterOf(pushed.partitions(), schema, stored);
  }

  @Override
  public Map<String, DataType> listReadableMetadata() {
    Map<String, DataType> metadata = new LinkedHashMap<>();
    MetaColumns.NAMES.forEach(name -> metadata.put(name, DataTypes.STRING().nullable()));
    return metadata;
  }

  @Override
  public void applyReadableMetadata(List<String> metadataKeys, DataType producedDataType) {
    pushed = pushed.withColumns(pushed.columns().withMetaColumns(metadataKeys));
  }

  @Override
  public DynamicTableSource copy() {
    HudiDynamicSource copy = new HudiDynamicSource(options, path, stored, schema, settings);
    copy.pushed = pushed;
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
