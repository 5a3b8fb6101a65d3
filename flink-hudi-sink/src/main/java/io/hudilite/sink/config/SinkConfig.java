package io.hudilite.sink.config;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableType;
import io.hudilite.core.key.BucketCounts;
import io.hudilite.core.log.LogBlockFormat;
import io.hudilite.core.write.FailedWrites;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.MemorySize;

/**
 * How the sink writes. Immutable; the ranges are checked here, so nobody below checks again. Made
 * by {@link #builder()} or {@link #defaults()}.
 *
 * @param operation option {@code write.operation}
 * @param bulkShuffle option {@code write.bulk_insert.shuffle_input}: whether each partition is
 *     written by one task
 * @param bulkOrder option {@code write.bulk_insert.sort_input.by_record_key}
 * @param index option {@code index.type}
 * @param buckets options {@code hoodie.bucket.index.num.buckets} and {@code
 *     hoodie.bucket.index.partition.expressions}: file groups of each partition
 * @param bucketFields option {@code hoodie.bucket.index.hash.field}: key columns that are hashed;
 *     empty for all
 * @param indexScope option {@code index.global.enabled}
 * @param indexTtl option {@code index.state.ttl}: the state forgets keys that were not written for
 *     so long, and looks them up in the table when they come again; zero keeps all
 * @param writeTasks option {@code write.tasks}: parallelism of the writers, 0 for that of the input
 * @param assignTasks option {@code write.bucket_assign.tasks}: parallelism of the bucket assigners,
 *     0 for that of the writers
 * @param taskMaxSize option {@code write.task.max.size}: bytes that a writer buffers at most; less
 *     when the heap is small, as all writers of a task manager share 40 % of it
 * @param batchSize option {@code write.batch.size}: bytes that are buffered for one file group at
 *     most
 * @param logBlockSize option {@code write.log_block.size}: bytes at which a data block of a log
 *     file ends; at most 16 MB, and a quarter of what the writer buffers, since a block is made in
 *     memory; a log file has as many blocks as it needs
 * @param logBlockFormat option {@code hoodie.logfile.data.block.format}
 * @param parquetRowGroupSize option {@code write.parquet.block.size}: at most a quarter of what the
 *     writer buffers
 * @param parquetPageSize option {@code write.parquet.page.size}
 * @param maxFileSize option {@code write.parquet.max.file.size}: a file group gets no more new keys
 *     when its base file is expected to become larger
 * @param smallFileLimit option {@code hoodie.parquet.small.file.limit}: file groups that an earlier
 *     commit left smaller than this get new keys; zero always opens new file groups
 * @param mergeMemory option {@code write.merge.max_memory}: bytes that hold the changes of a file
 *     group while its base file is rewritten, beyond which they lie in local files; at most a
 *     quarter of what the writer buffers
 * @param compression codec of base files and of Parquet log blocks, option {@code
 *     hoodie.parquet.compression.codec}
 * @param rowsPerSecond option {@code write.rate.limit}: rows that all writers together take in a
 *     second, 0 for no limit
 * @param badRows option {@code write.ignore.failed}
 * @param commitRetries option {@code write.retry.times}: how often a commit that failed is tried
 *     again before the job fails
 * @param commitRetryInterval option {@code write.retry.interval.ms}: pause before the first retry,
 *     doubled each time
 * @param heartbeatInterval option {@code hoodie.client.heartbeat.interval_in_ms}: how often the job
 *     shows in the table's folder that it is alive
 * @param heartbeatMisses option {@code hoodie.client.heartbeat.tolerable.misses}: for how many
 *     intervals it may show nothing until another job takes it for dead
 * @param failedWrites option {@code hoodie.clean.failed.writes.policy}: which pending writes of
 *     other writers are rolled back
 */
