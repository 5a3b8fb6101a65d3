package io.hudilite.sink.record;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.file.FileId;
import io.hudilite.core.key.OrderingCodec;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.merge.Version;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * One row on its way into the table, or one delete, as a single array. Integers are big-endian.
 *
 * <pre>
 *  0  flags            1 byte   see the FLAG constants
 *  1  key hash         int32    of the index key, see {@link RecordKey}
 *  5  file id prefix  16 bytes  UUID of the file group, once assigned
 * 21  file id suffix   int32    number behind the UUID
 * 25  key length       int32
 * 29  partition length int32
 * 33  ordering length  int32
 * 37  key, partition path (both UTF-8), ordering value ({@link OrderingCodec}), body
 * </pre>
 *
 * The body is the Avro binary of all data columns; a delete has none. File ids of other writers
 * that are no UUID with a number stand as text behind the body, and their length as the suffix.
 *
 * <p>Belongs to whoever got it last: the assigner fills the file group in, nobody else changes it.
 */
public final class HudiRecord {
  static final int HEADER_BYTES = 37;

  static final int KEY_HASH_AT = 1;
  static final int FILE_ID_AT = 5;
  static final int FILE_SUFFIX_AT = 21;
  static final int KEY_LENGTH_AT = 25;
  static final int PARTITION_LENGTH_AT = 29;
  static final int ORDERING_LENGTH_AT = 33;

  static final byte FLAG_DELETE = 1;

  /** The file id stands in the header. */
  static final byte FLAG_ASSIGNED = 2;

  /** The file id stands as text behind the body. */
  static final byte FLAG_FILE_ID_TEXT = 4;

  /** The file group was opened by this or another row since the last checkpoint barrier. */
  static final byte FLAG_NEW_GROUP = 8;

  /** The key changes its file group, or may come back in another one. */
  static final byte FLAG_MOVED = 16;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes;

  /** Takes over {@code bytes}, which must have the form above. */
  public HudiRecord(byte[] bytes) {
    this.bytes = requireNonNull(bytes, "bytes");
  }

  /** A delete of a key, not assigned yet. */
  static HudiRecord delete(byte[] key, int keyHash, byte[] partition, byte[] ordering) {
    byte[] bytes = new byte[HEADER_BYTES + key.length + partition.length + ordering.length];
    bytes[0] = FLAG_DELETE;
    INT.set(bytes, KEY_HASH_AT, keyHash);
    INT.set(bytes, KEY_LENGTH_AT, key.length);
    INT.set(bytes, PARTITION_LENGTH_AT, partition.length);
    INT.set(bytes, ORDERING_LENGTH_AT, ordering.length);
    System.arraycopy(key, 0, bytes, HEADER_BYTES, key.length);
    System.arraycopy(partition, 0, bytes, HEADER_BYTES + key.length, partition.length);
    System.arraycopy(
        ordering, 0, bytes, HEADER_BYTES + key.length + partition.length, ordering.length);
    return new HudiRecord(bytes);
  }

  /** A new delete of this record's key, with its ordering value, in the partition of a group. */
  public HudiRecord deleteIn(GroupAddress group) {
    return delete(
        slice(keyOffset(), keyLength()),
        keyHash(),
        group.id().partitionPath().getBytes(StandardCharsets.UTF_8),
        slice(orderingOffset(), orderingLength()));
  }

  /** The same row with another ordering value and body, not assigned yet. */
  public HudiRecord with(OrderingValue ordering, AvroBuffer body) {
    byte[] value = OrderingCodec.toBytes(ordering);
    int head = orderingOffset();
    byte[] copy = Arrays.copyOf(Arrays.copyOf(bytes, head), head + value.length + body.size());
    copy[0] = 0;
    setInt(copy, ORDERING_LENGTH_AT, value.length);
    System.arraycopy(value, 0, copy, head, value.length);
    System.arraycopy(body.array(), 0, copy, head + value.length, body.size());
    return new HudiRecord(copy);
  }

  /** The array itself, not a copy. */
  public byte[] bytes() {
    return bytes;
  }

  public boolean isDelete() {
    return (bytes[0] & FLAG_DELETE) != 0;
  }

  /**
   * Says that the key of this record leaves a file group, comes from another one, or may come back
   * in another one after this delete.
   */
  public void markMoved() {
    bytes[0] |= FLAG_MOVED;
  }

  /** See {@link #markMoved()}. */
  public boolean isMoved() {
    return (bytes[0] & FLAG_MOVED) != 0;
  }

