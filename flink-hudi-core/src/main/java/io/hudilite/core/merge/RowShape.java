package io.hudilite.core.merge;

import io.hudilite.core.key.KeyParser;
import io.hudilite.core.schema.TableSchema;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.columnar.vector.VectorizedColumnBatch;
import org.apache.flink.table.data.utils.JoinedRowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Gives rows of one source the wanted shape: cuts off columns and digits that only merging needs,
 * and fills partition columns that the source does not have from its path. Does nothing where
 * nothing is to be done. The row returned is used again.
 */
final class RowShape {
  @Nullable private final ProjectedRowData projection;
  @Nullable private final JoinedRowData joined;
  @Nullable private final RowData pathValues;
  private final WantedTimes times;
  private final int wantedCount;

  private RowShape(
      @Nullable ProjectedRowData projection,
      @Nullable JoinedRowData joined,
      @Nullable RowData pathValues,
      WantedTimes times,
      int wantedCount) {
    this.wantedCount = wantedCount;
    this.projection = projection;
    this.joined = joined;
    this.pathValues = pathValues;
    this.times = times;
  }

  /**
   * @param wanted the columns that are wanted: the first ones of {@code read}, which may have read
   *     timestamps with more digits
   * @param present the columns that the source has
   */
  static RowShape of(
      RowType read,
      RowType wanted,
      Collection<String> present,
      TableSchema schema,
      KeyParser keyParser,
      String partitionPath) {
    int wantedCount = wanted.getFieldCount();
    WantedTimes times = new WantedTimes(read, wanted);
    int[] mapping = new int[wantedCount];
    boolean fromPath = false;
    List<String> partitionColumns = schema.partitionColumns();
    for (int i = 0; i < wantedCount; i++) {
      String name = read.getFieldNames().get(i);
      int partitionColumn = present.contains(name) ? -1 : partitionColumns.indexOf(name);
      mapping[i] = partitionColumn < 0 ? i : read.getFieldCount() + partitionColumn;
      fromPath |= partitionColumn >= 0;
    }
    if (!fromPath) {
      return wantedCount == read.getFieldCount()
          ? new RowShape(null, null, null, times, wantedCount)
          : new RowShape(ProjectedRowData.from(mapping), null, null, times, wantedCount);
    }
    Object[] values = keyParser.partitionValues(partitionPath);
    GenericRowData constants = new GenericRowData(values.length);
    for (int i = 0; i < values.length; i++) {
      int position = read.getFieldIndex(partitionColumns.get(i));
      constants.setField(
          i, position < 0 ? values[i] : Widening.widen(values[i], read.getTypeAt(position)));
    }
    return new RowShape(
        ProjectedRowData.from(mapping), new JoinedRowData(), constants, times, wantedCount);
  }

  /** Whether it can be done to columns: not if values of the path are filled in. */
  boolean takesBatches() {
    return joined == null && !times.differ();
  }

  /** Drops the columns that are not wanted. */
  VectorizedColumnBatch apply(VectorizedColumnBatch batch) {
    if (projection == null) {
      return batch;
    }
    VectorizedColumnBatch wanted =
        new VectorizedColumnBatch(Arrays.copyOf(batch.columns, wantedCount));
    wanted.setNumRows(batch.getNumRows());
    return wanted;
  }

  RowData apply(RowData row) {
    times.shorten(row);
    if (projection == null) {
      return row;
    }
    RowData source = row;
    if (joined != null) {
      joined.replace(row, pathValues);
      joined.setRowKind(row.getRowKind());
      source = joined;
    }
    projection.replaceRow(source);
    return projection;
  }
}
