package io.hudilite.core.base;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.columnar.ColumnarRowData;
import org.apache.flink.table.data.columnar.vector.ArrayColumnVector;
import org.apache.flink.table.data.columnar.vector.BooleanColumnVector;
import org.apache.flink.table.data.columnar.vector.ByteColumnVector;
import org.apache.flink.table.data.columnar.vector.BytesColumnVector;
import org.apache.flink.table.data.columnar.vector.ColumnVector;
import org.apache.flink.table.data.columnar.vector.DecimalColumnVector;
import org.apache.flink.table.data.columnar.vector.DoubleColumnVector;
import org.apache.flink.table.data.columnar.vector.FloatColumnVector;
import org.apache.flink.table.data.columnar.vector.IntColumnVector;
import org.apache.flink.table.data.columnar.vector.LongColumnVector;
import org.apache.flink.table.data.columnar.vector.MapColumnVector;
import org.apache.flink.table.data.columnar.vector.RowColumnVector;
import org.apache.flink.table.data.columnar.vector.ShortColumnVector;
import org.apache.flink.table.data.columnar.vector.TimestampColumnVector;
import org.apache.flink.table.data.columnar.vector.VectorizedColumnBatch;

/**
 * A column of values in Flink's internal form (rows as {@link GenericRowData}): for nested columns,
 * which are put together value by value, and for rare conversions.
 */
final class ObjectVector
    implements BooleanColumnVector,
        ByteColumnVector,
        ShortColumnVector,
        IntColumnVector,
        LongColumnVector,
        FloatColumnVector,
        DoubleColumnVector,
        BytesColumnVector,
        DecimalColumnVector,
        TimestampColumnVector,
        ArrayColumnVector,
        MapColumnVector,
        RowColumnVector {
  private final Object[] values;

  ObjectVector(int size) {
    this.values = new Object[size];
  }

  /**
   * @param value null for a null
   */
  void set(int row, Object value) {
    values[row] = value;
  }

  @Override
  public boolean isNullAt(int row) {
    return values[row] == null;
  }

  @Override
  public boolean getBoolean(int row) {
    return (boolean) values[row];
  }

  @Override
  public byte getByte(int row) {
    return (byte) values[row];
  }

  @Override
  public short getShort(int row) {
    return (short) values[row];
  }

  @Override
  public int getInt(int row) {
    return (int) values[row];
  }

  @Override
  public long getLong(int row) {
    return (long) values[row];
  }

  @Override
  public float getFloat(int row) {
    return (float) values[row];
  }

  @Override
  public double getDouble(int row) {
    return (double) values[row];
  }

  @Override
  public Bytes getBytes(int row) {
    byte[] bytes = values[row] instanceof StringData text ? text.toBytes() : (byte[]) values[row];
    return new Bytes(bytes, 0, bytes.length);
  }

  @Override
  public DecimalData getDecimal(int row, int precision, int scale) {
    return (DecimalData) values[row];
  }

  @Override
  public TimestampData getTimestamp(int row, int precision) {
    return (TimestampData) values[row];
  }

  @Override
  public ArrayData getArray(int row) {
    return (ArrayData) values[row];
  }

  @Override
  public MapData getMap(int row) {
    return (MapData) values[row];
  }

  /** Flink wants rows of columns here, so each field becomes a column of one row. */
  @Override
  public ColumnarRowData getRow(int row) {
    GenericRowData fields = (GenericRowData) values[row];
    ColumnVector[] columns = new ColumnVector[fields.getArity()];
    for (int i = 0; i < columns.length; i++) {
      ObjectVector column = new ObjectVector(1);
      column.set(0, fields.getField(i));
      columns[i] = column;
    }
    return new ColumnarRowData(new VectorizedColumnBatch(columns), 0);
  }
}
