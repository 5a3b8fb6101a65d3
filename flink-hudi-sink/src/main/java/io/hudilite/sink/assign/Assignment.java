package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.merge.Version;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.record.GroupAddress;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.RecordKey;
import java.io.IOException;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;

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

  /** Which rows of a key count. */
  enum Rows {
    /** That which the merge rule takes. */
    BY_MERGE_RULE,
    /** The first one, until it is deleted. */
    FIRST
  }

  /** What became of a record. */
  enum Outcome {
    /** A key that was not known. */
    NEW,
    /** A key in its place. */
    KNOWN,
    /** A key that came to another partition. */
    MOVED,
    /** Older than what is known: nothing is written, unless rows are made of several versions. */
    LATE,
    /** A delete of what is not there: nothing is written. */
    NOTHING_TO_DELETE,
    /** The key has a row, and the first row of a key counts: nothing is written. */
    DUPLICATE,
    /** The key may be forgotten, so the row waits and comes again. */
    WAITS
  }

  private final RecordIndex index;
  private final GroupDictionary groups;
  private final Set<Long> gone;
  private final FileGroupAllocator allocator;
  private final RecordMerger merger;
  private final boolean combines;

  /** Null if late rows fill nothing, or whatever the order in which rows meet. */
  @Nullable private final FilledColumns filled;

  private final IndexScope scope;
  private final Rows rows;

  /** Null if the index forgets nothing. */
  @Nullable private final ForgottenKeys forgotten;

  /** Null if no clustering is followed. */
  @Nullable private ClusteringFollower follower;

  private final Output output;
  private final RecordKey key = new RecordKey();
  private final Version known = new Version();
  private final Version arriving = new Version();

  /**
   * @param gone numbers of groups that the table does not have any more: what the index says of
   *     them is void
   * @param filled for tables in which late rows fill what the newer ones lack, else null
   * @param forgotten for an index that forgets keys that are not written again, else null
   */
  Assignment(
      RecordIndex index,
      GroupDictionary groups,
      Set<Long> gone,
      FileGroupAllocator allocator,
      RecordMerger merger,
      IndexScope scope,
      Rows rows,
      @Nullable FilledColumns filled,
      @Nullable ForgottenKeys forgotten,
      Output output) {
    this.index = requireNonNull(index, "index");
    this.groups = requireNonNull(groups, "groups");
    this.gone = Set.copyOf(gone);
    this.allocator = requireNonNull(allocator, "allocator");
    this.merger = requireNonNull(merger, "merger");
    this.combines = merger.combination() != RecordMerger.Combination.NONE;
    this.scope = requireNonNull(scope, "scope");
    this.rows = requireNonNull(rows, "rows");
    this.filled = filled;
    this.forgotten = forgotten;
    this.output = requireNonNull(output, "output");
  }

  /** Asks it before a row goes to a group. */
  void follow(ClusteringFollower clusterings) {
    follower = requireNonNull(clusterings, "clusterings");
  }

  Outcome assign(HudiRecord record) throws Exception {
    index.select(key.set(record, scope));
    if (merger.usesOrdering()) {
      record.into(arriving);
    } else {
      arriving.setNone(record.isDelete());
    }
    KeyLocation location = location();
    if (location == null && forgotten != null) {
      location = forgotten.recall(key);
      if (location != null) {
        index.put(location);
      } else if (forgotten.holdBack(record)) {
        return Outcome.WAITS;
      }
    }
    if (location == null) {
      return assignUnknown(record);
    }
    if (follower != null) {
      if (follower.holdBack(location.group(), record)) {
        return Outcome.WAITS;
      }
      if (follower.isGone(location.group())) {
        // Deleted before: where it was is gone, but what is older is still late.
        return merger.laterWins(location.into(known), arriving)
            ? assignUnknown(record)
            : Outcome.LATE;
      }
    }
    if (rows == Rows.FIRST && !location.isDelete()) {
      return Outcome.DUPLICATE;
    }
    GroupAddress group = groups.of(location.group());
    if (!merger.laterWins(location.into(known), arriving)) {
      boolean adds =
          combines
              && !record.isDelete()
              && !location.isDelete()
              && (scope == IndexScope.PARTITION || group.isInPartitionOf(record));
      if (adds) {
        addLate(record, location, group);
      }
      return Outcome.LATE;
    }
    if (record.isDelete()) {
      return delete(record, location, group);
    }
    if (scope == IndexScope.PARTITION || group.isInPartitionOf(record)) {
      send(record, group);
      boolean comesBack = location.isDelete();
      byte[] columns = columnsOf(record);
      if (columns != null && !comesBack) {
        columns = filled.join(location.filled(), columns);
      }
      remember(location, group, columns);
      if (comesBack) {
        placed(location);
      }
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
    remember(location, target, columnsOf(record));
    placed(location);
    return Outcome.MOVED;
  }

  /** It may fill what the newer one lacks. */
  private void addLate(HudiRecord record, KeyLocation location, GroupAddress group)
      throws Exception {
    if (filled == null) {
      send(record, group);
      return;
    }
    byte[] before = location.filled();
    HudiRecord rest = filled.rest(record, location);
    if (rest != null) {
      send(rest, group);
    }
    if (location.filled() != before) {
      index.update(location);
    }
  }

  /** Null if they are of no matter. */
  @Nullable
  private byte[] columnsOf(HudiRecord record) throws IOException {
    return filled == null || record.isDelete() ? null : filled.of(record);
  }

  @Nullable
  private KeyLocation location() throws Exception {
    KeyLocation location = index.get();
    return location != null && !gone.isEmpty() && gone.contains(location.group()) ? null : location;
  }

  private Outcome assignUnknown(HudiRecord record) throws Exception {
    // Without an ordering value nothing could ever arrive that such a tombstone must hold back.
    if (record.isDelete() && arriving.kind() == OrderingValue.Kind.NONE) {
      return Outcome.NOTHING_TO_DELETE;
    }
    GroupAddress target = allocate(record);
    send(record, target);
    KeyLocation location = new KeyLocation(target.number(), arriving);
    location.setFilled(columnsOf(record));
    placed(location);
    index.put(location);
    return Outcome.NEW;
  }

  private void placed(KeyLocation location) {
    if (forgotten != null) {
      forgotten.placed(key, location);
    }
  }

  /** The delete goes where the key is, whatever partition it names. */
  private Outcome delete(HudiRecord record, KeyLocation location, GroupAddress group)
      throws Exception {
    HudiRecord delete = group.isInPartitionOf(record) ? record : record.deleteIn(group);
    if (scope == IndexScope.PARTITION) {
      delete.markMoved(); // maybe: the row after it may name another partition
    }
    if (merger.usesOrdering()) {
      remember(location, group, null);
    } else {
      index.remove(); // so the key may come back anywhere
      delete.markMoved();
    }
    send(delete, group);
    return Outcome.KNOWN;
  }

  /** What a row adds to a base file, about. */
  static long baseFileBytes(HudiRecord record) {
    return 1 + record.bodyLength() / SHRINKS_BY;
  }

  private GroupAddress allocate(HudiRecord record) {
    return groups.add(allocator.allocate(record.partitionPath(), baseFileBytes(record)));
  }

  private void send(HudiRecord record, GroupAddress group) {
    record.assign(group, allocator.isNew(group.id()));
    output.emit(record);
  }

  /** The arriving version is the newest now. */
  private void remember(KeyLocation location, GroupAddress group, @Nullable byte[] columns)
      throws Exception {
    boolean changes = location.set(group.number(), arriving);
    changes |= location.setFilled(columns);
    if (changes || forgotten != null) {
      index.update(location);
    }
  }

  /**
   * Takes in what the table says of the current key of the index.
   *
   * @param row null if it was not read
   */
  void learn(GroupAddress group, Version version, @Nullable RowData row) throws Exception {
    KeyLocation old = location();
    if (old == null) {
      learnNew(group, version, row);
      return;
    }
    byte[] columns = filled == null || row == null ? null : filled.of(row);
    if (counts(old, group, version)) {
      if (version.isDelete() && !merger.usesOrdering()) {
        index.remove();
        return;
      }
      if (columns != null && !old.isDelete() && old.group() == group.number()) {
        columns = filled.join(old.filled(), columns);
      }
      boolean changes = old.set(group.number(), version);
      changes |= old.setFilled(columns);
      if (changes) {
        index.update(old);
      }
    } else if (columns != null && !old.isDelete() && old.group() == group.number()) {
      if (old.setFilled(filled.join(old.filled(), columns))) { // it has filled what was lacking
        index.update(old);
      }
    }
  }

  /** The same for a key that the index does not know. */
  void learnNew(GroupAddress group, Version version, @Nullable RowData row) throws Exception {
    if (!version.isDelete() || merger.usesOrdering()) {
      KeyLocation location = new KeyLocation(group.number(), version);
      location.setFilled(filled == null || row == null ? null : filled.of(row));
      index.put(location);
    }
  }

  /** A delete in another file group than the row's only says that the row has moved from there. */
  private boolean counts(KeyLocation old, GroupAddress group, Version version) {
    boolean wins = merger.laterWins(old.into(known), version);
    if (old.group() == group.number()) {
      return wins;
    }
    return version.isDelete() ? old.isDelete() && wins : old.isDelete() || wins;
  }
}
