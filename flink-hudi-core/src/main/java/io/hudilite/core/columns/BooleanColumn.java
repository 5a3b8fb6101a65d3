package io.hudilite.core.columns;

import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.column.statistics.Statistics;

/** Booleans, eight of them a byte, the first one lowest. */
final class BooleanColumn extends FlatColumn {
  private int bits;
  private boolean hasTrue;
  private boolean hasFalse;

  BooleanColumn(ColumnDescriptor descriptor, PageWriter pages, PageLimits limits) {
    super(descriptor, pages, limits, null);
  }

  @Override
  public void write(boolean value, int repetition, int definition) {
    int bit = bits++ % Byte.SIZE;
    if (bit == 0) {
      values().addByte(0);
    }
    if (value) {
      values().setInLast(bit);
      hasTrue = true;
    } else {
      hasFalse = true;
    }
    endValue();
  }

  @Override
  void tell(PageBytes page, int count, Statistics<?> statistics) {
    if (hasFalse) {
      statistics.updateStats(false);
    }
    if (hasTrue) {
      statistics.updateStats(true);
    }
    bits = 0;
    hasTrue = false;
    hasFalse = false;
  }

  @Override
  void tell(boolean[] isPresent, Statistics<?> statistics) {
    throw new IllegalStateException("Booleans have no dictionary");
  }
}
