package io.hudilite.core.clustering;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.compact.Begun;
import io.hudilite.core.compact.CompletionLock;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.CommitOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Clusters a table in this process, one group of a plan after the other: for small tables,
 * procedures and tests. Jobs spread the tasks of a {@link ClusteringExecution} themselves. Plans
 * are made by a {@link ClusteringScheduler}. Not safe for use by several threads.
 */
public final class TableClustering {
  private static final int COMMIT_ATTEMPTS = 3;

  private final Storage storage;
  private final BaseFileSettings settings;
  private final MergeMemory memory;
  private final TakeOver takeOver;

  /**
   * @param settings of the new files
   * @param memory for sorting and merging
   */
  public TableClustering(
      Storage storage, BaseFileSettings settings, MergeMemory memory, TakeOver takeOver) {
    this.storage = requireNonNull(storage, "storage");
    this.settings = requireNonNull(settings, "settings");
    this.memory = requireNonNull(memory, "memory");
    this.takeOver = requireNonNull(takeOver, "takeOver");
  }

  /** What became of a pending clustering. */
  public sealed interface Result {
    InstantTime instant();

    /**
     * It is visible.
     *
     * @param stats of the new files; groups of the plan that were written to meanwhile have none
     */
    record Completed(InstantTime instant, List<WriteStat> stats) implements Result {
      public Completed {
        stats = List.copyOf(stats);
      }
    }

    /** It was not executed here. */
    record Skipped(InstantTime instant, String reason) implements Result {}
  }

  /**
   * Executes all pending clusterings, oldest first.
   *
   * @throws IOException if one failed; its plan is requested again, later ones were not begun
   */
  public List<Result> executePending() throws IOException {
    List<Result> results = new ArrayList<>();
    for (Instant instant : HudiTable.open(storage).timeline().pendingClusterings()) {
      results.add(execute(instant.requestedTime()));
    }
    return results;
  }

  /**
   * Executes one pending clustering.
   *
   * @throws IOException if it failed; the plan is requested again
   */
  public Result execute(InstantTime instant) throws IOException {
    HudiTable table = HudiTable.open(storage);
    InstantClock clock = new InstantClock(takeOver.clock(), table.config().timelineZone());
    Begun<ClusteringExecution> begun =
        ClusteringExecution.begin(table, instant, clock, takeOver, CompletionLock.NONE);
    if (begun instanceof Begun.NotOurs<ClusteringExecution> notOurs) {
      return new Result.Skipped(instant, notOurs.reason());
    }
    if (begun instanceof Begun.Dropped<ClusteringExecution> dropped) {
      return new Result.Skipped(instant, dropped.reason());
    }
    ClusteringExecution execution = ((Begun.Started<ClusteringExecution>) begun).execution();
    Map<Integer, List<WriteStat>> results = new TreeMap<>();
    try {
      Clusterer clusterer = new Clusterer(table, settings, memory);
      for (ClusteringTask task : execution.tasks()) {
        results.put(task.number(), clusterer.cluster(task, () -> false));
      }
      return complete(execution, results);
    } catch (IOException | RuntimeException e) {
      try {
        execution.giveUp();
      } catch (IOException | RuntimeException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  private Result complete(ClusteringExecution execution, Map<Integer, List<WriteStat>> results)
      throws IOException {
    InstantTime instant = execution.instant();
    for (int attempt = 0; attempt < COMMIT_ATTEMPTS; attempt++) {
      CommitOutcome outcome = execution.complete(results);
      if (outcome == CommitOutcome.COMMITTED) {
        HudiTable now = HudiTable.open(storage);
        return new Result.Completed(
            instant,
            now.timelineStore()
                .readCommit(now.timeline().completedWrite(instant).orElseThrow())
                .writeStats());
      }
      if (outcome == CommitOutcome.REFUSED) {
        return new Result.Skipped(
            instant, "its file groups are being written to, or another execution took its place");
      }
    }
    throw new IOException(
        "Clustering %s of '%s' could not be completed in %d tries"
            .formatted(instant, storage.location(), COMMIT_ATTEMPTS));
  }
}
