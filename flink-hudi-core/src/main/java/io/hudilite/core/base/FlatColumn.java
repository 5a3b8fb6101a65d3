package io.hudilite.core.base;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.columnar.vector.BytesColumnVector;
import org.apache.flink.table.data.columnar.vector.ColumnVector;
import org.apache.flink.table.data.columnar.vector.DecimalColumnVector;
import org.apache.flink.table.data.columnar.vector.TimestampColumnVector;
import org.apache.flink.table.data.columnar.vector.heap.HeapBooleanVector;
import org.apache.flink.table.data.columnar.vector.heap.HeapDoubleVector;
import org.apache.flink.table.data.columnar.vector.heap.HeapFloatVector;
import org.apache.flink.table.data.columnar.vector.heap.HeapIntVector;
import org.apache.flink.table.data.columnar.vector.heap.HeapLongVector;
import org.apache.flink.table.data.columnar.vector.writable.WritableColumnVector;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ValuesType;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.io.ParquetDecodingException;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;

/**
 * A top-level column of a primitive type that is read as it is stored, page by page. Definition
 * levels are 0 and 1 here and are read whole pages at a time; values of the PLAIN encoding come
 * straight from the page's bytes, all others from Parquet's {@link ValuesReader}.
 */
abstract class FlatColumn implements BatchColumn {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final ColumnDescriptor descriptor;
  private final boolean nullable;
  private PageReader pages;
  @Nullable private Dictionary dictionary;
  private int leftInPage;

  /** Which values of the page are there; null if all are. */
  @Nullable private boolean[] present;

  private boolean[] presentBuffer = new boolean[0];
  private int positionInPage;

  /** Bytes of a page of PLAIN values, else null; what is left of them begins at plainAt. */
  @Nullable byte[] plain;

  int plainAt;
  private int plainEnd;

  /** Values of a page of another encoding. */
  ValuesReader values;

  /** Whether {@link #values} gives ids of the dictionary. */
  boolean isDictionaryPage;

  FlatColumn(ColumnDescriptor descriptor) {
    this.descriptor = descriptor;
    this.nullable = descriptor.getMaxDefinitionLevel() > 0;
  }

  /** Null where the stored type needs a conversion that {@link ScalarReader} does. */
  @Nullable
  static FlatColumn of(ColumnDescriptor descriptor, LogicalType wanted, int batchRows) {
    PrimitiveType stored = descriptor.getPrimitiveType();
    PrimitiveType.PrimitiveTypeName physical = stored.getPrimitiveTypeName();
    return switch (wanted.getTypeRoot()) {
      case BOOLEAN ->
          physical == PrimitiveType.PrimitiveTypeName.BOOLEAN
              ? new Booleans(descriptor, batchRows)
              : null;
      case INTEGER, DATE -> ScalarReader.isInt32(stored) ? new Ints(descriptor, batchRows) : null;
      case BIGINT -> ScalarReader.isPlainLong(stored) ? new Longs(descriptor, batchRows) : null;
      case FLOAT ->
          physical == PrimitiveType.PrimitiveTypeName.FLOAT
              ? new Floats(descriptor, batchRows)
              : null;
      case DOUBLE ->
          physical == PrimitiveType.PrimitiveTypeName.DOUBLE
              ? new Doubles(descriptor, batchRows)
              : null;
      case CHAR, VARCHAR, BINARY, VARBINARY ->
          physical == PrimitiveType.PrimitiveTypeName.BINARY
                  && ScalarReader.decimalOf(stored).isEmpty()
              ? new Bytes(descriptor, batchRows)
              : null;
      case DECIMAL -> {
        DecimalType decimal = (DecimalType) wanted;
        yield isCompact(stored, decimal) ? new Decimals(descriptor, batchRows) : null;
      }
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          physical == PrimitiveType.PrimitiveTypeName.INT64
                  && (ScalarReader.isPlainLong(stored)
                      || ScalarReader.timestampOf(stored).isPresent())
              ? new Timestamps(
                  descriptor,
                  batchRows,
                  ScalarReader.TimeUnits.of(stored, LogicalTypeChecks.getPrecision(wanted)))
              : null;
      default -> null;
    };
  }

