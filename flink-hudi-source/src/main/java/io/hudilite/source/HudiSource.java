package io.hudilite.source;

import io.hudilite.source.config.PartitionFilter;
import io.hudilite.source.monitor.MonitorState;
import io.hudilite.source.split.HudiSplit;
import java.time.Duration;
import javax.annotation.Nullable;
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
 * <tr><td>bounded (the default)</td><td>the table as of its newest completed instant</td></tr>
 * <tr><td>bounded, {@code asOf} or only {@code endCommit}</td><td>the table as of that instant
 * </td></tr>
 * <tr><td>bounded, {@code startCommit} with or without {@code endCommit}</td><td>the rows that the
 * instants in between changed, each key once, in its last state there; both ends included</td></tr>
 * <tr><td>{@code continuous}</td><td>{@code startCommit} and all that follows: {@code earliest} is
 * the whole table as it is now, then changes; {@code latest}, the default, begins with the newest
 * completed instant</td></tr>
 * </table>
 *
 * Rows: snapshots hold only {@link org.apache.flink.types.RowKind#INSERT} rows. Changes hold {@code
 * INSERT} or {@code UPDATE_AFTER} for the new state of a key, and {@code DELETE} rows in which the
 * key, partition and ordering columns are filled and the others null: an upsert stream. Changes of
 * one file group come in the order in which they were committed; several instants between two looks
 * at the table may come as one change per key. Compaction and clustering change nothing and are not
 * read.
 *
 * <p>With checkpoints each row counts exactly once, also after failures and from savepoints.
 */
public final class HudiSource
    implements Source<RowData, HudiSplit, MonitorState>, ResultTypeQueryable<RowData> {
  private static final long serialVersionUID = 1L;

  private HudiSource() {}

  public static Builder builder() {
    return new Builder();
  }

  @Override
  public Boundedness getBoundedness() {
    throw new UnsupportedOperationException();
  }

  @Override
  public SplitEnumerator<HudiSplit, MonitorState> createEnumerator(
      SplitEnumeratorContext<HudiSplit> context) {
    throw new UnsupportedOperationException();
  }

  @Override
  public SplitEnumerator<HudiSplit, MonitorState> restoreEnumerator(
      SplitEnumeratorContext<HudiSplit> context, MonitorState state) {
    throw new UnsupportedOperationException();
  }

  @Override
  public SimpleVersionedSerializer<HudiSplit> getSplitSerializer() {
    throw new UnsupportedOperationException();
  }

  @Override
  public SimpleVersionedSerializer<MonitorState> getEnumeratorCheckpointSerializer() {
    throw new UnsupportedOperationException();
  }

  @Override
  public SourceReader<RowData, HudiSplit> createReader(SourceReaderContext context) {
    throw new UnsupportedOperationException();
  }

  @Override
  public TypeInformation<RowData> getProducedType() {
    throw new UnsupportedOperationException();
  }

  /** Collects what to read. Not safe for use by several threads. */
  public static final class Builder {
    private Builder() {}

    /** The base path of the table, as a URI or a local path. Required. */
    public Builder path(String path) {
      return this;
    }

    /**
     * The columns to read, by name, in the order in which the rows shall have them: any of the
     * table's columns and the five meta columns ({@code _hoodie_commit_time} and so on); may be
     * empty, to count rows. A column that older files lack is null in their rows. Required.
     */
    public Builder rowType(RowType wanted) {
      return this;
    }

    /** Reads only partitions whose path passes; asked again for partitions that are made later. */
    public Builder partitionFilter(PartitionFilter filter) {
      return this;
    }

    /** Reads what is there and ends. This is the default. */
    public Builder bounded() {
      return this;
    }

    /** Reads on for ever. */
    public Builder continuous() {
      return this;
    }

    /**
     * Where changes begin, that instant included: 17 digits {@code yyyyMMddHHmmssSSS} or 14 without
     * the milliseconds, an ISO timestamp, {@code earliest} or {@code latest}; null for the default.
     *
     * @throws io.hudilite.core.config.HudiTableException if it is none of these
     */
    public Builder startCommit(@Nullable String start) {
      return this;
    }

    /**
     * Where a bounded read ends, that instant included; forms as in {@link #startCommit} without
     * the words; null for no end.
     */
    public Builder endCommit(@Nullable String end) {
      return this;
    }

    /** Reads the table as it was after this instant; bounded; null for as it is. */
    public Builder asOf(@Nullable String instant) {
      return this;
    }

    /** Time between two looks at the table of a continuous read; 60 s if not set. */
    public Builder checkInterval(Duration interval) {
      return this;
    }

    /**
     * Checks what was set, without looking at the table.
     *
     * @throws io.hudilite.core.config.HudiTableException if settings are missing or contradict
     */
    public HudiSource build() {
      throw new UnsupportedOperationException();
    }
  }
}
