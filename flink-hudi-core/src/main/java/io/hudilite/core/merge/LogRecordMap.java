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
 * place of the memory: most of the time goes into waiting for it. Of a record only what will be
 * read is kept; keys are looked at inside the records, and a version is decoded only when two of a
 * key meet. A record that replaces another takes its space, where it fits. Others leave holes, and
 * the records are moved together when half of their space is holes; beyond the bound they go to a
 * file, and their keys and ordering values stay on the heap.
 *
 * <p>Entries are numbered from 0 in the order in which their keys came first, so going through them
 * gives the same order whatever the bound. Not safe for use by several threads.
 */
final class LogRecordMap implements Closeable {
  /** What {@link #find} returns for an unknown key. */
  static final int NONE = -1;

  /** Reads the version out of a record. */
  @FunctionalInterface
  interface VersionReader {
    /**
     * Reads the version of a record.
     *
     * @param origin what {@link #putUpsert} was given
     * @param keyOffset index in {@code array}
     */
    void read(
        int origin, byte[] array, int offset, int length, int keyOffset, int keyLength, Version to)
        throws IOException;
  }

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final Kind[] KINDS = Kind.values();
  private static final long NO_BODY = -1;

  /** An entry takes so many longs: half a line of the processor's cache. */
  private static final int STRIDE = 4;

  /** Longs before the first entry, so that none lies across two lines in a large array. */
  private static final int HEAD = 6;

  private static final int POSITION = HEAD;

  /** Length of the body in the upper half, of the key in the lower. */
  private static final int LENGTHS = HEAD + 1;

  private static final int NUMBER = HEAD + 2;

  /**
   * Origin in the upper half; below it the key's offset in its record, {@link #KEY_INSIDE}, {@link
   * #MATCHED}, {@link #DELETE} and the ordering's kind.
   */
  private static final int STATE = HEAD + 3;

  private static final long KIND_MASK = 0xFF;

  /** In place of a kind: the version is still to be read from the record. */
  private static final long UNREAD = 0xFF;

  private static final long DELETE = 1 << 8;
  private static final long MATCHED = 1 << 9;

  /** The key is inside the record, and the record on the heap. */
  private static final long KEY_INSIDE = 1 << 10;

  private static final int KEY_OFFSET_SHIFT = 11;

  private static final int KEY_OFFSET_LIMIT = 1 << (32 - KEY_OFFSET_SHIFT);

  /** Bytes that the processor fetches at least. */
  private static final int CACHE_LINE = 64;

  private static final int MAX_ENTRIES = (Integer.MAX_VALUE - 8 - HEAD) / STRIDE;
  private static final long LOW = 0xFFFF_FFFFL;

  private final RecordMerger merger;
  private final boolean laterAlwaysWins;
  private final MergeMemory memory;
  private final VersionReader versions;
  private final Version earlier = new Version();
  private final Version later = new Version();

  /** Hash in the upper half, entry + 1 in the lower; 0 is free. */
  private long[] slots = new long[1 << 10];

  private int size;
  private long[] entries = new long[HEAD + 512 * STRIDE];

  /** Ordering values that are no integers; null as long as there is none. */
  @Nullable private OrderingValue[] values;

  /** Positions in {@link #keys} of keys that are stored there, else negative. */
  private long[] keyPositions = new long[0];

  private ByteStore keys;
  private ByteStore bodies;

  /** Space of the records of entries. */
  private long liveBytes;

  /** Where {@link #prefetch} keeps what it looked at. */
  private long[] touched = new long[0];

  /** Of no use but to be written, or looking would be optimized away. */
  @SuppressWarnings("UnusedVariable")
  private long touchedSum;

  LogRecordMap(RecordMerger merger, MergeMemory memory, VersionReader versions) {
    this.merger = merger;
    this.laterAlwaysWins = merger instanceof CommitTimeMerger;
    this.memory = memory;
    this.versions = versions;
    this.keys = newKeyStore();
    this.bodies = new ByteStore(memory);
  }

  /** A map that is never given versions to read. */
  LogRecordMap(RecordMerger merger, MergeMemory memory) {
    this(
        merger,
        memory,
        (origin, array, offset, length, keyOffset, keyLength, to) -> {
          throw new IllegalStateException("No version was left in its record");
        });
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
    return bodies.heldBytes();
  }

