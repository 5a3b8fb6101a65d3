package io.hudilite.core.merge;

import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.key.OrderingValue.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * The newest version of each key of the log files of a slice: a hash table with open addressing,
 * its fields in arrays, so that a million keys make no million objects. Keys and ordering values
 * stay on the heap; the undecoded records go to a file when they exceed the bound. Records that
 * were replaced leave holes, and the records are moved together when half of their space is holes.
 *
 * <p>Entries are numbered from 0 in the order in which their keys came first, so going through them
 * gives the same order whatever the bound. Not safe for use by several threads.
 */
final class LogRecordMap implements Closeable {
  /** What {@link #find} returns for an unknown key. */
  static final int NONE = -1;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final Kind[] KINDS = Kind.values();
  private static final byte DELETE = 1;
  private static final byte MATCHED = 2;
  private static final long NO_BODY = -1;

  private final RecordMerger merger;
  private final MergeMemory memory;
  private final Version earlier = new Version();

  /** Entry + 1 by hash; 0 is free. */
  private int[] slots = new int[1 << 10];

  private int size;
  private int[] hashes = new int[512];
  private long[] keyPositions = new long[512];
  private int[] keyLengths = new int[512];
  private long[] bodyPositions = new long[512];
  private int[] bodyLengths = new int[512];
  private int[] origins = new int[512];
  private byte[] flags = new byte[512];
  private byte[] kinds = new byte[512];
  private long[] numbers = new long[512];

  /** Ordering values that are no integers; null as long as there is none. */
  @Nullable private OrderingValue[] values;

  private ByteStore keys;
  private ByteStore bodies;
  private long liveBytes;

  LogRecordMap(RecordMerger merger, MergeMemory memory) {
    this.merger = merger;
    this.memory = memory;
    this.keys = newKeyStore();
    this.bodies = new ByteStore(memory);
  }

  private ByteStore newKeyStore() {
    return new ByteStore(new MergeMemory(Long.MAX_VALUE, memory.spillFolder()));
  }

  int size() {
    return size;
  }

  boolean hasSpilled() {
    return bodies.hasSpilled();
  }

  /** Bytes of the space that holds records, on the heap and in the file, holes included. */
  long bodyBytes() {
    return bodies.size();
  }

  /**
   * Takes a version that comes later in reading order than all so far.
   *
   * @param origin a number of the caller's that it wants back: which block the version is from
   */
  void put(
      byte[] key,
      int keyOffset,
      int keyLength,
      Version version,
      int origin,
      byte[] body,
      int bodyOffset,
      int bodyLength)
      throws IOException {
    int entry = entryFor(key, keyOffset, keyLength, version);
    if (entry != NONE) {
      setBody(entry, body, bodyOffset, bodyLength);
      setVersion(entry, version, origin);
    }
  }

  /** Takes a delete, as {@link #put}. */
  void delete(byte[] key, int keyOffset, int keyLength, Version version, int origin)
      throws IOException {
    int entry = entryFor(key, keyOffset, keyLength, version);
    if (entry != NONE) {
      dropBody(entry);
      setVersion(entry, version, origin);
    }
  }

  /** The entry to be overwritten by a version: a new one, or one that loses; else NONE. */
  private int entryFor(byte[] key, int offset, int length, Version version) throws IOException {
    int hash = hash(key, offset, length);
    int slot = slotOf(hash, key, offset, length);
    int entry = slots[slot] - 1;
    if (entry == NONE) {
      return insert(slot, hash, key, offset, length);
    }
    version(entry, earlier);
    return merger.laterWins(earlier, version) ? entry : NONE;
  }

  /** The entry of a key, or {@link #NONE}. */
  int find(byte[] key, int offset, int length) throws IOException {
    return slots[slotOf(hash(key, offset, length), key, offset, length)] - 1;
  }

  boolean isDelete(int entry) {
    return (flags[entry] & DELETE) != 0;
  }

  /** Remembers that a row of the base file has the key of this entry. */
  void setMatched(int entry) {
    flags[entry] |= MATCHED;
  }

  boolean isMatched(int entry) {
    return (flags[entry] & MATCHED) != 0;
  }

  int origin(int entry) {
    return origins[entry];
  }

  void version(int entry, Version target) {
    boolean delete = isDelete(entry);
    Kind kind = KINDS[kinds[entry]];
    switch (kind) {
      case NONE -> target.setNone(delete);
      case INT, LONG -> target.setNumber(delete, kind, numbers[entry]);
      case BOOLEAN, FLOAT, DOUBLE, STRING, BYTES, DECIMAL, LIST ->
          target.set(delete, values[entry]);
    }
  }

  byte[] key(int entry) throws IOException {
    keys.find(keyPositions[entry], keyLengths[entry]);
    int from = keys.foundOffset();
    return Arrays.copyOfRange(keys.foundBytes(), from, from + keyLengths[entry]);
  }

  /** Makes {@link #bodyArray} and the like show the record of an entry, until the next call. */
  void loadBody(int entry) throws IOException {
    bodies.find(bodyPositions[entry], bodyLengths[entry]);
  }

