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
  private static final int LARGEST_PAGE_BYTES = 1 << 16;
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

  /** Addresses of live rows: page number and offset. Open addressing; never more than 2/3 full. */
  private long[] table = new long[FIRST_TABLE_SLOTS];

  private int rows;
  private int deletes;
  private long bytes = FIXED_BYTES + 8L * FIRST_TABLE_SLOTS;
  private boolean isNewGroup;

  /**
   * @param merger null if all rows are to be kept, whatever their keys
   */
  GroupBuffer(FileGroupId id, @Nullable RecordMerger merger) {
    this(id, merger, null);
  }

  /**
   * @param combiner null unless the rule makes one row out of several versions
   */
  GroupBuffer(FileGroupId id, @Nullable RecordMerger merger, @Nullable BodyCombiner combiner) {
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
    long old = table[slotOf(record)];
    return old != EMPTY && HudiRecord.isDelete(pages.get(pageOf(old)), offsetOf(old));
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
    long old = table[slot];
    byte[] bytesOfRecord = record.bytes();
    if (old != EMPTY) {
      byte[] page = pages.get(pageOf(old));
      boolean wins = replaces(record, page, offsetOf(old));
      if (combiner != null && !record.isDelete() && !HudiRecord.isDelete(page, offsetOf(old))) {
        int length = (int) INT.get(page, offsetOf(old) - PREFIX_BYTES);
        bytesOfRecord = combiner.combine(page, offsetOf(old), length, record.bytes(), wins);
      } else if (!wins) {
        return;
      }
      page[offsetOf(old) - 1] = REPLACED;
      rows--;
      if (HudiRecord.isDelete(page, offsetOf(old))) {
        deletes--;
      }
    }
    table[slot] = append(bytesOfRecord);
    rows++;
    if (HudiRecord.isDelete(bytesOfRecord, 0)) {
      deletes++;
    }
    if (old == EMPTY && 3L * rows > 2L * table.length) {
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
    int size = Math.max(needed, Math.min(LARGEST_PAGE_BYTES, FIRST_PAGE_BYTES << shift));
    pages.add(new byte[size]);
    if (pages.size() > used.length) {
      used = Arrays.copyOf(used, 2 * used.length);
    }
    bytes += size;
  }

  private int slotOf(HudiRecord record) {
    int mask = table.length - 1;
    int slot = spread(record.keyHash()) & mask;
    while (table[slot] != EMPTY
        && !record.hasSameKey(pages.get(pageOf(table[slot])), offsetOf(table[slot]))) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] old = table;
    table = new long[2 * old.length];
    Arrays.fill(table, EMPTY);
    bytes += 8L * old.length;
    int mask = table.length - 1;
    for (long address : old) {
      if (address != EMPTY) {
        int hash = HudiRecord.keyHash(pages.get(pageOf(address)), offsetOf(address));
        int slot = spread(hash) & mask;
        while (table[slot] != EMPTY) {
          slot = (slot + 1) & mask;
        }
        table[slot] = address;
      }
    }
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
