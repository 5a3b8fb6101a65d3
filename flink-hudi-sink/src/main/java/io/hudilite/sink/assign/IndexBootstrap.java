package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.compact.BusyGroups;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.history.TimelineHistory;
import io.hudilite.core.merge.SliceKeyReader;
import io.hudilite.core.scan.IndexScanner;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.write.RewindStore;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import javax.annotation.Nullable;

/**
 * Looks at the table when an assigner starts: what its index lacks, and which file groups are
 * small. The table is seen as it was then. Not safe for use by several threads.
 */
final class IndexBootstrap {
  /** Keys of our commits, see the committer. */
  static final String CHECKPOINT = "hudi-lite.checkpoint";

  static final String RUN = "hudi-lite.run";

  /** Null if there is no table yet. */
  @Nullable private final HudiTable table;

  /** Whether the newest look at the timeline came upon a commit that a checkpoint covers. */
  private boolean isCoverageReached;

  /** Groups of pending clusterings; null before somebody asks. */
  @Nullable private Set<FileGroupId> clustered;

  private IndexBootstrap(@Nullable HudiTable table) {
    this.table = table;
  }

  static IndexBootstrap open(Storage storage) throws IOException {
    requireNonNull(storage, "storage");
    Optional<TableConfig> config = TableConfigStore.find(storage);
    if (config.isEmpty()) {
      return new IndexBootstrap(null);
    }
    // The coordinator does so, too, and may be later. A commit that appeared after the look at the
    // table would count as seen, since its completion time is before the end of what was seen.
    InstantClock clock = new InstantClock(InstantSource.system(), config.get().timelineZone());
    new TableCommit(storage, config.get(), clock).finishDecidedCommits();
    return new IndexBootstrap(HudiTable.open(storage));
  }

  /** Whether an overwrite or a clustering took the place of a file group, so that it is gone. */
  boolean isGone(FileGroupId group) throws IOException {
    return table != null && table.view().isReplaced(group);
  }

  /** Null if there is no table yet. */
  @Nullable
  HudiTable table() {
    return table;
  }

  /** All that completed up to this time is seen here, and what was taken back until then is not. */
  InstantTime end() throws IOException {
    if (table == null) {
      return InstantTime.BEGINNING;
    }
    InstantTime end = table.timeline().lastCompletion().orElse(InstantTime.BEGINNING);
    for (RewindStore.Rewind rewind : rewindsAfter(end)) {
      end = rewind.time();
    }
    return end;
  }

  private List<RewindStore.Rewind> rewindsAfter(InstantTime time) throws IOException {
    return new RewindStore(table.storage()).after(time, table.timeline(), table.timelineStore());
  }

  /**
   * Whether writes were taken back since the index was filled, by a restore or a rollback, so that
   * it names what is no more and nothing that it says can be relied on.
   *
   * @throws HudiTableException if the state is one from after what was taken back: the source would
   *     go on behind rows that the table does not have any more
   */
  boolean isRewoundSince(IndexCoverage coverage) throws IOException {
    if (table == null || coverage.equals(IndexCoverage.NOTHING)) {
      return false;
    }
    List<RewindStore.Rewind> rewinds = rewindsAfter(coverage.filledUpTo());
    for (RewindStore.Rewind rewind : rewinds) {
      for (Map.Entry<String, Long> gone : rewind.checkpoints().entrySet()) {
        long covered = coverage.checkpoints().getOrDefault(gone.getKey(), -1L);
        if (covered >= gone.getValue()) {
          throw new HudiTableException(
              ("The state that the job was restored from is of checkpoint %d, but all that was"
                      + " written from checkpoint %d on was taken out of the table at '%s' again,"
                      + " by the restore or rollback %s: the source would go on behind these rows."
                      + " Start the job from a checkpoint before %d, or without state and with its"
                      + " source set back.")
                  .formatted(
                      covered,
                      gone.getValue(),
                      table.storage().location(),
                      rewind.time(),
                      gone.getValue()));
        }
      }
    }
    return !rewinds.isEmpty();
  }

  /**
   * Visits the keys of all instants that an index does not cover, see {@link
   * IndexScanner#scanVersions}.
   *
   * @param visitors for the keys of a file group; groups come one after the other
   * @return how many instants these are
   */
  int scan(IndexCoverage coverage, Function<FileGroupId, SliceKeyReader.Visitor> visitors)
      throws IOException {
    return scan(coverage, Reading.KEYS, visitors);
  }

  /** What is read of rows. */
  enum Reading {
    KEYS,
    ALL_COLUMNS
  }