  /** Whether each stored value is a long of the wanted scale and fits in the wanted precision. */
  private static boolean isCompact(PrimitiveType stored, DecimalType wanted) {
    DecimalLogicalTypeAnnotation decimal = ScalarReader.decimalOf(stored).orElse(null);
    return decimal != null
        && stored.getPrimitiveTypeName() != PrimitiveType.PrimitiveTypeName.BINARY
        && decimal.getScale() == wanted.getScale()
        && decimal.getPrecision() <= wanted.getPrecision()
        && DecimalData.isCompact(wanted.getPrecision())
        && stored.getTypeLength() <= Long.BYTES;
  }

  @Override
  public final void startRowGroup(PageReadStore store) {
    pages = store.getPageReader(descriptor);
    if (pages.getTotalValueCount() != store.getRowCount()) {
      throw new ParquetDecodingException(
          "Column %s has %d values in a row group of %d rows"
              .formatted(descriptor, pages.getTotalValueCount(), store.getRowCount()));
    }
    DictionaryPage page = pages.readDictionaryPage();
    dictionary = page == null ? null : page.decode(descriptor);
    if (dictionary != null) {
      startDictionary(dictionary);
    }
    leftInPage = 0;
  }

  /** For columns that keep the dictionary in a form of their own. */
  void startDictionary(Dictionary newDictionary) {}

  @Override
  public final void read(int rows) {
    resetNulls();
    int row = 0;
    while (row < rows) {
      while (leftInPage == 0) {
        nextPage();
      }
      int count = Math.min(rows - row, leftInPage);
      if (present == null) {
        readValues(row, count);
      } else {
        readPresent(row, count);
      }
      row += count;
      leftInPage -= count;
      positionInPage += count;
    }
  }

  /** Reads runs of values that are there, and sets nulls between them. */
  private void readPresent(int firstRow, int count) {
    int at = 0;
    while (at < count) {
      int start = at;
      while (at < count && present[positionInPage + at]) {
        at++;
      }
      if (at > start) {
        readValues(firstRow + start, at - start);
      }
      while (at < count && !present[positionInPage + at]) {
        setNull(firstRow + at);
        at++;
      }
    }
  }

  abstract void resetNulls();

  abstract void setNull(int row);

  /** Reads the next {@code count} values that are there into rows from {@code row} on. */
  abstract void readValues(int row, int count);

  /** Steps over bytes of a PLAIN page, after a check that the page has them. */
  final int takePlain(long bytes) {
    if (bytes < 0 || bytes > plainEnd - plainAt) {
      throw new ParquetDecodingException(
          "Column %s: %d bytes are wanted, but %d are left in the page"
              .formatted(descriptor, bytes, plainEnd - plainAt));
    }
    int at = plainAt;
    plainAt += (int) bytes;
    return at;
  }

  private void nextPage() {
    DataPage page = pages.readPage();
    if (page == null) {
      throw new ParquetDecodingException("Column %s: a page is missing".formatted(descriptor));
    }
    try {
      page.accept(
          new DataPage.Visitor<Void>() {
            @Override
            public Void visit(DataPageV1 v1) {
              startPage(v1);
              return null;
            }

            @Override
            public Void visit(DataPageV2 v2) {
              startPage(v2);
              return null;
            }
          });
    } catch (UncheckedIOException e) {
      throw new ParquetDecodingException("Column " + descriptor, e.getCause());
    }
  }

