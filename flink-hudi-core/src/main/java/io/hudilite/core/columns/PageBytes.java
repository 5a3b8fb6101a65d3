package io.hudilite.core.columns;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.parquet.bytes.BytesInput;

/** Bytes of a page that grow at their end; numbers are little-endian, as everywhere in Parquet. */
final class PageBytes {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int FIRST_BYTES = 1 << 10;

  private byte[] array = new byte[FIRST_BYTES];
  private int size;

  int size() {
    return size;
  }

  byte[] array() {
    return array;
  }

  void clear() {
    size = 0;
  }

  void addByte(int value) {
    ensure(1);
    array[size++] = (byte) value;
  }

  void addInt(int value) {
    ensure(Integer.BYTES);
    INT.set(array, size, value);
    size += Integer.BYTES;
  }

  void addLong(long value) {
    ensure(Long.BYTES);
    LONG.set(array, size, value);
    size += Long.BYTES;
  }

  void add(byte[] source, int offset, int length) {
    ensure(length);
    System.arraycopy(source, offset, array, size, length);
    size += length;
  }

  /** As Parquet's run lengths have it: seven bits a byte, the lowest first. */
  void addUnsignedVarInt(int value) {
    int rest = value;
    while ((rest & ~0x7F) != 0) {
      addByte((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    addByte(rest);
  }

  int intAt(int offset) {
    return (int) INT.get(array, offset);
  }

  long longAt(int offset) {
    return (long) LONG.get(array, offset);
  }

  /** Sets a bit of the last byte. */
  void setInLast(int bit) {
    array[size - 1] |= (byte) (1 << bit);
  }

  /** A view: of no use any more once this changes. */
  BytesInput toInput() {
    return BytesInput.from(array, 0, size);
  }

  private void ensure(int more) {
    if (array.length - size < more) {
      array = Arrays.copyOf(array, Math.max(Math.addExact(size, more), 2 * array.length));
    }
  }

  static int intAt(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset);
  }

  static long longAt(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }
}
