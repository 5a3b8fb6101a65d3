package io.hudilite.core.columns;

import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Texts, bytes, and decimals, which are bytes of one length that are compared with their sign. */
final class BytesColumn extends FlatColumn {
  /** Of all values; 0 if each has its own length. */
  private final int fixedLength;

  private final boolean isSigned;
  @Nullable private final BytesDictionary texts;

  /** The smallest and the greatest value of a page while they are looked for. */
  private int minOffset;

  private int minLength;
  private int maxOffset;
  private int maxLength;

  BytesColumn(
      ColumnDescriptor descriptor,
      PageWriter pages,
      PageLimits limits,
      @Nullable BytesDictionary texts) {
    super(descriptor, pages, limits, texts);
    PrimitiveType type = descriptor.getPrimitiveType();
    this.fixedLength =
        type.getPrimitiveTypeName() == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY
            ? type.getTypeLength()
            : 0;
    this.isSigned = type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation;
    this.texts = texts;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    if (isIndexed()) {
      addIndexed(texts.idOf(bytes, offset, length));
    } else {
      if (fixedLength == 0) {
        values().addInt(length);
      } else if (length != fixedLength) {
        throw new IllegalArgumentException(
            "A value of %d bytes in a column of %d".formatted(length, fixedLength));
      }
      values().add(bytes, offset, length);
    }
    endValue();
  }

  @Override
  public void write(Binary value, int repetition, int definition) {
    ByteBuffer buffer = value.toByteBuffer();
    write(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
  }

  @Override
  void tell(PageBytes page, int count, Statistics<?> statistics) {
    byte[] array = page.array();
    int at = 0;
    minLength = -1;
    for (int i = 0; i < count; i++) {
      int length = fixedLength;
      if (fixedLength == 0) {
        length = page.intAt(at);
        at += Integer.BYTES;
      }
      compare(array, at, length);
      at += length;
    }
    tellFound(array, statistics);
  }

  @Override
  void tell(boolean[] isPresent, Statistics<?> statistics) {
    byte[] array = texts.array();
    minLength = -1;
    for (int id = 0; id < isPresent.length; id++) {
      if (isPresent[id]) {
        compare(array, texts.offsetOf(id), texts.lengthOf(id));
      }
    }
    tellFound(array, statistics);
  }

  private void compare(byte[] array, int offset, int length) {
    if (minLength < 0) {
      minOffset = offset;
      minLength = length;
      maxOffset = offset;
      maxLength = length;
    } else if (order(array, offset, length, minOffset, minLength) < 0) {
      minOffset = offset;
      minLength = length;
    } else if (order(array, offset, length, maxOffset, maxLength) > 0) {
      maxOffset = offset;
      maxLength = length;
    }
  }

  private int order(byte[] array, int offset, int length, int other, int otherLength) {
    if (isSigned && array[offset] != array[other]) {
      return Byte.compare(array[offset], array[other]); // of one length, the sign is in the first
    }
    return Arrays.compareUnsigned(
        array, offset, offset + length, array, other, other + otherLength);
  }

  private void tellFound(byte[] array, Statistics<?> statistics) {
    if (minLength >= 0) {
      statistics.updateStats(copy(array, minOffset, minLength));
      statistics.updateStats(copy(array, maxOffset, maxLength));
    }
  }

  private static Binary copy(byte[] array, int offset, int length) {
    return Binary.fromConstantByteArray(Arrays.copyOfRange(array, offset, offset + length));
  }
}
