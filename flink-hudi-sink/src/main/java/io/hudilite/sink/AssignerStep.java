package io.hudilite.sink;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.key.BucketCounts;
import io.hudilite.sink.assign.AppendAssigner;
import io.hudilite.sink.assign.AssignSettings;
import io.hudilite.sink.assign.AssignStart;
import io.hudilite.sink.assign.BucketAssigner;
import io.hudilite.sink.assign.BucketIndexAssigner;
import io.hudilite.sink.assign.BucketSettings;
import io.hudilite.sink.assign.SmallFileAssigner;
import io.hudilite.sink.config.IndexKind;
import io.hudilite.sink.config.SinkConfig;
import io.hudilite.sink.config.TableProperties;
import io.hudilite.sink.config.WriteOperation;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.RecordKeySelector;
import io.hudilite.sink.record.RecordShuffle;
import io.hudilite.sink.record.RecordTypeInfo;
import java.util.Locale;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.types.logical.RowType;

/**
 * The operator {@code bucket_assigner}: which one it is, and what is shuffled before and behind it.
 */
final class AssignerStep {
  private final HudiSink.Builder settings;
  private final SinkConfig config;
  private final TableConfig table;
  private final RowType rowType;
  private final JobKind job;
  private final String run;
  private final int writers;
  private final int assigners;

  /**
   * What assigners wait for. A batch job begins with them, before the coordinator of the writers is
   * there; in a streaming job what another job left must be cleared away first.
   */
  private final AssignStart start;

  AssignerStep(
      HudiSink.Builder settings,
      TableConfig table,
      RowType rowType,
      JobKind job,
      String run,
      int writers) {
    this.settings = settings;
    this.config = settings.config;
    this.table = table;
    this.rowType = rowType;
    this.job = job;
    this.run = run;
    this.writers = writers;
    this.assigners = config.assignTasks() > 0 ? config.assignTasks() : writers;
    this.start = job.isBatch() ? AssignStart.AT_ONCE : AssignStart.WITH_LEASE;
  }

  /** Records that know their file group, on their way to its writer. */
  DataStream<HudiRecord> behind(DataStream<HudiRecord> records) {
    if (config.index() == IndexKind.BUCKET) {
      return inBuckets(records);
    }
    if (config.fillsSmallFiles(table.type())) {
      return toWriters(inSmallFiles(records));
    }
    if (config.operation().appends()) {
      return inNewFiles(records);
    }
    return toWriters(
        job.isBatch()
            ? byIndex(byKeyHash(records), AssignSettings.Index.HEAP)
            : byIndex(
                records.keyBy(new RecordKeySelector(config.indexScope()), RecordTypeInfo.KEY),
                AssignSettings.Index.FLINK_STATE));
  }

  /** Each bucket is assigned where it is written, so that there is one shuffle. */
  private DataStream<HudiRecord> inBuckets(DataStream<HudiRecord> records) {
    BucketSettings buckets =
        new BucketSettings(
            config.bucketFields().isEmpty() ? table.recordKeyFields() : config.bucketFields(),
            config.buckets().isUniform()
                ? new BucketCounts(config.buckets().others(), table.bucketExpressions())
                : config.buckets(),
            config.operation().overwrites()
                ? BucketSettings.Groups.NEW
                : BucketSettings.Groups.EXISTING);
    return named(
            RecordShuffle.of(records, buckets.writer())
                .transform(
                    HudiSink.BUCKET_ASSIGNER,
                    records.getType(),
                    new BucketIndexAssigner(
                        settings.path, run, config.indexScope(), buckets, start)))
        .setParallelism(writers);
  }

  /** Each writer makes files of its own, so that nothing is shuffled, but where few are wanted. */
  private DataStream<HudiRecord> inNewFiles(DataStream<HudiRecord> records) {
    WriteOperation operation = config.operation();
    boolean isShuffled =
        operation.isBulk() && config.bulkShuffle() && settings.schema.isPartitioned();
    DataStream<HudiRecord> shuffled =
        isShuffled
            ? RecordShuffle.of(
                records,
                (record, channels) ->
                    Math.floorMod(record.partitionHash() * 0x9E3779B9 >>> 8, channels))
            : records;
    return named(
            shuffled.map(
                new AppendAssigner(settings.path, operation.name().toLowerCase(Locale.ROOT)),
                records.getType()))
        .setParallelism(writers);
  }

  private SingleOutputStreamOperator<HudiRecord> inSmallFiles(DataStream<HudiRecord> records) {
    return named(
            records.map(
                new SmallFileAssigner(
                    settings.path,
                    new TableProperties(table, settings.path),
                    config,
                    start,
                    run,
                    writers,
                    settings.clustering.isOn() && !job.isBatch()),
                records.getType()))
        .setParallelism(assigners);
  }

  private SingleOutputStreamOperator<HudiRecord> byIndex(
      DataStream<HudiRecord> records, AssignSettings.Index index) {
    return named(
            records.transform(
                HudiSink.BUCKET_ASSIGNER,
                records.getType(),
                new BucketAssigner(
                    new AssignSettings(
                        settings.path,
                        new TableProperties(table, settings.path),
                        rowType,
                        config,
                        index,
                        start,
                        run,
                        writers,
                        settings.clustering.isOn() && index == AssignSettings.Index.FLINK_STATE))))
        .setParallelism(assigners);
  }

  private SingleOutputStreamOperator<HudiRecord> named(
      SingleOutputStreamOperator<HudiRecord> operator) {
    return settings.named(HudiSink.BUCKET_ASSIGNER, operator);
  }

  private static DataStream<HudiRecord> byKeyHash(DataStream<HudiRecord> records) {
    return RecordShuffle.of(
        records, (record, channels) -> BucketAssigner.assigner(record.keyHash(), channels));
  }

  private static DataStream<HudiRecord> toWriters(DataStream<HudiRecord> located) {
    return RecordShuffle.of(located, HudiRecord::writer);
  }
}