  /**
   * Copies a record that upserts and has its key inside, later in reading order than all so far.
   * Its version is read if it is needed.
   *
   * @param keyOffset index in {@code array}
   * @param hash {@link #hash} of the key
   * @param origin a number of the caller's that it wants back: which block the version is from
   */
  void putUpsert(
      byte[] array, int offset, int length, int keyOffset, int keyLength, int hash, int origin)
      throws IOException {
    int slot = slotOf(hash, array, keyOffset, keyLength);
    int entry = (int) slots[slot] - 1;
    boolean isRead = false;
    if (entry == NONE) {
      entry = insert(slot, hash, keyLength);
    } else if (!laterAlwaysWins) {
      version(entry, earlier);
      versions.read(origin, array, offset, length, keyOffset, keyLength, later);
      if (!merger.laterWins(earlier, later)) {
        return;
      }
      isRead = true;
    }
    setBody(entry, array, offset, length);
    int keyInRecord = keyOffset - offset;
    if (keyInRecord < KEY_OFFSET_LIMIT) {
      setState(entry, ((long) keyInRecord << KEY_OFFSET_SHIFT) | KEY_INSIDE, UNREAD, origin);
      if (isRead) {
        setVersion(entry, later);
      }
    } else {
      if (!hasStoredKey(entry)) {
        setKeyPosition(entry, keys.add(array, keyOffset, keyLength));
      }
      if (!isRead) {
        versions.read(origin, array, offset, length, keyOffset, keyLength, later);
      }
      setState(entry, 0, UNREAD, origin);
      setVersion(entry, later);
    }
    makeRoom();
  }

  /**
   * The entry that a version is to be put in by {@link #fill}, before anything else is done: a new
   * one, or one that loses against it; else {@link #NONE}.
   *
   * @param hash {@link #hash} of the key
   */
  int claim(byte[] key, int offset, int length, int hash, Version version) throws IOException {
    int slot = slotOf(hash, key, offset, length);
    int entry = (int) slots[slot] - 1;
    if (entry == NONE) {
      return insert(slot, hash, length);
    }
    if (!laterAlwaysWins) {
      version(entry, earlier);
      if (!merger.laterWins(earlier, version)) {
        return NONE;
      }
    }
    return entry;
  }

  /** Copies a record that begins with its key into an entry that was claimed for it. */
  void fill(int entry, Version version, int origin, byte[] body, int offset, int length)
      throws IOException {
    setBody(entry, body, offset, length);
    setState(entry, KEY_INSIDE, UNREAD, origin);
    setVersion(entry, version);
    makeRoom();
  }

