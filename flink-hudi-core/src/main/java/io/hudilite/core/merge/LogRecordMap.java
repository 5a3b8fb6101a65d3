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
 * its entries in one array, so that a million keys make no million objects and an entry is in one
 * place of the memory: most of the time goes into waiting for it. Keys and ordering values stay on
 * the heap; the undecoded records go to a file when they exceed the bound. Records that were
 * replaced leave holes, and the records are moved together when half of their space is holes.
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
  private static final long NO_BODY = -1;

  /** An entry takes so many longs. */
  private static final int STRIDE = 5;

  private static final int KEY_POSITION = 0;
  private static final int BODY_POSITION = 1;
  private static final int NUMBER = 2;

  /** Length of the body in the upper half, of the key in the lower. */
  private static final int LENGTHS = 3;

  /**
   * Origin in the upper half; below it {@link #DELETE}, {@link #MATCHED} and the ordering's kind.
   */
  private static final int STATE = 4;

  private static final long DELETE = 1 << 8;
  private static final long MATCHED = 1 << 9;
  private static final long KIND_MASK = 0xFF;
  private static final int MAX_ENTRIES = (Integer.MAX_VALUE - 8) / STRIDE;
  private static final long LOW = 0xFFFF_FFFFL;

  private final RecordMerger merger;
  private final MergeMemory memory;
  private final Version earlier = new Version();

  /** Hash in the upper half, entry + 1 in the lower; 0 is free. */
  private long[] slots = new long[1 << 10];

  private int size;
  private long[] entries = new long[512 * STRIDE];

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

  /** Puts a version in the place of an entry's, whatever the merger says of the two. */
  void replace(int entry, Version version, int origin, byte[] body, int offset, int length)
      throws IOException {
    setBody(entry, body, offset, length);
    setVersion(entry, version, origin);
  }

  /** Puts a delete in the place of an entry's version. */
  void replaceByDelete(int entry, Version version, int origin) throws IOException {
    dropBody(entry);
    setVersion(entry, version, origin);
  }

  /** The entry to be overwritten by a version: a new one, or one that loses; else NONE. */
  private int entryFor(byte[] key, int offset, int length, Version version) throws IOException {
    int hash = hash(key, offset, length);
    int slot = slotOf(hash, key, offset, length);
    int entry = (int) slots[slot] - 1;
    if (entry == NONE) {
      return insert(slot, hash, key, offset, length);
    }
    version(entry, earlier);
    return merger.laterWins(earlier, version) ? entry : NONE;
  }

  /** The entry of a key, or {@link #NONE}. */
  int find(byte[] key, int offset, int length) throws IOException {
    return (int) slots[slotOf(hash(key, offset, length), key, offset, length)] - 1;
  }

  boolean isDelete(int entry) {
    return (entries[entry * STRIDE + STATE] & DELETE) != 0;
  }

  /** Remembers that a row of the base file has the key of this entry. */
  void setMatched(int entry) {
    entries[entry * STRIDE + STATE] |= MATCHED;
  }

  boolean isMatched(int entry) {
    return (entries[entry * STRIDE + STATE] & MATCHED) != 0;
  }

  int origin(int entry) {
    return (int) (entries[entry * STRIDE + STATE] >>> 32);
  }

  void version(int entry, Version target) {
    boolean delete = isDelete(entry);
    Kind kind = KINDS[(int) (entries[entry * STRIDE + STATE] & KIND_MASK)];
    switch (kind) {
      case NONE -> target.setNone(delete);
      case INT, LONG -> target.setNumber(delete, kind, entries[entry * STRIDE + NUMBER]);
      case BOOLEAN, FLOAT, DOUBLE, STRING, BYTES, DECIMAL, LIST ->
          target.set(delete, values[entry]);
    }
  }

  byte[] key(int entry) throws IOException {
    int length = keyLength(entry);
    keys.find(entries[entry * STRIDE + KEY_POSITION], length);
    int from = keys.foundOffset();
    return Arrays.copyOfRange(keys.foundBytes(), from, from + length);
  }

  /** Makes {@link #bodyArray} and the like show the record of an entry, until the next call. */
  void loadBody(int entry) throws IOException {
    bodies.find(bodyPosition(entry), bodyLength(entry));
  }

  byte[] bodyArray() {
    return bodies.foundBytes();
  }

  int bodyOffset() {
    return bodies.foundOffset();
  }

  int bodyLength(int entry) {
    return (int) (entries[entry * STRIDE + LENGTHS] >>> 32);
  }

  private int keyLength(int entry) {
    return (int) entries[entry * STRIDE + LENGTHS];
  }

  private long bodyPosition(int entry) {
    return entries[entry * STRIDE + BODY_POSITION];
  }

  private void setBody(int entry, long position, int length) {
    entries[entry * STRIDE + BODY_POSITION] = position;
    entries[entry * STRIDE + LENGTHS] = ((long) length << 32) | keyLength(entry);
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
    if (size * STRIDE == entries.length) {
      growEntries();
    }
    int entry = size++;
    int at = entry * STRIDE;
    entries[at + KEY_POSITION] = keys.add(key, offset, length);
    entries[at + BODY_POSITION] = NO_BODY;
    entries[at + LENGTHS] = length;
    slots[slot] = ((long) hash << 32) | (entry + 1);
    if (size > slots.length / 2) {
      growSlots();
    }
    return entry;
  }

  private void setVersion(int entry, Version version, int origin) {
    entries[entry * STRIDE + STATE] =
        ((long) origin << 32) | (version.isDelete() ? DELETE : 0) | version.kind().ordinal();
    entries[entry * STRIDE + NUMBER] = version.number();
    if (version.value() != null) {
      if (values == null) {
        values = new OrderingValue[entries.length / STRIDE];
      }
      values[entry] = version.value();
    }
  }

  private void setBody(int entry, byte[] body, int offset, int length) throws IOException {
    long position = bodyPosition(entry);
    int oldLength = bodyLength(entry);
    if (position == NO_BODY
        || length > oldLength
        || !bodies.overwrite(position, body, offset, length)) {
      position = bodies.add(body, offset, length);
    }
    liveBytes += length - oldLength;
    setBody(entry, position, length);
    moveTogetherIfMostIsHoles();
  }

  private void dropBody(int entry) throws IOException {
    liveBytes -= bodyLength(entry);
    setBody(entry, NO_BODY, 0);
    moveTogetherIfMostIsHoles();
  }

  private void moveTogetherIfMostIsHoles() throws IOException {
    if (bodies.size() <= 2 * liveBytes + 8L * bodies.chunkSize()) {
      return;
    }
    ByteStore from = bodies;
    ByteStore to = new ByteStore(memory);
    for (int entry = 0; entry < size; entry++) {
      long position = bodyPosition(entry);
      if (position != NO_BODY) {
        int length = bodyLength(entry);
        from.find(position, length);
        setBody(entry, to.add(from.foundBytes(), from.foundOffset(), length), length);
      }
    }
    bodies = to;
    from.close();
  }

  private void growEntries() {
    if (size > MAX_ENTRIES / 2) {
      throw new IllegalStateException(
          "The log files of one slice hold more than " + size + " keys; compact the table");
    }
    entries = Arrays.copyOf(entries, 2 * size * STRIDE);
    if (values != null) {
      values = Arrays.copyOf(values, 2 * size);
    }
  }

  private void growSlots() {
    long[] grown = new long[slots.length * 2];
    int mask = grown.length - 1;
    for (long taken : slots) {
      if (taken != 0) {
        int slot = (int) (taken >>> 32) & mask;
        while (grown[slot] != 0) {
          slot = (slot + 1) & mask;
        }
        grown[slot] = taken;
      }
    }
    slots = grown;
  }

  /** The slot of a key, or the free slot where it belongs. */
  private int slotOf(int hash, byte[] key, int offset, int length) throws IOException {
    int mask = slots.length - 1;
    int slot = hash & mask;
    while (true) {
      long taken = slots[slot];
      if (taken == 0) {
        return slot;
      }
      if ((int) (taken >>> 32) == hash) {
        int entry = (int) (taken & LOW) - 1;
        if (keyLength(entry) == length) {
          keys.find(entries[entry * STRIDE + KEY_POSITION], length);
          int from = keys.foundOffset();
          if (Arrays.equals(keys.foundBytes(), from, from + length, key, offset, offset + length)) {
            return slot;
          }
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
