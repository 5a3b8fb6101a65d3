package io.hudilite.core.scan;

import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFile;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** What the commits of a range wrote into one file group, as their write stats tell. */
final class ChangedGroup {
  /** What a commit says of keys that changed their file group. */
  private enum Moves {
    NONE,
    SOME,
    /** Other writers do not say; a key that moves is deleted somewhere. */
    UNKNOWN;

    private static Moves of(CommitMetadata metadata) {
      return metadata
          .extra(CommitMetadata.KEYS_MOVED)
          .map(moved -> moved.equals("false") ? NONE : SOME)
          .orElse(UNKNOWN);
    }
  }

  private final FileGroupId id;
  private final Map<String, BaseFile> bases = new HashMap<>();
  private final Map<String, LogFile> logs = new HashMap<>();
  private final Map<InstantTime, InstantTime> completionTimes = new HashMap<>();
  private boolean mayHaveMovedKeys;
  private boolean mayHaveRemovedBaseRows;
  private boolean mayHaveSuperseded;

  private ChangedGroup(FileGroupId id) {
    this.id = id;
  }

  /** A commit that is read as a change. */
  record Commit(Instant.Completed instant, CommitMetadata metadata) {}

  /**
   * The groups that the commits wrote to, sorted by id.
   *
   * @param commits by completion time
   */
  static Collection<ChangedGroup> of(List<Commit> commits, Predicate<String> partitions) {
    Map<FileGroupId, ChangedGroup> groups = new TreeMap<>();
    for (Commit commit : commits) {
      boolean isClean =
          commit
              .metadata()
              .extra(CommitMetadata.SUPERSEDED_DROPPED)
              .filter("true"::equals)
              .isPresent();
      Moves moves = Moves.of(commit.metadata());
      if (moves == Moves.NONE && commit != commits.get(commits.size() - 1)) {
        moves = Moves.UNKNOWN; // a later commit may write a deleted key anew, elsewhere
      }
      for (WriteStat stat : commit.metadata().writeStats()) {
        if (stat.fileId().isEmpty() || !partitions.test(stat.partitionPath())) {
          continue;
        }
        FileGroupId id = new FileGroupId(stat.partitionPath(), new FileId(stat.fileId()));
        groups.computeIfAbsent(id, ChangedGroup::new).add(commit.instant(), stat, isClean, moves);
      }
    }
    return groups.values().stream()
        .filter(group -> !(group.bases.isEmpty() && group.logs.isEmpty()))
        .toList();
  }

  private void add(Instant.Completed instant, WriteStat stat, boolean isClean, Moves moves) {
    completionTimes.put(instant.requestedTime(), instant.completionTime());
    String name = stat.fileName();
    Optional<BaseFileName> baseName = BaseFileName.parse(name);
    if (baseName.isPresent()) {
      bases.put(name, new BaseFile(id, baseName.get(), stat.fileSizeInBytes()));
      // -1 is "not said", which is treated as "some".
      if (stat.numDeletes() != 0 && !stat.prevCommit().equals(WriteStat.NO_PREVIOUS_COMMIT)) {
        mayHaveRemovedBaseRows = true;
        mayHaveMovedKeys |= moves != Moves.NONE;
      }
      return;
    }
    // In version 6 several commits may append to one file: the last stat knows all of it.
    LogFileName.parse(name)
        .ifPresent(
            logName -> {
              logs.merge(
                  name,
                  new LogFile(id, logName, stat.fileSizeInBytes()),
                  (a, b) -> a.lengthBytes() >= b.lengthBytes() ? a : b);
              mayHaveMovedKeys |=
                  moves == Moves.SOME || (moves == Moves.UNKNOWN && stat.numDeletes() != 0);
              mayHaveSuperseded |= !isClean;
            });
  }

  FileGroupId id() {
    return id;
  }

  /** Whether a key may have been deleted here because it is in another file group now. */
  boolean mayHaveMovedKeys() {
    return mayHaveMovedKeys;
  }

  /** Whether a base file came in place of another one without some of its rows. */
  boolean mayHaveRemovedBaseRows() {
    return mayHaveRemovedBaseRows;
  }

  /** Whether log records may lose against versions that were committed before. */
  boolean mayHaveSuperseded() {
    return mayHaveSuperseded;
  }

  /**
   * The newest state of the group as far as these commits' own files hold it. A base file has in it
   * what log files before it had.
   */
  FileSlice slice() {
    Optional<BaseFile> base =
        bases.values().stream()
            .max(
                Comparator.comparing((BaseFile file) -> file.name().instant())
                    .thenComparing(file -> file.name().writeToken()));
    List<LogFile> after = new ArrayList<>();
    for (LogFile log : logs.values()) {
      InstantTime completed =
          completionTimes.getOrDefault(log.name().instant(), log.name().instant());
      if (base.isEmpty() || !completed.isBefore(base.get().name().instant())) {
        after.add(log);
      }
    }
    InstantTime baseInstant =
        base.map(file -> file.name().instant())
            .or(() -> after.stream().map(log -> log.name().instant()).min(InstantTime::compareTo))
            .orElse(InstantTime.BEGINNING);
    return new FileSlice(id, baseInstant, base.orElse(null), after);
  }

  /** Requested times of the commits that wrote to the group. */
  Set<InstantTime> instants() {
    return new HashSet<>(completionTimes.keySet());
  }
}
