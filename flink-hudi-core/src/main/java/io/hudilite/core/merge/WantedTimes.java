package io.hudilite.core.merge;

import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

/**
 * Makes the timestamps of a binary row short that were read with more digits than are wanted. A
 * {@link BinaryRowData} keeps a timestamp of up to three digits inside its long, a longer one
 * outside, so who asks with fewer digits than were read gets another time. Rows of other kinds hold
 * timestamps as values, which serve for any number of digits.
 */
final class WantedTimes {
  /** For each wanted column the digits that were read, if they are too many; else 0. */
  private final int[] readDigits;

  private final boolean differ;

  WantedTimes(RowType read, RowType wanted) {
    readDigits = new int[wanted.getFieldCount()];
    boolean any = false;
    for (int i = 0; i < readDigits.length; i++) {
      LogicalType type = read.getTypeAt(i);
      if (SliceColumns.isTime(type)
          && !TimestampData.isCompact(LogicalTypeChecks.getPrecision(type))
          && TimestampData.isCompact(LogicalTypeChecks.getPrecision(wanted.getTypeAt(i)))) {
        readDigits[i] = LogicalTypeChecks.getPrecision(type);
        any = true;
      }
    }
    differ = any;
  }

  boolean differ() {
    return differ;
  }

  /** Changes the row, which must be one that nobody else uses. To be called once for each row. */
  void shorten(RowData row) {
    if (differ && row instanceof BinaryRowData binary) {
      for (int i = 0; i < readDigits.length; i++) {
        if (readDigits[i] > 0 && !binary.isNullAt(i)) {
          binary.setLong(i, binary.getTimestamp(i, readDigits[i]).getMillisecond());
        }
      }
    }
  }
}
