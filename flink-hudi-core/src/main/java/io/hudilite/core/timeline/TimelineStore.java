package io.hudilite.core.timeline;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableVersion;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;

/**
 * The instant files of one table. Nobody else writes below the timeline folder. Writes table
 * version 8 only; reads the layouts of 6, 8 and 9. Safe for use by several threads.
 */
public final class TimelineStore {
  private final Storage storage;
  private final TableConfig config;
  private final String folder;

  public TimelineStore(Storage storage, TableConfig config) {
    this.storage = requireNonNull(storage, "storage");
    this.config = requireNonNull(config, "config");
    this.folder = config.timelinePath();
  }

  /** Lists the active timeline as it is now. One listing, no file is opened. */
  public Timeline load() throws IOException {
    List<Instant> states = new ArrayList<>();
    for (StoredFile file : storage.list(folder)) {
      if (!file.isFolder()) {
        InstantFileName.parse(file.name(), file.modificationMillis(), config.timelineZone())
            .ifPresent(states::add);
      }
    }
    return Timeline.of(states);
  }

  /**
   * Makes an instant pending.
   *
   * @param plan content of the requested file; empty for writes
   * @throws java.nio.file.FileAlreadyExistsException if it is there already
   */
  public void createRequested(Instant.Requested instant, byte[] plan) throws IOException {
    requireVersionEight();
    storage.createNew(pathOf(instant), plan);
  }

  /**
   * Makes an instant inflight.
   *
   * @throws java.nio.file.FileAlreadyExistsException if it is there already
   */
  public void createInflight(Instant.Inflight instant) throws IOException {
    createInflight(instant, new byte[0]);
  }

  /** The same with content: Hudi 1.0 reads the plan of a clean there, too. */
  public void createInflight(Instant.Inflight instant, byte[] content) throws IOException {
    requireVersionEight();
    storage.createNew(pathOf(instant), content);
  }

  /**
   * Makes an instant visible.
   *
   * @param content not empty: readers take an empty file for a commit without files
   * @throws java.nio.file.FileAlreadyExistsException if it is there already
   * @throws IOException if it is unknown whether it is visible now
   */
  public void complete(Instant.Completed instant, byte[] content) throws IOException {
    requireVersionEight();
    if (content.length == 0) {
      throw new IllegalArgumentException(instant.fileName() + " must not be empty");
    }
    storage.createNew(pathOf(instant), content);
  }

  /** Deletes the file of one state; returns false if there was none. */
  public boolean delete(Instant instant) throws IOException {
    requireVersionEight();
    return storage.delete(pathOf(instant));
  }

  /** Whether the file of this state is there, also beside a higher state. */
  public boolean exists(Instant instant) throws IOException {
    return storage.exists(pathOf(instant));
  }

  /** When the file of one state was made, in epoch milliseconds; 0 if there is none. */
  public long modificationMillis(Instant instant) throws IOException {
    for (StoredFile file : storage.list(folder)) {
      if (file.name().equals(instant.fileName())) {
        return file.modificationMillis();
      }
    }
    return 0;
  }

  /**
   * The content of the file of one state.
   *
   * @throws java.nio.file.NoSuchFileException if it is not there
   */
  public byte[] readContent(Instant instant) throws IOException {
    return storage.read(pathOf(instant));
  }

  /**
   * What a completed write did.
   *
   * @throws CorruptInstantException if the content cannot be understood
   */
  public CommitMetadata readCommit(Instant.Completed instant) throws IOException {
    if (!instant.action().writesData()) {
      throw new IllegalArgumentException(instant.fileName() + " is no commit");
    }
    return CommitMetadataCodec.decode(
        readContent(instant), storage.location() + "/" + pathOf(instant));
  }

  /** The plan of a compaction or log compaction in any state. */
  public CompactionPlan readCompactionPlan(InstantTime requested) throws IOException {
    Instant.Requested plan = new Instant.Requested(requested, Action.COMPACTION);
    byte[] content;
    try {
      content = readContent(plan);
    } catch (NoSuchFileException e) {
      plan = new Instant.Requested(requested, Action.LOG_COMPACTION);
      content = readContent(plan);
    }
    return CompactionPlanCodec.decode(content, storage.location() + "/" + pathOf(plan));
  }

  /**
   * The plan of a clustering in any state; one without groups for an overwrite.
   *
   * @param action {@link Action#CLUSTERING}, or {@link Action#REPLACE_COMMIT} in table version 6
   */
  public ClusteringPlan readClusteringPlan(InstantTime requested, Action action)
      throws IOException {
    Instant.Requested plan = new Instant.Requested(requested, action);
    return ClusteringPlanCodec.decode(readContent(plan), storage.location() + "/" + pathOf(plan));
  }

  /** The plan of a clean in any state. */
  public CleanPlan readCleanPlan(InstantTime requested) throws IOException {
    Instant.Requested plan = new Instant.Requested(requested, Action.CLEAN);
    return CleanCodec.decodePlan(readContent(plan), storage.location() + "/" + pathOf(plan));
  }

  /** What a completed clean did. */
  public CleanMetadata readCleanMetadata(Instant.Completed instant) throws IOException {
    return CleanCodec.decodeMetadata(
        readContent(instant), storage.location() + "/" + pathOf(instant));
  }

  /** What a completed savepoint holds. */
  public SavepointMetadata readSavepoint(Instant.Completed instant) throws IOException {
    return SavepointCodec.decode(readContent(instant), storage.location() + "/" + pathOf(instant));
  }

  /** The plan of a restore in any state. */
  public RestorePlan readRestorePlan(InstantTime requested) throws IOException {
    Instant.Requested plan = new Instant.Requested(requested, Action.RESTORE);
    return RestoreCodec.decodePlan(readContent(plan), storage.location() + "/" + pathOf(plan));
  }

  /** The plan of a rollback in any state. */
  public RollbackPlan readRollbackPlan(InstantTime requested) throws IOException {
    Instant.Requested plan = new Instant.Requested(requested, Action.ROLLBACK);
    return RollbackCodec.decodePlan(readContent(plan), storage.location() + "/" + pathOf(plan));
  }

  private String pathOf(Instant instant) {
    return folder + "/" + instant.fileName();
  }

  private void requireVersionEight() {
    if (config.version() != TableVersion.EIGHT) {
      throw new IllegalStateException(
          "The timeline of %s has version %d; only 8 is written"
              .formatted(storage.location(), config.version().number()));
    }
  }
}
