package io.hudilite.core.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.CommitOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Compacts a table in this process, one file group after the other: for small tables, procedures
 * and tests. Jobs spread the tasks of a {@link CompactionExecution} themselves. Not safe for use by
 * several threads.
 */
public final class TableCompaction {
  private static final int COMMIT_ATTEMPTS = 3;

  private final Storage storage;
  private final BaseFileSettings settings;
  private final MergeMemory memory;
  private final TakeOver takeOver;

  public TableCompaction(
      Storage storage, BaseFileSettings settings, MergeMemory memory, TakeOver takeOver) {
    this.storage = requireNonNull(storage, "storage");
    this.settings = requireNonNull(settings, "settings");
    this.memory = requireNonNull(memory, "memory");
    this.takeOver = requireNonNull(takeOver, "takeOver");
  }

  /** What became of a pending compaction. */
  public sealed interface Result {
    InstantTime instant();

    /** It is visible. */
    record Completed(InstantTime instant, List<WriteStat> stats) implements Result {
      public Completed {
        stats = List.copyOf(stats);
      }
    }

    /** It was not executed here. */
    record Skipped(InstantTime instant, String reason) implements Result {}
  }

  /**
   * Executes all pending compactions, oldest first.
   *
   * @throws IOException if one failed; its plan is requested again, later ones were not begun
   */
  public List<Result> executePending() throws IOException {
    List<Result> results = new ArrayList<>();
    for (Instant instant : HudiTable.open(storage).timeline().pendingCompactions()) {
      if (instant.action() == Action.COMPACTION) {
        results.add(execute(instant.requestedTime()));
      }
    }
    return results;
  }

  /**
   * Executes one pending compaction.
   *
   * @throws IOException if it failed; the plan is requested again
   */
  public Result execute(InstantTime instant) throws IOException {
    HudiTable table = HudiTable.open(storage);
    InstantClock clock = new InstantClock(takeOver.clock(), table.config().timelineZone());
    Begun<CompactionExecution> begun =
        CompactionExecution.begin(table, instant, clock, takeOver, CompletionLock.NONE);
    if (begun instanceof Begun.NotOurs<CompactionExecution> notOurs) {
      return new Result.Skipped(instant, notOurs.reason());
    }
    if (begun instanceof Begun.Dropped<CompactionExecution> dropped) {
      return new Result.Skipped(instant, dropped.reason());
    }
    CompactionExecution execution = ((Begun.Started<CompactionExecution>) begun).execution();
    List<WriteStat> stats = new ArrayList<>();
    try {
      Compactor compactor = new Compactor(table, settings, memory);
      for (CompactionTask task : execution.tasks()) {
        stats.add(compactor.compact(task, () -> false));
      }
      return complete(execution, stats);
    } catch (IOException | RuntimeException e) {
      try {
        execution.giveUp();
      } catch (IOException | RuntimeException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  private Result complete(CompactionExecution execution, List<WriteStat> stats) throws IOException {
    for (int attempt = 0; attempt < COMMIT_ATTEMPTS; attempt++) {
      CommitOutcome outcome = execution.complete(stats);
      if (outcome == CommitOutcome.COMMITTED) {
        return new Result.Completed(execution.instant(), stats);
      }
      if (outcome == CommitOutcome.REFUSED) {
        return new Result.Skipped(
            execution.instant(), "another execution took its place, or the plan was dropped");
      }
    }
    throw new IOException(
        "Compaction %s of '%s' could not be completed in %d tries"
            .formatted(execution.instant(), storage.location(), COMMIT_ATTEMPTS));
  }
}
