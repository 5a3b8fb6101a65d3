package io.hudilite.core.avro;

import javax.annotation.Nullable;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryStringData;

/**
 * Reads Avro's binary encoding from a part of an array, and never beyond it: every length is
 * compared with what is left before anything is allocated. Reused for many records. Not safe for
 * use by several threads.
 */
public final class AvroInput {
  private byte[] array = new byte[0];
  private int position;
  private int limit;

  /** The array as Flink's strings want it; null if none was read from it. */
  @Nullable private MemorySegment[] segments;

  /** Begins at {@code offset} of another array, or of the same. */
  public void reset(byte[] bytes, int offset, int length) {
    if (offset < 0 || length < 0 || offset > bytes.length - length) {
      throw new IndexOutOfBoundsException(
          length + " bytes at " + offset + " of an array of " + bytes.length);
    }
    if (bytes != array) {
      array = bytes;
      segments = null;
    }
    position = offset;
    limit = offset + length;
  }

  /** The array that is read. */
  public byte[] array() {
    return array;
  }

  /** Index in {@link #array()} of the next byte. */
  public int position() {
    return position;
  }

  public int remaining() {
    return limit - position;
  }

  public byte readByte() throws MalformedAvroException {
    if (position == limit) {
      throw end(1);
    }
    return array[position++];
  }

  public boolean readBoolean() throws MalformedAvroException {
    return switch (readByte()) {
      case 0 -> false;
      case 1 -> true;
      default ->
          throw new MalformedAvroException("A boolean is neither 0 nor 1" + at(position - 1));
    };
  }

  public int readInt() throws MalformedAvroException {
    long value = readLong();
    if ((int) value != value) {
      throw new MalformedAvroException(value + " is no int" + at(position));
    }
    return (int) value;
  }

  public long readLong() throws MalformedAvroException {
    byte[] in = array;
    int at = position;
    if (at < limit && in[at] >= 0) { // most lengths and branches are one byte
      position = at + 1;
      return (long) (in[at] >>> 1) ^ -(in[at] & 1);
    }
    long bits = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (at == limit) {
        throw end(1);
      }
      byte next = in[at++];
      bits |= (next & 0x7FL) << shift;
      if (next >= 0) {
        position = at;
        return (bits >>> 1) ^ -(bits & 1);
      }
    }
    throw new MalformedAvroException("A number has more than 10 bytes" + at(position));
  }

  public float readFloat() throws MalformedAvroException {
    return Float.intBitsToFloat((int) readLittleEndian(4));
  }

  public double readDouble() throws MalformedAvroException {
    return Double.longBitsToDouble(readLittleEndian(8));
  }

  private long readLittleEndian(int bytes) throws MalformedAvroException {
    int at = advance(bytes);
    long bits = 0;
    for (int i = bytes - 1; i >= 0; i--) {
      bits = (bits << 8) | (array[at + i] & 0xFF);
    }
    return bits;
  }

  /** Length of the bytes or string that follows; at most {@link #remaining()}. */
  public int readLength() throws MalformedAvroException {
    long length = readLong();
    if (length < 0 || length > remaining()) {
      throw new MalformedAvroException(
          "A length of " + length + ", but " + remaining() + " bytes are left" + at(position));
    }
    return (int) length;
  }

  /** A copy of the bytes that follow, after their length. */
  public byte[] readBytes() throws MalformedAvroException {
    return readRaw(readLength());
  }

  /** A copy of the next {@code length} bytes. */
  public byte[] readRaw(int length) throws MalformedAvroException {
    int at = advance(length);
    byte[] copy = new byte[length];
    System.arraycopy(array, at, copy, 0, length);
    return copy;
  }

  /** A string that looks into the array. */
  public StringData readString() throws MalformedAvroException {
    int length = readLength();
    int at = advance(length);
    if (segments == null) {
      segments = new MemorySegment[] {MemorySegmentFactory.wrap(array)};
    }
    return BinaryStringData.fromAddress(segments, at, length);
  }

  /** Passes over {@code length} bytes and returns where they began. */
  public int advance(int length) throws MalformedAvroException {
    if (length > remaining()) {
      throw end(length);
    }
    int at = position;
    position += length;
    return at;
  }

  /**
   * Number of the union branch that follows.
   *
   * @param branches how many the union has
   */
  public int readBranch(int branches) throws MalformedAvroException {
    long branch = readLong();
    if (branch < 0 || branch >= branches) {
      throw new MalformedAvroException(
          "Branch " + branch + " of a union of " + branches + at(position));
    }
    return (int) branch;
  }

  /**
   * Number of items in the block that begins here, of an array or a map; 0 at its end.
   *
   * @param minItemBytes fewest bytes of one item: more items than bytes are not believed
   */
  public int readBlockCount(int minItemBytes) throws MalformedAvroException {
    long count = readLong();
    if (count < 0) {
      readLong(); // size in bytes: the items tell it themselves
      count = count == Long.MIN_VALUE ? Long.MAX_VALUE : -count;
    }
    long most = remaining() / Math.max(1, minItemBytes);
    if (count > most) {
      throw new MalformedAvroException(
          count + " items, but " + remaining() + " bytes are left" + at(position));
    }
    return (int) count;
  }

  private MalformedAvroException end(int wanted) {
    return new MalformedAvroException(
        "The record ends" + at(position) + ", but " + wanted + " more bytes are needed");
  }

  private static String at(int position) {
    return " at byte " + position;
  }
}
