package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.BaseFileReader;
import io.hudilite.core.clustering.ClusteringWatch;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.merge.Version;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.storage.Storage;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.record.GroupAddress;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.RecordKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets an index follow keys that a clustering moves to other file groups while the job runs. It
 * looks at the timeline with each barrier. Rows of groups that are about to be taken wait until the
 * next barrier; by then it is mostly decided, and what stays is written where it was. Should one be
 * taken behind its back, the writer notices, and the job starts again.
 *
 * <p>Not safe for use by several threads.
 */
final class ClusteringFollower {
  private static final Logger LOG = LoggerFactory.getLogger(ClusteringFollower.class);

  /** Keys are read while a barrier waits; of larger clusterings a restart reads them. */
  private static final long MOST_ROWS = 20_000_000;

  private static final long MOST_WAITING_BYTES = 16 << 20;
  private static final RowType KEY_ONLY =
      RowType.of(
          new VarCharType[] {new VarCharType(VarCharType.MAX_LENGTH)},
          new String[] {MetaColumns.RECORD_KEY});

  private final Storage storage;
  private final ClusteringWatch watch;
  private final IndexScope scope;
  private final GroupDictionary groups;
  private final RecordIndex index;
  private final IntPredicate isOwn;
  private final FileGroupAllocator allocator;
  private final List<HudiRecord> waiting = new ArrayList<>();
  private long waitingBytes;

  /** Numbers of groups that a clustering is about to take. */
  private Set<Long> leaving = Set.of();

  /** Numbers of groups that were taken, and whose keys were followed. */
  private final Set<Long> gone = new HashSet<>();

  private boolean isReleasing;

  /**
   * @param isOwn whether a key of this hash belongs to this task
   */
  ClusteringFollower(
      Storage storage,
      ClusteringWatch watch,
      IndexScope scope,
      GroupDictionary groups,
      RecordIndex index,
      IntPredicate isOwn,
      FileGroupAllocator allocator) {
    this.storage = requireNonNull(storage, "storage");
    this.watch = requireNonNull(watch, "watch");
    this.scope = requireNonNull(scope, "scope");
    this.groups = requireNonNull(groups, "groups");
    this.index = requireNonNull(index, "index");
    this.isOwn = requireNonNull(isOwn, "isOwn");
    this.allocator = requireNonNull(allocator, "allocator");
  }

  /** Keeps a row whose key is in a group that may be taken; false if it may go there. */
  boolean holdBack(long group, HudiRecord record) {
    if (leaving.isEmpty() || isReleasing || !leaving.contains(group)) {
      return false;
    }
    waiting.add(record);
    waitingBytes += record.bytes().length;
    return true;
  }

  /** Whether so many rows wait that they must go on. */
  boolean isFull() {
    return waitingBytes >= MOST_WAITING_BYTES;
  }

  /** Whether a group was taken: a key that is still there by the index has no row any more. */
  boolean isGone(long group) {
    return !gone.isEmpty() && gone.contains(group);
  }

  /** Takes rows that waited. */
  interface Rows {
    void assign(HudiRecord record) throws Exception;
  }

  /** A barrier comes, or too many rows wait: looks what was taken, and lets all rows go on. */
  void follow(Rows rows) throws Exception {
    ClusteringWatch.Look look = watch.look();
    for (ClusteringWatch.Moved moved : look.moved()) {
      follow(moved);
    }
    leaving = numbersOf(look.leaving());
    // For good: if the plan comes to nothing, the next one finds them at rest.
    allocator.retire(look.planned());
    List<HudiRecord> released = new ArrayList<>(waiting);
    waiting.clear();
    waitingBytes = 0;
    isReleasing = true;
    try {
      for (HudiRecord record : released) {
        rows.assign(record);
      }
    } finally {
      isReleasing = false;
    }
  }

  private Set<Long> numbersOf(Set<FileGroupId> ids) {
    Set<Long> numbers = new HashSet<>();
    for (FileGroupId id : ids) {
      GroupAddress known = groups.find(id);
      if (known != null) {
        numbers.add(known.number());
      }
    }
    return numbers;
  }

  private void follow(ClusteringWatch.Moved moved) throws Exception {
    allocator.retire(moved.replaced());
    Set<Long> taken = numbersOf(moved.replaced());
    if (taken.isEmpty()) {
      return;
    }
    if (moved.rows() > MOST_ROWS) {
      LOG.warn(
          "Clustering {} of '{}' moved {} rows, too many to look them up in a running job: the"
              + " first change of one of them restarts it",
          moved.instant(),
          storage.location(),
          moved.rows());
      return;
    }
    long begin = System.nanoTime();
    long followed = 0;
    for (BaseFile file : moved.files()) {
      followed += follow(file, taken);
    }
    gone.addAll(taken);
    LOG.info(
        "Clustering {} of '{}' moved {} keys of this task to other file groups; read {} rows in {}"
            + " ms",
        moved.instant(),
        storage.location(),
        followed,
        moved.rows(),
        (System.nanoTime() - begin) / 1_000_000);
  }

  private long follow(BaseFile file, Set<Long> taken) throws Exception {
    byte[] partition = file.groupId().partitionPath().getBytes(StandardCharsets.UTF_8);
    RecordKey key = new RecordKey();
    Version version = new Version();
    GroupAddress target = null;
    long followed = 0;
    try (BaseFileReader reader =
        BaseFileReader.open(storage, file.path(), file.lengthBytes(), KEY_ONLY)) {
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        byte[] bytes = row.getString(0).toBytes();
        if (!isOwn.test(key.set(bytes, 0, bytes.length, partition, scope).hashCode())) {
          continue;
        }
        index.select(key);
        KeyLocation location = index.get();
        if (location != null && taken.contains(location.group())) {
          if (target == null) {
            target = groups.add(file.groupId());
          }
          location.set(target.number(), location.into(version));
          index.update(location);
          followed++;
        }
      }
    }
    return followed;
  }
}
