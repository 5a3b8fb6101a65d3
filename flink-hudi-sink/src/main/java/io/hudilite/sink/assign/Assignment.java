package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.merge.Version;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.record.GroupAddress;
import io.hudilite.sink.record.HudiRecord;

/**
 * Decides for one record after the other where it goes, by the index and the table's merge rule.
 * What cannot win against the newest version of its key is dropped here, so that no commit of ours
 * holds a row that loses. Not safe for use by several threads.
 */
final class Assignment {
  /** How many times smaller a row is in a base file than in flight, about. */
  private static final int SHRINKS_BY = 3;

  /** Takes what is to be written. */
  interface Output {
    void emit(HudiRecord record);
  }

  /** What became of a record. */
  enum Outcome {
    /** A key that was not known. */
    NEW,
    /** A key in its place. */
    KNOWN,
    /** A key that came to another partition. */
    MOVED,
    /** Older than what is known: nothing is written. */
    LATE,
    /** A delete of what is not there: nothing is written. */
    NOTHING_TO_DELETE
  }

  private final RecordIndex index;
  private final GroupDictionary groups;
  private final FileGroupAllocator allocator;
  private final RecordMerger merger;
  private final IndexScope scope;
  private final boolean alwaysTouches;
  private final Output output;
  private final Version known = new Version();
  private final Version arriving = new Version();

  /**
   * @param alwaysTouches whether the index forgets keys that are not written again
   */
  Assignment(
      RecordIndex index,
      GroupDictionary groups,
      FileGroupAllocator allocator,
      RecordMerger merger,
      IndexScope scope,
      boolean alwaysTouches,
      Output output) {
    this.index = requireNonNull(index, "index");
    this.groups = requireNonNull(groups, "groups");
    this.allocator = requireNonNull(allocator, "allocator");
    this.merger = requireNonNull(merger, "merger");
    this.scope = requireNonNull(scope, "scope");
    this.alwaysTouches = alwaysTouches;
    this.output = requireNonNull(output, "output");
  }

  Outcome assign(HudiRecord record) throws Exception {
    index.select(record);
    OrderingValue ordering = merger.usesOrdering() ? record.ordering() : OrderingValue.NONE;
    KeyLocation location = index.get();
    if (location == null) {
      return assignUnknown(record, ordering);
    }
    if (!merger.laterWins(location.into(known), arriving.set(record.isDelete(), ordering))) {
      return Outcome.LATE;
    }
    GroupAddress group = groups.of(location.group());
    if (record.isDelete()) {
      return delete(record, ordering, location, group);
    }
    if (scope == IndexScope.PARTITION || group.isInPartitionOf(record)) {
      send(record, group);
      remember(location, new KeyLocation(group.number(), ordering, false));
      return Outcome.KNOWN;
    }
    if (!location.isDelete()) {
      HudiRecord delete = record.deleteIn(group);
      delete.markMoved();
      send(delete, group);
    }
    GroupAddress target = allocate(record);
    record.markMoved();
    send(record, target);
    index.put(new KeyLocation(target.number(), ordering, false));
    return Outcome.MOVED;
  }

  private Outcome assignUnknown(HudiRecord record, OrderingValue ordering) throws Exception {
    // Without an ordering value nothing could ever arrive that such a tombstone must hold back.
    if (record.isDelete() && ordering.kind() == OrderingValue.Kind.NONE) {
      return Outcome.NOTHING_TO_DELETE;
    }
    GroupAddress target = allocate(record);
    send(record, target);
    index.put(new KeyLocation(target.number(), ordering, record.isDelete()));
    return Outcome.NEW;
  }

  /** The delete goes where the key is, whatever partition it names. */
  private Outcome delete(
      HudiRecord record, OrderingValue ordering, KeyLocation location, GroupAddress group)
      throws Exception {
    HudiRecord delete = group.isInPartitionOf(record) ? record : record.deleteIn(group);
    if (scope == IndexScope.PARTITION) {
      delete.markMoved(); // maybe: the row after it may name another partition
    }
    if (merger.usesOrdering()) {
      remember(location, new KeyLocation(group.number(), ordering, true));
    } else {
      index.remove(); // so the key may come back anywhere
      delete.markMoved();
    }
    send(delete, group);
    return Outcome.KNOWN;
  }

  private GroupAddress allocate(HudiRecord record) {
    return groups.add(
        allocator.allocate(record.partitionPath(), 1 + record.bodyLength() / SHRINKS_BY));
  }

  private void send(HudiRecord record, GroupAddress group) {
    record.assign(group, allocator.isNew(group.id()));
    output.emit(record);
  }

  private void remember(KeyLocation old, KeyLocation current) throws Exception {
    if (alwaysTouches || !current.equals(old)) {
      index.put(current);
    }
  }

  /** Takes in what the table says of the current key of the index. */
  void learn(GroupAddress group, OrderingValue ordering, boolean isDelete) throws Exception {
    KeyLocation old = index.get();
    KeyLocation fresh = new KeyLocation(group.number(), ordering, isDelete);
    if (old == null) {
      if (!isDelete || merger.usesOrdering()) {
        index.put(fresh);
      }
    } else if (counts(old, fresh)) {
      if (isDelete && !merger.usesOrdering()) {
        index.remove();
      } else {
        index.put(fresh);
      }
    }
  }

  /** A delete in another file group than the row's only says that the row has moved from there. */
  private boolean counts(KeyLocation old, KeyLocation fresh) {
    boolean wins = merger.laterWins(old.into(known), fresh.into(arriving));
    if (old.group() == fresh.group()) {
      return wins;
    }
    return fresh.isDelete() ? old.isDelete() && wins : old.isDelete() || wins;
  }
}
