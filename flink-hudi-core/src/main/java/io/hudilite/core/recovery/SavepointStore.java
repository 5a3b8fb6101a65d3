package io.hudilite.core.recovery;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFile;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CleanMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.SavepointCodec;
import io.hudilite.core.timeline.SavepointMetadata;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.view.FileSystemView;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.time.InstantSource;
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
 * The savepoints of one table. Making and deleting them is safe beside a writer: cleaning keeps the
 * files of a savepoint, and archiving all instants from it on. Not safe for use by several threads.
 * Source: Hudi 1.0.2 SavepointActionExecutor.
 *
 * <pre>s.savepoint.inflight -> s_c.savepoint (its files)</pre>
 */
public final class SavepointStore {
  private static final Logger LOG = LoggerFactory.getLogger(SavepointStore.class);

  /** Making one takes a listing of the table. */
  private static final Duration ABANDONED = Duration.ofHours(1);

  private final Storage storage;
  private final InstantSource wall;

  public SavepointStore(Storage storage, InstantSource wall) {
    this.storage = requireNonNull(storage, "storage");
    this.wall = requireNonNull(wall, "wall");
  }

  /** The savepoints, oldest first. Reads a file for each. */
  public List<Savepoint> list() throws IOException {
    return list(HudiTable.open(storage));
  }

  static List<Savepoint> list(HudiTable table) throws IOException {
    List<Savepoint> savepoints = new ArrayList<>();
    for (Instant instant : table.timeline().instants()) {
      if (instant.action() == Action.SAVEPOINT && instant instanceof Instant.Completed completed) {
        savepoints.add(
            new Savepoint(
                completed.requestedTime(), table.timelineStore().readSavepoint(completed)));
      }
    }
    return savepoints;
  }

  /**
   * Keeps the newest state of the table.
   *
   * @param by who wants it, for people
   * @param comment what for
   * @throws HudiTableException if the table has no commit
   * @throws IOException if it is not known whether the savepoint is there; call again
   */
  public Savepoint createNewest(String by, String comment) throws IOException {
    HudiTable table = HudiTable.open(storage);
    Instant.Completed newest =
        table
            .timeline()
            .lastCompletedWrite()
            .orElseThrow(
                () ->
                    new HudiTableException(
                        "The table at '%s' has no commit that a savepoint could keep"
                            .formatted(storage.location())));
    return create(table, newest, by, comment);
  }

  /**
   * Keeps the state of the table as it was when an instant completed. If it is kept already,
   * nothing changes.
   *
   * @throws HudiTableException if there is no such instant, or files of it may be deleted
   * @throws IOException if it is not known whether the savepoint is there; call again
   */
  public Savepoint create(InstantTime instant, String by, String comment) throws IOException {
    HudiTable table = HudiTable.open(storage);
    Instant.Completed write =
        table
            .timeline()
            .completedWrite(instant)
            .orElseThrow(
                () ->
                    new HudiTableException(
                        "Instant %s is no completed write on the active timeline of the table at '%s', so that no savepoint can keep it. Its newest one is %s."
                            .formatted(
                                instant,
                                storage.location(),
                                table
                                    .timeline()
                                    .lastCompletedWrite()
                                    .map(newest -> newest.requestedTime().digits())
                                    .orElse("(none)"))));
    return create(table, write, by, comment);
  }

  private Savepoint create(HudiTable table, Instant.Completed write, String by, String comment)
      throws IOException {
    table.config().requireWritable(storage.location());
    InstantTime instant = write.requestedTime();
    Optional<Savepoint> known = find(table, instant);
    if (known.isPresent()) {
      return known.get();
    }
    requireUncleaned(table, write);
    TimelineStore store = table.timelineStore();
    try {
      store.createInflight(new Instant.Inflight(instant, Action.SAVEPOINT));
    } catch (FileAlreadyExistsException e) {
      // Left by a try that died.
    }
    SavepointMetadata metadata =
        new SavepointMetadata(by, wall.millis(), comment, files(table, write));
    InstantClock clock = new InstantClock(wall, table.config().timelineZone());
    table.refresh().timeline().newestTime().ifPresent(clock::observe);
    Instant.Completed completed = Instant.Completed.of(instant, clock.next(), Action.SAVEPOINT);
    store.complete(completed, SavepointCodec.encode(metadata));
    // A clean that began before may not have seen the savepoint.
    Optional<String> missing = missing(storage, metadata);
    boolean isArchived = store.load().completedWrite(instant).isEmpty();
    if (missing.isPresent() || isArchived) {
      store.delete(completed);
      store.delete(new Instant.Inflight(instant, Action.SAVEPOINT));
      throw new IOException(
          "%s while the savepoint of instant %s was made; there is none now. Make one of a newer instant."
              .formatted(
                  missing.map("'%s' was cleaned"::formatted).orElse("The instant was archived"),
                  instant));
    }
    return new Savepoint(instant, metadata);
  }

