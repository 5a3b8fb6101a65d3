package io.hudilite.core.merge;

import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * Makes one row out of two versions, where the table's rule asks for it or a log record holds some
 * of its columns only. Of partial records those columns count that they have; what they lack comes
 * from the other version. Works on the columns that a reader reads. Source: Hudi 1.0.2
 * SparkRecordMergingUtils.mergePartialRecords. Not safe for use by several threads.
 */
final class VersionCombiner {
  private final RowData.FieldGetter[] getters;

  /** Null if the rule only chooses. */
  @Nullable private final RowCombiner rule;

  /**
   * @param read type of the rows; those given may have more columns behind these
   */
  VersionCombiner(RecordMerger merger, RowType read, TableSchema schema) {
    getters = new RowData.FieldGetter[read.getFieldCount()];
    for (int i = 0; i < getters.length; i++) {
      getters[i] = RowData.createFieldGetter(read.getTypeAt(i).copy(true), i);
    }
    rule =
        switch (merger.combination()) {
          case NONE -> null;
          case BY_COLUMN -> merger.combiner(read);
          case WHOLE_ROWS -> wholeRows(merger, read, schema);
        };
  }

  /** Whether all versions of a key have a part in its row, not only partial ones. */
  boolean combinesAll() {
    return rule != null;
  }

  /**
   * The row of two versions that are no deletes.
   *
   * @param earlierHas which columns the version has; null for all
   * @param laterHas as above
   * @return one of the two, unchanged, or another row; null if there is no row any more
   */
  @Nullable
  RowData combine(
      RowData earlier,
      @Nullable boolean[] earlierHas,
      RowData later,
      @Nullable boolean[] laterHas,
      boolean laterWins) {
    RowData first = laterWins ? earlier : overlay(earlier, earlierHas, later);
    RowData second = laterWins ? overlay(later, laterHas, earlier) : later;
    if (rule == null) {
      return laterWins ? second : first;
    }
    return rule.combine(first, second, laterWins);
  }

  private RowData overlay(RowData winner, @Nullable boolean[] has, RowData other) {
    if (has == null) {
      return winner;
    }
    GenericRowData row = new GenericRowData(winner.getRowKind(), getters.length);
    for (int i = 0; i < getters.length; i++) {
      row.setField(i, getters[i].getFieldOrNull(has[i] ? winner : other));
    }
    return row;
  }

  /** Shows the rule rows of the table's columns in their order. */
  private RowCombiner wholeRows(RecordMerger merger, RowType read, TableSchema schema) {
    List<RowType.RowField> fields = new ArrayList<>();
    int[] readPositions = new int[schema.rowType().getFieldCount()];
    int[] tablePositions = new int[read.getFieldCount()];
    java.util.Arrays.fill(tablePositions, -1);
    for (int i = 0; i < readPositions.length; i++) {
      String name = schema.rowType().getFieldNames().get(i);
      readPositions[i] = read.getFieldIndex(name);
      tablePositions[readPositions[i]] = i;
      LogicalType type = read.getTypeAt(readPositions[i]).copy(true);
      fields.add(new RowType.RowField(name, type));
    }
    RowType table = new RowType(false, fields);
    RowData.FieldGetter[] tableGetters = new RowData.FieldGetter[readPositions.length];
    for (int i = 0; i < tableGetters.length; i++) {
      tableGetters[i] = RowData.createFieldGetter(table.getTypeAt(i), i);
    }
    RowCombiner users = merger.combiner(table);
    ProjectedRowData earlierView = ProjectedRowData.from(readPositions);
    ProjectedRowData laterView = ProjectedRowData.from(readPositions);
    return (earlier, later, laterWins) -> {
      RowData made =
          users.combine(earlierView.replaceRow(earlier), laterView.replaceRow(later), laterWins);
      if (made == null || made == earlierView) {
        return made == null ? null : earlier;
      }
      if (made == laterView) {
        return later;
      }
      RowData winner = laterWins ? later : earlier;
      GenericRowData row = new GenericRowData(winner.getRowKind(), getters.length);
      for (int i = 0; i < getters.length; i++) {
        row.setField(
            i,
            tablePositions[i] < 0
                ? getters[i].getFieldOrNull(winner)
                : tableGetters[tablePositions[i]].getFieldOrNull(made));
      }
      return row;
    };
  }

  /** The columns of {@code wanted}, and behind them all others of the table. */
  static RowType withAllColumns(RowType wanted, TableSchema schema) {
    List<RowType.RowField> fields = new ArrayList<>(wanted.getFields());
    for (RowType.RowField field : schema.rowType().getFields()) {
      if (wanted.getFieldIndex(field.getName()) < 0 && !MetaColumns.isMetaColumn(field.getName())) {
        fields.add(new RowType.RowField(field.getName(), field.getType()));
      }
    }
    return new RowType(false, fields);
  }
}