  byte[] bodyArray() {
    return bodies.foundBytes();
  }

  int bodyOffset() {
    return bodies.foundOffset();
  }

  int bodyLength(int entry) {
    return bodyLengths[entry];
  }

  /** Forgets all entries. */
  void clear() throws IOException {
    Arrays.fill(slots, 0);
    size = 0;
    values = null;
    liveBytes = 0;
    keys.close();
    bodies.close();
    keys = newKeyStore();
    bodies = new ByteStore(memory);
  }

  @Override
  public void close() throws IOException {
    keys.close();
    bodies.close();
  }

  private int insert(int slot, int hash, byte[] key, int offset, int length) throws IOException {
    if (size == hashes.length) {
      growEntries();
    }
    int entry = size++;
    hashes[entry] = hash;
    keyPositions[entry] = keys.add(key, offset, length);
    keyLengths[entry] = length;
    bodyPositions[entry] = NO_BODY;
    bodyLengths[entry] = 0;
    slots[slot] = entry + 1;
    if (size > slots.length / 2) {
      growSlots();
    }
    return entry;
  }

  private void setVersion(int entry, Version version, int origin) {
    origins[entry] = origin;
    flags[entry] = version.isDelete() ? DELETE : 0;
    kinds[entry] = (byte) version.kind().ordinal();
    numbers[entry] = version.number();
    if (version.value() != null) {
      if (values == null) {
        values = new OrderingValue[hashes.length];
      }
      values[entry] = version.value();
    }
  }

  private void setBody(int entry, byte[] body, int offset, int length) throws IOException {
    long position = bodyPositions[entry];
    if (position == NO_BODY
        || length > bodyLengths[entry]
        || !bodies.overwrite(position, body, offset, length)) {
      bodyPositions[entry] = bodies.add(body, offset, length);
    }
    liveBytes += length - bodyLengths[entry];
    bodyLengths[entry] = length;
    moveTogetherIfMostIsHoles();
  }

  private void dropBody(int entry) throws IOException {
    liveBytes -= bodyLengths[entry];
    bodyPositions[entry] = NO_BODY;
    bodyLengths[entry] = 0;
    moveTogetherIfMostIsHoles();
  }

  private void moveTogetherIfMostIsHoles() throws IOException {
    if (bodies.size() <= 2 * liveBytes + 8L * bodies.chunkSize()) {
      return;
    }
    ByteStore from = bodies;
    ByteStore to = new ByteStore(memory);
    for (int entry = 0; entry < size; entry++) {
      if (bodyPositions[entry] != NO_BODY) {
        from.find(bodyPositions[entry], bodyLengths[entry]);
        bodyPositions[entry] = to.add(from.foundBytes(), from.foundOffset(), bodyLengths[entry]);
      }
    }
    bodies = to;
    from.close();
  }

  private void growEntries() {
    if (size > (1 << 29)) {
      throw new IllegalStateException(
          "The log files of one slice hold more than " + size + " keys; compact the table");
    }
    int capacity = size * 2;
    hashes = Arrays.copyOf(hashes, capacity);
    keyPositions = Arrays.copyOf(keyPositions, capacity);
    keyLengths = Arrays.copyOf(keyLengths, capacity);
    bodyPositions = Arrays.copyOf(bodyPositions, capacity);
    bodyLengths = Arrays.copyOf(bodyLengths, capacity);
    origins = Arrays.copyOf(origins, capacity);
    flags = Arrays.copyOf(flags, capacity);
    kinds = Arrays.copyOf(kinds, capacity);
    numbers = Arrays.copyOf(numbers, capacity);
    if (values != null) {
      values = Arrays.copyOf(values, capacity);
    }
  }

  private void growSlots() {
    int[] grown = new int[slots.length * 2];
    int mask = grown.length - 1;
    for (int entry = 0; entry < size; entry++) {
      int slot = hashes[entry] & mask;
      while (grown[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      grown[slot] = entry + 1;
    }
    slots = grown;
  }

  /** The slot of a key, or the free slot where it belongs. */
  private int slotOf(int hash, byte[] key, int offset, int length) throws IOException {
    int mask = slots.length - 1;
    int slot = hash & mask;
    while (true) {
      int entry = slots[slot] - 1;
      if (entry == NONE) {
        return slot;
      }
      if (hashes[entry] == hash && keyLengths[entry] == length) {
        keys.find(keyPositions[entry], length);
        int from = keys.foundOffset();
        if (Arrays.equals(keys.foundBytes(), from, from + length, key, offset, offset + length)) {
          return slot;
        }
      }
      slot = (slot + 1) & mask;
    }
  }

  private static int hash(byte[] key, int offset, int length) {
    long hash = length * 0x9E3779B97F4A7C15L;
    int at = offset;
    int end = offset + length;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONGS.get(key, at));
    }
    long rest = 0;
    for (; at < end; at++) {
      rest = rest << 8 | (key[at] & 0xFF);
    }
    return (int) mix(hash ^ rest);
  }

  private static long mix(long value) {
    long mixed = value * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 29)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 32);
  }
}
