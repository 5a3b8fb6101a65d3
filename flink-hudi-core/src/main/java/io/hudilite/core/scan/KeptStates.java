package io.hudilite.core.scan;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroup;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.history.TimelineHistory;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CleanMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Of which moments the table still has all files. A state that cleaning has taken files from is
 * refused: it would lack rows, or show older ones.
 */
final class KeptStates {
  private final HudiTable table;

  /** By file group what was cleaned, newest clean last. */
  private final Map<FileGroupId, List<Cleaned>> cleaned = new HashMap<>();

  /**
   * A file that is gone.
   *
   * @param instant the one in its name
   * @param retained earliest instant whose state the clean kept, or {@code ""}
   */
  private record Cleaned(InstantTime instant, boolean isBase, InstantTime clean, String retained) {}

  private KeptStates(HudiTable table) {
    this.table = table;
  }

  /**
   * @throws HudiTableException if the state at a moment cannot be told any more; names the earliest
   *     one that can
   */
  static void requireKept(HudiTable table, InstantTime time) throws IOException {
    List<Instant.Completed> writes = table.timeline().completedWrites();
    if (writes.isEmpty()) {
      return;
    }
    KeptStates states = new KeptStates(table);
    states.readCleans();
    Optional<String> why = states.lossAt(time);
    if (why.isEmpty()) {
      return;
    }
    InstantTime earliest = writes.get(writes.size() - 1).requestedTime();
    for (Instant.Completed write : writes) {
      InstantTime candidate = write.requestedTime();
      if (candidate.isAfter(time) && states.lossAt(candidate).isEmpty()) {
        earliest = candidate.isBefore(earliest) ? candidate : earliest;
      }
    }
    throw new HudiTableException(
        ("The table at '%s' cannot be read as of %s: %s. The earliest instant as of which it can be"
                + " read is %s: ask for that one or a later one ('read.end-commit', or FOR"
                + " SYSTEM_TIME AS OF). Let the table keep more ('clean.retain_commits' and"
                + " 'archive.min_commits', in Hudi 'hoodie.cleaner.commits.retained' and"
                + " 'hoodie.keep.min.commits') if readers look back so far.")
            .formatted(table.storage().location(), time, why.get(), earliest));
  }

  private void readCleans() throws IOException {
    for (Instant instant : table.timeline().instants()) {
      if (instant instanceof Instant.Completed clean && clean.action() == Action.CLEAN) {
        CleanMetadata metadata = table.timelineStore().readCleanMetadata(clean);
        metadata
            .deleted()
            .forEach((partition, names) -> names.forEach(name -> add(partition, name, metadata)));
      }
    }
  }

  private void add(String partition, String path, CleanMetadata clean) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    BaseFileName.parse(name)
        .ifPresent(base -> add(partition, base.fileId(), base.instant(), true, clean));
    LogFileName.parse(name)
        .ifPresent(log -> add(partition, log.fileId(), log.instant(), false, clean));
  }

  private void add(
      String partition, FileId id, InstantTime instant, boolean isBase, CleanMetadata clean) {
    cleaned
        .computeIfAbsent(new FileGroupId(partition, id), group -> new ArrayList<>())
        .add(new Cleaned(instant, isBase, clean.start(), clean.earliestToRetain()));
  }

  /** What is missing of the state at a moment, as part of a sentence; empty if nothing is. */
  private Optional<String> lossAt(InstantTime time) throws IOException {
    InstantTime start = table.timeline().completedWrites().get(0).requestedTime();
    if (time.isBefore(start)
        && TimelineHistory.of(table.storage(), table.config())
            .mayHaveWritesAfter(InstantTime.BEGINNING)) {
      return Optional.of(
          "its timeline begins with %s, and older commits are archived".formatted(start));
    }
    for (Map.Entry<FileGroupId, List<Cleaned>> entry : cleaned.entrySet()) {
      Optional<Cleaned> missing = missingAt(time, entry.getKey(), entry.getValue());
      if (missing.isPresent()) {
        return Optional.of(
            "files that file group '%s' in partition '%s' had then were removed by the clean %s"
                .formatted(
                    entry.getKey().fileId(),
                    entry.getKey().partitionPath(),
                    missing.get().clean()));
      }
    }
    return Optional.empty();
  }

  private Optional<Cleaned> missingAt(InstantTime time, FileGroupId group, List<Cleaned> files)
      throws IOException {
    List<Cleaned> relevant =
        files.stream()
            .filter(file -> !file.instant().isAfter(time))
            .filter(
                file ->
                    file.retained().isEmpty() || time.isBefore(new InstantTime(file.retained())))
            .toList();
    if (relevant.isEmpty()
        || table.view().replacedAt(group).filter(at -> !at.isAfter(time)).isPresent()) {
      return Optional.empty();
    }
    Optional<InstantTime> kept = newestBaseAt(time, group);
    return relevant.stream()
        .filter(file -> kept.isEmpty() || (file.isBase() && file.instant().isAfter(kept.get())))
        .findFirst();
  }

  /** The newest base file that is there of those that a reader at this moment may see. */
  private Optional<InstantTime> newestBaseAt(InstantTime time, FileGroupId group)
      throws IOException {
    return table.view().fileGroups(group.partitionPath()).stream()
        .filter(found -> found.id().equals(group))
        .map(FileGroup::slices)
        .flatMap(List::stream)
        .map(FileSlice::baseFile)
        .flatMap(Optional::stream)
        .map(BaseFile::name)
        .map(BaseFileName::instant)
        .filter(instant -> !instant.isAfter(time))
        .max(InstantTime::compareTo);
  }
}
