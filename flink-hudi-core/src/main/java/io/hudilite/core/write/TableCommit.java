package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.CommitMetadataCodec;
import io.hudilite.core.timeline.CorruptInstantException;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.RestorePlan;
import io.hudilite.core.timeline.RollbackPlan;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
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
 * Begins, commits and rolls back the instants of one table of version 8. Every method may be called
 * again after any failure, by this or another process: what becomes of an instant is decided once,
 * by the process that creates the file of its fate. A commit of n files costs O(n) and one listing
 * of the timeline, never one of the table. Not safe for use by several threads.
 */
public final class TableCommit {
  private static final Logger LOG = LoggerFactory.getLogger(TableCommit.class);
  private static final int BEGIN_ATTEMPTS = 100;

  private final Storage storage;
  private final InstantClock clock;
  private final TimelineStore timelines;
  private final FateStore fates;
  private final Rollback rollback;
  private final Restore restore;
  private final LateFiles lateFiles;
  private final WriteHeartbeats heartbeats;

  /**
   * Of a writer that is alone.
   *
   * @param clock in the zone of the table's timeline
   */
  public TableCommit(Storage storage, TableConfig config, InstantClock clock) {
    this(storage, config, clock, WriteHeartbeats.none(storage));
  }

  /**
   * @param clock in the zone of the table's timeline
   * @param heartbeats which tell what others have under way
   */
  public TableCommit(
      Storage storage, TableConfig config, InstantClock clock, WriteHeartbeats heartbeats) {
    this.storage = requireNonNull(storage, "storage");
    this.clock = requireNonNull(clock, "clock");
    this.heartbeats = requireNonNull(heartbeats, "heartbeats");
    this.timelines = new TimelineStore(storage, config);
    this.fates = new FateStore(storage);
    this.lateFiles = new LateFiles(storage, timelines);
    this.rollback = new Rollback(storage, timelines, lateFiles);
    this.restore = new Restore(storage, timelines, fates, lateFiles, clock);
    config.requireWritable(storage.location());
  }

  /**
   * Makes a new pending write; its time is later than all on the timeline.
   *
   * @throws io.hudilite.core.config.HudiTableException if the table cannot be written any more, for
   *     instance because another engine has upgraded it
   * @throws IOException if it is unknown whether something became pending; call again, and roll
   *     back later what nobody knows of
   */
  public InstantTime begin(Action action) throws IOException {
    if (!action.writesData()) {
      throw new IllegalArgumentException(action + " writes no data");
    }
    TableConfigStore.load(storage).requireWritable(storage.location());
    load();
    for (int attempt = 0; attempt < BEGIN_ATTEMPTS; attempt++) {
      InstantTime instant = clock.next();
      if (!heartbeats.begin(instant)) {
        continue;
      }
      try {
        timelines.createRequested(new Instant.Requested(instant, action), new byte[0]);
      } catch (FileAlreadyExistsException e) {
        // Another process began in the same millisecond.
        heartbeats.leave(instant);
        continue;
      }
      new WriteMarkers(storage, instant).begin();
      timelines.createInflight(new Instant.Inflight(instant, action));
      return instant;
    }
    throw new IOException(
        "%s: %d instant times in a row were taken".formatted(storage.location(), BEGIN_ATTEMPTS));
  }

  /**
   * Makes the files of an instant visible. Files that have a marker but no stat are deleted.
   * Committing an instant again with the same files is COMMITTED again.
   *
   * @param metadata its stats must name all files that are to stay
   * @return REFUSED if the instant is rolled back, or committed with other files
   */
  public CommitOutcome commit(InstantTime instant, CommitMetadata metadata) {
    try {
      return tryCommit(instant, metadata);
    } catch (IOException e) {
      LOG.warn("{}: not known whether {} is committed", storage.location(), instant, e);
      return CommitOutcome.UNKNOWN;
    }
  }

