package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Gives new keys to file groups: first to small ones that are there already, then to new ones. Pure
 * but for what it is given: no storage, no chance, no clock. Not safe for use by several threads.
 */
final class FileGroupAllocator {

  /**
   * A file group that may take more keys.
   *
   * @param bytes size that its base file has, or is expected to have
   */
  record SmallGroup(FileGroupId id, long bytes) {}

  private final long maxFileBytes;
  private final int groupsPerPartition;
  private final Function<String, List<SmallGroup>> smallGroups;
  private final Supplier<FileId> newIds;
  private final Map<String, Partition> partitions = new HashMap<>();
  private final Set<FileGroupId> newGroups = new HashSet<>();

  /** Groups that get no more keys. */
  private final Set<FileGroupId> retired = new HashSet<>();

  /**
   * @param maxFileBytes a group gets no more keys when its base file is expected to be larger
   * @param groupsPerPartition how many groups are filled at the same time, so that several writers
   *     have work
   * @param smallGroups the groups of a partition that may be filled; asked once per partition
   * @param newIds ids that no other file group has
   */
  FileGroupAllocator(
      long maxFileBytes,
      int groupsPerPartition,
      Function<String, List<SmallGroup>> smallGroups,
      Supplier<FileId> newIds) {
    this.maxFileBytes = maxFileBytes;
    this.groupsPerPartition = groupsPerPartition;
    this.smallGroups = requireNonNull(smallGroups, "smallGroups");
    this.newIds = requireNonNull(newIds, "newIds");
  }

  /**
   * The file group for a new key.
   *
   * @param rowBytes what the row adds to a base file, about
   */
  FileGroupId allocate(String partitionPath, long rowBytes) {
    Partition partition =
        partitions.computeIfAbsent(
            partitionPath, path -> new Partition(groupsPerPartition, fillable(path)));
    int turn = partition.turn;
    partition.turn = (turn + 1) % groupsPerPartition;
    Filling filling = partition.filling[turn];
    while (filling == null || filling.bytes + rowBytes > maxFileBytes) {
      boolean isFresh = filling != null && filling.bytes == 0;
      if (isFresh) {
        break; // a row that is larger than a file has a file of its own
      }
      filling = next(partitionPath, partition.small);
      partition.filling[turn] = filling;
    }
    filling.bytes += rowBytes;
    return filling.id;
  }

  private List<SmallGroup> fillable(String partitionPath) {
    return smallGroups.apply(partitionPath).stream()
        .filter(group -> !retired.contains(group.id()))
        .toList();
  }

  /** These groups are gone, or will be: they get no more keys. */
  void retire(Set<FileGroupId> groups) {
    if (groups.isEmpty()) {
      return;
    }
    retired.addAll(groups);
    for (Partition partition : partitions.values()) {
      partition.small.removeIf(group -> groups.contains(group.id()));
      for (int i = 0; i < partition.filling.length; i++) {
        if (partition.filling[i] != null && groups.contains(partition.filling[i].id)) {
          partition.filling[i] = null;
        }
      }
    }
  }

  private Filling next(String partitionPath, Deque<SmallGroup> small) {
    SmallGroup found = small.poll();
    if (found != null) {
      return new Filling(found.id(), Math.max(1, found.bytes()));
    }
    FileGroupId id = new FileGroupId(partitionPath, newIds.get());
    newGroups.add(id);
    return new Filling(id, 0);
  }

  /** Whether the group was opened since the last barrier. */
  boolean isNew(FileGroupId id) {
    return !newGroups.isEmpty() && newGroups.contains(id);
  }

  /** A checkpoint barrier has passed: what was opened before it is not new any more. */
  void onBarrier() {
    newGroups.clear();
  }

  /** Groups that are being filled, and groups that wait for it. */
  private static final class Partition {
    private final Deque<SmallGroup> small;
    private final Filling[] filling;
    private int turn;

    private Partition(int groups, List<SmallGroup> small) {
      this.small = new ArrayDeque<>(small);
      this.filling = new Filling[groups];
    }
  }

  private static final class Filling {
    private final FileGroupId id;
    private long bytes;

    private Filling(FileGroupId id, long bytes) {
      this.id = id;
      this.bytes = bytes;
    }
  }
}
