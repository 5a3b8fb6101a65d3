package io.hudilite.source;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.source.order.KeyColumns;
import io.hudilite.source.order.KeyOrderOperator;
import io.hudilite.source.order.TurnMarkOperator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.flink.api.common.eventtime.WatermarkAlignmentParams;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamUtils;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;

/**
 * The changes of a table as a stream that all readers read, with each key in order.
 *
 * <pre>{@code
 * DataStream<RowData> changes =
 *     HudiStream.of(HudiSource.builder().path("file:///data/orders").rowType(rowType).continuous())
 *         .keyColumns("id")
 *         .read(env, "orders");
 *
 * readers  --by record key-->  key_order  -->  rows
 * }</pre>
 *
 * What comes out folds to the table, whatever the parallelism: of each key the rows come in the
 * order of the commits. A row that was overtaken by a newer row of its key is left out. State is
 * kept only for keys that moved to another file group, or may have, until their rows have arrived.
 *
 * <p>With a watermark strategy, event time goes on when all rows of some commits are out, in all
 * subtasks at the same time: a row is late only if it is older than rows of earlier commits,
 * however files and readers are faster or slower than others.
 */
public final class HudiStream {
  private final HudiSource.Builder source;
  private List<String> keyColumns = List.of();
  private Function<String, Optional<String>> uids;
  @Nullable private WatermarkStrategy<RowData> watermarks;
  @Nullable private Integer parallelism;

  private HudiStream(HudiSource.Builder source) {
    this.source = requireNonNull(source, "source");
    this.uids = name -> Optional.of("hudi-" + name);
  }

  /**
   * @param source a continuous one, complete but for {@code build}
   */
  public static HudiStream of(HudiSource.Builder source) {
    return new HudiStream(source);
  }

  /**
   * The record key of the table. Need not be among the wanted columns. Without them rows are not
   * put in order.
   */
  public HudiStream keyColumns(String... columns) {
    return keyColumns(List.of(columns));
  }

  /** See {@link #keyColumns(String...)}. */
  public HudiStream keyColumns(List<String> columns) {
    this.keyColumns = List.copyOf(columns);
    return this;
  }

  /**
   * Event time and watermarks of the rows; null for none. If the strategy aligns them with those of
   * other sources, all readers wait while the commits that were read to their end are too far ahead
   * of the others: what they are in the midst of may go as far ahead as its rows do. If it knows
   * idleness, those behind do not wait for a table that is quiet.
   */
  public HudiStream watermarks(@Nullable WatermarkStrategy<RowData> strategy) {
    this.watermarks = strategy;
    return this;
  }

  /** Number of readers; null for that of the job. */
  public HudiStream parallelism(@Nullable Integer readers) {
    this.parallelism = readers;
    return this;
  }

  /** Gives operators their uid by their name; empty to leave it to Flink. */
  public HudiStream uids(Function<String, Optional<String>> uids) {
    this.uids = requireNonNull(uids, "uids");
    return this;
  }

  /**
   * Adds the source and what is behind it to a job.
   *
   * @param keyTypes the rows of the table in which the key columns are found that are not wanted
   * @throws HudiTableException if the settings of the source contradict each other, or a key column
   *     is not known
   */
  public DataStream<RowData> read(StreamExecutionEnvironment env, String name, RowType keyTypes) {
    RowType wanted = source.wantedColumns();
    RowType read = withKeys(wanted, keyTypes);
    HudiSource staged = source.rowType(read).buildStaged(watermarks);
    source.rowType(wanted);
    SingleOutputStreamOperator<RowData> rows = env.fromSource(staged, alignmentAlone(), name);
    if (parallelism != null) {
      rows.setParallelism(parallelism);
    }
    uids.apply("source").ifPresent(rows::uid);
    if (isAligned()) {
      int readers = rows.getParallelism();
      rows = rows.transform("read_turns", rows.getType(), new TurnMarkOperator());
      rows.setParallelism(readers);
      uids.apply("read_turns").ifPresent(rows::uid);
    }
    DataStream<RowData> arranged = keyColumns.isEmpty() ? rows : byKey(rows, read);
    int[] columns =
        read.equals(wanted) ? null : IntStream.range(0, wanted.getFieldCount()).toArray();
    SingleOutputStreamOperator<RowData> ordered =
        arranged.transform(
            "key_order",
            InternalTypeInfo.of(wanted),
            new KeyOrderOperator(input(rows), watermarks, columns));
    ordered.setParallelism(rows.getParallelism());
    uids.apply("key_order").ifPresent(ordered::uid);
    return ordered;
  }

  private boolean isAligned() {
    return watermarks != null && watermarks.getAlignmentParameters().isEnabled();
  }

  /** The readers make the watermarks themselves; when to wait is up to Flink. */
  private WatermarkStrategy<RowData> alignmentAlone() {
    WatermarkStrategy<RowData> none = WatermarkStrategy.noWatermarks();
    if (watermarks == null || !isAligned()) {
      return none;
    }
    WatermarkAlignmentParams wanted = watermarks.getAlignmentParameters();
    return none.withWatermarkAlignment(
        wanted.getWatermarkGroup(),
        Duration.ofMillis(wanted.getMaxAllowedWatermarkDrift()),
        Duration.ofMillis(wanted.getUpdateInterval()));
  }

  /** The same if all key columns are wanted ones. */
  public DataStream<RowData> read(StreamExecutionEnvironment env, String name) {
    return read(env, name, source.wantedColumns());
  }

  /** One reader's rows need no way over the network. */
  private KeyedStream<RowData, RowData> byKey(
      SingleOutputStreamOperator<RowData> rows, RowType read) {
    int[] positions = keyColumns.stream().mapToInt(read::getFieldIndex).toArray();
    KeyColumns selector = new KeyColumns(read, positions);
    return rows.getParallelism() == 1
        ? DataStreamUtils.reinterpretAsKeyedStream(rows, selector, selector.getProducedType())
        : rows.keyBy(selector, selector.getProducedType());
  }

  private KeyOrderOperator.Input input(DataStream<RowData> rows) {
    if (keyColumns.isEmpty()) {
      return KeyOrderOperator.Input.ANY;
    }
    return rows.getParallelism() == 1
        ? KeyOrderOperator.Input.ONE_TO_ONE
        : KeyOrderOperator.Input.BY_KEY;
  }

  private RowType withKeys(RowType wanted, RowType keyTypes) {
    List<RowType.RowField> fields = new ArrayList<>(wanted.getFields());
    for (String column : keyColumns) {
      if (wanted.getFieldIndex(column) >= 0) {
        continue;
      }
      int index = keyTypes.getFieldIndex(column);
      if (index < 0) {
        throw new HudiTableException(
            "The key column '%s' is not known. Give the names of the record key columns: the columns are %s."
                .formatted(column, keyTypes.getFieldNames()));
      }
      fields.add(new RowType.RowField(column, keyTypes.getTypeAt(index)));
    }
    return new RowType(wanted.isNullable(), fields);
  }
}