  /** See {@link #assign}. */
  public boolean isInNewGroup() {
    return (bytes[0] & FLAG_NEW_GROUP) != 0;
  }

  public int keyHash() {
    return intAt(KEY_HASH_AT);
  }

  public int keyOffset() {
    return HEADER_BYTES;
  }

  public int keyLength() {
    return intAt(KEY_LENGTH_AT);
  }

  /** The record key as text, for messages. */
  public String recordKey() {
    return new String(bytes, keyOffset(), keyLength(), StandardCharsets.UTF_8);
  }

  public int partitionOffset() {
    return HEADER_BYTES + keyLength();
  }

  public int partitionLength() {
    return intAt(PARTITION_LENGTH_AT);
  }

  public String partitionPath() {
    return new String(bytes, partitionOffset(), partitionLength(), StandardCharsets.UTF_8);
  }

  public int orderingOffset() {
    return partitionOffset() + partitionLength();
  }

  public int orderingLength() {
    return intAt(ORDERING_LENGTH_AT);
  }

  public OrderingValue ordering() {
    return OrderingCodec.decode(bytes, orderingOffset(), orderingLength());
  }

  /** What merge rules look at; makes no object if the ordering value is an integer. */
  public Version into(Version version) {
    return version.read(isDelete(), bytes, orderingOffset(), orderingLength());
  }

  public int bodyOffset() {
    return orderingOffset() + orderingLength();
  }

  public int bodyLength() {
    int end =
        (bytes[0] & FLAG_FILE_ID_TEXT) != 0 ? bytes.length - intAt(FILE_SUFFIX_AT) : bytes.length;
    return end - bodyOffset();
  }

  /**
   * Sends the record to a file group.
   *
   * @param isNewGroup whether the file group was opened since the last checkpoint barrier, so that
   *     it may have no files yet
   */
  public void assign(GroupAddress group, boolean isNewGroup) {
    byte flags = (byte) (bytes[0] & (FLAG_DELETE | FLAG_MOVED));
    if (isNewGroup) {
      flags |= FLAG_NEW_GROUP;
    }
    UuidFileId uuid = group.uuid();
    if (uuid != null) {
      assign(uuid.high(), uuid.low(), uuid.number(), flags);
      return;
    }
    String text = group.id().fileId().value();
    byte[] suffix = text.getBytes(StandardCharsets.UTF_8);
    byte[] longer = new byte[bodyOffset() + bodyLength() + suffix.length];
    System.arraycopy(bytes, 0, longer, 0, longer.length - suffix.length);
    System.arraycopy(suffix, 0, longer, longer.length - suffix.length, suffix.length);
    longer[0] = (byte) (flags | FLAG_FILE_ID_TEXT);
    long hash = mix(text.hashCode());
    LONG.set(longer, FILE_ID_AT, hash);
    LONG.set(longer, FILE_ID_AT + 8, hash);
    INT.set(longer, FILE_SUFFIX_AT, suffix.length);
    bytes = longer;
  }

  private void assign(long high, long low, int number, byte flags) {
    bytes[0] = (byte) (flags | FLAG_ASSIGNED);
    LONG.set(bytes, FILE_ID_AT, high);
    LONG.set(bytes, FILE_ID_AT + 8, low);
    INT.set(bytes, FILE_SUFFIX_AT, number);
  }

  /** First half of the file id's UUID, for look-ups that make no objects. */
  public long fileIdHigh() {
    return (long) LONG.get(bytes, FILE_ID_AT);
  }

  /** Second half of the file id's UUID. */
  public long fileIdLow() {
    return (long) LONG.get(bytes, FILE_ID_AT + 8);
  }

  /** The number behind the UUID, or the length of a file id of another form. */
  public int fileIdNumber() {
    return intAt(FILE_SUFFIX_AT);
  }

  /**
   * The file group's id in its partition.
   *
   * @throws IllegalStateException if the record is not assigned yet
   */
  public FileId fileId() {
    if ((bytes[0] & FLAG_ASSIGNED) != 0) {
      return new FileId(new UUID(fileIdHigh(), fileIdLow()) + "-" + fileIdNumber());
    }
    if ((bytes[0] & FLAG_FILE_ID_TEXT) != 0) {
      int length = fileIdNumber();
      return new FileId(new String(bytes, bytes.length - length, length, StandardCharsets.UTF_8));
    }
    throw new IllegalStateException("The record has no file group yet");
  }

