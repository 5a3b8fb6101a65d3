package io.hudilite.sink.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.merge.Version;
import io.hudilite.core.write.FileGroupWriter;
import io.hudilite.sink.record.HudiRecord;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.annotation.Nullable;

/**
 * The buffered rows of one file group, each key once: the version that counts. Rows lie one after
 * the other in pages that grow from small to large, so that a thousand file groups with a few rows
 * each cost little; a row never spans pages, and one that is larger than a page gets its own. A row
 * that was replaced stays where it is and is skipped. Not safe for use by several threads.
 */
final class GroupBuffer {
  private static final int FIRST_PAGE_BYTES = 1 << 10;
  private static final int FIRST_TABLE_SLOTS = 8;

  /** What objects, lists and array headers of one group cost besides pages and table. */
  private static final int FIXED_BYTES = 512;

  /** Before each row stand its length and one byte that tells whether it still counts. */
  private static final int PREFIX_BYTES = 5;

  private static final byte LIVE = 1;
  private static final byte REPLACED = 0;
  private static final long EMPTY = -1;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  /** Takes one row; the array is the buffer's own and must not be kept. */
  @FunctionalInterface
  interface Visitor {
    void visit(byte[] page, int recordOffset, int recordLength) throws IOException;
  }

  private final FileGroupId id;

  /** Null if all rows are kept, whatever their keys. */
  @Nullable private final RecordMerger merger;

  @Nullable private final BodyCombiner combiner;

  private final Version earlier = new Version();
  private final Version later = new Version();
  private final List<byte[]> pages = new ArrayList<>();

  /** Bytes used in each page. */
  private int[] used = new int[4];

  /**
   * Hash and number of each key. Open addressing; never more than 2/3 full. With the hash at hand
   * the page of another key is not looked at: it would have to come from far memory.
   */
  private long[] table = new long[FIRST_TABLE_SLOTS];

  /** Page and offset of the row that counts, by the number of its key. */
  private long[] addresses = new long[FIRST_TABLE_SLOTS];

  private int keys;

  private int rows;
  private int deletes;
  private long bytes = FIXED_BYTES + 2L * Long.BYTES * FIRST_TABLE_SLOTS;
  private boolean isNewGroup;

  private final PagePool pool;

  /**
   * @param merger null if all rows are to be kept, whatever their keys
   */
  GroupBuffer(FileGroupId id, @Nullable RecordMerger merger) {
    this(id, merger, null, new PagePool());
  }

  /**
   * @param combiner null unless the rule makes one row out of several versions
   * @param pool where pages come from
   */
  GroupBuffer(
      FileGroupId id,
      @Nullable RecordMerger merger,
      @Nullable BodyCombiner combiner,
      PagePool pool) {
    this.pool = requireNonNull(pool, "pool");
    this.id = requireNonNull(id, "id");
    this.merger = merger;
    this.combiner = combiner;
    Arrays.fill(table, EMPTY);
  }

  FileGroupId id() {
    return id;
  }

  /** Live rows, deletes included. */
  int rows() {
    return rows;
  }

  /** Live deletes. */
  int deletes() {
    return deletes;
  }

  /** What the group takes of the heap, about. */
  long bytes() {
    return bytes;
  }

  /** Whether a row said that the group was opened in this checkpoint interval. */
  boolean isNewGroup() {
    return isNewGroup;
  }

  /**
   * Whether this row must not come before the group was flushed: a delete that is here already must
   * keep it from being combined with the rows before the delete.
   */
  boolean mustBeFlushedBefore(HudiRecord record) {
    if (combiner == null || record.isDelete()) {
      return false;
    }
    long entry = table[slotOf(record)];
    if (entry == EMPTY) {
      return false;
    }
    long old = addresses[(int) entry];
    return HudiRecord.isDelete(pages.get(pageOf(old)), offsetOf(old));
  }

  /** Adds a row, and forgets what it replaces; or forgets it, if an older one counts more. */
  void add(HudiRecord record) throws IOException {
    isNewGroup |= record.isInNewGroup();
    if (merger == null) {
      append(record.bytes());
      rows++;
      return;
    }
    int slot = slotOf(record);
    byte[] bytesOfRecord = record.bytes();
    if (table[slot] == EMPTY) {
      addKey(slot, record.keyHash(), append(bytesOfRecord));
    } else {
      int number = (int) table[slot];
      byte[] page = pages.get(pageOf(addresses[number]));
      int offset = offsetOf(addresses[number]);
      boolean wins = replaces(record, page, offset);
      if (combiner != null && !record.isDelete() && !HudiRecord.isDelete(page, offset)) {
        int length = (int) INT.get(page, offset - PREFIX_BYTES);
        bytesOfRecord = combiner.combine(page, offset, length, record.bytes(), wins);
      } else if (!wins) {
        return;
      }
      page[offset - 1] = REPLACED;
      rows--;
      if (HudiRecord.isDelete(page, offset)) {
        deletes--;
      }
      addresses[number] = append(bytesOfRecord);
    }
    rows++;
    if (HudiRecord.isDelete(bytesOfRecord, 0)) {
      deletes++;
    }
  }