  private CommitOutcome tryCommit(InstantTime instant, CommitMetadata metadata) throws IOException {
    Timeline timeline = load();
    Optional<CommitOutcome> known = outcomeOnTimeline(timeline, instant, metadata);
    if (known.isPresent()) {
      return known.get();
    }
    Action action = timeline.pending(instant).orElseThrow().action();
    Fate fate =
        fates.decide(
            instant,
            new Fate.Commit(clock.next(), action, CommitMetadataCodec.encode(metadata, action)));
    List<InstantTime> decided = fates.instants();
    if (decided.stream().anyMatch(other -> other.isAfter(instant))) {
      // An earlier fate of this instant may be forgotten, and then the timeline tells of it.
      known = outcomeOnTimeline(load(), instant, metadata);
      if (known.isPresent()) {
        fates.forget(instant);
        return known.get();
      }
    }
    if (!(fate instanceof Fate.Commit commit)) {
      heartbeats.end(instant);
      return CommitOutcome.REFUSED;
    }
    CommitMetadata committed = finishCommit(instant, commit);
    tidyUp(instant, decided, timeline);
    return outcome(committed, metadata);
  }

  /**
   * Removes the files of a pending write and the write itself, and leaves a rollback on the
   * timeline.
   *
   * @return false if the instant is committed; then nothing was removed
   * @throws IllegalArgumentException for planned compactions and clusterings: their plans stay
   * @throws IOException if it is not finished; call again
   */
  public boolean rollBack(InstantTime instant) throws IOException {
    Timeline timeline = load();
    if (timeline.completedWrite(instant).isPresent()) {
      return false;
    }
    Optional<Fate> fate = fates.find(instant);
    if (fate.isEmpty()) {
      Optional<Instant> pending = timeline.pending(instant);
      if (pending.isEmpty()) {
        return !timeline.isBeforeStart(instant);
      }
      Action action = pending.get().action();
      if (isPlannedService(action)) {
        throw new IllegalArgumentException(
            "%s is a planned %s; its plan is not rolled back".formatted(instant, action));
      }
      fate =
          Optional.of(fates.decide(instant, new Fate.Rollback(clock.next(), clock.next(), action)));
    }
    return carryOut(instant, fate.get(), load());
  }

  /** Called between the steps of long work; throws if it is not to go on. */
  @FunctionalInterface
  public interface Step {
    void passed() throws IOException;
  }

  /**
   * Takes a completed write back: readers see the table as it was before. To be called by who holds
   * the table alone; whether anything builds on the write is not looked at, see {@code
   * core.recovery}.
   *
   * @return time of the rollback
   * @throws IOException if it is not known how far it came; {@link #recover} then finishes it, or
   *     leaves the write as it was
   */
  public InstantTime undo(Instant.Completed write) throws IOException {
    Timeline timeline = load();
    CommitMetadata metadata = timelines.readCommit(write);
    Action action = timeline.startedAs(write);
    InstantTime time = clock.next();
    rollback.planCompleted(time, write.requestedTime(), action, pathsOf(metadata));
    new RewindStore(storage).add(time, Map.of(write, metadata));
    Fate.Rollback fate = new Fate.Rollback(time, clock.next(), action);
    fates.replace(write.requestedTime(), fate);
    timelines.delete(write);
    rollback.run(write.requestedTime(), fate);
    return time;
  }

  /**
   * Takes instants back, in the order of the plan. To be called by who holds the table alone, after
   * {@link #recover}; the plan is not judged, see {@code core.recovery}.
   *
   * @param step called before each instant
   * @return time of the restore
   * @throws IOException if it is not finished; {@link #recover} goes on with it
   */
  public InstantTime restore(RestorePlan plan, Step step) throws IOException {
    load();
    return restore.run(plan, step);
  }

  /** Whether nobody can decide any more what becomes of an instant: that is done. */
  public boolean isDecided(InstantTime instant) throws IOException {
    return fates.find(instant).isPresent() || load().pending(instant).isEmpty();
  }

