package io.hudilite.core.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.function.IntFunction;
import org.apache.flink.table.data.columnar.vector.ColumnVector;
import org.apache.flink.table.data.columnar.vector.heap.HeapBooleanVector;
import org.apache.flink.table.data.columnar.vector.heap.HeapDoubleVector;
import org.apache.flink.table.data.columnar.vector.heap.HeapFloatVector;
import org.apache.flink.table.data.columnar.vector.heap.HeapIntVector;
import org.apache.flink.table.data.columnar.vector.heap.HeapLongVector;
import org.apache.flink.table.data.columnar.vector.writable.WritableColumnVector;
import org.apache.parquet.column.Dictionary;

/** The numbers that one of Flink's own vectors takes as they are stored. */
final class NumberVectors {
  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private NumberVectors() {}

  /** Steps over numbers of a fixed width. */
  static void skip(FlatPages pages, int count, int width, int[] ids) {
    if (pages.plain() != null) {
      pages.takePlain((long) count * width);
    } else if (pages.ids() != null) {
      for (int left = count; left > 0; left -= ids.length) {
        pages.ids().read(ids, 0, Math.min(left, ids.length));
      }
    } else {
      pages.values().skip(count);
    }
  }

  private abstract static class Heap<V extends WritableColumnVector> implements FlatVector {
    private final IntFunction<V> made;
    private final int batchRows;
    private final int width;

    /** Room for ids of a dictionary. */
    final int[] ids;

    V vector;

    Heap(IntFunction<V> made, int width, int batchRows) {
      this.made = made;
      this.width = width;
      this.batchRows = batchRows;
      this.ids = new int[batchRows];
      this.vector = made.apply(batchRows);
    }

    @Override
    public final ColumnVector vector() {
      return vector;
    }

    @Override
    public final void renew() {
      vector = made.apply(batchRows);
    }

    @Override
    public final void resetNulls() {
      vector.reset();
    }

    @Override
    public final void setNull(int row) {
      vector.setNullAt(row);
    }

    @Override
    public final void skipValues(FlatPages pages, int count) {
      skip(pages, count, width, ids);
    }
  }

  /** They are packed bits, which Parquet's reader takes apart. */
  static final class Booleans extends Heap<HeapBooleanVector> {
    Booleans(int batchRows) {
      super(HeapBooleanVector::new, 1, batchRows);
    }

    @Override
    public boolean readsPlain() {
      return false;
    }

    @Override
    public void startDictionary(Dictionary dictionary) {
      throw new UnsupportedOperationException("Booleans have no dictionary");
    }

    @Override
    public void readValues(FlatPages pages, int row, int count) {
      boolean[] out = vector.vector;
      for (int i = row; i < row + count; i++) {
        out[i] = pages.values().readBoolean();
      }
    }
  }

  static final class Ints extends Heap<HeapIntVector> {
    private int[] dictionary = {};

    Ints(int batchRows) {
      super(HeapIntVector::new, Integer.BYTES, batchRows);
    }

    @Override
    public void startDictionary(Dictionary stored) {
      dictionary = new int[stored.getMaxId() + 1];
      for (int id = 0; id < dictionary.length; id++) {
        dictionary[id] = stored.decodeToInt(id);
      }
    }

    @Override
    public void readValues(FlatPages pages, int row, int count) {
      int[] out = vector.vector;
      byte[] plain = pages.plain();
      if (plain != null) {
        int at = pages.takePlain((long) count * Integer.BYTES);
        for (int i = 0; i < count; i++) {
          out[row + i] = (int) INT.get(plain, at + i * Integer.BYTES);
        }
      } else if (pages.ids() != null) {
        pages.ids().read(ids, 0, count);
        for (int i = 0; i < count; i++) {
          out[row + i] = dictionary[ids[i]];
        }
      } else {
        for (int i = row; i < row + count; i++) {
          out[i] = pages.values().readInteger();
        }
      }
    }
  }

