package io.hudilite.source;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.scan.StartingPosition;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.source.config.CommitTimeParser;
import io.hudilite.source.config.DynamicPartitions;
import io.hudilite.source.config.PartitionFilter;
import io.hudilite.source.config.RangeConfig;
import io.hudilite.source.config.ReadMode;
import io.hudilite.source.config.RowHints;
import io.hudilite.source.config.RowOrder;
import io.hudilite.source.config.RowOutput;
import io.hudilite.source.config.SourceConfig;
import io.hudilite.source.lookup.TableLookup;
import io.hudilite.source.monitor.MonitorState;
import io.hudilite.source.monitor.MonitorStateSerializer;
import io.hudilite.source.monitor.SplitMonitor;
import io.hudilite.source.read.HudiSourceReader;
import io.hudilite.source.split.HudiSplit;
import io.hudilite.source.split.HudiSplitSerializer;
import java.time.Duration;
import javax.annotation.Nullable;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;

/**
 * Reads a table of Apache Hudi: once, or its changes as they are committed.
 *
 * <pre>{@code
 * HudiSource source = HudiSource.builder()
 *     .path("file:///data/orders")
 *     .rowType(rowType)             // the wanted columns, by name, in the wanted order
 *     .continuous()
 *     .startCommit("earliest")
 *     .build();
 * DataStream<RowData> rows = env.fromSource(source, WatermarkStrategy.noWatermarks(), "orders");
 * }</pre>
 *
 * <table>
 * <caption>What is read</caption>
 * <tr><td>bounded (the default), also with {@code earliest}</td><td>the table as of its newest completed instant</td></tr>
 * <tr><td>bounded, {@code readOptimized}</td><td>the newest base files, without the changes that
 * log files hold</td></tr>
 * <tr><td>bounded, {@code asOf} or only {@code endCommit}</td><td>the table as of that instant
 * </td></tr>
 * <tr><td>bounded, {@code startCommit} with or without {@code endCommit}</td><td>the rows that the
 * instants in between changed, each key once, in its last state there; both ends included</td></tr>
 * <tr><td>{@code continuous}</td><td>{@code startCommit} and all that follows, or up to {@code
 * endCommit}: {@code earliest} is the whole table as it is now, then changes; {@code latest}, the
 * default, begins with the newest completed instant</td></tr>
 * </table>
 *
 * Rows: snapshots hold only {@link org.apache.flink.types.RowKind#INSERT} rows. Changes hold {@code
 * INSERT} or {@code UPDATE_AFTER} for the new state of a key, and {@code DELETE} rows in which the
 * key, partition and ordering columns are filled and the others null: an upsert stream. Changes of
 * one file group come in the order in which they were committed; several instants between two looks
 * at the table may come as one change per key. Compaction and clustering change nothing and are not
 * read.
 *
 * <p>Order: rows of two readers may overtake each other on the network, and a key that moves to
 * another partition moves to files that another reader may have. So with {@code env.fromSource} one
 * reader, the first one, reads all of a continuous read, whatever its parallelism: the rows of a
 * key leave the source in order and stay in order, as long as what comes behind keeps those of a
 * key together. (Only the splits that are under way when a job is restored at another parallelism
 * may be spread.) {@link HudiStream} reads with all readers and has an operator behind the source
 * that puts each key in order; SQL reads that way.
 *
 * <p>Event time: files are in no order of time, and a watermark that follows the rows of one may
 * make those of the next late. {@link HudiStream} lets event time go on with whole commits. Of a
 * bounded read only its end is certain: whatever strategy {@code env.fromSource} is given, its
 * watermarks are held back until then, unless it takes the read for idle ({@code withIdleness}). A
 * reader is one sequence of splits with one watermark, by which Flink aligns it with others;
 * pausing single splits is obeyed, too.
 *
 * <p>With checkpoints each row counts exactly once, also after failures and from savepoints.
 */