  /**
   * Removes a planned compaction or clustering with all that was written for it. Readers then see
   * the slices as if it had never been planned.
   *
   * @return false if it is completed; then nothing was removed
   * @throws IOException if it is not finished; call again
   */
  public boolean dropPlan(InstantTime instant) throws IOException {
    Timeline timeline = load();
    Optional<Instant> pending = timeline.pending(instant);
    if (pending.isEmpty()) {
      return timeline.completedWrite(instant).isEmpty();
    }
    Action action = pending.get().action();
    if (!isPlannedService(action)) {
      throw new IllegalArgumentException(instant + " is no planned service but " + action);
    }
    Fate fate = fates.decide(instant, new Fate.Rollback(clock.next(), clock.next(), action));
    if (fate instanceof Fate.Commit commit) {
      finishCommit(instant, commit);
      return false;
    }
    Set<String> paths = new WriteMarkers(storage, instant).paths();
    for (String path : paths) {
      storage.delete(path);
    }
    lateFiles.expect(instant, paths);
    timelines.delete(new Instant.Inflight(instant, action));
    timelines.delete(new Instant.Requested(instant, action));
    new WriteMarkers(storage, instant).delete();
    return true;
  }

  /**
   * The pending writes that whoever holds the lease may roll back, but for its own: no planned
   * compactions and clusterings, and nothing of another writer that shows that it is alive, if
   * there may be one. By requested time.
   */
  public List<Instant> pending() throws IOException {
    return heartbeats.failedOrOurs(
        load().pendingWrites().stream()
            .filter(instant -> !isPlannedService(instant.action()))
            .toList());
  }

  /**
   * Finishes what a crash interrupted, of any process: restores, commits and rollbacks that are
   * decided, rollbacks that are planned, markers that nobody needs. To be called once when a writer
   * starts.
   */
  public void recover() throws IOException {
    // First of all: what a restore takes back must not be finished.
    restore.finishPending(load());
    Map<InstantTime, Fate> decided = new TreeMap<>();
    for (InstantTime instant : fates.instants()) {
      fates.find(instant).ifPresent(fate -> decided.put(instant, fate));
    }
    Timeline afterDecisions = load();
    for (Map.Entry<InstantTime, Fate> entry : decided.entrySet()) {
      carryOut(entry.getKey(), entry.getValue(), afterDecisions);
    }
    for (Instant instant : load().instants()) {
      if (instant.action() == Action.ROLLBACK && !instant.isCompleted()) {
        finishPlannedRollback(instant.requestedTime());
      }
    }
    lateFiles.sweep();
    heartbeats.removeLeftOvers(
        load().pendingWrites().stream().map(Instant::requestedTime).toList());
  }

  /**
   * Deletes files that a writer made after its instant was decided, and that no instant names. To
   * be called now and then, for instance after each commit.
   */
  public void removeLateFiles() throws IOException {
    lateFiles.sweep();
  }

  /**
   * Makes commits visible that are decided and not finished, by whatever process. Whoever is about
   * to rely on what the table holds calls this first: such a commit has its completion time
   * already, and so would appear in the past of what was read. Several processes may do so at once.
   */
  public void finishDecidedCommits() throws IOException {
    List<InstantTime> decided = fates.instants();
    // Read after the names: an instant is on the timeline before it has a fate.
    Timeline timeline = load();
    for (InstantTime instant : decided) {
      if (timeline.pending(instant).isPresent()
          && fates.find(instant).orElse(null) instanceof Fate.Commit commit) {
        finishCommit(instant, commit);
      }
    }
  }

  /**
   * Does what was decided, as far as it is not done.
   *
   * @param timeline loaded after the fate was read: an instant is on it before it has a fate
   * @return whether the instant is rolled back
   */
  private boolean carryOut(InstantTime instant, Fate fate, Timeline timeline) throws IOException {
    if (timeline.completedWrite(instant).isPresent()) {
      return false;
    }
    boolean isPending = timeline.pending(instant).isPresent();
    if (fate instanceof Fate.Rollback decided) {
      if (isPending || timeline.pending(decided.rollbackTime()).isPresent()) {
        rollback.run(instant, decided);
        heartbeats.end(instant);
      }
      return true;
    }
    if (isPending) {
      finishCommit(instant, (Fate.Commit) fate);
      return false;
    }
    // Decided by a process that did not know that the instant was gone.
    fates.forget(instant);
    return !timeline.isBeforeStart(instant);
  }

