package io.hudilite.core.columns;

import javax.annotation.Nullable;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Integers and floating-point numbers of four or eight bytes. */
final class NumberColumn extends FlatColumn {
  private final PrimitiveTypeName type;
  private final int width;
  @Nullable private final NumberDictionary numbers;

  NumberColumn(
      ColumnDescriptor descriptor,
      PageWriter pages,
      PageLimits limits,
      @Nullable NumberDictionary numbers) {
    super(descriptor, pages, limits, numbers);
    this.type = descriptor.getPrimitiveType().getPrimitiveTypeName();
    this.width = widthOf(type);
    this.numbers = numbers;
  }

  static int widthOf(PrimitiveTypeName type) {
    return type == PrimitiveTypeName.INT32 || type == PrimitiveTypeName.FLOAT
        ? Integer.BYTES
        : Long.BYTES;
  }

  @Override
  public void write(int value, int repetition, int definition) {
    add(value);
  }

  @Override
  public void write(long value, int repetition, int definition) {
    add(value);
  }

  @Override
  public void write(float value, int repetition, int definition) {
    add(Float.floatToRawIntBits(value));
  }

  @Override
  public void write(double value, int repetition, int definition) {
    add(Double.doubleToRawLongBits(value));
  }

  private void add(long bits) {
    if (isIndexed()) {
      addIndexed(numbers.idOf(bits));
    } else if (width == Integer.BYTES) {
      values().addInt((int) bits);
    } else {
      values().addLong(bits);
    }
    endValue();
  }

  @Override
  void tell(PageBytes page, int count, Statistics<?> statistics) {
    switch (type) {
      case INT32 -> {
        int min = page.intAt(0);
        int max = min;
        for (int i = 1; i < count; i++) {
          int value = page.intAt(i * Integer.BYTES);
          min = Math.min(min, value);
          max = Math.max(max, value);
        }
        statistics.updateStats(min);
        statistics.updateStats(max);
      }
      case INT64 -> {
        long min = page.longAt(0);
        long max = min;
        for (int i = 1; i < count; i++) {
          long value = page.longAt(i * Long.BYTES);
          min = Math.min(min, value);
          max = Math.max(max, value);
        }
        statistics.updateStats(min);
        statistics.updateStats(max);
      }
      default -> {
        for (int i = 0; i < count; i++) {
          tell(
              width == Integer.BYTES ? page.intAt(i * Integer.BYTES) : page.longAt(i * Long.BYTES),
              statistics);
        }
      }
    }
  }

  @Override
  void tell(boolean[] isPresent, Statistics<?> statistics) {
    for (int id = 0; id < isPresent.length; id++) {
      if (isPresent[id]) {
        tell(numbers.value(id), statistics);
      }
    }
  }

  private void tell(long bits, Statistics<?> statistics) {
    switch (type) {
      case INT32 -> statistics.updateStats((int) bits);
      case INT64 -> statistics.updateStats(bits);
      case FLOAT -> statistics.updateStats(Float.intBitsToFloat((int) bits));
      case DOUBLE -> statistics.updateStats(Double.longBitsToDouble(bits));
      default -> throw new IllegalStateException("No number is a " + type);
    }
  }
}
