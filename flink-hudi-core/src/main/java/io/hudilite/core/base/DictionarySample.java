package io.hudilite.core.base;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;

/**
 * Finds the columns whose values repeat, from the first rows of a file. A dictionary that is given
 * up after the first page costs more than all the rest of writing a column, so only columns that
 * repeat get one. Pure.
 */
final class DictionarySample {
  /** Fewer values than these tell little: then half of them must be repeats. */
  private static final int MANY_VALUES = 500;

  /**
   * Of so many percent different values at most. A column with D values of equal chance shows in n
   * rows about n²/2D repeats: 5 % of 1,000 rows are found for D up to 10,000.
   */
  private static final int MAX_DISTINCT_PERCENT = 95;

  private DictionarySample() {}

  /** Names of the top-level columns without repeats; nested columns are left to Parquet. */
  static List<String> columnsWithoutRepeats(RowType rowType, List<RowData> rows) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < rowType.getFieldCount(); i++) {
      LogicalType type = rowType.getTypeAt(i);
      if (!isNested(type) && !repeats(RowData.createFieldGetter(type, i), rows)) {
        names.add(rowType.getFieldNames().get(i));
      }
    }
    return names;
  }

  private static boolean isNested(LogicalType type) {
    return type.is(LogicalTypeRoot.ARRAY)
        || type.is(LogicalTypeRoot.MAP)
        || type.is(LogicalTypeRoot.ROW);
  }

  private static boolean repeats(RowData.FieldGetter getter, List<RowData> rows) {
    Set<Object> distinct = new HashSet<>();
    int values = 0;
    for (RowData row : rows) {
      Object value = getter.getFieldOrNull(row);
      if (value != null) {
        values++;
        distinct.add(value instanceof byte[] bytes ? java.nio.ByteBuffer.wrap(bytes) : value);
      }
    }
    int percent = values < MANY_VALUES ? 50 : MAX_DISTINCT_PERCENT;
    return distinct.size() * 100L <= (long) values * percent;
  }
}