  private void finishPlannedRollback(InstantTime time) throws IOException {
    RollbackPlan plan;
    try {
      plan = timelines.readRollbackPlan(time);
    } catch (CorruptInstantException | java.nio.file.NoSuchFileException e) {
      LOG.warn("{}: dropping rollback {} without a plan", storage.location(), time, e);
      dropRollback(time);
      return;
    }
    if (load().completedWrite(plan.target()).isPresent()) {
      LOG.warn(
          "{}: dropping rollback {} since {} is committed",
          storage.location(),
          time,
          plan.target());
      dropRollback(time);
      return;
    }
    rollback.execute(plan, time, clock.next());
  }

  private void dropRollback(InstantTime time) throws IOException {
    timelines.delete(new Instant.Inflight(time, Action.ROLLBACK));
    timelines.delete(new Instant.Requested(time, Action.ROLLBACK));
  }

  /** Empty if the instant is pending, so that its fate may still be open. */
  private Optional<CommitOutcome> outcomeOnTimeline(
      Timeline timeline, InstantTime instant, CommitMetadata metadata) throws IOException {
    Optional<Instant.Completed> completed = timeline.completedWrite(instant);
    if (completed.isPresent()) {
      return Optional.of(outcome(timelines.readCommit(completed.get()), metadata));
    }
    if (timeline.pending(instant).isPresent()) {
      return Optional.empty();
    }
    if (!timeline.isBeforeStart(instant)) {
      return Optional.of(CommitOutcome.REFUSED);
    }
    // Archived, or rolled back and archived: readers take its files for committed if they exist.
    for (WriteStat stat : metadata.writeStats()) {
      if (!storage.exists(stat.path())) {
        return Optional.of(CommitOutcome.REFUSED);
      }
    }
    return Optional.of(CommitOutcome.COMMITTED);
  }

  private static CommitOutcome outcome(CommitMetadata committed, CommitMetadata wanted) {
    return pathsOf(committed).equals(pathsOf(wanted))
        ? CommitOutcome.COMMITTED
        : CommitOutcome.REFUSED;
  }

  private CommitMetadata finishCommit(InstantTime instant, Fate.Commit fate) throws IOException {
    CommitMetadata metadata =
        CommitMetadataCodec.decode(fate.metadata(), "fate of instant " + instant);
    Set<String> paths = pathsOf(metadata);
    InstantFiles files = new InstantFiles(storage, instant);
    List<String> failed = new ArrayList<>();
    for (String marked : new WriteMarkers(storage, instant).paths()) {
      if (!paths.contains(marked)
          && files.isNamedAfterInstant(marked.substring(marked.lastIndexOf('/') + 1))) {
        failed.add(marked);
        storage.delete(marked);
      }
    }
    lateFiles.expect(instant, failed);
    try {
      timelines.complete(
          Instant.Completed.of(instant, fate.completionTime(), fate.action()), fate.metadata());
    } catch (FileAlreadyExistsException e) {
      // An earlier attempt of the same fate was as far.
    }
    return metadata;
  }

  /** What is not needed for correctness: its failure is no failure of the commit. */
  private void tidyUp(InstantTime instant, List<InstantTime> decided, Timeline timeline) {
    try {
      new WriteMarkers(storage, instant).delete();
      heartbeats.end(instant);
      fates.forgetOld(decided, timeline);
    } catch (IOException e) {
      LOG.warn("{}: left-over files of commit {}", storage.location(), instant, e);
    }
  }

  private Timeline load() throws IOException {
    Timeline timeline = timelines.load();
    timeline.newestTime().ifPresent(clock::observe);
    return timeline;
  }

  /** The data files that a commit names. */
  static Set<String> pathsOf(CommitMetadata metadata) {
    Set<String> paths = new HashSet<>();
    for (WriteStat stat : metadata.writeStats()) {
      paths.add(stat.path());
      paths.addAll(stat.cdcStats().keySet());
    }
    return paths;
  }

  private static boolean isPlannedService(Action action) {
    return switch (action) {
      case COMPACTION, LOG_COMPACTION, CLUSTERING -> true;
      case COMMIT, DELTA_COMMIT, REPLACE_COMMIT, CLEAN, ROLLBACK, RESTORE, SAVEPOINT, INDEXING ->
          false;
    };
  }
}