public final class HudiSource
    implements Source<RowData, HudiSplit, MonitorState>, ResultTypeQueryable<RowData> {
  private static final long serialVersionUID = 1L;

  private final SourceConfig config;

  private HudiSource(SourceConfig config) {
    this.config = requireNonNull(config, "config");
  }

  public static Builder builder() {
    return new Builder();
  }

  @Override
  public Boundedness getBoundedness() {
    return config.mode().isBounded() ? Boundedness.BOUNDED : Boundedness.CONTINUOUS_UNBOUNDED;
  }

  @Override
  public SplitEnumerator<HudiSplit, MonitorState> createEnumerator(
      SplitEnumeratorContext<HudiSplit> context) {
    return SplitMonitor.of(context, config, Storages.of(config.path()));
  }

  @Override
  public SplitEnumerator<HudiSplit, MonitorState> restoreEnumerator(
      SplitEnumeratorContext<HudiSplit> context, MonitorState state) {
    return SplitMonitor.of(context, config, Storages.of(config.path()), state);
  }

  @Override
  public SimpleVersionedSerializer<HudiSplit> getSplitSerializer() {
    return HudiSplitSerializer.INSTANCE;
  }

  @Override
  public SimpleVersionedSerializer<MonitorState> getEnumeratorCheckpointSerializer() {
    return MonitorStateSerializer.INSTANCE;
  }

  @Override
  public SourceReader<RowData, HudiSplit> createReader(SourceReaderContext context) {
    return HudiSourceReader.of(config, Storages.of(config.path()), context);
  }

  @Override
  public TypeInformation<RowData> getProducedType() {
    return InternalTypeInfo.of(config.outputType());
  }

  /** Collects what to read. Not safe for use by several threads. */
  public static final class Builder {
    private static final Duration DEFAULT_CHECK_INTERVAL = Duration.ofSeconds(60);

    @Nullable private String path;
    @Nullable private RowType rowType;
    private PartitionFilter partitions = PartitionFilter.ALL;
    @Nullable private DynamicPartitions dynamicPartitions;
    private boolean continuous;
    @Nullable private String start;
    @Nullable private String end;
    @Nullable private String asOf;
    private boolean readOptimized;
    private Duration checkInterval = DEFAULT_CHECK_INTERVAL;
    private RangeConfig ranges = RangeConfig.DEFAULT;
    private RowHints hints = RowHints.NONE;
    private RowOutput output = RowOutput.ROWS;
    private RowOrder order = RowOrder.ONE_READER;
    @Nullable private WatermarkStrategy<RowData> watermarks;

    private Builder() {}

    /** The base path of the table, as a URI or a local path. Required. */
    public Builder path(String path) {
      this.path = requireNonNull(path, "path");
      return this;
    }

    /**
     * The columns to read, by name, in the order in which the rows shall have them: any of the
     * table's columns and the five meta columns ({@code _hoodie_commit_time} and so on); may be
     * empty, to count rows. A column that older files lack is null in their rows. Required.
     */
    public Builder rowType(RowType wanted) {
      this.rowType = requireNonNull(wanted, "wanted");
      return this;
    }

    /** Reads only partitions whose path passes; asked again for partitions that are made later. */
    public Builder partitionFilter(PartitionFilter filter) {
      this.partitions = requireNonNull(filter, "filter");
      return this;
    }

    /**
     * Of a bounded read: leaves out partitions that another part of the job, which runs first, says
     * are not needed; null, the default, if nothing is said.
     */
    public Builder dynamicPartitions(@Nullable DynamicPartitions partitionsOf) {
      this.dynamicPartitions = partitionsOf;
      return this;
    }

    /** Reads what is there and ends. This is the default. */
    public Builder bounded() {
      this.continuous = false;
      return this;
    }

    /** Reads on for ever. */
    public Builder continuous() {
      this.continuous = true;
      return this;
    }

    /**
     * Where changes begin, that instant included: 17 digits {@code yyyyMMddHHmmssSSS} or 14 without
     * the milliseconds, an ISO timestamp, {@code earliest} or {@code latest}; null for the default.
     *
     * @throws io.hudilite.core.config.HudiTableException if it is none of these
     */
    public Builder startCommit(@Nullable String start) {
      this.start = start;
      return this;
    }

    /**
     * Where the read ends, that instant included; forms as in {@link #startCommit} without the
     * words; null for no end. A continuous read ends when the moment has passed and no commit that
     * was begun before it is under way.
     */
    public Builder endCommit(@Nullable String end) {
      this.end = end;
      return this;
    }

    /** Reads the table as it was after this instant; bounded; null for as it is. */
    public Builder asOf(@Nullable String instant) {
      this.asOf = instant;
      return this;
    }

    /**
     * Reads the newest base files alone, as Hudi's {@code read_optimized} queries do: quicker, but
     * without the changes that are in log files. Bounded.
     */
    public Builder readOptimized() {
      this.readOptimized = true;
      return this;
    }

    /** How changes are read: in what portions, and whether overwrites and deletes are given. */
    public Builder ranges(RangeConfig config) {
      this.ranges = requireNonNull(config, "config");
      return this;
    }

    /** Rows that a bounded read of a state of the table may leave out. */
    public Builder hints(RowHints rowHints) {
      this.hints = requireNonNull(rowHints, "rowHints");
      return this;
    }

    /** What becomes of the rows that are read; {@link RowOutput#ROWS} if not set. */
    public Builder output(RowOutput rowOutput) {
      this.output = requireNonNull(rowOutput, "rowOutput");
      return this;
    }

    /** Time between two looks at the table of a continuous read; 60 s if not set. */
    public Builder checkInterval(Duration interval) {
      this.checkInterval = requireNonNull(interval, "interval");
      return this;
    }

    /**
     * Checks what was set, without looking at the table.
     *
     * @throws io.hudilite.core.config.HudiTableException if settings are missing or contradict
     */
    public HudiSource build() {
      return new HudiSource(config());
    }

    /**
     * Not a source, but a function that finds rows by some of their columns, for lookup joins.
     *
     * @param keys positions of the columns to look up by, in the rows that come out
     * @param life how old the rows may be before new commits are looked for
     * @throws io.hudilite.core.config.HudiTableException as {@link #build}; and if not one state of
     *     the table is to be read, but changes
     */
    public TableLookup buildLookup(int[] keys, Duration life) {
      SourceConfig config = config();
      if (!config.mode().isBounded() || config.mode() instanceof ReadMode.Changes) {
        throw new HudiTableException(
            "Rows are looked up in a state of '%s', not among its changes. Leave 'read.start-commit' and 'hoodie.datasource.query.type'='incremental' out."
                .formatted(path));
      }
      return new TableLookup(config, keys, life);
    }

    private SourceConfig config() {
      if (path == null || path.isBlank()) {
        throw new HudiTableException(
            "The source has no path. Set 'path' to the base path of the table.");
      }
      if (rowType == null) {
        throw new HudiTableException(
            "The source of '%s' has no row type. Set the columns to read.".formatted(path));
      }
      return new SourceConfig(
          path,
          rowType,
          output,
          partitions,
          continuous ? null : dynamicPartitions,
          mode(),
          ranges,
          hints,
          order,
          watermarks);
    }

    RowType wantedColumns() {
      if (rowType == null) {
        throw new HudiTableException(
            "The source of '%s' has no row type. Set the columns to read.".formatted(path));
      }
      return rowType;
    }

    /** For {@link HudiStream}: all readers, and rows that say their turn. */
    HudiSource buildStaged(@Nullable WatermarkStrategy<RowData> strategy) {
      order = RowOrder.STAGED;
      watermarks = strategy;
      return build();
    }

    private ReadMode mode() {
      if (readOptimized) {
        if (continuous || start != null || end != null || asOf != null) {
          throw new HudiTableException(
              "Reading the base files of '%s' alone shows neither changes nor earlier states. Leave 'read_optimized' out, or the start, the end and the continuous read."
                  .formatted(path));
        }
        return new ReadMode.ReadOptimized();
      }
      if (asOf != null && (continuous || start != null || end != null)) {
        throw new HudiTableException(
            "Reading '%s' as of '%s' is one state of the table. It goes together neither with a continuous read nor with 'read.start-commit' nor 'read.end-commit': leave one of them out."
                .formatted(path, asOf));
      }
      if (asOf != null) {
        return new ReadMode.AsOf(CommitTimeParser.end("as of", asOf));
      }
      InstantTime last = end == null ? null : CommitTimeParser.end("read.end-commit", end);
      if (continuous) {
        return new ReadMode.Continuous(
            start == null
                ? new StartingPosition.Latest()
                : CommitTimeParser.start("read.start-commit", start),
            last,
            checkInterval);
      }
      StartingPosition first =
          start == null
              ? new StartingPosition.Earliest()
              : CommitTimeParser.start("read.start-commit", start);
      if (first instanceof StartingPosition.Earliest) {
        return last == null ? new ReadMode.Snapshot() : new ReadMode.AsOf(last);
      }
      return new ReadMode.Changes(first, last);
    }
  }
}
