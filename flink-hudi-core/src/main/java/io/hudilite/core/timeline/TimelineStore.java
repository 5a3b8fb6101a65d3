package io.hudilite.core.timeline;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.storage.Storage;
import java.io.IOException;

/**
 * The instant files of one table. Nobody else writes below the timeline folder. Writes table
 * version 8 only; reads the layouts of 6, 8 and 9. Safe for use by several threads.
 */
public final class TimelineStore {
  private final Storage storage;
  private final TableConfig config;

  public TimelineStore(Storage storage, TableConfig config) {
    this.storage = requireNonNull(storage, "storage");
    this.config = requireNonNull(config, "config");
  }

  /** Lists the active timeline as it is now. */
  public Timeline load() throws IOException {
    throw new UnsupportedOperationException(storage.location() + config);
  }

  /**
   * Makes an instant pending.
   *
   * @param plan content of the requested file; empty for writes
   * @throws java.nio.file.FileAlreadyExistsException if it is there already
   */
  public void createRequested(Instant.Requested instant, byte[] plan) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * @throws java.nio.file.FileAlreadyExistsException if it is there already
   */
  public void createInflight(Instant.Inflight instant) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Makes an instant visible.
   *
   * @throws java.nio.file.FileAlreadyExistsException if it is there already
   * @throws IOException if it is unknown whether it is visible now
   */
  public void complete(Instant.Completed instant, byte[] content) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Deletes the file of one state; returns false if there was none. */
  public boolean delete(Instant instant) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** The content of the file of one state. */
  public byte[] readContent(Instant instant) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * What a completed write did.
   *
   * @throws CorruptInstantException if the content cannot be understood
   */
  public CommitMetadata readCommit(Instant.Completed instant) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** The plan of a compaction in any state. */
  public CompactionPlan readCompactionPlan(InstantTime requested) throws IOException {
    throw new UnsupportedOperationException();
  }
}
