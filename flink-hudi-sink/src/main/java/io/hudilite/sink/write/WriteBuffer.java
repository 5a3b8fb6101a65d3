package io.hudilite.sink.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.sink.record.HudiRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import javax.annotation.Nullable;

/**
 * The rows that a writer has not flushed yet, by file group, in bounded memory. It does not flush
 * itself: after each {@link #add} its owner flushes what {@link #takeOverfull} gives. Not safe for
 * use by several threads.
 */
final class WriteBuffer {
  private final LongSupplier maxBytes;
  private final long maxGroupBytes;
  @Nullable private final RecordMerger merger;
  @Nullable private final BodyCombiner combiner;
  private final Map<GroupKey, GroupBuffer> groups = new HashMap<>();
  private final GroupKey lookUp = new GroupKey();
  private final PagePool pool = new PagePool();
  private GroupBuffer lastGroup;
  private long bytes;

  /**
   * @param maxBytes of all file groups together; may change
   * @param maxGroupBytes of one file group
   * @param merger null if all rows are to be kept, whatever their keys
   */
  WriteBuffer(LongSupplier maxBytes, long maxGroupBytes, @Nullable RecordMerger merger) {
    this(maxBytes, maxGroupBytes, merger, null);
  }

  /**
   * @param combiner null unless the rule makes one row out of several versions
   */
  WriteBuffer(
      LongSupplier maxBytes,
      long maxGroupBytes,
      @Nullable RecordMerger merger,
      @Nullable BodyCombiner combiner) {
    this.maxBytes = requireNonNull(maxBytes, "maxBytes");
    this.maxGroupBytes = maxGroupBytes;
    this.merger = merger;
    this.combiner = combiner;
  }

  /** Bytes of the heap that the rows take, about. May exceed the limit by one row until flushed. */
  long bytes() {
    return bytes;
  }

  /** File groups that have rows. */
  int groups() {
    return groups.size();
  }

  boolean isEmpty() {
    return groups.isEmpty();
  }

  /** Removes what must be flushed before a row is added: mostly nothing. */
  List<GroupBuffer> takeBefore(HudiRecord record) {
    if (combiner == null) {
      return List.of();
    }
    GroupBuffer group = groupOf(record);
    if (!group.mustBeFlushedBefore(record)) {
      return List.of();
    }
    remove(group);
    return List.of(group);
  }

  void add(HudiRecord record) throws IOException {
    GroupBuffer group = groupOf(record);
    long before = group.bytes();
    group.add(record);
    long added = group.bytes() - before;
    bytes += added;
    lastGroup = group;
    if (added > 0 && pool.idleBytes() > 0) {
      pool.shrinkTo(maxBytes.getAsLong() - bytes);
    }
  }

  /** Takes the memory of groups that were taken and flushed, for the next rows. */
  void release(List<GroupBuffer> flushed) {
    flushed.forEach(GroupBuffer::release);
    pool.shrinkTo(maxBytes.getAsLong() - bytes);
  }

  /**
   * Removes what must be flushed now: the group of the last row if it is too large; and if all
   * together are, the largest groups until a quarter of the memory is free. Mostly nothing.
   */
  List<GroupBuffer> takeOverfull() {
    long most = maxBytes.getAsLong();
    if (bytes < most && (lastGroup == null || lastGroup.bytes() < maxGroupBytes)) {
      return List.of();
    }
    List<GroupBuffer> taken = new ArrayList<>();
    if (lastGroup != null && lastGroup.bytes() >= maxGroupBytes) {
      taken.add(lastGroup);
      remove(lastGroup);
    }
    if (bytes >= most) {
      List<GroupBuffer> largestFirst = new ArrayList<>(groups.values());
      largestFirst.sort(Comparator.comparingLong(GroupBuffer::bytes).reversed());
      for (GroupBuffer group : largestFirst) {
        if (bytes <= most - most / 4) {
          break;
        }
        taken.add(group);
        remove(group);
      }
    }
    return taken;
  }

  /** Removes everything. */
  List<GroupBuffer> takeAll() {
    List<GroupBuffer> taken = new ArrayList<>(groups.values());
    taken.sort(Comparator.comparing(GroupBuffer::id));
    groups.clear();
    lastGroup = null;
    bytes = 0;
    return taken;
  }

  private void remove(GroupBuffer group) {
    groups.values().remove(group);
    bytes -= group.bytes();
    lastGroup = null;
  }

  private GroupBuffer groupOf(HudiRecord record) {
    lookUp.set(record);
    GroupBuffer group = groups.get(lookUp);
    if (group == null) {
      group =
          new GroupBuffer(
              new FileGroupId(record.partitionPath(), record.fileId()), merger, combiner, pool);
      groups.put(lookUp.copy(), group);
      bytes += group.bytes();
    }
    return group;
  }

  /** File id and partition without text; the ids of one table differ in their UUID already. */
  private static final class GroupKey {
    private long high;
    private long low;
    private int number;
    private int partitionHash;

    private void set(HudiRecord record) {
      high = record.fileIdHigh();
      low = record.fileIdLow();
      number = record.fileIdNumber();
      partitionHash = record.partitionHash();
    }

    private GroupKey copy() {
      GroupKey copy = new GroupKey();
      copy.high = high;
      copy.low = low;
      copy.number = number;
      copy.partitionHash = partitionHash;
      return copy;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof GroupKey other
          && high == other.high
          && low == other.low
          && number == other.number
          && partitionHash == other.partitionHash;
    }

    @Override
    public int hashCode() {
      return 31 * Long.hashCode(high ^ low) + number;
    }
  }
}
