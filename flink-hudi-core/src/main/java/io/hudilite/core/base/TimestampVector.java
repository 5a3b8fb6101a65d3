package io.hudilite.core.base;

import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.columnar.vector.ColumnVector;
import org.apache.flink.table.data.columnar.vector.TimestampColumnVector;
import org.apache.parquet.column.Dictionary;

/** Timestamps that are stored as counts of a unit. */
final class TimestampVector implements FlatVector {
  private final ScalarReader.TimeUnits units;
  private final int batchRows;
  private final int[] ids;
  private final NumberVectors.LongValues values = new NumberVectors.LongValues();
  private Counts counts;

  TimestampVector(ScalarReader.TimeUnits units, int batchRows) {
    this.units = units;
    this.batchRows = batchRows;
    this.ids = new int[batchRows];
    renew();
  }

  private static final class Counts extends Nulls implements TimestampColumnVector {
    private final long[] counts;
    private final ScalarReader.TimeUnits units;

    Counts(ScalarReader.TimeUnits units, int rows) {
      super(rows);
      this.units = units;
      this.counts = new long[rows];
    }

    @Override
    public TimestampData getTimestamp(int row, int precision) {
      return units.timestamp(counts[row]);
    }
  }

  @Override
  public ColumnVector vector() {
    return counts;
  }

  @Override
  public void renew() {
    counts = new Counts(units, batchRows);
  }

  @Override
  public void resetNulls() {
    counts.resetNulls();
  }

  @Override
  public void setNull(int row) {
    counts.setNull(row);
  }

  @Override
  public void startDictionary(Dictionary dictionary) {
    values.startDictionary(dictionary);
  }

  @Override
  public void readValues(FlatPages pages, int row, int count) {
    values.read(pages, counts.counts, row, count, ids);
  }

  @Override
  public void skipValues(FlatPages pages, int count) {
    NumberVectors.skip(pages, count, Long.BYTES, ids);
  }
}
