package io.hudilite.sql;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.schema.TableSchema;
import io.hudilite.source.config.RowOutput;
import io.hudilite.source.config.RowOutput.Times;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * The columns, and fields within columns of type ROW, that a query needs. Immutable.
 *
 * @param rowType the table's own columns, as declared
 * @param paths for each wanted value the index of its column, then that of the field in it, and so
 *     on
 * @param metaColumns wanted behind these
 */
record ColumnSelection(RowType rowType, List<List<Integer>> paths, List<String> metaColumns) {
  ColumnSelection {
    requireNonNull(rowType, "rowType");
    paths = paths.stream().map(List::copyOf).toList();
    metaColumns = List.copyOf(metaColumns);
  }

  /** All columns, and no meta columns. */
  static ColumnSelection all(TableSchema schema) {
    RowType rowType = schema.rowType();
    return new ColumnSelection(
        rowType,
        IntStream.range(0, rowType.getFieldCount()).mapToObj(List::of).toList(),
        List.of());
  }

  ColumnSelection withPaths(int[][] projectedFields) {
    List<List<Integer>> wanted = new ArrayList<>();
    for (int[] path : projectedFields) {
      wanted.add(IntStream.of(path).boxed().toList());
    }
    return new ColumnSelection(rowType, wanted, metaColumns);
  }

  ColumnSelection withMetaColumns(List<String> names) {
    return new ColumnSelection(rowType, paths, names);
  }

  /** What is to be read: each column once, of a ROW only the fields that are wanted. */
  RowType read() {
    List<RowType.RowField> fields = new ArrayList<>(pruned(rowType, paths).getFields());
    for (String column : metaColumns) {
      fields.add(new RowType.RowField(column, VarCharType.STRING_TYPE));
    }
    return new RowType(false, fields);
  }

  /** How the wanted values come out of the rows that are {@link #read}. */
  RowOutput output(Times times) {
    if (paths.stream().allMatch(path -> path.size() == 1)) {
      return new RowOutput.Rows(times);
    }
    RowType read = read();
    List<List<Integer>> found = new ArrayList<>();
    List<RowType.RowField> fields = new ArrayList<>();
    for (List<Integer> path : paths) {
      List<Integer> inRead = new ArrayList<>();
      RowType stored = rowType;
      RowType present = read;
      LogicalType type = rowType;
      boolean mayBeNull = false;
      for (int index : path) {
        int at = present.getFieldIndex(stored.getFieldNames().get(index));
        inRead.add(at);
        type = present.getTypeAt(at);
        mayBeNull |= type.isNullable();
        if (inRead.size() < path.size()) {
          stored = (RowType) stored.getTypeAt(index);
          present = (RowType) type;
        }
      }
      found.add(inRead);
      fields.add(new RowType.RowField("f" + fields.size(), type.copy(mayBeNull)));
    }
    for (String column : metaColumns) {
      found.add(List.of(read.getFieldIndex(column)));
      fields.add(new RowType.RowField(column, VarCharType.STRING_TYPE));
    }
    return new RowOutput.Fields(new RowType(false, fields), found, times);
  }

  private static RowType pruned(RowType row, List<List<Integer>> paths) {
    Map<Integer, Set<List<Integer>>> byField = new LinkedHashMap<>();
    for (List<Integer> path : paths) {
      byField
          .computeIfAbsent(path.get(0), index -> new LinkedHashSet<>())
          .add(path.subList(1, path.size()));
    }
    List<RowType.RowField> fields = new ArrayList<>();
    byField.forEach(
        (index, within) -> {
          RowType.RowField field = row.getFields().get(index);
          LogicalType type = field.getType();
          boolean whole = within.contains(List.<Integer>of());
          fields.add(
              whole
                  ? field
                  : new RowType.RowField(
                      field.getName(), pruned((RowType) type, List.copyOf(within))));
        });
    return new RowType(row.isNullable(), fields);
  }
}
