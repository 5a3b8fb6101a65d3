package io.hudilite.core.columns;

import org.apache.parquet.bytes.ByteBufferAllocator;
import org.apache.parquet.column.ParquetProperties;

/**
 * When pages end, and dictionaries are given up.
 *
 * @param bytes a page ends when its values have so many
 * @param rows a page ends when it has so many
 * @param dictionaryBytes a dictionary does not become larger
 * @param sampleValues after so many values it is decided whether they repeat
 */
record PageLimits(
    int bytes, int rows, int dictionaryBytes, int sampleValues, ByteBufferAllocator allocator) {

  /** Fewer values than these tell little: then half of them must be repeats. */
  private static final int MANY_VALUES = 500;

  /**
   * Of so many percent different values at most. A column with D values of equal chance shows in n
   * rows about n²/2D repeats: 5 % of 1,000 rows are found for D up to 10,000.
   */
  private static final int MAX_DISTINCT_PERCENT = 95;

  static PageLimits of(ParquetProperties properties, int sampleValues) {
    return new PageLimits(
        properties.getPageSizeThreshold(),
        properties.getPageRowCountLimit(),
        properties.getDictionaryPageSizeThreshold(),
        sampleValues,
        properties.getAllocator());
  }

  /** Whether values repeat, so that a dictionary is worth its cost. */
  boolean repeats(int values, int distinct) {
    int percent = values < MANY_VALUES ? 50 : MAX_DISTINCT_PERCENT;
    return distinct * 100L <= (long) values * percent;
  }
}