  /** Takes a version that comes later in reading order than all so far, and copies it. */
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
      setState(entry, 0, UNREAD, origin);
      setVersion(entry, version);
      makeRoom();
    }
  }

  /** Takes a delete, as {@link #put}. */
  void delete(byte[] key, int keyOffset, int keyLength, Version version, int origin)
      throws IOException {
    int entry = entryFor(key, keyOffset, keyLength, version);
    if (entry != NONE) {
      liveBytes -= ByteStore.space(bodyLength(entry));
      setBody(entry, NO_BODY, 0);
      setState(entry, 0, UNREAD, origin);
      setVersion(entry, version);
    }
  }

  /** Puts a version in the place of an entry's, whatever the merger says of the two. */
  void replace(int entry, Version version, int origin, byte[] body, int offset, int length)
      throws IOException {
    storeKey(entry);
    setBody(entry, body, offset, length);
    setState(entry, 0, UNREAD, origin);
    setVersion(entry, version);
    makeRoom();
  }

  /** Puts a delete in the place of an entry's version. */
  void replaceByDelete(int entry, Version version, int origin) throws IOException {
    storeKey(entry);
    liveBytes -= ByteStore.space(bodyLength(entry));
    setBody(entry, NO_BODY, 0);
    setState(entry, 0, UNREAD, origin);
    setVersion(entry, version);
  }

  /**
   * The entry to be overwritten by a version: a new one, or one that loses; else NONE. Its key is
   * not inside a record then.
   */
  private int entryFor(byte[] key, int offset, int length, Version version) throws IOException {
    int hash = hash(key, offset, length);
    int slot = slotOf(hash, key, offset, length);
    int entry = (int) slots[slot] - 1;
    if (entry == NONE) {
      entry = insert(slot, hash, length);
      setKeyPosition(entry, keys.add(key, offset, length));
      return entry;
    }
    version(entry, earlier);
    if (!merger.laterWins(earlier, version)) {
      return NONE;
    }
    storeKey(entry);
    return entry;
  }

  /** The entry of a key, or {@link #NONE}. */
  int find(byte[] key, int offset, int length) throws IOException {
    return find(hash(key, offset, length), key, offset, length);
  }

  /** The same for a key whose {@link #hash} is known. */
  int find(int hash, byte[] key, int offset, int length) throws IOException {
    return (int) slots[slotOf(hash, key, offset, length)] - 1;
  }

  /**
   * Looks at the memory that looking up keys of these hashes will need. The processor fetches it
   * for all at the same time, not one after the other, as it would have to while keys are compared.
   */
  void prefetch(int[] hashes, int count) {
    if (touched.length < count) {
      touched = new long[count];
    }
    long[] table = slots;
    int mask = table.length - 1;
    for (int i = 0; i < count; i++) {
      touched[i] = table[hashes[i] & mask];
    }
    long sum = 0;
    for (int i = 0; i < count; i++) {
      int entry = (int) touched[i] - 1;
      touched[i] = NO_BODY;
      if (entry != NONE) {
        int at = entry * STRIDE;
        touched[i] = entries[at + POSITION] + keyOffset(entries[at + STATE]);
      }
    }
    for (int i = 0; i < count; i++) {
      sum += bodies.peek(touched[i]) + bodies.peek(touched[i] + CACHE_LINE);
    }
    touchedSum = sum;
  }

  /** Looks at the memory that the records of entries without a row in the base file lie in. */
  void prefetchUnmatched(int first, int end) {
    long sum = 0;
    for (int entry = first; entry < end; entry++) {
      long state = entries[entry * STRIDE + STATE];
      if ((state & MATCHED) == 0) {
        long key = bodyPosition(entry) + keyOffset(state);
        sum += bodies.peek(key) + bodies.peek(key + CACHE_LINE);
      }
    }
    touchedSum = sum;
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

  void version(int entry, Version target) throws IOException {
    long state = entries[entry * STRIDE + STATE];
    if ((state & KIND_MASK) == UNREAD) {
      int length = bodyLength(entry);
      bodies.find(bodyPosition(entry), length);
      int offset = bodies.foundOffset();
      int keyOffset = offset + keyOffset(state);
      versions.read(
          origin(entry), bodies.foundBytes(), offset, length, keyOffset, keyLength(entry), target);
      setVersion(entry, target);
      return;
    }
    boolean delete = (state & DELETE) != 0;
    Kind kind = KINDS[(int) (state & KIND_MASK)];
    switch (kind) {
      case NONE -> target.setNone(delete);
      case INT, LONG -> target.setNumber(delete, kind, entries[entry * STRIDE + NUMBER]);
      case BOOLEAN, FLOAT, DOUBLE, STRING, BYTES, DECIMAL, LIST ->
          target.set(delete, values[entry]);
    }
  }

  byte[] key(int entry) throws IOException {
    ByteStore store = findKey(entry);
    int from = store.foundOffset();
    return Arrays.copyOfRange(store.foundBytes(), from, from + keyLength(entry));
  }

  /** Finds a key in the store that is returned. */
  private ByteStore findKey(int entry) throws IOException {
    long state = entries[entry * STRIDE + STATE];
    int length = keyLength(entry);
    if ((state & KEY_INSIDE) != 0) {
      bodies.find(bodyPosition(entry) + keyOffset(state), length);
      return bodies;
    }
    keys.find(keyPositions[entry], length);
    return keys;
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

  int keyLength(int entry) {
    return (int) entries[entry * STRIDE + LENGTHS];
  }

  private static int keyOffset(long state) {
    return (int) (state & LOW) >>> KEY_OFFSET_SHIFT;
  }

  private long bodyPosition(int entry) {
    return entries[entry * STRIDE + POSITION];
  }

  private void setBody(int entry, long position, int length) {
    entries[entry * STRIDE + POSITION] = position;
    entries[entry * STRIDE + LENGTHS] = ((long) length << 32) | keyLength(entry);
  }

  private void setState(int entry, long key, long kind, int origin) {
    entries[entry * STRIDE + STATE] = ((long) origin << 32) | key | kind;
  }

  /** Forgets all entries. */
  void clear() throws IOException {
    Arrays.fill(slots, 0);
    size = 0;
    values = null;
    keyPositions = new long[0];
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

  /** The new entry has no body, and its state is still to be set. */
  private int insert(int slot, int hash, int keyLength) {
    if (HEAD + size * STRIDE == entries.length) {
      growEntries();
    }
    int entry = size++;
    setBody(entry, NO_BODY, 0);
    entries[entry * STRIDE + LENGTHS] = keyLength;
    entries[entry * STRIDE + STATE] = 0;
    slots[slot] = ((long) hash << 32) | (entry + 1);
    if (size > slots.length / 2) {
      growSlots();
    }
    return entry;
  }

  /** Leaves the rest of the state as it is. */
  private void setVersion(int entry, Version version) {
    int at = entry * STRIDE;
    entries[at + STATE] =
        (entries[at + STATE] & ~(KIND_MASK | DELETE))
            | (version.isDelete() ? DELETE : 0)
            | version.kind().ordinal();
    entries[at + NUMBER] = version.number();
    if (version.value() != null) {
      if (values == null) {
        values = new OrderingValue[entries.length / STRIDE];
      }
      values[entry] = version.value();
    }
  }

  private boolean hasStoredKey(int entry) {
    return entry < keyPositions.length && keyPositions[entry] >= 0;
  }

  private void setKeyPosition(int entry, long position) {
    int known = keyPositions.length;
    if (known <= entry) {
      keyPositions = Arrays.copyOf(keyPositions, Math.max(entry + 1, entries.length / STRIDE));
      Arrays.fill(keyPositions, known, keyPositions.length, -1);
    }
    keyPositions[entry] = position;
  }

  /** Copies a key that is inside its record, and reads the version: the record will be gone. */
  private void storeKey(int entry) throws IOException {
    int at = entry * STRIDE;
    if ((entries[at + STATE] & KEY_INSIDE) == 0) {
      return;
    }
    if ((entries[at + STATE] & KIND_MASK) == UNREAD) {
      version(entry, earlier);
    }
    if (!hasStoredKey(entry)) {
      ByteStore from = findKey(entry);
      setKeyPosition(entry, keys.add(from.foundBytes(), from.foundOffset(), keyLength(entry)));
    }
    entries[at + STATE] &= ~(KEY_INSIDE | (LOW << KEY_OFFSET_SHIFT & LOW));
  }

  private void setBody(int entry, byte[] body, int offset, int length) {
    long position = bodyPosition(entry);
    int oldLength = bodyLength(entry);
    if (position == NO_BODY
        || length > ByteStore.space(oldLength)
        || !bodies.overwrite(position, body, offset, length)) {
      position = bodies.add(body, offset, length, ByteStore.space(length));
    }
    liveBytes += ByteStore.space(length) - ByteStore.space(oldLength);
    setBody(entry, position, length);
  }

  private void makeRoom() throws IOException {
    if (bodies.heldBytes() > 2 * liveBytes + 8L * bodies.chunkSize()) {
      moveTogether();
    }
    if (bodies.isFull()) {
      spill();
    }
  }

  private void moveTogether() throws IOException {
    boolean maySpill = 2 * liveBytes + 8L * bodies.chunkSize() > memory.maxBytes();
    if (maySpill) {
      for (int entry = 0; entry < size; entry++) {
        storeKey(entry);
      }
    }
    ByteStore from = bodies;
    ByteStore to = new ByteStore(memory);
    for (int entry = 0; entry < size; entry++) {
      long position = bodyPosition(entry);
      if (position != NO_BODY) {
        int length = bodyLength(entry);
        from.find(position, length);
        setBody(
            entry,
            to.add(from.foundBytes(), from.foundOffset(), length, ByteStore.space(length)),
            length);
        if (maySpill && to.isFull()) {
          to.spillTo(to.spillEnd());
        }
      }
    }
    bodies = to;
    from.close();
  }

  private void spill() throws IOException {
    long end = bodies.spillEnd();
    for (int entry = 0; entry < size; entry++) {
      if (bodyPosition(entry) < end) {
        storeKey(entry);
      }
    }
    bodies.spillTo(end);
  }

  private void growEntries() {
    if (size > MAX_ENTRIES / 2) {
      throw new IllegalStateException(
          "The log files of one slice hold more than " + size + " keys; compact the table");
    }
    entries = Arrays.copyOf(entries, HEAD + 2 * size * STRIDE);
    if (values != null) {
      values = Arrays.copyOf(values, entries.length / STRIDE);
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
          ByteStore store = findKey(entry);
          int from = store.foundOffset();
          if (Arrays.equals(
              store.foundBytes(), from, from + length, key, offset, offset + length)) {
            return slot;
          }
        }
      }
      slot = (slot + 1) & mask;
    }
  }

  /** A hash of a key, of which also the lowest bits are spread. */
  static int hash(byte[] key, int offset, int length) {
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
