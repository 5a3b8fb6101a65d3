package io.hudilite.sink;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableType;
import io.hudilite.core.key.KeyExtractor;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.merge.ColumnDefaults;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.sink.commit.CommitSettings;
import io.hudilite.sink.commit.Overwrite;
import io.hudilite.sink.compact.CompactionOperatorFactory;
import io.hudilite.sink.compact.CompactionSettings;
import io.hudilite.sink.config.ClusteringConfig;
import io.hudilite.sink.config.CompactionConfig;
import io.hudilite.sink.config.IndexKind;
import io.hudilite.sink.config.SinkConfig;
import io.hudilite.sink.config.TableProperties;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.LentRows;
import io.hudilite.sink.record.RecordTypeInfo;
import io.hudilite.sink.record.RowToRecordFunction;
import io.hudilite.sink.write.StreamWriterFactory;
import io.hudilite.sink.write.WriteSettings;
import java.util.UUID;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.transformations.PhysicalTransformation;
import org.apache.flink.table.data.RowData;

/**
 * The operators of the sink, from the rows to the end.
 *
 * <pre>
 * row_to_record --> bucket_assigner --> stream_writer --> compaction
 *             by key            by file group
 * </pre>
 *
 * Rows that are only added need no key: they go to the assigner beside them. In buckets the hash of
 * the key tells the file group, so that assigner and writer stand together.
 */
final class SinkPipeline {
  private final HudiSink.Builder settings;
  private final DeclaredTable declared;
  private final TableConfig table;
  private final JobKind job;
  private final String run = UUID.randomUUID().toString();

  SinkPipeline(HudiSink.Builder settings, DeclaredTable declared, JobKind job) {
    this.settings = settings;
    this.declared = declared;
    this.table = declared.config();
    this.job = job;
  }

  /** The end of the pipeline. */
  DataStreamSink<?> behind(DataStream<RowData> rows) {
    TableSchema schema = declared.schema();
    int writers =
        settings.config.writeTasks() > 0
            ? settings.config.writeTasks()
            : Math.max(1, rows.getExecutionEnvironment().getParallelism());
    SingleOutputStreamOperator<HudiRecord> last =
        serviced(
            written(
                new AssignerStep(settings, table, schema.rowType(), job, run, writers)
                    .behind(records(rows, schema)),
                schema,
                writers),
            writers);
    DataStreamSink<HudiRecord> end = last.sinkTo(new DiscardingSink<>());
    end.name("end_of_writer").setParallelism(last.getParallelism());
    settings.uids.apply("end_of_writer").ifPresent(end::uid);
    return end;
  }

  private SingleOutputStreamOperator<HudiRecord> records(
      DataStream<RowData> rows, TableSchema schema) {
    SinkConfig config = settings.config;
    SingleOutputStreamOperator<HudiRecord> records =
        (job.isBatch() ? rows : LentRows.of(rows))
            .flatMap(
                new RowToRecordFunction(
                    schema,
                    declared.rows(),
                    schema.rowType().getFieldNames().stream()
                        .mapToInt(settings.schema.rowType()::getFieldIndex)
                        .toArray(),
                    new TableProperties(table, settings.path),
                    config.indexScope(),
                    config.rowsPerSecond(),
                    config.badRows()),
                RecordTypeInfo.ofRecords(settings.path, schema.rowType()));
    return settings
        .named(HudiSink.ROW_TO_RECORD, records)
        .setParallelism(
            rows.getParallelism() > 0
                ? rows.getParallelism()
                : Math.max(1, rows.getExecutionEnvironment().getParallelism()));
  }

  private SingleOutputStreamOperator<HudiRecord> written(
      DataStream<HudiRecord> located, TableSchema schema, int writers) {
    SinkConfig config = settings.config;
    WriteSettings writing =
        new WriteSettings(
            settings.path,
            table.tableName(),
            schema.rowType(),
            table.type(),
            new TableProperties(table, settings.path),
            config,
            settings.clustering.updates(),
            run,
            job.timing());
    CommitSettings committing =
        new CommitSettings(
            settings.path,
            declared.properties(),
            config.operation().word(),
            overwrite(),
            ColumnDefaults.of(table.createSchema())
                .in(AvroSchemas.toAvro(schema.rowType(), table.tableName()))
                .toString(),
            dropsSuperseded(),
            run,
            job.timing(),
            config.commitRetries(),
            config.commitRetryInterval(),
            config.heartbeatInterval(),
            config.heartbeatInterval().multipliedBy(config.heartbeatMisses()),
            config.failedWrites());
    return withoutTwins(
        settings
            .named(
                HudiSink.STREAM_WRITER,
                located.transform(
                    HudiSink.STREAM_WRITER,
                    located.getType(),
                    new StreamWriterFactory(writing, committing)))
            .setParallelism(writers));
  }

  /** Two attempts of one writer at the same time would write the same rows twice. */
  private static SingleOutputStreamOperator<HudiRecord> withoutTwins(
      SingleOutputStreamOperator<HudiRecord> operator) {
    ((PhysicalTransformation<?>) operator.getTransformation())
        .setSupportsConcurrentExecutionAttempts(false);
    return operator;
  }

  /** No row goes on from the writers: the edge only gives the operator a place in the job. */
  private SingleOutputStreamOperator<HudiRecord> serviced(
      SingleOutputStreamOperator<HudiRecord> written, int writers) {
    CompactionConfig compaction =
        table.type() == TableType.MERGE_ON_READ ? settings.compaction : CompactionConfig.OFF;
    ClusteringConfig clustering = settings.clustering;
    if (!compaction.isOn() && !clustering.isOn() && !settings.housekeeping.isOn()) {
      return written;
    }
    SinkConfig config = settings.config;
    String name =
        clustering.isOn() && !compaction.isOn() ? HudiSink.CLUSTERING : HudiSink.COMPACTION;
    CompactionSettings servicing =
        new CompactionSettings(
            settings.path,
            run,
            CompactionSettings.Mode.BESIDE_WRITER,
            compaction,
            clustering,
            !job.isBatch() && writesToKnownGroups() && clustering.isOn(),
            settings.housekeeping,
            config.compression(),
            config.parquetRowGroupSize().getBytes(),
            (int) Math.min(config.parquetPageSize().getBytes(), 1 << 30));
    return withoutTwins(
        settings
            .named(
                name,
                written.transform(
                    name, written.getType(), new CompactionOperatorFactory<>(servicing)))
            .setParallelism(
                Math.max(
                    tasks(compaction.executes(), compaction.tasks(), writers),
                    tasks(clustering.executes(), clustering.tasks(), writers))));
  }

  private static int tasks(boolean executes, int wanted, int writers) {
    return !executes ? 1 : wanted > 0 ? wanted : writers;
  }

  /** Whether assigners give rows to file groups that a clustering may take away. */
  private boolean writesToKnownGroups() {
    SinkConfig config = settings.config;
    return config.index() == IndexKind.STATE
        && (!config.operation().appends() || config.fillsSmallFiles(table.type()));
  }

  /** Without an index, or with one that forgets, older rows are not known as such. */
  private boolean dropsSuperseded() {
    SinkConfig config = settings.config;
    return !config.operation().appends()
        && config.index() == IndexKind.STATE
        && !table.mergeBehavior().combinesVersions()
        && config.indexTtl().isZero();
  }

  private Overwrite overwrite() {
    return switch (settings.config.operation()) {
      case UPSERT, INSERT, INSERT_INTO_SMALL_FILES, INSERT_DISTINCT, BULK_INSERT ->
          Overwrite.NOTHING;
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
}
