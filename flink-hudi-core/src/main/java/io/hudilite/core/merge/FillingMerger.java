package io.hudilite.core.merge;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.schema.MetaColumns;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;

/**
 * Another rule chooses the version that counts, and its empty columns are filled from the other
 * one: those that are null or have their default, or those with a text that stands for "not sent".
 * Meta columns are never filled. Source: Hudi 1.1 PartialUpdateHandler; PartialUpdateAvroPayload
 * and OverwriteNonDefaultsWithLatestAvroPayload of Hudi 1.0.2.
 */
public final class FillingMerger implements RecordMerger {
  private final RecordMerger order;

  /** Null if null itself means empty. */
  @Nullable private final byte[] emptyText;

  private final ColumnDefaults defaults;

  private FillingMerger(RecordMerger order, @Nullable byte[] emptyText, ColumnDefaults defaults) {
    this.order = requireNonNull(order, "order");
    this.emptyText = emptyText;
    this.defaults = requireNonNull(defaults, "defaults");
  }

  public static FillingMerger ofNulls(RecordMerger order) {
    return new FillingMerger(order, null, ColumnDefaults.NULLS);
  }

  /** A column is empty if it has its default: null, unless it was declared with another one. */
  public static FillingMerger ofDefaults(RecordMerger order, ColumnDefaults defaults) {
    return new FillingMerger(order, null, defaults);
  }

  public static FillingMerger ofText(RecordMerger order, String emptyText) {
    return new FillingMerger(
        order, emptyText.getBytes(StandardCharsets.UTF_8), ColumnDefaults.NULLS);
  }

  /**
   * Whether nulls of the row with the greater ordering value are filled. Then of three versions it
   * matters which two meet first, unless they come in the order of their ordering values.
   */
  public boolean fillsNullsByOrdering() {
    return emptyText == null && usesOrdering();
  }

  @Override
  public boolean laterWins(Version earlier, Version later) {
    return order.laterWins(earlier, later);
  }

  @Override
  public boolean usesOrdering() {
    return order.usesOrdering();
  }

  @Override
  public Combination combination() {
    return Combination.BY_COLUMN;
  }

  @Override
  public RowCombiner combiner(RowType rowType) {
    int count = rowType.getFieldCount();
    RowData.FieldGetter[] getters = new RowData.FieldGetter[count];
    boolean[] fillable = new boolean[count];
    Object[] empty = new Object[count];
    for (int i = 0; i < count; i++) {
      LogicalType type = rowType.getTypeAt(i);
      getters[i] = RowData.createFieldGetter(type.copy(true), i);
      fillable[i] =
          !MetaColumns.isMetaColumn(rowType.getFieldNames().get(i))
              && (emptyText == null || holdsText(type));
      empty[i] = defaults.of(rowType.getFieldNames().get(i), type);
    }
    return (earlier, later, laterWins) ->
        fill(laterWins ? later : earlier, laterWins ? earlier : later, getters, fillable, empty);
  }

  private static boolean holdsText(LogicalType type) {
    LogicalTypeRoot root = type.getTypeRoot();
    return root == LogicalTypeRoot.VARCHAR
        || root == LogicalTypeRoot.CHAR
        || root == LogicalTypeRoot.VARBINARY
        || root == LogicalTypeRoot.BINARY;
  }

  /** Most rows have nothing to fill and stay as they are. */
  private RowData fill(
      RowData winner,
      RowData other,
      RowData.FieldGetter[] getters,
      boolean[] fillable,
      Object[] empty) {
    GenericRowData filled = null;
    for (int i = 0; i < getters.length; i++) {
      if (!fillable[i] || !isEmpty(winner, i, getters[i], empty[i])) {
        continue;
      }
      if (filled == null) {
        filled = new GenericRowData(winner.getRowKind(), getters.length);
        for (int j = 0; j < getters.length; j++) {
          filled.setField(j, getters[j].getFieldOrNull(winner));
        }
      }
      filled.setField(i, getters[i].getFieldOrNull(other));
    }
    return filled == null ? winner : filled;
  }

  private boolean isEmpty(
      RowData row, int index, RowData.FieldGetter getter, @Nullable Object empty) {
    if (emptyText == null) {
      return empty == null
          ? row.isNullAt(index)
          : !row.isNullAt(index) && empty.equals(getter.getFieldOrNull(row));
    }
    Object value = getter.getFieldOrNull(row);
    return value instanceof StringData text
        ? Arrays.equals(text.toBytes(), emptyText)
        : value instanceof byte[] bytes && Arrays.equals(bytes, emptyText);
  }
}
