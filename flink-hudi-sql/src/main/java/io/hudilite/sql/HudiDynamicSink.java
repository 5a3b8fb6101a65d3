package io.hudilite.sql;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.schema.TableSchema;
import io.hudilite.sink.HudiSink;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.config.SinkConfig;
import java.util.Map;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.sink.DataStreamSinkProvider;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.abilities.SupportsPartitioning;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The target of an {@code INSERT INTO}. */
public final class HudiDynamicSink implements DynamicTableSink, SupportsPartitioning {
  private static final Logger LOG = LoggerFactory.getLogger(HudiDynamicSink.class);

  private final EffectiveOptions options;
  private final String path;
  private final String tableName;
  private final TableDeclaration declared;
  private final TableSchema schema;
  private final Map<String, String> tableProperties;
  private final SinkConfig config;
  private final ReadableConfig jobOptions;

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
    if (requested.containsOnly(RowKind.INSERT)) {
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

  @Override
  public SinkRuntimeProvider getSinkRuntimeProvider(Context context) {
    options.log(LOG);
    return new DataStreamSinkProvider() {
      @Override
      public DataStreamSink<?> consumeDataStream(
          ProviderContext providerContext, DataStream<RowData> rows) {
        return sink(providerContext).append(rows);
      }
    };
  }

  private HudiSink sink(ProviderContext providerContext) {
    HudiSink.Builder sink =
        HudiSink.builder()
            .path(path)
            .tableName(tableName)
            .tableType(declared.type())
            .mergeMode(declared.mergeMode())
            .schema(schema)
            .config(config)
            .jobOptions(jobOptions)
            .uids(providerContext::generateUid);
    tableProperties.forEach(sink::tableProperty);
    return sink.build();
  }

  /** Flink puts the values of a PARTITION clause into the rows; nothing is left to do. */
  @Override
  public void applyStaticPartition(Map<String, String> partition) {}

  @Override
  public DynamicTableSink copy() {
    return new HudiDynamicSink(
        options, path, tableName, declared, schema, tableProperties, config, jobOptions);
  }

  @Override
  public String asSummaryString() {
    return "hudi-lite table " + options.table();
  }
}
