package io.hudilite.sink.record;

import io.hudilite.sink.config.IndexScope;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * What the index looks rows up by: the record key as UTF-8, and if keys are unique per partition
 * only, a zero byte and the partition path behind it. The hash is part of the format: it decides
 * which key group of Flink's state a key belongs to.
 *
 * <p>An index on the heap holds one object for each key of the table, so keys of up to 16 bytes
 * have no array of their own. A key may be {@link #set} to another row's, so that looking up makes
 * no objects; what is put into state is a {@link #copy} that nobody changes.
 */
public final class RecordKey {
  private static final int LONGEST_INLINE = 2 * Long.BYTES;
  private static final byte[] NO_BYTES = new byte[0];

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private int length;
  private int hash = 1;

  /** The first eight bytes, and the eight behind them; zero where the key is shorter. */
  private long first;

  private long second;

  /** All bytes of a key that is longer, perhaps more than it has. */
  private byte[] bytes = NO_BYTES;

  /** The empty key. */
  public RecordKey() {}

  /** Makes this the key of a row. */
  public RecordKey set(HudiRecord record, IndexScope scope) {
    switch (scope) {
      case TABLE -> set(record.bytes(), record.keyOffset(), record.keyLength(), record.keyHash());
      case PARTITION -> {
        join(
            record.bytes(),
            record.keyOffset(),
            record.keyLength(),
            record.bytes(),
            record.partitionOffset(),
            record.partitionLength());
        hash = record.keyHash();
      }
    }
    return this;
  }

  /**
   * Makes this the key of a row that was read from the table.
   *
   * @param key holds the record key as UTF-8; not kept
   * @param partitionPath of the row, as UTF-8
   */
  public RecordKey set(
      byte[] key, int offset, int keyLength, byte[] partitionPath, IndexScope scope) {
    int keyHash = hashOf(key, offset, keyLength);
    switch (scope) {
      case TABLE -> set(key, offset, keyLength, keyHash);
      case PARTITION -> {
        join(key, offset, keyLength, partitionPath, 0, partitionPath.length);
        hash = continueHash(31 * keyHash, partitionPath, 0, partitionPath.length);
      }
    }
    return this;
  }

  private void join(
      byte[] key, int keyOffset, int keyLength, byte[] partition, int from, int partitionLength) {
    byte[] both = new byte[keyLength + 1 + partitionLength];
    System.arraycopy(key, keyOffset, both, 0, keyLength);
    System.arraycopy(partition, from, both, keyLength + 1, partitionLength);
    set(both, 0, both.length, 0);
  }

  private void set(byte[] source, int offset, int sourceLength, int sourceHash) {
    length = sourceLength;
    hash = sourceHash;
    first = longAt(source, offset, sourceLength);
    second = longAt(source, offset + Long.BYTES, sourceLength - Long.BYTES);
    if (sourceLength > LONGEST_INLINE) {
      if (bytes.length < sourceLength) {
        bytes = new byte[sourceLength];
      }
      System.arraycopy(source, offset, bytes, 0, sourceLength);
    }
  }

  /** Up to eight bytes, the first one highest. */
  private static long longAt(byte[] source, int offset, int count) {
    if (count <= 0) {
      return 0;
    }
    int unwanted = Math.max(0, Long.BYTES - count) * Byte.SIZE;
    if (offset + Long.BYTES <= source.length) {
      return (long) LONG.get(source, offset) >>> unwanted << unwanted;
    }
    long value = 0;
    for (int i = 0; i < Math.min(count, Long.BYTES); i++) {
      value |= (source[offset + i] & 0xFFL) << (Long.SIZE - Byte.SIZE * (i + 1));
    }
    return value;
  }

  /** An equal key that shares nothing with this one. */
  public RecordKey copy() {
    RecordKey copy = new RecordKey();
    copy.length = length;
    copy.hash = hash;
    copy.first = first;
    copy.second = second;
    if (length > LONGEST_INLINE) {
      copy.bytes = Arrays.copyOf(bytes, length);
    }
    return copy;
  }

  static int hashOf(byte[] bytes, int offset, int length) {
    return continueHash(1, bytes, offset, length);
  }

  /** Hash of a longer key, by that of its first bytes. */
  static int continueHash(int hash, byte[] bytes, int offset, int length) {
    int result = hash;
    for (int i = offset; i < offset + length; i++) {
      result = 31 * result + bytes[i];
    }
    return result;
  }

  /** Writes the length, one byte or 255 and an int32, and the key's bytes. */
  void write(DataOutputView target) throws IOException {
    if (length < 0xFF) {
      target.writeByte(length);
    } else {
      target.writeByte(0xFF);
      target.writeInt(length);
    }
    if (length > LONGEST_INLINE) {
      target.write(bytes, 0, length);
    } else if (length >= Long.BYTES) {
      target.writeLong(first);
      writePart(second, length - Long.BYTES, target);
    } else {
      writePart(first, length, target);
    }
  }

  private static void writePart(long part, int count, DataOutputView target) throws IOException {
    long rest = part;
    if (count >= Long.BYTES) {
      target.writeLong(rest);
      return;
    }
    if ((count & Integer.BYTES) != 0) {
      target.writeInt((int) (rest >>> Integer.SIZE));
      rest <<= Integer.SIZE;
    }
    if ((count & Short.BYTES) != 0) {
      target.writeShort((int) (rest >>> (Long.SIZE - Short.SIZE)));
      rest <<= Short.SIZE;
    }
    if ((count & 1) != 0) {
      target.writeByte((int) (rest >>> (Long.SIZE - Byte.SIZE)));
    }
  }

  /** The reverse of {@link #write}. */
  static RecordKey read(DataInputView source) throws IOException {
    int length = source.readUnsignedByte();
    byte[] bytes = new byte[length < 0xFF ? length : source.readInt()];
    source.readFully(bytes);
    RecordKey key = new RecordKey();
    key.set(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length));
    return key;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof RecordKey other
        && hash == other.hash
        && length == other.length
        && first == other.first
        && second == other.second
        && (length <= LONGEST_INLINE
            || Arrays.equals(bytes, LONGEST_INLINE, length, other.bytes, LONGEST_INLINE, length));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    byte[] all = bytes;
    if (length <= LONGEST_INLINE) {
      all = new byte[LONGEST_INLINE];
      LONG.set(all, 0, first);
      LONG.set(all, Long.BYTES, second);
    }
    return new String(all, 0, length, StandardCharsets.UTF_8).replace('\0', '@');
  }
}
