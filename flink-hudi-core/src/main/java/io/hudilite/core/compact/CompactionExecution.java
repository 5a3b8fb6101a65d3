package io.hudilite.core.compact;

import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.FileGroup;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFile;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.CompactionPlan;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.view.FileSystemView;
import io.hudilite.core.write.CommitOutcome;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One try to carry out a plan. {@link #begin} claims it, each of {@link #tasks} is done by a {@link
 * Compactor}, anywhere; {@link #complete} makes all of them visible at once. If one fails, {@link
 * #giveUp} sets the plan back to requested. A process that dies leaves the plan to the next one.
 * Not safe for use by several threads.
 */
public final class CompactionExecution implements ServiceExecution {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionExecution.class);

  private final HudiTable table;
  private final InstantTime instant;
  private final CompactionPlan plan;
  private final PlanClaim claim;
  private final TableCommit commit;
  private final CompletionLock lock;
  private final List<CompactionTask> tasks;

  private CompactionExecution(
      HudiTable table,
      InstantTime instant,
      CompactionPlan plan,
      PlanClaim claim,
      TableCommit commit,
      CompletionLock lock,
      List<CompactionTask> tasks) {
    this.table = table;
    this.instant = instant;
    this.plan = plan;
    this.claim = claim;
    this.commit = commit;
    this.lock = lock;
    this.tasks = tasks;
  }

  /**
   * Claims a plan.
   *
   * @param table as it is now
   * @param instant of a pending compaction
   * @param clock of the table, for the completion time
   * @param takeOver whether an execution that has not ended may be taken for dead
   * @param lock held while the compaction completes
   * @throws IOException on a failure of the storage; call again
   */
  public static Begun<CompactionExecution> begin(
      HudiTable table,
      InstantTime instant,
      InstantClock clock,
      TakeOver takeOver,
      CompletionLock lock)
      throws IOException {
    PlanClaim.Attempt attempt = PlanClaim.take(table, instant, Action.COMPACTION, takeOver);
    if (attempt.claim().isEmpty()) {
      return new Begun.NotOurs<>(attempt.reason());
    }
    PlanClaim claim = attempt.claim().get();
    HudiTable now = claim.table();
    TableCommit commit = new TableCommit(table.storage(), table.config(), clock);
    CompactionPlan plan = table.timelineStore().readCompactionPlan(instant);
    Resolved resolved = resolve(now, instant, plan, claim.number());
    if (resolved.problem().isPresent()) {
      drop(commit, claim, instant, resolved.problem().get());
      return new Begun.Dropped<>(resolved.problem().get());
    }
    claim.begin();
    return new Begun.Started<>(
        new CompactionExecution(now, instant, plan, claim, commit, lock, resolved.tasks()));
  }

  private static void drop(TableCommit commit, PlanClaim claim, InstantTime instant, String reason)
      throws IOException {
    LOG.warn("Dropping the plan of compaction {}: {}", instant, reason);
    commit.dropPlan(instant);
    claim.forget();
  }

  private record Resolved(List<CompactionTask> tasks, Optional<String> problem) {}

  /**
   * Finds the files of a plan, and makes sure that they are all that a slice has: the log files of
   * a commit that completed before the plan's time and is not in it would be lost. Lists the
   * partitions of the plan.
   */
  private static Resolved resolve(
      HudiTable table, InstantTime instant, CompactionPlan plan, int claim) throws IOException {
    FileSystemView view =
        FileSystemView.load(
            table.storage(),
            table.config(),
            table.timeline().completedBefore(instant),
            table.timelineStore());
    Map<String, Map<FileGroupId, FileGroup>> partitions = new HashMap<>();
    List<CompactionTask> tasks = new ArrayList<>();
    for (CompactionPlan.Operation operation : plan.operations()) {
      Map<FileGroupId, FileGroup> groups = partitions.get(operation.partitionPath());
      if (groups == null) {
        groups = new HashMap<>();
        for (FileGroup group : view.fileGroups(operation.partitionPath())) {
          groups.put(group.id(), group);
        }
        partitions.put(operation.partitionPath(), groups);
      }
      FileGroupId id = new FileGroupId(operation.partitionPath(), new FileId(operation.fileId()));
      FileGroup group = groups.getOrDefault(id, new FileGroup(id, List.of()));
      FileSlice slice = slice(group, operation);
      Set<String> missing = new HashSet<>(operation.logFileNames());
      slice.logFiles().forEach(log -> missing.remove(log.name().toString()));
      if (!missing.isEmpty()
          || slice.baseFile().isPresent() == operation.dataFileName().isEmpty()) {
        return new Resolved(
            List.of(),
            Optional.of(
                "its files of %s are not all there: %s"
                    .formatted(
                        id, missing.isEmpty() ? operation.dataFileName() : missing.toString())));
      }
      Optional<String> late = late(group, operation);
      if (late.isPresent()) {
        return new Resolved(
            List.of(),
            Optional.of(
                "'%s' of %s was committed before it and is not in it".formatted(late.get(), id)));
      }
      tasks.add(new CompactionTask(instant, claim, tasks.size(), slice));
    }
    return new Resolved(tasks, Optional.empty());
  }

  /** The files of an operation, as far as they are committed. */
  private static FileSlice slice(FileGroup group, CompactionPlan.Operation operation) {
    Set<String> names = Set.copyOf(operation.logFileNames());
    BaseFile base = null;
    List<LogFile> logs = new ArrayList<>();
    for (FileSlice slice : group.slices()) {
      if (slice.baseFile().isPresent()
          && slice.baseFile().get().name().toString().equals(operation.dataFileName())) {
        base = slice.baseFile().get();
      }
      for (LogFile log : slice.logFiles()) {
        if (names.contains(log.name().toString())) {
          logs.add(log);
        }
      }
    }
    return new FileSlice(group.id(), new InstantTime(operation.baseInstant()), base, logs);
  }

  /** A log file of the planned slice that is not in the plan. */
  private static Optional<String> late(FileGroup group, CompactionPlan.Operation operation) {
    return group.slices().stream()
        .filter(slice -> slice.baseInstant().digits().equals(operation.baseInstant()))
        .flatMap(slice -> slice.logFiles().stream())
        .map(log -> log.name().toString())
        .filter(name -> !operation.logFileNames().contains(name))
        .findFirst();
  }

  @Override
  public InstantTime instant() {
    return instant;
  }

  /** One for each file group of the plan. */
  @Override
  public List<CompactionTask> tasks() {
    return tasks;
  }

  /**
   * Makes the new slices visible.
   *
   * @param stats one for each task
   * @return REFUSED if another execution has taken the place of this one, or the plan turned out to
   *     be one that would lose rows: the files of this one are deleted; UNKNOWN: call again
   */
  public CommitOutcome complete(List<WriteStat> stats) {
    if (stats.size() != tasks.size()) {
      throw new IllegalArgumentException(
          "%d results of %d tasks of compaction %s".formatted(stats.size(), tasks.size(), instant));
    }
    try {
      if (!claim.isCurrent()) {
        return outcomeWithoutClaim(stats);
      }
      // Commits that are decided have their completion time, and are not on the timeline yet.
      commit.finishDecidedCommits();
      HudiTable now = table.refresh();
      if (now.timeline().pending(instant).isPresent()) {
        Optional<String> problem = resolve(now, instant, plan, claim.number()).problem();
        if (problem.isPresent()) {
          deleteFiles(stats);
          drop(commit, claim, instant, problem.get());
          return CommitOutcome.REFUSED;
        }
      }
      CommitMetadata metadata = metadata(stats);
      CommitOutcome outcome = lock.completing(() -> commit.commit(instant, metadata));
      switch (outcome) {
        case COMMITTED -> claim.forget();
        case REFUSED -> deleteFiles(stats);
        case UNKNOWN -> {}
      }
      return outcome;
    } catch (IOException e) {
      LOG.warn("Not known whether compaction {} is completed", instant, e);
      return CommitOutcome.UNKNOWN;
    }
  }

  @Override
  public CommitOutcome complete(Map<Integer, List<WriteStat>> results) {
    List<WriteStat> stats = new ArrayList<>();
    new TreeMap<>(results).values().forEach(stats::addAll);
    return complete(stats);
  }

  private CommitMetadata metadata(List<WriteStat> stats) throws IOException {
    return new CommitMetadata(
        stats,
        true,
        Map.of(CommitMetadata.SCHEMA, table.avroSchema().toString()),
        CommitMetadata.COMPACT,
        Map.of());
  }

  /** An earlier call may have completed it without an answer; else it belongs to another one. */
  private CommitOutcome outcomeWithoutClaim(List<WriteStat> stats) throws IOException {
    if (table.refresh().timeline().completedWrite(instant).isEmpty()) {
      deleteFiles(stats);
      return CommitOutcome.REFUSED;
    }
    CommitOutcome outcome = commit.commit(instant, metadata(stats));
    if (outcome == CommitOutcome.REFUSED) {
      deleteFiles(stats);
    }
    return outcome;
  }

  private void deleteFiles(List<WriteStat> stats) throws IOException {
    for (WriteStat stat : stats) {
      table.storage().delete(stat.path());
    }
  }

  /**
   * Ends a try that failed: deletes what it wrote, and sets the plan back to requested. All its
   * compactors must have ended.
   *
   * @throws IOException if that did not work out; the next execution, or the commit of the
   *     compaction, deletes what is left
   */
  @Override
  public void giveUp() throws IOException {
    commit.finishDecidedCommits();
    Set<String> own = new HashSet<>();
    tasks.forEach(task -> own.add(task.path()));
    claim.giveUp(own::contains);
  }
}