  private void startPage(DataPageV1 page) {
    try {
      int count = page.getValueCount();
      ByteBufferInputStream in = page.getBytes().toInputStream();
      present = null;
      if (nullable) {
        if (page.getDlEncoding() == Encoding.RLE) {
          int length = Integer.reverseBytes(readInt(in));
          ByteBuffer levels = in.slice(length);
          startLevels(levels, count);
        } else {
          ValuesReader levels =
              page.getDlEncoding().getValuesReader(descriptor, ValuesType.DEFINITION_LEVEL);
          levels.initFromPage(count, in);
          present = presentArray(count);
          for (int i = 0; i < count; i++) {
            present[i] = levels.readInteger() > 0;
          }
        }
      }
      startValues(page.getValueEncoding(), in, count);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int readInt(ByteBufferInputStream in) throws IOException {
    return in.slice(Integer.BYTES).getInt();
  }

  private void startPage(DataPageV2 page) {
    try {
      int count = page.getValueCount();
      present = null;
      if (nullable) {
        BytesInput levels = page.getDefinitionLevels();
        startLevels(levels.toByteBuffer(), count);
      }
      startValues(page.getDataEncoding(), page.getData().toInputStream(), count);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean[] presentArray(int count) {
    if (presentBuffer.length < count) {
      presentBuffer = new boolean[count];
    }
    return presentBuffer;
  }

  /**
   * Reads levels of one bit in Parquet's hybrid of runs and packed bits: a varint {@code header};
   * if its last bit is 0, a run of {@code header >> 1} times the next byte, else {@code header >>
   * 1} bytes of 8 levels each, lowest bit first.
   */
  private void startLevels(ByteBuffer in, int count) {
    boolean[] levels = presentArray(count);
    boolean all = true;
    int at = 0;
    while (at < count) {
      int header = readVarint(in);
      int number = header >>> 1;
      if ((header & 1) == 0) {
        boolean there = in.get() != 0;
        int end = (int) Math.min(count, (long) at + number);
        if (number == 0) {
          throw new ParquetDecodingException("A run of no levels in " + descriptor);
        }
        Arrays.fill(levels, at, end, there);
        all &= there;
        at = end;
      } else {
        for (int i = 0; i < number && at < count; i++) {
          int bits = in.get();
          int inByte = Math.min(8, count - at);
          for (int bit = 0; bit < inByte; bit++) {
            boolean there = (bits >>> bit & 1) != 0;
            levels[at++] = there;
            all &= there;
          }
        }
      }
    }
    present = all ? null : levels;
  }

  private static int readVarint(ByteBuffer in) {
    int value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      byte next = in.get();
      value |= (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new ParquetDecodingException("A number of more than five bytes in a page");
  }

  private void startValues(Encoding encoding, ByteBufferInputStream in, int count)
      throws IOException {
    leftInPage = count;
    positionInPage = 0;
    plain = null;
    isDictionaryPage = encoding.usesDictionary();
    if (encoding == Encoding.PLAIN && readsPlain()) {
      ByteBuffer bytes = in.slice(in.available());
      if (bytes.hasArray()) {
        plain = bytes.array();
        plainAt = bytes.arrayOffset() + bytes.position();
        plainEnd = bytes.arrayOffset() + bytes.limit();
      } else {
        plain = new byte[bytes.remaining()];
        bytes.get(plain);
        plainAt = 0;
        plainEnd = plain.length;
      }
      return;
    }
    if (isDictionaryPage) {
      if (dictionary == null) {
        throw new ParquetDecodingException("Column %s: no dictionary".formatted(descriptor));
      }
      values = encoding.getDictionaryBasedValuesReader(descriptor, ValuesType.VALUES, dictionary);
    } else {
      values = encoding.getValuesReader(descriptor, ValuesType.VALUES);
    }
    values.initFromPage(count, in);
  }

  /** Whether {@link #readValues} takes PLAIN values from {@link #plain}. */
  boolean readsPlain() {
    return true;
  }

  /** A column that fills one of Flink's vectors. */
  private abstract static class Heap<V extends WritableColumnVector> extends FlatColumn {
    final V vector;

    Heap(ColumnDescriptor descriptor, V vector) {
      super(descriptor);
      this.vector = vector;
    }

    @Override
    public final ColumnVector vector() {
      return vector;
    }

    @Override
    final void resetNulls() {
      vector.reset();
    }

    @Override
    final void setNull(int row) {
      vector.setNullAt(row);
    }
  }

  private static final class Booleans extends Heap<HeapBooleanVector> {
    Booleans(ColumnDescriptor descriptor, int batchRows) {
      super(descriptor, new HeapBooleanVector(batchRows));
    }

    @Override
    boolean readsPlain() {
      return false;
    }

    @Override
    void readValues(int row, int count) {
      boolean[] out = vector.vector;
      for (int i = row; i < row + count; i++) {
        out[i] = values.readBoolean();
      }
    }
  }

  private static final class Ints extends Heap<HeapIntVector> {
    Ints(ColumnDescriptor descriptor, int batchRows) {
      super(descriptor, new HeapIntVector(batchRows));
    }

    @Override
    void readValues(int row, int count) {
      int[] out = vector.vector;
      if (plain != null) {
        int at = takePlain((long) count * Integer.BYTES);
        for (int i = 0; i < count; i++) {
          out[row + i] = (int) INT.get(plain, at + i * Integer.BYTES);
        }
      } else {
        for (int i = row; i < row + count; i++) {
          out[i] = values.readInteger();
        }
      }
    }
  }

  private static final class Longs extends Heap<HeapLongVector> {
    Longs(ColumnDescriptor descriptor, int batchRows) {
      super(descriptor, new HeapLongVector(batchRows));
    }

    @Override
    void readValues(int row, int count) {
      readLongs(this, vector.vector, row, count);
    }
  }

  private static void readLongs(FlatColumn column, long[] out, int row, int count) {
    byte[] plain = column.plain;
    if (plain != null) {
      int at = column.takePlain((long) count * Long.BYTES);
      for (int i = 0; i < count; i++) {
        out[row + i] = (long) LONG.get(plain, at + i * Long.BYTES);
      }
    } else {
      ValuesReader values = column.values;
      for (int i = row; i < row + count; i++) {
        out[i] = values.readLong();
      }
    }
  }

  private static final class Floats extends Heap<HeapFloatVector> {
    Floats(ColumnDescriptor descriptor, int batchRows) {
      super(descriptor, new HeapFloatVector(batchRows));
    }

    @Override
    void readValues(int row, int count) {
      float[] out = vector.vector;
      if (plain != null) {
        int at = takePlain((long) count * Float.BYTES);
        for (int i = 0; i < count; i++) {
          out[row + i] = Float.intBitsToFloat((int) INT.get(plain, at + i * Float.BYTES));
        }
      } else {
        for (int i = row; i < row + count; i++) {
          out[i] = values.readFloat();
        }
      }
    }
  }

  private static final class Doubles extends Heap<HeapDoubleVector> {
    Doubles(ColumnDescriptor descriptor, int batchRows) {
      super(descriptor, new HeapDoubleVector(batchRows));
    }

    @Override
    void readValues(int row, int count) {
      double[] out = vector.vector;
      if (plain != null) {
        int at = takePlain((long) count * Double.BYTES);
        for (int i = 0; i < count; i++) {
          out[row + i] = Double.longBitsToDouble((long) LONG.get(plain, at + i * Double.BYTES));
        }
      } else {
        for (int i = row; i < row + count; i++) {
          out[i] = values.readDouble();
        }
      }
    }
  }

  /** A column with a vector of its own kind. */
  private abstract static class Own extends FlatColumn implements ColumnVector {
    private final boolean[] isNull;
    private boolean anyNull;

    Own(ColumnDescriptor descriptor, int batchRows) {
      super(descriptor);
      this.isNull = new boolean[batchRows];
    }

    @Override
    public final ColumnVector vector() {
      return this;
    }

    @Override
    final void resetNulls() {
      if (anyNull) {
        Arrays.fill(isNull, false);
        anyNull = false;
      }
    }

    @Override
    final void setNull(int row) {
      isNull[row] = true;
      anyNull = true;
    }

    @Override
    public final boolean isNullAt(int row) {
      return anyNull && isNull[row];
    }
  }

  /** Strings and bytes, which stay where they are: in their page, or in the dictionary. */
  private static final class Bytes extends Own implements BytesColumnVector {
    private final byte[][] data;
    private final int[] offsets;
    private final int[] lengths;
    private byte[][] dictionaryValues = new byte[0][];

    Bytes(ColumnDescriptor descriptor, int batchRows) {
      super(descriptor, batchRows);
      this.data = new byte[batchRows][];
      this.offsets = new int[batchRows];
      this.lengths = new int[batchRows];
    }

    @Override
    void startDictionary(Dictionary dictionary) {
      dictionaryValues = new byte[dictionary.getMaxId() + 1][];
      for (int id = 0; id < dictionaryValues.length; id++) {
        dictionaryValues[id] = dictionary.decodeToBinary(id).getBytes();
      }
    }

    @Override
    void readValues(int row, int count) {
      if (plain != null) {
        for (int i = row; i < row + count; i++) {
          int length = (int) INT.get(plain, takePlain(Integer.BYTES));
          data[i] = plain;
          offsets[i] = takePlain(length);
          lengths[i] = length;
        }
      } else {
        for (int i = row; i < row + count; i++) {
          byte[] value =
              isDictionaryPage
                  ? dictionaryValues[values.readValueDictionaryId()]
                  : values.readBytes().getBytes();
          data[i] = value;
          offsets[i] = 0;
          lengths[i] = value.length;
        }
      }
    }

    @Override
    public BytesColumnVector.Bytes getBytes(int row) {
      return new BytesColumnVector.Bytes(data[row], offsets[row], lengths[row]);
    }
  }

  private static final class Timestamps extends Own implements TimestampColumnVector {
    private final long[] counts;
    private final ScalarReader.TimeUnits units;

    Timestamps(ColumnDescriptor descriptor, int batchRows, ScalarReader.TimeUnits units) {
      super(descriptor, batchRows);
      this.counts = new long[batchRows];
      this.units = units;
    }

    @Override
    void readValues(int row, int count) {
      readLongs(this, counts, row, count);
    }

    @Override
    public TimestampData getTimestamp(int row, int precision) {
      return units.timestamp(counts[row]);
    }
  }

  /** Decimals of up to 18 digits. */
  private static final class Decimals extends Own implements DecimalColumnVector {
    private final long[] unscaled;
    private final PrimitiveType.PrimitiveTypeName physical;
    private final int length;

    Decimals(ColumnDescriptor descriptor, int batchRows) {
      super(descriptor, batchRows);
      this.unscaled = new long[batchRows];
      this.physical = descriptor.getPrimitiveType().getPrimitiveTypeName();
      this.length = descriptor.getPrimitiveType().getTypeLength();
    }

    @Override
    boolean readsPlain() {
      return physical != PrimitiveType.PrimitiveTypeName.INT32;
    }

    @Override
    void readValues(int row, int count) {
      if (physical == PrimitiveType.PrimitiveTypeName.INT64) {
        readLongs(this, unscaled, row, count);
      } else if (physical == PrimitiveType.PrimitiveTypeName.INT32) {
        for (int i = row; i < row + count; i++) {
          unscaled[i] = values.readInteger();
        }
      } else if (plain != null) {
        int at = takePlain((long) count * length);
        for (int i = row; i < row + count; i++) {
          unscaled[i] = bigEndian(plain, at);
          at += length;
        }
      } else {
        for (int i = row; i < row + count; i++) {
          Binary binary = values.readBytes();
          unscaled[i] = bigEndian(binary.getBytesUnsafe(), 0);
        }
      }
    }

    private long bigEndian(byte[] bytes, int at) {
      long value = bytes[at];
      for (int i = 1; i < length; i++) {
        value = value << 8 | bytes[at + i] & 0xff;
      }
      return value;
    }

    @Override
    public DecimalData getDecimal(int row, int precision, int scale) {
      return DecimalData.fromUnscaledLong(unscaled[row], precision, scale);
    }
  }
}