  private void addKey(int slot, int hash, long address) {
    if (keys == addresses.length) {
      bytes += Long.BYTES * (long) keys;
      addresses = Arrays.copyOf(addresses, 2 * keys);
    }
    table[slot] = (long) hash << 32 | keys; // not EMPTY: numbers are not negative
    addresses[keys++] = address;
    if (3L * keys > 2L * table.length) {
      grow();
    }
  }

  /** In which order rows are visited. */
  enum Order {
    ARRIVAL,
    /** By the bytes of the record key. */
    RECORD_KEY
  }

  /** Visits the live rows in an order. */
  void forEach(Order order, Visitor visitor) throws IOException {
    if (order == Order.ARRIVAL) {
      forEach(visitor);
      return;
    }
    Row[] sorted = new Row[rows];
    int[] next = new int[1];
    forEach((page, offset, length) -> sorted[next[0]++] = new Row(page, offset, length));
    Arrays.sort(sorted);
    for (Row row : sorted) {
      visitor.visit(row.page, row.offset, row.length);
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // compared by key only
  private record Row(byte[] page, int offset, int length) implements Comparable<Row> {
    @Override
    public int compareTo(Row other) {
      int from = HudiRecord.keyOffset(offset);
      int otherFrom = HudiRecord.keyOffset(other.offset);
      return Arrays.compareUnsigned(
          page,
          from,
          from + HudiRecord.keyLength(page, offset),
          other.page,
          otherFrom,
          otherFrom + HudiRecord.keyLength(other.page, other.offset));
    }
  }

  /** Visits the live rows in the order in which they came. */
  void forEach(Visitor visitor) throws IOException {
    for (int i = 0; i < pages.size(); i++) {
      byte[] page = pages.get(i);
      int at = 0;
      while (at < used[i]) {
        int length = (int) INT.get(page, at);
        if (page[at + 4] == LIVE) {
          visitor.visit(page, at + PREFIX_BYTES, length);
        }
        at += PREFIX_BYTES + length;
      }
    }
  }

  /** Gives the pages back: the group is of no use any more. */
  void release() {
    pool.giveBack(pages);
    pages.clear();
  }

  /** Hands the live rows to the writer of their file group, in the order in which they came. */
  void writeTo(FileGroupWriter writer) throws IOException {
    forEach(
        (page, offset, length) -> {
          int keyOffset = HudiRecord.keyOffset(offset);
          int keyLength = HudiRecord.keyLength(page, offset);
          if (HudiRecord.isDelete(page, offset)) {
            writer.delete(page, keyOffset, keyLength, HudiRecord.ordering(page, offset));
          } else {
            writer.upsert(
                page,
                keyOffset,
                keyLength,
                HudiRecord.bodyOffset(page, offset),
                HudiRecord.bodyLength(page, offset, length));
          }
        });
  }

  private boolean replaces(HudiRecord record, byte[] page, int offset) {
    if (!merger.usesOrdering()) {
      return true;
    }
    return merger.laterWins(HudiRecord.into(earlier, page, offset), record.into(later));
  }

  private long append(byte[] record) {
    int needed = PREFIX_BYTES + record.length;
    int last = pages.size() - 1;
    if (last < 0 || pages.get(last).length - used[last] < needed) {
      addPage(needed);
      last++;
    }
    byte[] page = pages.get(last);
    int at = used[last];
    INT.set(page, at, record.length);
    page[at + 4] = LIVE;
    System.arraycopy(record, 0, page, at + PREFIX_BYTES, record.length);
    used[last] += needed;
    return ((long) last << 32) | (at + PREFIX_BYTES);
  }

  private void addPage(int needed) {
    int shift = Math.min(pages.size(), 6);
    int size = Math.max(needed, Math.min(PagePool.PAGE_BYTES, FIRST_PAGE_BYTES << shift));
    pages.add(size == PagePool.PAGE_BYTES ? pool.take() : new byte[size]);
    if (pages.size() > used.length) {
      used = Arrays.copyOf(used, 2 * used.length);
    }
    bytes += size;
  }

  private int slotOf(HudiRecord record) {
    int mask = table.length - 1;
    int hash = record.keyHash();
    int slot = spread(hash) & mask;
    while (table[slot] != EMPTY && !hasKey(table[slot], hash, record)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean hasKey(long entry, int hash, HudiRecord record) {
    if (hashOf(entry) != hash) {
      return false;
    }
    long address = addresses[(int) entry];
    return record.hasSameKey(pages.get(pageOf(address)), offsetOf(address));
  }

  private void grow() {
    long[] old = table;
    table = new long[2 * old.length];
    Arrays.fill(table, EMPTY);
    bytes += Long.BYTES * (long) old.length;
    int mask = table.length - 1;
    for (long entry : old) {
      if (entry != EMPTY) {
        int slot = spread(hashOf(entry)) & mask;
        while (table[slot] != EMPTY) {
          slot = (slot + 1) & mask;
        }
        table[slot] = entry;
      }
    }
  }

  private static int hashOf(long entry) {
    return (int) (entry >>> 32);
  }

  private static int spread(int hash) {
    int mixed = hash * 0x9E3779B9;
    return mixed ^ (mixed >>> 16);
  }

  private static int pageOf(long address) {
    return (int) (address >>> 32);
  }

  private static int offsetOf(long address) {
    return (int) address;
  }
}
