package io.hudilite.core.clean;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.compact.BusyGroups;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.FileGroup;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFile;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.view.FileSystemView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Which slices must stay whatever the retention says: those that a savepoint names, that a pending
 * compaction or clustering takes its rows from, and that a reader with a lease needs. Immutable.
 *
 * @param savepointed names of files, by partition path
 * @param busy groups that pending table services work on
 * @param leasedFrom requested time of the oldest write whose change a reader may yet read; empty if
 *     no reader holds anything older than the newest state
 * @param wasGone whether a group was replaced already where the oldest reader is, so that no reader
 *     needs it
 */
record SliceGuard(
    Map<String, Set<String>> savepointed,
    Set<FileGroupId> busy,
    Optional<InstantTime> leasedFrom,
    Predicate<FileGroupId> wasGone) {

  SliceGuard {
    requireNonNull(savepointed, "savepointed");
    busy = Set.copyOf(busy);
    requireNonNull(leasedFrom, "leasedFrom");
    requireNonNull(wasGone, "wasGone");
  }

  /**
   * As the table is now.
   *
   * @param oldestLease the oldest position that a reader holds
   */
  static SliceGuard of(HudiTable table, Optional<InstantTime> oldestLease) throws IOException {
    Timeline timeline = table.timeline();
    Map<String, Set<String>> savepointed = new HashMap<>();
    for (Instant instant : timeline.instants()) {
      if (instant.action() == Action.SAVEPOINT && instant instanceof Instant.Completed completed) {
        table
            .timelineStore()
            .readSavepoint(completed)
            .files()
            .forEach(
                (partition, names) ->
                    savepointed.computeIfAbsent(partition, path -> new HashSet<>()).addAll(names));
      }
    }
    FileSystemView view = table.view();
    return new SliceGuard(
        savepointed,
        BusyGroups.of(timeline, table.timelineStore()),
        oldestLease.flatMap(position -> firstAfter(timeline, position)),
        group ->
            view.replacedAt(group)
                .flatMap(timeline::completionTimeOf)
                .filter(replaced -> oldestLease.filter(replaced::isAfter).isEmpty())
                .isPresent());
  }

  /** The oldest requested time of all writes that complete after a position. */
  private static Optional<InstantTime> firstAfter(Timeline timeline, InstantTime position) {
    return timeline.instants().stream()
        .filter(instant -> instant.action().writesData())
        .filter(
            instant ->
                !(instant instanceof Instant.Completed completed)
                    || completed.completionTime().isAfter(position))
        .map(Instant::requestedTime)
        .min(InstantTime::compareTo);
  }

  /**
   * @param group that the slice is of
   */
  boolean protects(FileGroup group, FileSlice slice) {
    return busy.contains(group.id())
        || isSavepointed(slice)
        || (leasedFrom.isPresent()
            && isNeededFrom(group, slice, leasedFrom.get())
            && !wasGone.test(group.id()));
  }

  private boolean isSavepointed(FileSlice slice) {
    Set<String> names = savepointed.get(slice.groupId().partitionPath());
    return names != null && names(slice).stream().anyMatch(names::contains);
  }

  /** The slices that began at an instant or later, and the one before, which they change. */
  static boolean isNeededFrom(FileGroup group, FileSlice slice, InstantTime from) {
    if (!slice.baseInstant().isBefore(from)) {
      return true;
    }
    return lastBefore(group, from).filter(slice.baseInstant()::equals).isPresent();
  }

  /** Base instant of the newest slice that began before a time. */
  static Optional<InstantTime> lastBefore(FileGroup group, InstantTime time) {
    return group.slices().stream()
        .map(FileSlice::baseInstant)
        .filter(instant -> instant.isBefore(time))
        .findFirst();
  }

  /** Names of all files of the groups that nobody may delete now. */
  Set<String> neededFiles(List<FileGroup> groups, Set<FileGroupId> replaced) {
    Set<String> needed = new TreeSet<>();
    for (FileGroup group : groups) {
      boolean isNewest = !replaced.contains(group.id());
      for (FileSlice slice : group.slices()) {
        if (isNewest || protects(group, slice)) {
          needed.addAll(names(slice));
        }
        // The slice of a planned compaction has no files yet.
        isNewest &= slice.isEmpty() || slice.baseFile().isEmpty();
      }
    }
    return needed;
  }

  static List<String> names(FileSlice slice) {
    List<String> names = new ArrayList<>();
    slice.baseFile().map(BaseFile::name).ifPresent(name -> names.add(name.toString()));
    for (LogFile log : slice.logFiles()) {
      names.add(log.name().toString());
    }
    return names;
  }
}
