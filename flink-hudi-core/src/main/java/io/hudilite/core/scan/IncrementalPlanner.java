package io.hudilite.core.scan;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeBehavior;
import io.hudilite.core.config.TableVersion;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.history.TimelineHistory;
import io.hudilite.core.merge.ChangePhase;
import io.hudilite.core.merge.LogBlockFilter;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Cuts the timeline into ranges of changes. A position is a completion time: all instants that
 * completed at it or before are read. Compaction and clustering change no rows; their instants only
 * move the position. Immutable; the planner holds no position.
 *
 * <p>The files of a range are those that its commits wrote, by their write stats. They are merged
 * among themselves; only where a record may lose against an older version, in commits of writers
 * that do not look at the ordering value, older files of the group are read too. Rows that an
 * overwrite removed with their whole file group are deletes; those that a clustering took out of a
 * changed group are read where they are now.
 */
public final class IncrementalPlanner {
  private enum Manner {
    IN_ONE_STAGE,
    WITHOUT_OVERWRITES,
    UPSERTS_ONLY
  }

  private final Predicate<String> partitions;
  private final Optional<InstantTime> end;
  private final int maxInstants;
  private final int maxSplits;
  private final Set<Manner> manners;

  private IncrementalPlanner(
      Predicate<String> partitions,
      Optional<InstantTime> end,
      int maxInstants,
      int maxSplits,
      Set<Manner> manners) {
    this.partitions = requireNonNull(partitions, "partitions");
    this.end = end;
    this.maxInstants = maxInstants;
    this.maxSplits = maxSplits;
    this.manners = Set.copyOf(manners);
    if (maxInstants < 1 || maxSplits < 1) {
      throw new IllegalArgumentException(
          "A range needs 1 instant and 1 split or more, got " + maxInstants + ", " + maxSplits);
    }
  }

  /**
   * @param partitions of partition paths relative to the base path: which ones to read
   */
  public IncrementalPlanner(Predicate<String> partitions) {
    this(partitions, Optional.empty(), Integer.MAX_VALUE, Integer.MAX_VALUE, Set.of());
  }

  /** Ends with the instants that completed, or were requested, at {@code time} or before. */
  public IncrementalPlanner until(InstantTime time) {
    return new IncrementalPlanner(partitions, Optional.of(time), maxInstants, maxSplits, manners);
  }

  /** Takes at most so many instants into one range; at least 1. */
  public IncrementalPlanner atMost(int instants) {
    return new IncrementalPlanner(partitions, end, instants, maxSplits, manners);
  }

  /**
   * Takes no more instants into one range than have so many splits together, but one in any case.
   */
  public IncrementalPlanner atMostSplits(int splits) {
    return new IncrementalPlanner(partitions, end, maxInstants, splits, manners);
  }

  /**
   * Deletes and upserts of a range come together, each file is read once: for readers that put the
   * changes of a key in order themselves, see {@link ScanRange#movesKeys}.
   */
  public IncrementalPlanner inOneStage() {
    return with(Manner.IN_ONE_STAGE);
  }

  /** Leaves overwrites out: neither are their new rows read, nor are the old ones deleted. */
  public IncrementalPlanner withoutOverwrites() {
    return with(Manner.WITHOUT_OVERWRITES);
  }

  /** Leaves deletes out, for those who can only read rows. */
  public IncrementalPlanner upsertsOnly() {
    return with(Manner.UPSERTS_ONLY);
  }

  private IncrementalPlanner with(Manner manner) {
    Set<Manner> more = new HashSet<>(manners);
    more.add(manner);
    return new IncrementalPlanner(partitions, end, maxInstants, maxSplits, more);
  }

  /**
   * The first range: all rows of the table, or its changes since a moment. Without stages if there
   * is nothing to read yet; {@link #next} goes on behind its end in any case.
   *
   * @throws HudiTableException if changes are asked for that have left the active timeline
   */
  public ScanRange first(HudiTable table, StartingPosition from) throws IOException {
    if (from instanceof StartingPosition.Earliest) {
      return all(table);
    }
    InstantTime position;
    if (from instanceof StartingPosition.At at) {
      position = justBefore(at.time());
    } else {
      position =
          lastChange(table).map(IncrementalPlanner::justBefore).orElse(InstantTime.BEGINNING);
    }
    return next(table, position).orElse(new ScanRange(position, List.of()));
  }

