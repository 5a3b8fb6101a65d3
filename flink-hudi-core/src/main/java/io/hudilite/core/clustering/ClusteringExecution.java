package io.hudilite.core.clustering;

import io.hudilite.core.compact.Begun;
import io.hudilite.core.compact.CompletionLock;
import io.hudilite.core.compact.PlanClaim;
import io.hudilite.core.compact.ServiceExecution;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.ClusteringPlan;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.CommitOutcome;
import io.hudilite.core.write.TableCommit;
import io.hudilite.core.write.WriteMarkers;
import java.io.IOException;
import java.util.ArrayList;
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
 * Clusterer}, anywhere; {@link #complete} makes all of them visible at once, but for those whose
 * file groups got a commit since, which stay as they are. If one fails, {@link #giveUp} sets the
 * plan back to requested. A process that dies leaves the plan to the next one. Not safe for use by
 * several threads.
 */
public final class ClusteringExecution implements ServiceExecution {
  private static final Logger LOG = LoggerFactory.getLogger(ClusteringExecution.class);

  private final HudiTable table;
  private final ClusteringPlan plan;
  private final PlanClaim claim;
  private final TableCommit commit;
  private final CompletionLock lock;
  private final List<ClusteringTask> tasks;

  private ClusteringExecution(
      HudiTable table,
      ClusteringPlan plan,
      PlanClaim claim,
      TableCommit commit,
      CompletionLock lock,
      List<ClusteringTask> tasks) {
    this.table = table;
    this.plan = plan;
    this.claim = claim;
    this.commit = commit;
    this.lock = lock;
    this.tasks = List.copyOf(tasks);
  }

  /**
   * Claims a plan.
   *
   * @param table as it is now
   * @param instant of a pending clustering
   * @param clock of the table, for the completion time
   * @param takeOver whether an execution that has not ended may be taken for dead
   * @param lock held while the clustering completes
   * @throws IOException on a failure of the storage; call again
   */
  public static Begun<ClusteringExecution> begin(
      HudiTable table,
      InstantTime instant,
      InstantClock clock,
      TakeOver takeOver,
      CompletionLock lock)
      throws IOException {
    PlanClaim.Attempt attempt = PlanClaim.take(table, instant, Action.CLUSTERING, takeOver);
    if (attempt.claim().isEmpty()) {
      return new Begun.NotOurs<>(attempt.reason());
    }
    PlanClaim claim = attempt.claim().get();
    TableCommit commit = new TableCommit(table.storage(), table.config(), clock);
    commit.finishDecidedCommits();
    HudiTable now = table.refresh();
    if (now.timeline().pending(instant).isEmpty()) {
      claim.forget();
      return new Begun.NotOurs<>("clustering " + instant + " has just been completed");
    }
    ClusteringPlan plan = now.timelineStore().readClusteringPlan(instant, Action.CLUSTERING);
    PlannedGroups groups = PlannedGroups.of(now, plan);
    groups
        .problems()
        .forEach(
            (number, problem) ->
                LOG.info(
                    "Group {} of clustering {} is left as it is: {}", number, instant, problem));
    if (groups.slices().isEmpty()) {
      String reason = "none of its groups can be clustered any more: " + groups.problems().values();
      drop(commit, claim, instant, reason);
      return new Begun.Dropped<>(reason);
    }
    claim.begin();
    List<ClusteringTask> tasks = new ArrayList<>();
    groups.slices().forEach((number, slices) -> tasks.add(task(plan, claim, number, slices)));
    return new Begun.Started<>(new ClusteringExecution(now, plan, claim, commit, lock, tasks));
  }

  private static ClusteringTask task(
      ClusteringPlan plan, PlanClaim claim, int number, List<FileSlice> slices) {
    Map<String, String> parameters = plan.parameters();
    String columns = parameters.getOrDefault(ClusteringPlan.SORT_COLUMNS, "");
    return new ClusteringTask(
        claim.instant(),
        claim.number(),
        number,
        slices,
        targetBytes(plan, plan.groups().get(number), slices),
        Layout.of(parameters.getOrDefault(ClusteringPlanner.LAYOUT, Layout.LINEAR.word())),
        java.util.Arrays.stream(columns.split(","))
            .map(String::trim)
            .filter(name -> !name.isEmpty())
            .toList());
  }

  /** Another engine's plan says how many files it wants. */
  private static long targetBytes(
      ClusteringPlan plan, ClusteringPlan.Group group, List<FileSlice> slices) {
    String own = plan.parameters().getOrDefault(ClusteringPlanner.TARGET_BYTES, "");
    if (own.matches("[1-9]\\d{0,17}")) {
      return Long.parseLong(own);
    }
    long bytes = slices.stream().mapToLong(FileSlice::totalBytes).sum();
    int files = Math.max(1, group.outputGroups());
    return files == 1 ? Long.MAX_VALUE : Math.max(1, bytes / files);
  }

  private static void drop(TableCommit commit, PlanClaim claim, InstantTime instant, String reason)
      throws IOException {
    LOG.warn("Dropping the plan of clustering {}: {}", instant, reason);
    commit.dropPlan(instant);
    claim.forget();
  }

  @Override
  public InstantTime instant() {
    return claim.instant();
  }

  /** One for each group of the plan that can be clustered. */
  @Override
  public List<ClusteringTask> tasks() {
    return tasks;
  }

  @Override
  public CommitOutcome complete(Map<Integer, List<WriteStat>> results) {
    if (!results.keySet().equals(numbers())) {
      throw new IllegalArgumentException(
          "Results of tasks %s, not of %s, of clustering %s"
              .formatted(results.keySet(), numbers(), instant()));
    }
    try {
      return tryComplete(new TreeMap<>(results));
    } catch (IOException e) {
      LOG.warn("Not known whether clustering {} is completed", instant(), e);
      return CommitOutcome.UNKNOWN;
    }
  }

  private Set<Integer> numbers() {
    Set<Integer> numbers = new HashSet<>();
    tasks.forEach(task -> numbers.add(task.number()));
    return numbers;
  }

  private CommitOutcome tryComplete(Map<Integer, List<WriteStat>> results) throws IOException {
    // Also an earlier try of this one, whose answer was lost.
    commit.finishDecidedCommits();
    if (!claim.isCurrent() || table.refresh().timeline().pending(instant()).isEmpty()) {
      return outcomeOf(results);
    }
    StageFile closing = StageFile.closing(table.storage(), instant());
    closing.create();
    Set<FileGroupId> written = writtenNow();
    HudiTable now = table.refresh();
    PlannedGroups groups = PlannedGroups.of(now, plan);
    Map<Integer, List<WriteStat>> kept = new TreeMap<>(results);
    for (ClusteringTask task : tasks) {
      Optional<String> problem =
          Optional.ofNullable(groups.problems().get(task.number()))
              .or(() -> written(task, written));
      if (problem.isPresent()) {
        LOG.info(
            "Group {} of clustering {} is left as it is: {}",
            task.number(),
            instant(),
            problem.get());
        kept.remove(task.number());
      }
    }
    if (kept.isEmpty()) {
      drop(commit, claim, instant(), "all its file groups are being written to");
      delete(results);
      return CommitOutcome.REFUSED;
    }
    CommitMetadata metadata = metadata(kept);
    CommitOutcome outcome = lock.completing(() -> commit.commit(instant(), metadata));
    switch (outcome) {
      case COMMITTED -> claim.forget();
      case REFUSED -> {
        delete(results);
        deleteStages();
      }
      case UNKNOWN -> {}
    }
    return outcome;
  }

  /** The file groups that writes which are under way have, or may yet make, files of. */
  private Set<FileGroupId> writtenNow() throws IOException {
    Set<FileGroupId> written = new HashSet<>();
    for (Instant pending : table.refresh().timeline().pendingWrites()) {
      if (pending.requestedTime().equals(instant())) {
        continue;
      }
      for (String path : new WriteMarkers(table.storage(), pending.requestedTime()).paths()) {
        int slash = path.lastIndexOf('/');
        String name = path.substring(slash + 1);
        String partition = slash < 0 ? "" : path.substring(0, slash);
        BaseFileName.parse(name)
            .map(BaseFileName::fileId)
            .or(() -> LogFileName.parse(name).map(LogFileName::fileId))
            .ifPresent(id -> written.add(new FileGroupId(partition, id)));
      }
    }
    return written;
  }

  private static Optional<String> written(ClusteringTask task, Set<FileGroupId> written) {
    return task.slices().stream()
        .map(FileSlice::groupId)
        .filter(written::contains)
        .findFirst()
        .map(id -> id + " is being written to");
  }

  private CommitMetadata metadata(Map<Integer, List<WriteStat>> results) throws IOException {
    List<WriteStat> stats = new ArrayList<>();
    Map<String, List<String>> replaced = new TreeMap<>();
    for (ClusteringTask task : tasks) {
      List<WriteStat> result = results.get(task.number());
      if (result != null) {
        stats.addAll(result);
        for (FileSlice slice : task.slices()) {
          replaced
              .computeIfAbsent(slice.groupId().partitionPath(), path -> new ArrayList<>())
              .add(slice.groupId().fileId().value());
        }
      }
    }
    return new CommitMetadata(
        stats,
        false,
        Map.of(CommitMetadata.SCHEMA, table.avroSchema().toString()),
        CommitMetadata.CLUSTER,
        replaced);
  }

  /** It is decided, or belongs to another execution. */
  private CommitOutcome outcomeOf(Map<Integer, List<WriteStat>> results) throws IOException {
    HudiTable now = table.refresh();
    Optional<Instant.Completed> completed = now.timeline().completedWrite(instant());
    if (completed.isPresent()) {
      Set<String> own = new HashSet<>();
      results.values().forEach(stats -> stats.forEach(stat -> own.add(stat.path())));
      List<WriteStat> committed = now.timelineStore().readCommit(completed.get()).writeStats();
      if (committed.stream().allMatch(stat -> own.contains(stat.path()))) {
        claim.forget();
        return CommitOutcome.COMMITTED;
      }
    }
    delete(results);
    return CommitOutcome.REFUSED;
  }

  private void delete(Map<Integer, List<WriteStat>> results) throws IOException {
    for (List<WriteStat> stats : results.values()) {
      for (WriteStat stat : stats) {
        table.storage().delete(stat.path());
      }
    }
  }

  @Override
  public void giveUp() throws IOException {
    commit.finishDecidedCommits();
    claim.giveUp(
        path ->
            BaseFileName.parse(path.substring(path.lastIndexOf('/') + 1))
                .filter(name -> ClusteringTask.isOfClaim(name.writeToken(), claim.number()))
                .isPresent());
    if (claim.isCurrent()) {
      deleteStages();
    }
  }

  /**
   * Tells writers of the table that this is about to complete, so that they keep rows of its file
   * groups back. They hear of it with their next barrier.
   */
  @Override
  public void announce() throws IOException {
    StageFile.announced(table.storage(), instant()).create();
  }

  private void deleteStages() throws IOException {
    StageFile.announced(table.storage(), instant()).delete();
    StageFile.closing(table.storage(), instant()).delete();
  }
}
