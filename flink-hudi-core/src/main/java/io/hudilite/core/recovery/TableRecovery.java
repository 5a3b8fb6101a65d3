package io.hudilite.core.recovery;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.lease.WriterLease;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.RestorePlan;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Takes instants of a table back. Holds the lease of the table's writer meanwhile, so that it is
 * refused while a job writes the table, and a job that starts waits. What a crash interrupts is
 * finished by the next call, or the next writer. Not safe for use by several threads.
 */
public final class TableRecovery {
  private final Storage storage;
  private final SoleWriter writer;

  /**
   * @param who what goes on, for the messages that others get meanwhile, such as {@code restore}
   */
  public TableRecovery(Storage storage, InstantSource wall, String who) {
    this(storage, new SoleWriter(storage, wall, who));
  }

  TableRecovery(
      Storage storage,
      InstantSource wall,
      LongSupplier nanos,
      WriterLease.Pause pause,
      String who) {
    this(storage, new SoleWriter(storage, wall, nanos, pause, who));
  }

  private TableRecovery(Storage storage, SoleWriter writer) {
    this.storage = requireNonNull(storage, "storage");
    this.writer = writer;
  }

  /**
   * What a restore or a rollback did.
   *
   * @param instant its time on the timeline; empty if there was nothing to do, or a plan was
   *     dropped, which leaves no trace
   * @param removed what was taken back, the newest first
   */
  public record Result(Optional<InstantTime> instant, List<InstantTime> removed) {
    public Result {
      requireNonNull(instant, "instant");
      removed = List.copyOf(removed);
    }
  }

  /**
   * Brings the table back to a savepoint: all writes that completed after it are taken back, with
   * their files, and so are writes that are pending and services planned since. The savepoint
   * stays. A streaming reader that has read further fails and says so, when it looks next.
   *
   * @throws HudiTableException if there is no such savepoint, a later one is in the way, its files
   *     are not all there, or a job writes the table: then nothing was changed
   * @throws IOException if it is not finished; the next call or writer goes on with it
   */
  public Result restore(InstantTime savepoint) throws IOException {
    return writer.run(
        (commit, lease) -> {
          HudiTable table = HudiTable.open(storage);
          RestorePlan plan = new RestorePlanner(table).plan(savepoint);
          List<InstantTime> removed =
              plan.targets().stream().map(RestorePlan.Target::instant).toList();
          return new Result(Optional.of(commit.restore(plan, lease::beat)), removed);
        });
  }

  /**
   * Takes one instant back: a pending write, a planned compaction or clustering, or the newest
   * completed write.
   *
   * @throws HudiTableException if there is no such instant, others build on it, or a job writes the
   *     table: then nothing was changed
   * @throws IOException if it is not finished; call again
   */
  public Result rollBack(InstantTime instant) throws IOException {
    return writer.run(
        (commit, lease) -> {
          HudiTable table = HudiTable.open(storage);
          Optional<Instant> pending = table.timeline().pending(instant);
          if (pending.isPresent()) {
            return rollBackPending(commit, pending.get());
          }
          Instant.Completed write = new UndoCheck(table).requireUndoable(instant);
          return new Result(Optional.of(commit.undo(write)), List.of(instant));
        });
  }

  private Result rollBackPending(TableCommit commit, Instant pending) throws IOException {
    InstantTime instant = pending.requestedTime();
    boolean isGone =
        switch (pending.action()) {
          case COMMIT, DELTA_COMMIT, REPLACE_COMMIT -> commit.rollBack(instant);
          case COMPACTION, LOG_COMPACTION, CLUSTERING -> commit.dropPlan(instant);
          case CLEAN, ROLLBACK, RESTORE, SAVEPOINT, INDEXING ->
              throw new HudiTableException(
                  "Instant %s of the table at '%s' is a pending %s; such are finished, not rolled back: run it again"
                      .formatted(instant, storage.location(), pending.action().word()));
        };
    if (!isGone) {
      throw new HudiTableException(
          "Instant %s of the table at '%s' was completed by another process meanwhile; call again to take it back"
              .formatted(instant, storage.location()));
    }
    return new Result(Optional.empty(), List.of(instant));
  }
}