  static final class Longs extends Heap<HeapLongVector> {
    private final LongValues values = new LongValues();

    Longs(int batchRows) {
      super(HeapLongVector::new, Long.BYTES, batchRows);
    }

    @Override
    public void startDictionary(Dictionary stored) {
      values.startDictionary(stored);
    }

    @Override
    public void readValues(FlatPages pages, int row, int count) {
      values.read(pages, vector.vector, row, count, ids);
    }
  }

  /** Reads 64-bit numbers, for all vectors that are made of them. */
  static final class LongValues {
    private long[] dictionary = {};

    void startDictionary(Dictionary stored) {
      dictionary = new long[stored.getMaxId() + 1];
      for (int id = 0; id < dictionary.length; id++) {
        dictionary[id] = stored.decodeToLong(id);
      }
    }

    void read(FlatPages pages, long[] out, int row, int count, int[] ids) {
      byte[] plain = pages.plain();
      if (plain != null) {
        int at = pages.takePlain((long) count * Long.BYTES);
        for (int i = 0; i < count; i++) {
          out[row + i] = (long) LONG.get(plain, at + i * Long.BYTES);
        }
      } else if (pages.ids() != null) {
        pages.ids().read(ids, 0, count);
        for (int i = 0; i < count; i++) {
          out[row + i] = dictionary[ids[i]];
        }
      } else {
        for (int i = row; i < row + count; i++) {
          out[i] = pages.values().readLong();
        }
      }
    }
  }

  static final class Floats extends Heap<HeapFloatVector> {
    private float[] dictionary = {};

    Floats(int batchRows) {
      super(HeapFloatVector::new, Float.BYTES, batchRows);
    }

    @Override
    public void startDictionary(Dictionary stored) {
      dictionary = new float[stored.getMaxId() + 1];
      for (int id = 0; id < dictionary.length; id++) {
        dictionary[id] = stored.decodeToFloat(id);
      }
    }

    @Override
    public void readValues(FlatPages pages, int row, int count) {
      float[] out = vector.vector;
      byte[] plain = pages.plain();
      if (plain != null) {
        int at = pages.takePlain((long) count * Float.BYTES);
        for (int i = 0; i < count; i++) {
          out[row + i] = Float.intBitsToFloat((int) INT.get(plain, at + i * Float.BYTES));
        }
      } else if (pages.ids() != null) {
        pages.ids().read(ids, 0, count);
        for (int i = 0; i < count; i++) {
          out[row + i] = dictionary[ids[i]];
        }
      } else {
        for (int i = row; i < row + count; i++) {
          out[i] = pages.values().readFloat();
        }
      }
    }
  }

  static final class Doubles extends Heap<HeapDoubleVector> {
    private double[] dictionary = {};

    Doubles(int batchRows) {
      super(HeapDoubleVector::new, Double.BYTES, batchRows);
    }

    @Override
    public void startDictionary(Dictionary stored) {
      dictionary = new double[stored.getMaxId() + 1];
      for (int id = 0; id < dictionary.length; id++) {
        dictionary[id] = stored.decodeToDouble(id);
      }
    }

    @Override
    public void readValues(FlatPages pages, int row, int count) {
      double[] out = vector.vector;
      byte[] plain = pages.plain();
      if (plain != null) {
        int at = pages.takePlain((long) count * Double.BYTES);
        for (int i = 0; i < count; i++) {
          out[row + i] = Double.longBitsToDouble((long) LONG.get(plain, at + i * Double.BYTES));
        }
      } else if (pages.ids() != null) {
        pages.ids().read(ids, 0, count);
        for (int i = 0; i < count; i++) {
          out[row + i] = dictionary[ids[i]];
        }
      } else {
        for (int i = row; i < row + count; i++) {
          out[i] = pages.values().readDouble();
        }
      }
    }
  }
}