  private ScanRange all(HudiTable table) throws IOException {
    List<Instant.Completed> read =
        table.timeline().completedWrites().stream().filter(this::isBeforeEnd).toList();
    if (read.isEmpty()) {
      return new ScanRange(InstantTime.BEGINNING, List.of());
    }
    ScanPlanner planner = new ScanPlanner(partitions);
    List<ScanSplit> splits =
        read.size() == table.timeline().completedWrites().size()
            ? planner.snapshot(table)
            : planner.snapshotAsOf(table, lastRequested(read));
    Instant.Completed last =
        read.stream()
            .filter(write -> !isCompaction(table, write))
            .reduce((earlier, later) -> later)
            .orElse(read.get(read.size() - 1));
    return ScanRange.ofOneStage(last.completionTime(), splits);
  }

  private static InstantTime lastRequested(List<Instant.Completed> instants) {
    return instants.stream()
        .map(Instant.Completed::requestedTime)
        .max(InstantTime::compareTo)
        .orElseThrow();
  }

  /** Completion time of the newest commit that is no table service. */
  private Optional<InstantTime> lastChange(HudiTable table) throws IOException {
    List<Instant.Completed> writes =
        table.timeline().completedWrites().stream().filter(this::isBeforeEnd).toList();
    for (int i = writes.size() - 1; i >= 0; i--) {
      if (!table.timelineStore().readCommit(writes.get(i)).isTableService()) {
        return Optional.of(writes.get(i).completionTime());
      }
    }
    return table.timeline().lastCompletion().map(IncrementalPlanner::justAfter);
  }

  /**
   * The range that begins after a position. Empty if nothing completed since, or the end is
   * reached.
   *
   * @param after {@link ScanRange#end()} of the range before
   * @throws HudiTableException if instants after the position have left the active timeline, so
   *     that their changes would be missed
   */
  public Optional<ScanRange> next(HudiTable table, InstantTime after) throws IOException {
    requireStillThere(table, after);
    List<ChangedGroup.Commit> range =
        cut(
            table,
            table.timeline().completedAfter(after).stream()
                .filter(this::isBeforeEnd)
                .filter(write -> !isCompaction(table, write))
                .toList());
    if (range.isEmpty()) {
      return Optional.empty();
    }
    InstantTime position = range.get(range.size() - 1).instant().completionTime();
    List<ChangedGroup.Commit> commits =
        range.stream().filter(commit -> !isLeftOut(commit.metadata())).toList();
    return Optional.of(range(table, after, position, commits));
  }

  /**
   * Compactions neither are changes nor move the position: one by another process may complete
   * while a commit with an earlier completion time is not visible yet.
   */
  private static boolean isCompaction(HudiTable table, Instant.Completed write) {
    Action begunAs = table.timeline().startedAs(write);
    return begunAs == Action.COMPACTION || begunAs == Action.LOG_COMPACTION;
  }

  private boolean isLeftOut(CommitMetadata metadata) {
    return manners.contains(Manner.WITHOUT_OVERWRITES) && metadata.isOverwrite();
  }

  /**
   * The instants of one range. More than asked for only where instants of version 6 share a time: a
   * position parts none.
   */
  private List<ChangedGroup.Commit> cut(HudiTable table, List<Instant.Completed> instants)
      throws IOException {
    List<ChangedGroup.Commit> range = new ArrayList<>();
    Set<FileGroupId> groups = new HashSet<>();
    InstantTime last = null;
    for (Instant.Completed instant : instants) {
      boolean partsFromLast = !instant.completionTime().equals(last);
      if (partsFromLast && range.size() >= maxInstants) {
        break;
      }
      CommitMetadata metadata = table.timelineStore().readCommit(instant);
      if (!metadata.isTableService()) {
        metadata.writeStats().stream()
            .filter(stat -> !stat.fileId().isEmpty())
            .forEach(
                stat ->
                    groups.add(new FileGroupId(stat.partitionPath(), new FileId(stat.fileId()))));
      }
      if (partsFromLast && !range.isEmpty() && groups.size() > maxSplits) {
        break;
      }
      range.add(new ChangedGroup.Commit(instant, metadata));
      last = instant.completionTime();
    }
    return range;
  }

  private boolean isBeforeEnd(Instant.Completed instant) {
    return end.isEmpty()
        || !instant.completionTime().isAfter(end.get())
        || !instant.requestedTime().isAfter(end.get());
  }

