package io.hudilite.core.base;

import java.nio.ByteBuffer;
import org.apache.parquet.io.ParquetDecodingException;

/**
 * Small numbers in Parquet's hybrid of runs and packed bits, read as they are asked for: no memory
 * is taken for a length that the bytes state. A varint {@code header}; if its last bit is 0, a run
 * of {@code header >> 1} times one number in whole bytes, else {@code header >> 1} groups of 8
 * numbers each, packed from the lowest bit on. Source: Parquet's Encodings.md, RLE.
 */
final class HybridRuns {
  private final ByteBuffer in;
  private final int bitWidth;

  /** What is left of a run of equal numbers. */
  private int left;

  private int value;

  /** What is left of packed groups. */
  private int packedLeft;

  private long bits;
  private int bitCount;

  /**
   * @param bitWidth bits of a number, 0 to 32
   */
  HybridRuns(ByteBuffer in, int bitWidth) {
    if (bitWidth < 0 || bitWidth > Integer.SIZE) {
      throw new ParquetDecodingException("Numbers of %d bits".formatted(bitWidth));
    }
    this.in = in;
    this.bitWidth = bitWidth;
  }

  /**
   * Steps over the next numbers that are the same, {@code max} at most: how many there are, at
   * least one. {@link #value} tells the number.
   */
  int nextEqual(int max) {
    start();
    if (left > 0) {
      int count = Math.min(left, max);
      left -= count;
      return count;
    }
    value = unpack();
    int count = 1;
    while (count < max && packedLeft > 0 && peek() == value) {
      unpack();
      count++;
    }
    return count;
  }

  int value() {
    return value;
  }

  /** Reads the next numbers into an array. */
  void read(int[] out, int from, int count) {
    int at = from;
    int end = from + count;
    while (at < end) {
      start();
      if (left > 0) {
        int equal = Math.min(left, end - at);
        java.util.Arrays.fill(out, at, at + equal, value);
        left -= equal;
        at += equal;
      } else {
        int packed = Math.min(packedLeft, end - at);
        for (int stop = at + packed; at < stop; at++) {
          out[at] = unpack();
        }
      }
    }
  }

  private void start() {
    if (left > 0 || packedLeft > 0) {
      return;
    }
    int header = readVarint(in);
    int number = header >>> 1;
    if (number == 0) {
      throw new ParquetDecodingException("A run of no numbers in a page");
    }
    if ((header & 1) == 0) {
      left = number;
      value = 0;
      for (int shift = 0; shift < bitWidth; shift += Byte.SIZE) {
        value |= (in.get() & 0xff) << shift;
      }
    } else {
      packedLeft = (int) Math.min(Integer.MAX_VALUE, number * 8L);
      bits = 0;
      bitCount = 0;
    }
  }

  private int peek() {
    while (bitCount < bitWidth) {
      bits |= (in.get() & 0xffL) << bitCount;
      bitCount += Byte.SIZE;
    }
    return (int) (bits & ((1L << bitWidth) - 1));
  }

  private int unpack() {
    int number = peek();
    bits >>>= bitWidth;
    bitCount -= bitWidth;
    packedLeft--;
    return number;
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
}
