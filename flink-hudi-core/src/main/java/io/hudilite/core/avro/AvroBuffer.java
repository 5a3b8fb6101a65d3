package io.hudilite.core.avro;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing byte array that is written in Avro's binary encoding. Reused for many rows: {@link
 * #reset()} keeps the array. Not safe for use by several threads.
 */
public final class AvroBuffer {
  /** Arrays of this length are the longest that every JVM allows. */
  private static final int MAX_SIZE = Integer.MAX_VALUE - 8;

  private byte[] array;
  private int size;

  public AvroBuffer() {
    this(256);
  }

  public AvroBuffer(int initialCapacityBytes) {
    array = new byte[Math.max(16, initialCapacityBytes)];
  }

  /** The array that holds the bytes from 0 to {@link #size()}; replaced when the buffer grows. */
  public byte[] array() {
    return array;
  }

  public int size() {
    return size;
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(array, size);
  }

  /** Forgets the content. */
  public void reset() {
    size = 0;
  }

  /** Forgets what was written after the first {@code newSize} bytes. */
  public void truncate(int newSize) {
    if (newSize < 0 || newSize > size) {
      throw new IllegalArgumentException("Cannot cut " + size + " bytes to " + newSize);
    }
    size = newSize;
  }

  /** Makes room for {@code bytes} more bytes. */
  public void reserve(int bytes) {
    if (array.length - size < bytes) {
      grow(bytes);
    }
  }

  private void grow(int bytes) {
    long needed = (long) size + bytes;
    if (needed > MAX_SIZE) {
      throw new IllegalStateException(
          "A buffer of " + size + " bytes cannot take " + bytes + " more: 2 GiB is the limit");
    }
    long wanted = Math.max(needed, array.length + (long) (array.length >> 1));
    array = Arrays.copyOf(array, (int) Math.min(wanted, MAX_SIZE));
  }

  /** One raw byte. */
  public void writeByte(int value) {
    reserve(1);
    array[size++] = (byte) value;
  }

  public void writeBoolean(boolean value) {
    writeByte(value ? 1 : 0);
  }

  /** Zigzag and variable length, 1 to 5 bytes. */
  public void writeInt(int value) {
    reserve(5);
    int rest = (value << 1) ^ (value >> 31);
    byte[] out = array;
    int at = size;
    while ((rest & ~0x7F) != 0) {
      out[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    out[at++] = (byte) rest;
    size = at;
  }

  /** Zigzag and variable length, 1 to 10 bytes. */
  public void writeLong(long value) {
    reserve(10);
    long rest = (value << 1) ^ (value >> 63);
    byte[] out = array;
    int at = size;
    while ((rest & ~0x7FL) != 0) {
      out[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    out[at++] = (byte) rest;
    size = at;
  }

  public void writeFloat(float value) {
    writeLittleEndian(Float.floatToRawIntBits(value), 4);
  }

  public void writeDouble(double value) {
    writeLittleEndian(Double.doubleToRawLongBits(value), 8);
  }

  private void writeLittleEndian(long bits, int bytes) {
    reserve(bytes);
    for (int i = 0; i < bytes; i++) {
      array[size + i] = (byte) (bits >>> (8 * i));
    }
    size += bytes;
  }

  /** The bytes alone. */
  public void writeRaw(byte[] bytes, int offset, int length) {
    reserve(length);
    System.arraycopy(bytes, offset, array, size, length);
    size += length;
  }

  public void writeRaw(byte[] bytes) {
    writeRaw(bytes, 0, bytes.length);
  }

  /** Length and bytes: Avro's {@code bytes}, and {@code string} if they are UTF-8. */
  public void writeBytes(byte[] bytes, int offset, int length) {
    writeInt(length);
    writeRaw(bytes, offset, length);
  }

  public void writeBytes(byte[] bytes) {
    writeBytes(bytes, 0, bytes.length);
  }

  public void writeString(String value) {
    writeBytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Four bytes, the highest first: not Avro, but how log files frame it. */
  public void writeBigEndianInt(int value) {
    reserve(4);
    setBigEndianInt(size, value);
    size += 4;
  }

  /** Eight bytes, the highest first. */
  public void writeBigEndianLong(long value) {
    writeBigEndianInt((int) (value >>> 32));
    writeBigEndianInt((int) value);
  }

  /** The four bytes at a position as {@link #writeBigEndianInt} wrote them. */
  public int bigEndianInt(int position) {
    return array[position] << 24
        | (array[position + 1] & 0xFF) << 16
        | (array[position + 2] & 0xFF) << 8
        | (array[position + 3] & 0xFF);
  }

  /** Overwrites four bytes that were written before. */
  public void setBigEndianInt(int position, int value) {
    array[position] = (byte) (value >>> 24);
    array[position + 1] = (byte) (value >>> 16);
    array[position + 2] = (byte) (value >>> 8);
    array[position + 3] = (byte) value;
  }

  /** Makes {@code length} bytes part of the content, to be filled by the caller; returns where. */
  public int skip(int length) {
    reserve(length);
    int at = size;
    size += length;
    return at;
  }
}