  private static Optional<Savepoint> find(HudiTable table, InstantTime instant) throws IOException {
    return list(table).stream().filter(s -> s.instant().equals(instant)).findFirst();
  }

  /** Of an older state a clean may have deleted files already. */
  private void requireUncleaned(HudiTable table, Instant.Completed write) throws IOException {
    // What a clean keeps of a state is by requested times: one that was requested before the write
    // and completed after it counts there, and its new base files stand for those of the state.
    boolean isOvertaken =
        table.timeline().completedAfter(write.completionTime()).stream()
            .anyMatch(later -> later.requestedTime().isBefore(write.requestedTime()));
    for (Instant instant : table.timeline().instants()) {
      if (instant.action() == Action.CLEAN
          && instant instanceof Instant.Completed clean
          && clean.completionTime().isAfter(write.completionTime())) {
        CleanMetadata metadata = table.timelineStore().readCleanMetadata(clean);
        boolean keeps =
            metadata.earliestToRetain().isEmpty()
                ? metadata.deleted().isEmpty()
                : !isOvertaken
                    && !write
                        .requestedTime()
                        .isBefore(new InstantTime(metadata.earliestToRetain()));
        if (!keeps) {
          throw new HudiTableException(
              "Instant %s of the table at '%s' is too old for a savepoint: clean %s has kept files from instant %s on only. Make one of a newer instant."
                  .formatted(
                      write.requestedTime(),
                      storage.location(),
                      clean.requestedTime(),
                      metadata.earliestToRetain().isEmpty()
                          ? clean.requestedTime().digits()
                          : metadata.earliestToRetain()));
        }
      }
    }
  }

  /** All files of the table as it was when the write completed. */
  private Map<String, List<String>> files(HudiTable table, Instant.Completed write)
      throws IOException {
    Timeline timeline = table.timeline();
    Optional<InstantTime> next =
        timeline.completedAfter(write.completionTime()).stream()
            .map(Instant.Completed::completionTime)
            .findFirst();
    FileSystemView view =
        next.isEmpty()
            ? table.view()
            : FileSystemView.load(
                storage,
                table.config(),
                timeline.completedBefore(next.get()),
                table.timelineStore());
    Map<String, List<String>> files = new TreeMap<>();
    for (String partition : view.partitions()) {
      List<String> names = new ArrayList<>();
      for (FileSlice slice : view.latestSlices(partition)) {
        slice.baseFile().map(BaseFile::name).ifPresent(name -> names.add(name.toString()));
        for (LogFile log : slice.logFiles()) {
          names.add(log.name().toString());
        }
      }
      if (!names.isEmpty()) {
        names.sort(null);
        files.put(partition, names);
      }
    }
    return files;
  }

  /** A file of a savepoint that is not there. Lists its partitions. */
  static Optional<String> missing(Storage storage, SavepointMetadata savepoint) throws IOException {
    for (Map.Entry<String, List<String>> entry : savepoint.files().entrySet()) {
      Set<String> there = new HashSet<>();
      for (StoredFile file : storage.list(entry.getKey())) {
        there.add(file.name());
      }
      for (String name : entry.getValue()) {
        if (!there.contains(name)) {
          return Optional.of(entry.getKey().isEmpty() ? name : entry.getKey() + "/" + name);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Removes savepoints that were begun long ago and not finished: nobody can go back to them, but
   * all that comes after them would stay on the active timeline for ever.
   *
   * @param table as it is now; nothing is read if no savepoint is under way on it
   * @return whether one was removed
   */
  public boolean removeAbandoned(HudiTable table) throws IOException {
    boolean had = false;
    TimelineStore store = table.timelineStore();
    for (Instant instant : table.timeline().instants()) {
      if (instant.action() == Action.SAVEPOINT
          && !instant.isCompleted()
          && wall.millis() - store.modificationMillis(instant) > ABANDONED.toMillis()) {
        LOG.info("Removing unfinished savepoint {} of '{}'", instant, storage.location());
        had |= store.delete(new Instant.Requested(instant.requestedTime(), Action.SAVEPOINT));
        had |= store.delete(new Instant.Inflight(instant.requestedTime(), Action.SAVEPOINT));
      }
    }
    return had;
  }

  /**
   * Lets cleaning and archiving go on; nothing is deleted here.
   *
   * @return false if there was no such savepoint
   */
  public boolean delete(InstantTime instant) throws IOException {
    HudiTable table = HudiTable.open(storage);
    table.config().requireWritable(storage.location());
    TimelineStore store = table.timelineStore();
    boolean had = false;
    for (Instant found : table.timeline().instants()) {
      if (found.action() == Action.SAVEPOINT && found.requestedTime().equals(instant)) {
        had |= store.delete(found);
      }
    }
    store.delete(new Instant.Inflight(instant, Action.SAVEPOINT));
    return had;
  }
}