  /** Number of the writer that a file group belongs to. All its records go there. */
  public int writer(int writers) {
    return writerOf(fileIdHigh(), fileIdLow(), writers);
  }

  /** The same by the halves of the UUID. */
  public static int writerOf(long fileIdHigh, long fileIdLow, int writers) {
    return (int) Long.remainderUnsigned(mix(fileIdHigh ^ fileIdLow) >>> 1, writers);
  }

  /** A hash of the partition path. */
  public int partitionHash() {
    return RecordKey.hashOf(bytes, partitionOffset(), partitionLength());
  }

  /** Whether a record that lies in another array has the same record key. */
  public boolean hasSameKey(byte[] array, int offset) {
    int length = keyLength();
    return (int) INT.get(array, offset + KEY_LENGTH_AT) == length
        && (int) INT.get(array, offset + KEY_HASH_AT) == keyHash()
        && Arrays.equals(
            bytes,
            HEADER_BYTES,
            HEADER_BYTES + length,
            array,
            offset + HEADER_BYTES,
            offset + HEADER_BYTES + length);
  }

  /** {@link #keyHash()} of a record that lies in an array. */
  public static int keyHash(byte[] array, int offset) {
    return (int) INT.get(array, offset + KEY_HASH_AT);
  }

  /** {@link #isDelete()} of a record that lies in an array. */
  public static boolean isDelete(byte[] array, int offset) {
    return (array[offset] & FLAG_DELETE) != 0;
  }

  /** {@link #keyOffset()} of a record that lies in an array, counted from the array's begin. */
  public static int keyOffset(int offset) {
    return offset + HEADER_BYTES;
  }

  /** {@link #keyLength()} of a record that lies in an array. */
  public static int keyLength(byte[] array, int offset) {
    return (int) INT.get(array, offset + KEY_LENGTH_AT);
  }

  /** {@link #ordering()} of a record that lies in an array. */
  public static OrderingValue ordering(byte[] array, int offset) {
    return OrderingCodec.decode(
        array, orderingOffset(array, offset), orderingLength(array, offset));
  }

  /** {@link #into(Version)} of a record that lies in an array. */
  public static Version into(Version version, byte[] array, int offset) {
    return version.read(
        isDelete(array, offset),
        array,
        orderingOffset(array, offset),
        orderingLength(array, offset));
  }

  private static int orderingOffset(byte[] array, int offset) {
    return offset
        + HEADER_BYTES
        + keyLength(array, offset)
        + (int) INT.get(array, offset + PARTITION_LENGTH_AT);
  }

  private static int orderingLength(byte[] array, int offset) {
    return (int) INT.get(array, offset + ORDERING_LENGTH_AT);
  }

  /** {@link #bodyOffset()} of a record that lies in an array, counted from the array's begin. */
  public static int bodyOffset(byte[] array, int offset) {
    return orderingOffset(array, offset) + orderingLength(array, offset);
  }

  /**
   * {@link #bodyLength()} of a record that lies in an array.
   *
   * @param length of the record
   */
  public static int bodyLength(byte[] array, int offset, int length) {
    int end =
        (array[offset] & FLAG_FILE_ID_TEXT) != 0
            ? length - (int) INT.get(array, offset + FILE_SUFFIX_AT)
            : length;
    return offset + end - bodyOffset(array, offset);
  }

  /**
   * A copy of a record that lies in an array, with another body.
   *
   * @param asDelete whether the copy is a delete; then {@code body} is not looked at
   */
  public static byte[] withBody(
      byte[] array, int offset, int length, AvroBuffer body, boolean asDelete) {
    int head = bodyOffset(array, offset) - offset;
    int tail = length - head - bodyLength(array, offset, length);
    int bodyLength = asDelete ? 0 : body.size();
    byte[] copy = new byte[head + bodyLength + tail];
    System.arraycopy(array, offset, copy, 0, head);
    System.arraycopy(body.array(), 0, copy, head, bodyLength);
    System.arraycopy(array, offset + length - tail, copy, head + bodyLength, tail);
    if (asDelete) {
      copy[0] |= FLAG_DELETE;
    }
    return copy;
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 32)) * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 29);
  }

  private int intAt(int position) {
    return (int) INT.get(bytes, position);
  }

  static void setInt(byte[] array, int position, int value) {
    INT.set(array, position, value);
  }

  byte[] slice(int offset, int length) {
    byte[] part = new byte[length];
    System.arraycopy(bytes, offset, part, 0, length);
    return part;
  }
}
