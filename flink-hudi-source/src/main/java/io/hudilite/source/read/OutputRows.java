package io.hudilite.source.read;

import io.hudilite.core.base.RowReader;
import io.hudilite.core.scan.SplitReader;
import io.hudilite.source.config.RowOutput;
import io.hudilite.source.config.RowOutput.Times;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/** Makes {@link RowOutput} of the rows of a split. Fetcher thread. */
final class OutputRows {
  private OutputRows() {}

  /**
   * @param read type of the rows of the split
   */
  static RowReader of(SplitReader rows, RowType read, RowOutput output) {
    if (output instanceof RowOutput.Counts counts) {
      return new Counted(rows, counts.columns());
    }
    if (output instanceof RowOutput.Fields fields) {
      return new Picked(rows, read, fields.paths(), fields.times());
    }
    Times times = ((RowOutput.Rows) output).times();
    if (times == Times.AS_STORED || !LocalTimes.concern(read)) {
      return rows;
    }
    List<List<Integer>> all = IntStream.range(0, read.getFieldCount()).mapToObj(List::of).toList();
    return new Picked(rows, read, all, times);
  }

  /** One row that tells how many there are. */
  private static final class Counted implements RowReader {
    private final SplitReader rows;
    private final int columns;
    private boolean counted;

    Counted(SplitReader rows, int columns) {
      this.rows = rows;
      this.columns = columns;
    }

    @Override
    @Nullable
    public RowData next() throws IOException {
      if (counted) {
        return null;
      }
      counted = true;
      GenericRowData row = new GenericRowData(columns);
      long count = rows.countRows();
      for (int i = 0; i < columns; i++) {
        row.setField(i, count);
      }
      return row;
    }

    @Override
    public void close() throws IOException {
      rows.close();
    }
  }

  /** Uses one row again and again. */
  private static final class Picked implements RowReader {
    private final RowReader rows;
    private final RowData.FieldGetter[] getters;
    private final GenericRowData out;

    Picked(RowReader rows, RowType read, List<List<Integer>> paths, Times times) {
      this.rows = rows;
      this.getters =
          paths.stream().map(path -> getter(read, path, times)).toArray(RowData.FieldGetter[]::new);
      this.out = new GenericRowData(getters.length);
    }

    private static RowData.FieldGetter getter(RowType row, List<Integer> path, Times times) {
      int index = path.get(0);
      LogicalType type = row.getTypeAt(index);
      // Whether a value may be null is asked of the row, not of the type.
      RowData.FieldGetter own = RowData.createFieldGetter(type.copy(true), index);
      if (path.size() == 1) {
        LocalTimes.Conversion conversion =
            times == Times.AS_STORED ? value -> value : LocalTimes.conversion(type);
        return from -> {
          Object value = own.getFieldOrNull(from);
          return value == null ? null : conversion.apply(value);
        };
      }
      RowData.FieldGetter within = getter((RowType) type, path.subList(1, path.size()), times);
      return from -> {
        RowData value = (RowData) own.getFieldOrNull(from);
        return value == null ? null : within.getFieldOrNull(value);
      };
    }

    @Override
    @Nullable
    public RowData next() throws IOException {
      RowData row = rows.next();
      if (row == null) {
        return null;
      }
      for (int i = 0; i < getters.length; i++) {
        out.setField(i, getters[i].getFieldOrNull(row));
      }
      out.setRowKind(row.getRowKind());
      return out;
    }

    @Override
    public void close() throws IOException {
      rows.close();
    }
  }
}
