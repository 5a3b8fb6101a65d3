package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.List;

/**
 * Begins, commits and rolls back the instants of one table of version 8. Every method may be called
 * again after any failure, by this or another process: what becomes of an instant is decided once.
 * A commit of n files costs O(n) and one listing of the timeline. Not safe for use by several
 * threads.
 */
public final class TableCommit {
  private final Storage storage;
  private final TableConfig config;
  private final InstantClock clock;

  /**
   * @param clock in the zone of the table's timeline
   */
  public TableCommit(Storage storage, TableConfig config, InstantClock clock) {
    this.storage = requireNonNull(storage, "storage");
    this.config = requireNonNull(config, "config");
    this.clock = requireNonNull(clock, "clock");
  }

  /** Makes a new pending write; its time is later than all on the timeline. */
  public InstantTime begin(Action action) throws IOException {
    throw new UnsupportedOperationException(storage.location() + config + clock + action);
  }

  /**
   * Makes the files of an instant visible. Files that have a marker but no stat are deleted.
   * Committing an instant again with the same files is COMMITTED again.
   *
   * @param metadata its stats must name all files that are to stay
   */
  public CommitOutcome commit(InstantTime instant, CommitMetadata metadata) {
    throw new UnsupportedOperationException();
  }

  /**
   * Removes the files of a pending write and the write itself, and leaves a rollback on the
   * timeline.
   *
   * @return false if the instant is committed, then nothing was removed
   * @throws IOException if it is not finished; call again
   */
  public boolean rollBack(InstantTime instant) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * The pending writes that a single writer may roll back when it starts: all but planned
   * compactions and clusterings. Rollbacks that were interrupted are finished first.
   */
  public List<Instant> pending() throws IOException {
    throw new UnsupportedOperationException();
  }
}
