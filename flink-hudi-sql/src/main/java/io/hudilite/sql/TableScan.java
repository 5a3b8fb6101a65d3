package io.hudilite.sql;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.source.HudiSource;
import io.hudilite.source.HudiStream;
import io.hudilite.source.config.RowHints;
import io.hudilite.source.config.RowOutput;
import io.hudilite.sql.ReadSettings.Extent;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.BiFunction;
import javax.annotation.Nullable;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSource;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.source.DataStreamScanProvider;
import org.apache.flink.table.connector.source.LookupTableSource.LookupRuntimeProvider;
import org.apache.flink.table.connector.source.ScanTableSource.ScanRuntimeProvider;
import org.apache.flink.table.connector.source.SourceProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the source of a planned query. */
record TableScan(
    EffectiveOptions options,
    String path,
    Optional<TableConfig> stored,
    TableSchema schema,
    ReadSettings settings) {
  private static final Logger LOG = LoggerFactory.getLogger(TableScan.class);

  TableScan {
    requireNonNull(options, "options");
    requireNonNull(path, "path");
    requireNonNull(stored, "stored");
    requireNonNull(schema, "schema");
    requireNonNull(settings, "settings");
  }

  ScanRuntimeProvider provider(PushedDown pushed, @Nullable WatermarkStrategy<RowData> watermarks) {
    options.log(LOG);
    HudiSource.Builder source = source(pushed);
    Integer tasks = settings.tasks().orElse(null);
    if (settings.isStreaming()) {
      HudiStream stream =
          HudiStream.of(source)
              .keyColumns(schema.recordKeyColumns())
              .watermarks(watermarks)
              .parallelism(tasks);
      RowType all = schema.rowType();
      return provider(
          false,
          (uids, env) -> {
            DataStream<RowData> rows = stream.uids(uids::generateUid).read(env, sourceName(), all);
            return schema.recordKeyColumns().isEmpty() ? added(rows, uids) : rows;
          });
    }
    if (watermarks == null) {
      return SourceProvider.of(source.build(), tasks);
    }
    HudiSource rows = source.build();
    WatermarkStrategy<RowData> timesAlone =
        WatermarkStrategy.<RowData>noWatermarks()
            .withTimestampAssigner(watermarks::createTimestampAssigner);
    return provider(
        true,
        (uids, env) -> {
          // The files of a table are in no order of time: only at their end is no older row left.
          DataStreamSource<RowData> stream = env.fromSource(rows, timesAlone, sourceName());
          uids.generateUid("source").ifPresent(stream::uid);
          return tasks == null ? stream : stream.setParallelism(tasks);
        });
  }

  /** Of a table that is declared as a stream, the state that it has when it is looked at. */
  LookupRuntimeProvider lookup(PushedDown pushed, int[][] keys) {
    options.log(LOG);
    if (settings.extent() == Extent.CHANGES) {
      throw new HudiTableException(
          "Table %s is joined by lookup, in one of its states, but its options ask for changes. Leave '%s' and '%s'='incremental' out."
              .formatted(
                  options.table(),
                  ReadOptions.READ_START_COMMIT.key(),
                  ReadOptions.QUERY_TYPE.key()));
    }
    int[] columns = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      if (keys[i].length != 1) {
        throw new HudiTableException(
            "Table %s is looked up by a field within a column. Join by whole columns, or select the field into a view of its own and join without FOR SYSTEM_TIME."
                .formatted(options.table()));
      }
      columns[i] = keys[i][0];
    }
    HudiSource.Builder state = settings.isStreaming() ? rows(pushed).bounded() : source(pushed);
    return LookupFunctionProvider.of(state.buildLookup(columns, settings.lookupLife()));
  }

  private static DataStream<RowData> added(DataStream<RowData> rows, ProviderContext uids) {
    SingleOutputStreamOperator<RowData> added =
        rows.flatMap(new AddedRows()).name("added_rows").returns(rows.getType());
    added.setParallelism(rows.getParallelism());
    uids.generateUid("added_rows").ifPresent(added::uid);
    return added;
  }

  /** Which rows of which columns, but not of which state. */
  private HudiSource.Builder rows(PushedDown pushed) {
    HudiSource.Builder source =
        HudiSource.builder()
            .path(path)
            .ranges(settings.ranges())
            .hints(new RowHints(pushed.rows(), pushed.limit()))
            .partitionFilter(PartitionPruning.filterOf(pushed.partitions(), schema, stored));
    if (pushed.counts() > 0) {
      source.rowType(RowType.of()).output(new RowOutput.Counts(pushed.counts()));
    } else {
      source.rowType(pushed.columns().read()).output(pushed.columns().output(settings.times()));
    }
    if (!pushed.joinedPartitions().isEmpty() && stored.isPresent()) {
      source.dynamicPartitions(
          new JoinedPartitions(schema, KeyFormat.of(stored.get()), pushed.joinedPartitions()));
    }
    return source;
  }

  private HudiSource.Builder source(PushedDown pushed) {
    HudiSource.Builder source = rows(pushed);
    ZoneId zone = stored.map(TableConfig::timelineZone).orElse(ZoneOffset.UTC);
    String start = settings.start().map(time -> ReadSettings.inZone(time, zone)).orElse(null);
    String end = settings.end().map(time -> ReadSettings.inZone(time, zone)).orElse(null);
    return switch (settings.extent()) {
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
    };
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
}
