package io.hudilite.sink;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.config.TableType;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.BucketCountsStore;
import io.hudilite.sink.config.ClusteringConfig;
import io.hudilite.sink.config.CompactionConfig;
import io.hudilite.sink.config.HousekeepingConfig;
import io.hudilite.sink.config.SinkConfig;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.data.RowData;

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
    DeclaredTable wanted = DeclaredTable.of(settings);
    try {
      Storage storage = Storages.of(settings.path);
      BucketCountsStore.ensure(storage, TableConfigStore.create(storage, wanted.config()));
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
    JobKind job = JobKind.of(rows, settings.jobOptions, settings.path);
    return new SinkPipeline(settings, DeclaredTable.of(settings).requireFits(job), job)
        .behind(rows);
  }

  /** Collects what to write where. Not safe for use by several threads. */
  public static final class Builder {
    String path;
    String tableName;
    TableType tableType = TableType.MERGE_ON_READ;
    TableSchema schema;
    Map<String, String> overwrittenPartition = Map.of();
    SinkConfig config = SinkConfig.defaults();
    CompactionConfig compaction = CompactionConfig.DEFAULT;
    ClusteringConfig clustering = ClusteringConfig.OFF;
    HousekeepingConfig housekeeping = HousekeepingConfig.DEFAULT;
    final Map<String, String> tableProperties = new HashMap<>();
    Function<String, Optional<String>> uids;
    ReadableConfig jobOptions = new Configuration();

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

    /** Names an operator, and gives it its uid. */
    <T> SingleOutputStreamOperator<T> named(String name, SingleOutputStreamOperator<T> operator) {
      operator.name(name);
      uids.apply(name).ifPresent(operator::uid);
      return operator;
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
