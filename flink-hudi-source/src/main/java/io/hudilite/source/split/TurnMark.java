package io.hudilite.source.split;

import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;

/**
 * A row that is none: it tells the operator right behind a reader that a turn has come, by its
 * timestamp. Only reads whose watermarks are aligned with those of other sources have such marks:
 * there the watermarks that leave the reader are the ones that Flink compares with those of others,
 * so that they must be event times, and turns need another way.
 *
 * <p>Marks are of kind {@code UPDATE_BEFORE}, which no row that is read has.
 */
public final class TurnMark {
  private TurnMark() {}

  /**
   * @param columns as many as the rows have between which it comes
   */
  public static RowData ofWidth(int columns) {
    return new GenericRowData(RowKind.UPDATE_BEFORE, columns);
  }

  public static boolean isMark(RowData row) {
    return row.getRowKind() == RowKind.UPDATE_BEFORE;
  }
}