  /** The same, with rows if they are wanted. */
  int scan(
      IndexCoverage coverage,
      Reading reading,
      Function<FileGroupId, SliceKeyReader.Visitor> visitors)
      throws IOException {
    if (table == null) {
      return 0;
    }
    List<Instant.Completed> uncovered = uncovered(coverage);
    // Commits that the index lacks may have left the timeline, and their files the storage.
    boolean lacksOlder = hasArchivedSince(coverage);
    if (uncovered.isEmpty() && !lacksOlder) {
      return 0;
    }
    List<InstantTime> missing = uncovered.stream().map(Instant.Completed::requestedTime).toList();
    boolean movesGroups =
        uncovered.stream().anyMatch(instant -> instant.action() == Action.REPLACE_COMMIT);
    // After a clustering or an overwrite keys are in other file groups than before.
    boolean readsAll =
        movesGroups || lacksOlder || coverage.equals(IndexCoverage.NOTHING) || wereCleaned(missing);
    List<ScanSplit> splits =
        readsAll ? IndexScanner.planAll(table) : IndexScanner.planInstants(table, missing);
    IndexScanner scanner =
        switch (reading) {
          case KEYS -> new IndexScanner(table.readContext());
          case ALL_COLUMNS -> IndexScanner.ofRows(table.readContext());
        };
    for (ScanSplit split : splits) {
      scanner.scanVersions(split, visitors.apply(split.groupId()));
    }
    return missing.size();
  }

  /** Whether commits that an index lacks may have left the timeline. */
  private boolean hasArchivedSince(IndexCoverage coverage) throws IOException {
    if (coverage.equals(IndexCoverage.NOTHING) || isCoverageReached) {
      return false;
    }
    boolean seesFilled =
        table.timeline().completedWrites().stream()
            .anyMatch(write -> !write.completionTime().isAfter(coverage.filledUpTo()));
    return !seesFilled
        && TimelineHistory.of(table.storage(), table.config())
            .mayHaveWritesAfter(coverage.filledUpTo());
  }

  /** Whether a clean may have deleted files that these instants wrote. */
  private boolean wereCleaned(List<InstantTime> missing) throws IOException {
    InstantTime oldest = missing.stream().min(InstantTime::compareTo).orElseThrow();
    for (Instant instant : table.timeline().instants()) {
      if (instant.action() == Action.CLEAN
          && instant instanceof Instant.Completed clean
          && clean.requestedTime().isAfter(oldest)) {
        String earliest = table.timelineStore().readCleanMetadata(clean).earliestToRetain();
        if (earliest.isEmpty() || oldest.isBefore(new InstantTime(earliest))) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * The instants that an index does not cover. Reads what they say of themselves from the newest
   * one on, and no further than to the first that a checkpoint of the index covers: as one job at a
   * time writes, what was completed before that was written by this job, too, or before it began.
   * But for those that move keys, which a table service may have done meanwhile.
   */
  private List<Instant.Completed> uncovered(IndexCoverage coverage) throws IOException {
    List<Instant.Completed> unread =
        new ArrayList<>(table.timeline().completedAfter(coverage.filledUpTo()));
    if (coverage.equals(IndexCoverage.NOTHING)) {
      return unread;
    }
    Collections.reverse(unread);
    List<Instant.Completed> uncovered = new ArrayList<>();
    isCoverageReached = false;
    for (Instant.Completed instant : unread) {
      boolean movesGroups = instant.action() == Action.REPLACE_COMMIT;
      if (isCoverageReached && !movesGroups) {
        continue;
      }
      CommitMetadata commit = table.timelineStore().readCommit(instant);
      if (isCovered(instant, commit, coverage)) {
        isCoverageReached = true;
      } else if (movesGroups || !commit.isTableService()) { // a compaction moves no key
        uncovered.add(instant);
      }
    }
    return uncovered;
  }

  private static boolean isCovered(
      Instant.Completed instant, CommitMetadata commit, IndexCoverage coverage) {
    return coverage.contains(
        instant.completionTime(),
        commit.extra(RUN),
        commit
            .extra(CHECKPOINT)
            .filter(text -> text.matches("\\d{1,19}"))
            .map(text -> OptionalLong.of(Long.parseLong(text)))
            .orElse(OptionalLong.empty()));
  }

  /**
   * The file groups of a partition whose files are smaller than a limit.
   *
   * @param shrinksBy how many times smaller rows are in base files than in log files, about
   */
  List<FileGroupAllocator.SmallGroup> smallGroups(
      String partitionPath, long limitBytes, int shrinksBy) throws IOException {
    if (table == null || limitBytes == 0) {
      return List.of();
    }
    List<FileGroupAllocator.SmallGroup> small = new ArrayList<>();
    if (clustered == null) {
      clustered = new HashSet<>();
      for (Instant pending : table.timeline().pendingClusterings()) {
        clustered.addAll(BusyGroups.ofClustering(pending, table.timelineStore()));
      }
    }
    for (FileSlice slice : table.view().latestSlices(partitionPath)) {
      if (clustered.contains(slice.groupId())) {
        continue; // what gets rows now is left out of the clustering
      }
      long bytes = slice.totalBytes() - slice.logBytes() + slice.logBytes() / shrinksBy;
      if (bytes < limitBytes) {
        small.add(new FileGroupAllocator.SmallGroup(slice.groupId(), bytes));
      }
    }
    return small;
  }
}