  private ScanRange range(
      HudiTable table, InstantTime after, InstantTime position, List<ChangedGroup.Commit> commits)
      throws IOException {
    ReplacedGroups replaced = ReplacedGroups.of(commits);
    List<ChangedGroup.Commit> changing =
        commits.stream().filter(commit -> !commit.metadata().isTableService()).toList();
    Set<InstantTime> instants = requestedTimes(changing);
    Set<InstantTime> all = requestedTimes(commits);
    boolean inOneStage = manners.contains(Manner.IN_ONE_STAGE);
    List<ScanSplit> upserts = new ArrayList<>();
    List<ScanSplit> deletes = inOneStage ? upserts : new ArrayList<>();
    boolean movesKeys = false;
    for (FileGroupId group : replaced.overwritten()) {
      if (partitions.test(group.partitionPath())) {
        movesKeys = true;
        removed(table, after, group, commits).ifPresent(deletes::add);
      }
    }
    for (ChangedGroup group : ChangedGroup.of(withClusterings(changing, commits), partitions)) {
      if (replaced.overwritten().contains(group.id())) {
        continue;
      }
      ScanSplit.Changes changes = split(table, after, group, instants, all);
      movesKeys |= group.mayHaveMovedKeys();
      if (replaced.isClustered(group.id())) {
        movesKeys = true;
        deletes.add(changes.inPhase(ChangePhase.DELETES));
      } else if (manners.contains(Manner.UPSERTS_ONLY)) {
        upserts.add(changes.inPhase(ChangePhase.UPSERTS));
      } else if (group.mayHaveMovedKeys() && !inOneStage) {
        deletes.add(changes.inPhase(ChangePhase.DELETES));
        upserts.add(changes.inPhase(ChangePhase.UPSERTS));
      } else {
        upserts.add(changes);
      }
    }
    if (manners.contains(Manner.UPSERTS_ONLY)) {
      upserts.removeIf(IncrementalPlanner::hasDeletesOnly);
      return ScanRange.ofOneStage(position, upserts);
    }
    return new ScanRange(
        position, inOneStage ? List.of(upserts) : List.of(deletes, upserts), movesKeys);
  }

  /** And the clusterings that took rows out of the groups that the changing commits wrote to. */
  private List<ChangedGroup.Commit> withClusterings(
      List<ChangedGroup.Commit> changing, List<ChangedGroup.Commit> all) {
    List<ChangedGroup.Commit> taken = changing;
    while (taken.size() < all.size()) { // what was clustered may be clustered again
      Set<FileGroupId> groups = new HashSet<>();
      ChangedGroup.of(taken, partitions).forEach(group -> groups.add(group.id()));
      List<ChangedGroup.Commit> known = taken;
      List<ChangedGroup.Commit> more =
          all.stream()
              .filter(commit -> known.contains(commit) || ReplacedGroups.clusters(commit, groups))
              .toList();
      if (more.size() == taken.size()) {
        break;
      }
      taken = more;
    }
    return taken;
  }

  private static boolean hasDeletesOnly(ScanSplit split) {
    return split instanceof ScanSplit.Removed
        || (split instanceof ScanSplit.Changes changes && changes.phase() == ChangePhase.DELETES);
  }

  /** The rows that a group had at the begin of the range, if it was there then. */
  private static Optional<ScanSplit> removed(
      HudiTable table, InstantTime after, FileGroupId group, List<ChangedGroup.Commit> commits)
      throws IOException {
    Timeline seen = seenAt(table.timeline(), after, Set.of());
    Optional<FileSlice> slice = table.view().latestSliceOn(seen, group);
    if (slice.isEmpty() && commits.stream().noneMatch(commit -> wroteTo(commit, group))) {
      throw new HudiTableException(
          ("File group '%s' in partition '%s' of the table at '%s' was overwritten after %s, and"
                  + " its files are cleaned: which rows it had can no longer be told. %s Or leave"
                  + " overwrites out with 'read.streaming.skip_insertoverwrite'='true'.")
              .formatted(
                  group.fileId(),
                  group.partitionPath(),
                  table.storage().location(),
                  after,
                  EarliestReadable.inWords(table)));
    }
    return slice.map(
        files -> new ScanSplit.Removed(files, ScanPlanner.committedBlocks(table, seen)));
  }

