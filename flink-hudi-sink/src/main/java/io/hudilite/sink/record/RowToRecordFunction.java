package io.hudilite.sink.record;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.sink.config.BadRows;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.config.TableProperties;
import java.util.Arrays;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operator {@code row_to_record}: {@link RowDataToRecord}, and a limit on rows per second. */
public final class RowToRecordFunction extends RichFlatMapFunction<RowData, HudiRecord> {
  private static final long serialVersionUID = 1L;

  private static final Logger LOG = LoggerFactory.getLogger(RowToRecordFunction.class);

  private final TableSchema schema;
  private final RowType rows;
  private final int[] positions;
  private final TableProperties table;
  private final IndexScope scope;
  private final long rowsPerSecond;
  private final BadRows badRows;

  private transient RowDataToRecord converter;

  /** Null if the rows have the order of the table. */
  @Nullable private transient ProjectedRowData inTableOrder;

  private transient RateLimit limit;
  private transient Counter leftOut;

  /**
   * @param schema with the types that the table stores
   * @param rows the same columns as they are declared: timestamps may have fewer digits
   * @param positions where these columns stand in the rows
   * @param table config of the table
   * @param rowsPerSecond of all subtasks together, 0 for no limit
   * @param badRows what becomes of rows that cannot be written
   */
  public RowToRecordFunction(
      TableSchema schema,
      RowType rows,
      int[] positions,
      TableProperties table,
      IndexScope scope,
      long rowsPerSecond,
      BadRows badRows) {
    this.schema = requireNonNull(schema, "schema");
    this.rows = requireNonNull(rows, "rows");
    this.positions = positions.clone();
    this.table = requireNonNull(table, "table");
    this.scope = requireNonNull(scope, "scope");
    this.rowsPerSecond = rowsPerSecond;
    this.badRows = requireNonNull(badRows, "badRows");
  }

  @Override
  public void open(OpenContext context) {
    leftOut = getRuntimeContext().getMetricGroup().addGroup("hudi").counter("badRows");
    converter =
        new RowDataToRecord(
            schema, rows, KeyFormat.of(table.config()), RecordMerger.of(table.config()), scope);
    boolean isOrdered = Arrays.equals(positions, IntStream.range(0, positions.length).toArray());
    inTableOrder = isOrdered ? null : ProjectedRowData.from(positions);
    int subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    limit =
        rowsPerSecond == 0
            ? null
            : new RateLimit(Math.max(1, rowsPerSecond / subtasks), System::nanoTime);
  }

  @Override
  public void flatMap(RowData row, Collector<HudiRecord> out) throws Exception {
    if (!converter.counts(row.getRowKind())) {
      return;
    }
    if (limit != null) {
      limit.await();
    }
    HudiRecord record;
    try {
      record = converter.convert(inTableOrder == null ? row : inTableOrder.replaceRow(row));
    } catch (HudiTableException e) {
      if (badRows == BadRows.LEAVE_OUT) {
        leftOut.inc();
        LOG.warn(
            "Table '{}': row {} that cannot be written is left out: {}",
            table.config().tableName(),
            leftOut.getCount(),
            e.toString());
        return;
      }
      // The row stays as it is, so a restart would only meet it again.
      throw new SuppressRestartsException(
          new HudiTableException(
              "Table '%s': %s".formatted(table.config().tableName(), e.getMessage()), e));
    }
    out.collect(record);
  }
}
