package io.hudilite.core.archive;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.compact.UncompactedGroups;
import io.hudilite.core.config.TableVersion;
import io.hudilite.core.history.ArchivedInstant;
import io.hudilite.core.history.HistoryStore;
import io.hudilite.core.readerlease.ReaderLeaseStore;
import io.hudilite.core.recovery.SavepointStore;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CleanMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.TimelineStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves old instants from the active timeline to its history. Each step may be repeated: an instant
 * that a crash left on both timelines counts once. Remembers which commits it has read, so it is
 * best kept; not safe for use by several threads.
 */
public final class TimelineArchiver {
  private static final Logger LOG = LoggerFactory.getLogger(TimelineArchiver.class);

  private final Storage storage;
  private final ArchivePlanner planner;
  private final ReaderLeaseStore leases;
  private final SavepointStore savepoints;
  private final UncompactedGroups uncompacted = new UncompactedGroups();

  public TimelineArchiver(Storage storage, ArchiveLimits limits, InstantSource wall) {
    this.storage = requireNonNull(storage, "storage");
    this.planner = new ArchivePlanner(limits);
    this.leases = new ReaderLeaseStore(storage, wall);
    this.savepoints = new SavepointStore(storage, wall);
  }

  /**
   * Archives what may be archived, if the timeline is too long.
   *
   * @return how many instants left the active timeline
   * @throws IOException if it is not finished; call again
   */
  public int archive() throws IOException {
    HudiTable table = HudiTable.open(storage);
    if (table.config().version() != TableVersion.EIGHT) {
      return 0;
    }
    if (savepoints.removeAbandoned(table)) {
      table = table.refresh();
    }
    TimelineStore store = table.timelineStore();
    uncompacted.update(table.timeline(), store);
    List<Instant.Completed> instants =
        planner.plan(
            table.timeline(),
            new ArchivePlanner.Needed(uncompacted.oldest(), uncleaned(table), leases.oldestHeld()));
    if (instants.isEmpty()) {
      return 0;
    }
    List<ArchivedInstant> archived = new ArrayList<>();
    for (Instant.Completed instant : instants) {
      archived.add(
          new ArchivedInstant(
              instant.requestedTime(),
              instant.completionTime(),
              instant.action().word(),
              store.readContent(instant),
              plan(table, instant)));
    }
    HistoryStore history = new HistoryStore(storage, table.config());
    history.add(archived);
    delete(table, instants);
    history.compact();
    LOG.info(
        "Archived {} instants of '{}', up to {}",
        instants.size(),
        storage.location(),
        instants.get(instants.size() - 1).requestedTime());
    return instants.size();
  }

  /** Content of the plan of a service. Source: Hudi 1.0.2 ActiveActionV2. */
  private static byte[] plan(HudiTable table, Instant.Completed instant) throws IOException {
    Action begunAs = table.timeline().startedAs(instant);
    TimelineStore store = table.timelineStore();
    return switch (begunAs) {
      case CLEAN, COMPACTION, LOG_COMPACTION ->
          content(store, new Instant.Requested(instant.requestedTime(), begunAs));
      case REPLACE_COMMIT, CLUSTERING -> {
        byte[] inflight = content(store, new Instant.Inflight(instant.requestedTime(), begunAs));
        yield inflight.length > 0
            ? inflight
            : content(store, new Instant.Requested(instant.requestedTime(), begunAs));
      }
      case COMMIT, DELTA_COMMIT, ROLLBACK, RESTORE, SAVEPOINT, INDEXING -> new byte[0];
    };
  }

  private static byte[] content(TimelineStore store, Instant instant) throws IOException {
    try {
      return store.readContent(instant);
    } catch (NoSuchFileException e) {
      return new byte[0];
    }
  }

  /** Readers learn from them which groups are gone, as long as the files are there. */
  private static Optional<InstantTime> uncleaned(HudiTable table) throws IOException {
    Optional<InstantTime> cleanedUpTo = Optional.empty();
    Optional<InstantTime> oldest = Optional.empty();
    Set<String> held = Set.of();
    for (Instant instant : table.timeline().instants()) {
      if (instant.action() == Action.CLEAN && instant instanceof Instant.Completed clean) {
        CleanMetadata metadata = table.timelineStore().readCleanMetadata(clean);
        held = metadata.heldPartitions();
        if (!metadata.earliestToRetain().isEmpty()) {
          cleanedUpTo = Optional.of(new InstantTime(metadata.earliestToRetain()));
        }
      }
    }
    for (Instant.Completed replace : table.timeline().completedReplacements()) {
      // What a clean held back is still there, too.
      if (cleanedUpTo.isEmpty()
          || !replace.completionTime().isBefore(cleanedUpTo.get())
          || !Collections.disjoint(
              held, table.timelineStore().readCommit(replace).replacedFileIds().keySet())) {
        oldest =
            oldest
                .filter(time -> time.isBefore(replace.requestedTime()))
                .or(() -> Optional.of(replace.requestedTime()));
      }
    }
    return oldest;
  }

  /**
   * Pending states first, then the completed one, oldest first: at each moment the instants that
   * are left are whole.
   */
  private static void delete(HudiTable table, List<Instant.Completed> instants) throws IOException {
    TimelineStore store = table.timelineStore();
    for (Instant.Completed instant : instants) {
      Action begunAs = table.timeline().startedAs(instant);
      store.delete(new Instant.Requested(instant.requestedTime(), begunAs));
      store.delete(new Instant.Inflight(instant.requestedTime(), begunAs));
    }
    for (Instant.Completed instant : instants) {
      store.delete(instant);
    }
  }
}