  private static boolean wroteTo(ChangedGroup.Commit commit, FileGroupId group) {
    return commit.metadata().writeStats().stream()
        .anyMatch(
            stat ->
                stat.partitionPath().equals(group.partitionPath())
                    && stat.fileId().equals(group.fileId().value()));
  }

  private static Set<InstantTime> requestedTimes(List<ChangedGroup.Commit> commits) {
    Set<InstantTime> times = new HashSet<>();
    commits.forEach(commit -> times.add(commit.instant().requestedTime()));
    return times;
  }

  /**
   * @param instants whose changes are read
   * @param all and those of the table services between them: a clustering may have made the files
   *     that hold the older versions
   */
  private static ScanSplit.Changes split(
      HudiTable table,
      InstantTime after,
      ChangedGroup group,
      Set<InstantTime> instants,
      Set<InstantTime> all)
      throws IOException {
    BaseFile replacedBase = null;
    if (group.mayHaveRemovedBaseRows()) {
      replacedBase =
          table
              .view()
              .latestSliceOn(seenAt(table.timeline(), after, Set.of()), group.id())
              .flatMap(FileSlice::baseFile)
              .orElse(null);
    }
    FileSlice slice = group.slice();
    // Blocks of other instants may share a log file in version 6.
    LogBlockFilter blocks = new LogBlockFilter(InstantTime.BEGINNING, instants);
    MergeBehavior behavior = table.config().mergeBehavior();
    boolean needsOlder =
        group.mayHaveSuperseded()
            && !slice.logFiles().isEmpty()
            && slice.baseFile().isEmpty()
            && (behavior.usesOrdering() || behavior.combinesVersions());
    if (needsOlder) {
      Timeline seen = seenAt(table.timeline(), after, all);
      slice = table.view().latestSliceOn(seen, group.id()).orElse(slice);
      blocks =
          table.config().version() == TableVersion.SIX
              ? LogBlockFilter.committedOn(seen)
              : LogBlockFilter.ALL;
    }
    return new ScanSplit.Changes(slice, blocks, instants, ChangePhase.ALL, replacedBase);
  }

  /**
   * The timeline on which only those writes are completed that completed at {@code position} or
   * before, and some more. The others stay on it as pending, or their files would count as
   * archived.
   */
  private static Timeline seenAt(
      Timeline timeline, InstantTime position, Set<InstantTime> andThese) {
    List<Instant> instants = new ArrayList<>();
    for (Instant instant : timeline.instants()) {
      if (instant instanceof Instant.Completed completed
          && completed.action().writesData()
          && completed.completionTime().isAfter(position)
          && !andThese.contains(completed.requestedTime())) {
        instants.add(new Instant.Inflight(completed.requestedTime(), completed.action()));
      } else {
        instants.add(instant);
      }
    }
    return Timeline.of(instants);
  }

  private static void requireStillThere(HudiTable table, InstantTime after) throws IOException {
    Optional<InstantTime> start =
        table.timeline().instants().stream()
            .filter(instant -> instant.action().writesData())
            .map(Instant::requestedTime)
            .findFirst();
    if (start.isEmpty()
        || after.compareTo(justBefore(start.get())) >= 0
        || !TimelineHistory.of(table.storage(), table.config()).mayHaveWritesAfter(after)) {
      return;
    }
    throw new HudiTableException(
        ("Changes of the table at '%s' were asked for from %s on, but its timeline begins with %s:"
                + " older commits are archived, and what they changed can no longer be told. %s Let"
                + " the table keep more commits ('archive.min_commits' and 'clean.retain_commits',"
                + " in Hudi 'hoodie.keep.min.commits' and 'hoodie.cleaner.commits.retained') if"
                + " readers lag so far behind.")
            .formatted(
                table.storage().location(), after, start.get(), EarliestReadable.inWords(table)));
  }

  /** Digits before these in the order of times; not always a time of the calendar. */
  public static InstantTime justBefore(InstantTime time) {
    return shifted(time, BigInteger.ONE.negate());
  }

  private static InstantTime justAfter(InstantTime time) {
    return shifted(time, BigInteger.ONE);
  }

  private static InstantTime shifted(InstantTime time, BigInteger by) {
    int length = time.digits().length();
    BigInteger number = new BigInteger(time.digits()).add(by).max(BigInteger.ZERO);
    String digits = number.toString();
    return new InstantTime("0".repeat(Math.max(0, length - digits.length())) + digits);
  }
}