public record SinkConfig(
    WriteOperation operation,
    boolean bulkShuffle,
    BulkOrder bulkOrder,
    IndexKind index,
    BucketCounts buckets,
    List<String> bucketFields,
    IndexScope indexScope,
    Duration indexTtl,
    int writeTasks,
    int assignTasks,
    MemorySize taskMaxSize,
    MemorySize batchSize,
    MemorySize logBlockSize,
    LogBlockFormat logBlockFormat,
    MemorySize parquetRowGroupSize,
    MemorySize parquetPageSize,
    MemorySize maxFileSize,
    MemorySize smallFileLimit,
    MemorySize mergeMemory,
    BaseFileSettings.Compression compression,
    long rowsPerSecond,
    BadRows badRows,
    int commitRetries,
    Duration commitRetryInterval,
    Duration heartbeatInterval,
    int heartbeatMisses,
    FailedWrites failedWrites)
    implements Serializable {

  public SinkConfig {
    requireNonNull(operation, "operation");
    requireNonNull(bulkOrder, "bulkOrder");
    requireNonNull(index, "index");
    bucketFields = new ArrayList<>(bucketFields); // travels in the job graph
    requireNonNull(indexScope, "indexScope");
    requireNonNull(buckets, "buckets");
    requireNonNull(logBlockFormat, "logBlockFormat");
    requireNonNull(compression, "compression");
    requireNonNull(badRows, "badRows");
    requireNonNull(failedWrites, "failedWrites");
    requireAtLeast("index.state.ttl", indexTtl.toMillis(), 0, "milliseconds");
    requireAtLeast("write.tasks", writeTasks, 0, "tasks");
    requireAtLeast("write.bucket_assign.tasks", assignTasks, 0, "tasks");
    requireAtLeast("write.task.max.size", taskMaxSize.getBytes(), 64 * 1024, "bytes");
    requireAtLeast("write.batch.size", batchSize.getBytes(), 1024, "bytes");
    requireAtLeast("write.log_block.size", logBlockSize.getBytes(), 1024, "bytes");
    requireAtLeast("write.parquet.block.size", parquetRowGroupSize.getBytes(), 64 * 1024, "bytes");
    requireAtLeast("write.parquet.page.size", parquetPageSize.getBytes(), 1024, "bytes");
    requireAtLeast("write.parquet.max.file.size", maxFileSize.getBytes(), 64 * 1024, "bytes");
    requireAtLeast("hoodie.parquet.small.file.limit", smallFileLimit.getBytes(), 0, "bytes");
    requireAtLeast("write.merge.max_memory", mergeMemory.getBytes(), 0, "bytes");
    requireAtLeast("write.rate.limit", rowsPerSecond, 0, "rows per second");
    requireAtLeast("write.retry.times", commitRetries, 0, "retries");
    requireAtLeast("write.retry.interval.ms", commitRetryInterval.toMillis(), 0, "milliseconds");
    requireAtLeast(
        "hoodie.client.heartbeat.interval_in_ms", heartbeatInterval.toMillis(), 10, "milliseconds");
    requireAtLeast("hoodie.client.heartbeat.tolerable.misses", heartbeatMisses, 2, "intervals");
  }

  private static void requireAtLeast(String option, long value, long least, String unit) {
    if (value < least) {
      throw new HudiTableException(
          "'%s' is %d %s; set it to %d or more".formatted(option, value, unit, least));
    }
  }

  /** Whether rows are added to file groups that are there, without a look at their keys. */
  public boolean fillsSmallFiles(TableType type) {
    return operation == WriteOperation.INSERT_INTO_SMALL_FILES
        && type == TableType.COPY_ON_WRITE
        && index != IndexKind.BUCKET;
  }

  /** The same with another operation. */
  public SinkConfig withOperation(WriteOperation other) {
    return new Builder(this).operation(other).build();
  }

  /** What a user gets who sets nothing. */
  public static SinkConfig defaults() {
    return builder().build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects what differs from the defaults. Parameters as in {@link SinkConfig}. */
  public static final class Builder {
    private WriteOperation operation = WriteOperation.UPSERT;
    private boolean bulkShuffle = true;
    private BulkOrder bulkOrder = BulkOrder.ARRIVAL;
    private IndexKind index = IndexKind.STATE;
    private BucketCounts buckets = BucketCounts.of(4);
    private List<String> bucketFields = List.of();
    private IndexScope indexScope = IndexScope.TABLE;
    private Duration indexTtl = Duration.ZERO;
    private int writeTasks;
    private int assignTasks;
    private MemorySize taskMaxSize = MemorySize.ofMebiBytes(1024);
    private MemorySize batchSize = MemorySize.ofMebiBytes(256);
    private MemorySize logBlockSize = MemorySize.ofMebiBytes(128);
    private LogBlockFormat logBlockFormat = LogBlockFormat.BY_SIZE;
    private MemorySize parquetRowGroupSize = MemorySize.ofMebiBytes(120);
    private MemorySize parquetPageSize = MemorySize.ofMebiBytes(1);
    private MemorySize maxFileSize = MemorySize.ofMebiBytes(120);
    private MemorySize smallFileLimit = MemorySize.ofMebiBytes(100);
    private MemorySize mergeMemory = MemorySize.ofMebiBytes(100);
    private BaseFileSettings.Compression compression = BaseFileSettings.DEFAULT.compression();
    private long rowsPerSecond;
    private BadRows badRows = BadRows.FAIL;
    private int commitRetries = 3;
    private Duration commitRetryInterval = Duration.ofSeconds(2);
    private Duration heartbeatInterval = Duration.ofSeconds(2);
    private int heartbeatMisses = 5;
    private FailedWrites failedWrites = FailedWrites.EAGER;

    private Builder() {}

    private Builder(SinkConfig config) {
      this.operation = config.operation;
      this.bulkShuffle = config.bulkShuffle;
      this.bulkOrder = config.bulkOrder;
      this.index = config.index;
      this.buckets = config.buckets;
      this.bucketFields = config.bucketFields;
      this.indexScope = config.indexScope;
      this.indexTtl = config.indexTtl;
      this.writeTasks = config.writeTasks;
      this.assignTasks = config.assignTasks;
      this.taskMaxSize = config.taskMaxSize;
      this.batchSize = config.batchSize;
      this.logBlockSize = config.logBlockSize;
      this.logBlockFormat = config.logBlockFormat;
      this.parquetRowGroupSize = config.parquetRowGroupSize;
      this.parquetPageSize = config.parquetPageSize;
      this.maxFileSize = config.maxFileSize;
      this.smallFileLimit = config.smallFileLimit;
      this.mergeMemory = config.mergeMemory;
      this.compression = config.compression;
      this.rowsPerSecond = config.rowsPerSecond;
      this.badRows = config.badRows;
      this.commitRetries = config.commitRetries;
      this.commitRetryInterval = config.commitRetryInterval;
      this.heartbeatInterval = config.heartbeatInterval;
      this.heartbeatMisses = config.heartbeatMisses;
      this.failedWrites = config.failedWrites;
    }

    public Builder operation(WriteOperation operation) {
      this.operation = operation;
      return this;
    }

    public Builder bulkShuffle(boolean bulkShuffle) {
      this.bulkShuffle = bulkShuffle;
      return this;
    }

    public Builder bulkOrder(BulkOrder bulkOrder) {
      this.bulkOrder = bulkOrder;
      return this;
    }

    public Builder index(IndexKind index) {
      this.index = index;
      return this;
    }

    public Builder buckets(int buckets) {
      return buckets(BucketCounts.of(buckets));
    }

    public Builder buckets(BucketCounts buckets) {
      this.buckets = buckets;
      return this;
    }

    public Builder bucketFields(List<String> bucketFields) {
      this.bucketFields = List.copyOf(bucketFields);
      return this;
    }

    public Builder indexScope(IndexScope indexScope) {
      this.indexScope = indexScope;
      return this;
    }

    public Builder indexTtl(Duration indexTtl) {
      this.indexTtl = indexTtl;
      return this;
    }

    public Builder writeTasks(int writeTasks) {
      this.writeTasks = writeTasks;
      return this;
    }

    public Builder assignTasks(int assignTasks) {
      this.assignTasks = assignTasks;
      return this;
    }

    public Builder taskMaxSize(MemorySize taskMaxSize) {
      this.taskMaxSize = taskMaxSize;
      return this;
    }

    public Builder batchSize(MemorySize batchSize) {
      this.batchSize = batchSize;
      return this;
    }

    public Builder logBlockSize(MemorySize logBlockSize) {
      this.logBlockSize = logBlockSize;
      return this;
    }

    public Builder logBlockFormat(LogBlockFormat logBlockFormat) {
      this.logBlockFormat = logBlockFormat;
      return this;
    }

    public Builder parquetRowGroupSize(MemorySize parquetRowGroupSize) {
      this.parquetRowGroupSize = parquetRowGroupSize;
      return this;
    }

    public Builder parquetPageSize(MemorySize parquetPageSize) {
      this.parquetPageSize = parquetPageSize;
      return this;
    }

    public Builder maxFileSize(MemorySize maxFileSize) {
      this.maxFileSize = maxFileSize;
      return this;
    }

    public Builder smallFileLimit(MemorySize smallFileLimit) {
      this.smallFileLimit = smallFileLimit;
      return this;
    }

    public Builder mergeMemory(MemorySize mergeMemory) {
      this.mergeMemory = mergeMemory;
      return this;
    }

    /**
     * Sets the codec of base files.
     *
     * @param codec name of a {@link BaseFileSettings.Compression}, in any case
     * @throws HudiTableException if there is no such codec
     */
    public Builder compression(String codec) {
      try {
        this.compression =
            BaseFileSettings.Compression.valueOf(codec.trim().toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException e) {
        throw new HudiTableException(
            "'hoodie.parquet.compression.codec' is '%s'; set it to one of %s"
                .formatted(codec, Arrays.toString(BaseFileSettings.Compression.values())),
            e);
      }
      return this;
    }

    public Builder rowsPerSecond(long rowsPerSecond) {
      this.rowsPerSecond = rowsPerSecond;
      return this;
    }

    public Builder badRows(BadRows badRows) {
      this.badRows = badRows;
      return this;
    }

    public Builder commitRetries(int commitRetries) {
      this.commitRetries = commitRetries;
      return this;
    }

    public Builder commitRetryInterval(Duration commitRetryInterval) {
      this.commitRetryInterval = commitRetryInterval;
      return this;
    }

    public Builder heartbeatInterval(Duration heartbeatInterval) {
      this.heartbeatInterval = heartbeatInterval;
      return this;
    }

    public Builder heartbeatMisses(int heartbeatMisses) {
      this.heartbeatMisses = heartbeatMisses;
      return this;
    }

    public Builder failedWrites(FailedWrites failedWrites) {
      this.failedWrites = failedWrites;
      return this;
    }

    /**
     * The settings, checked.
     *
     * @throws HudiTableException if a value is out of its range; the message names the option
     */
    public SinkConfig build() {
      return new SinkConfig(
          operation,
          bulkShuffle,
          bulkOrder,
          index,
          buckets,
          bucketFields,
          indexScope,
          indexTtl,
          writeTasks,
          assignTasks,
          taskMaxSize,
          batchSize,
          logBlockSize,
          logBlockFormat,
          parquetRowGroupSize,
          parquetPageSize,
          maxFileSize,
          smallFileLimit,
          mergeMemory,
          compression,
          rowsPerSecond,
          badRows,
          commitRetries,
          commitRetryInterval,
          heartbeatInterval,
          heartbeatMisses,
          failedWrites);
    }
  }
}
