package io.hudilite.sink.commit;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.lease.WriterFencedException;
import io.hudilite.core.lease.WriterLease;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.BucketCountsStore;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.CommitOutcome;
import io.hudilite.core.write.RewindStore;
import io.hudilite.core.write.TableCommit;
import io.hudilite.core.write.WriteHeartbeats;
import java.io.IOException;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the effects of the protocol out on a table's storage. Opening an instant goes through
 * another {@link TableCommit} than committing one, so that one thread may open while another one
 * commits; beyond that not safe for use by several threads.
 */
final class InstantCommitter {
  private static final Logger LOG = LoggerFactory.getLogger(InstantCommitter.class);

  /** Keys of ours in the extra metadata of a commit. */
  static final String CHECKPOINT = "hudi-lite.checkpoint";

  static final String RUN = "hudi-lite.run";

  /** On the last commit of a run that commits at its end. */
  static final String RUN_END = "hudi-lite.run.end";

  static final String JOB = "hudi-lite.job";

  /** Key under which Hudi's own writer stores it. */
  static final String FLINK_CHECKPOINT = "flink_checkpoint_id";

  private final CommitSettings settings;
  private final Storage storage;
  private final WriterLease.Pause pause;
  private final LeaseTaker leases;
  private final TimelineStore timelineStore;
  private final InstantSource wall;
  private final ZoneId zone;
  private final InstantClock clock;
  private final Action action;
  private final TableCommit opener;
  private final TableCommit committer;
  private final WriteHeartbeats heartbeats;

  /** Pending when this writer took the lease: of earlier starts and other writers. */
  private List<InstantTime> older = List.of();

  /** Begun here and not decided yet. Guarded by itself while an instant is begun. */
  private final Set<InstantTime> own = new HashSet<>();

  private volatile WriterLease lease;

  private InstantCommitter(
      CommitSettings settings,
      Storage storage,
      TableConfig config,
      InstantSource wall,
      WriterLease.Pause pause,
      LeaseTaker leases)
      throws IOException, InterruptedException {
    this.settings = settings;
    this.storage = storage;
    this.pause = pause;
    this.leases = leases;
    this.lease = leases.take(storage);
    this.timelineStore = new TimelineStore(storage, config);
    this.action =
        !settings.overwrite().isNothing()
            ? Action.REPLACE_COMMIT
            : switch (config.type()) {
              case COPY_ON_WRITE -> Action.COMMIT;
              case MERGE_ON_READ -> Action.DELTA_COMMIT;
            };
    this.wall = wall;
    this.zone = config.timelineZone();
    this.clock = new InstantClock(wall, zone);
    timelineStore.load().newestTime().ifPresent(clock::observe);
    this.heartbeats = new WriteHeartbeats(storage, wall, settings.failedWrites());
    this.opener = new TableCommit(storage, config, clock, heartbeats);
    this.committer = new TableCommit(storage, config, clock, heartbeats);
  }

  /** Takes the lease of a table, or refuses to. */
  @FunctionalInterface
  interface LeaseTaker {
    WriterLease take(Storage storage) throws IOException, InterruptedException;
  }

  /**
   * Makes the table, or checks that it is the declared one; takes its lease; finishes what an
   * earlier start decided and could not finish, so that all that is asked later sees it.
   *
   * @throws HudiTableException if it is another table, cannot be written here, or another job
   *     writes it
   */
  static InstantCommitter start(
      CommitSettings settings,
      Storage storage,
      InstantSource wall,
      WriterLease.Pause pause,
      LeaseTaker leases)
      throws IOException, InterruptedException {
    requireNonNull(pause, "pause");
    TableConfig stored = tableOf(settings, storage);
    stored.requireWritable(settings.path());
    BucketCountsStore.ensure(storage, stored);
    InstantCommitter started = new InstantCommitter(settings, storage, stored, wall, pause, leases);
    started.committer.recover();
    requireNoColumnLost(settings, storage);
    started.older = started.pendingOfOthers();
    // Only now: who waits for it relies on that all which was pending is known.
    started.lease.beat();
    return started;
  }

  /** A job that was planned long ago, and starts again, may not know what was added since. */
  private static void requireNoColumnLost(CommitSettings settings, Storage storage)
      throws IOException {
    HudiTable table = HudiTable.open(storage);
    if (table.timeline().completedWrites().isEmpty()) {
      return;
    }
    Schema written = new Schema.Parser().parse(settings.schemaJson());
    List<String> lost =
        table.schema().rowType().getFieldNames().stream()
            .filter(column -> written.getField(column) == null)
            .toList();
    if (!lost.isEmpty()) {
      throw new HudiTableException(
          "The table at '%s' has the columns %s, of which this job does not know: they came after it was planned, and its commits would lose their values. Stop it with a savepoint, and start it from there with a DDL that has them."
              .formatted(settings.path(), lost));
    }
  }

  /** What is not declared is as the table has it, or as new tables have it. */
  private static TableConfig tableOf(CommitSettings settings, Storage storage) throws IOException {
    Optional<TableConfig> existing = TableConfigStore.find(storage);
    if (existing.isEmpty()) {
      return TableConfigStore.create(
          storage, TableConfig.forNewTable(settings.tableProperties(), settings.path()));
    }
    existing.get().requireSame(settings.tableProperties(), settings.path());
    return existing.get();
  }

  /** Whether this run has committed all at its end before. */
  boolean isDone() throws IOException {
    Timeline timeline = timelineStore.load();
    List<Instant.Completed> writes = timeline.completedWrites();
    for (int i = writes.size() - 1; i >= 0; i--) {
      CommitMetadata commit = timelineStore.readCommit(writes.get(i));
      if (commit.extra(RUN).filter(settings.run()::equals).isPresent()) {
        return commit.extra(RUN_END).isPresent(); // ours rise: what is older is not the last
      }
      if (commit.extra(RUN).isPresent()) {
        return false; // another run wrote since: ours cannot be older than its own start
      }
    }
    return false;
  }

  /** How long ago an instant was opened, by the wall clock of now; not negative. */
  long millisSince(InstantTime instant) {
    return Math.max(0, wall.millis() - instant.toMillis(zone));
  }

  /** What was pending at the start; somebody must decide about each of them. */
  List<InstantTime> older() {
    return older;
  }

  /** The clock that all times of instants come from here. */
  InstantClock clock() {
    return clock;
  }

  /**
   * Instants that are pending, not begun here, and not of a writer of another kind that may be
   * alive. Listed before the lease is looked at: if it is still the newest, none of them is one of
   * a newer writer.
   */
  private List<InstantTime> pendingOfOthers() throws IOException {
    List<InstantTime> others = new ArrayList<>();
    synchronized (own) {
      for (Instant pending : committer.pending()) {
        if (!own.contains(pending.requestedTime())) {
          others.add(pending.requestedTime());
        }
      }
    }
    lease.requireNewest();
    return others;
  }

  /** Shows that this writer is alive. For any thread. */
  void beat() throws IOException {
    lease.beat();
    heartbeats.beat();
  }

  /** Lets another job write. What is to be written later takes the lease again. */
  void release() throws IOException {
    lease.release();
  }

  /** Takes the lease again if it was released. For any thread. */
  synchronized void holdLease() throws IOException, InterruptedException {
    if (!lease.isReleased()) {
      return;
    }
    WriterLease again = leases.take(storage);
    boolean wasTaken = again.epoch() != lease.epoch() + 1;
    lease = again;
    if (wasTaken) {
      throw new IOException(
          "Another job has written the table at '%s' since this one seemed to be at its end"
              .formatted(settings.path()));
    }
    lease.beat();
  }

  /**
   * Begins an instant.
   *
   * @throws WriterFencedException if another writer has taken the table over
   */
  InstantTime open() throws IOException, InterruptedException {
    holdLease();
    synchronized (own) {
      lease.requireNewest();
      InstantTime instant = opener.begin(action);
      own.add(instant);
      return instant;
    }
  }

  /**
   * Makes an instant visible; tries again as often as the settings say.
   *
   * @return false if an earlier start of the job has made it visible
   * @throws HudiTableException if it can never be committed
   * @throws WriterFencedException if another writer has taken the table over
   * @throws IOException if it is unknown whether it is committed; a restart finds out
   */
  boolean commit(Effect.Commit commit) throws IOException, InterruptedException {
    List<WriteStat> reported = new ArrayList<>();
    commit.reports().forEach(report -> reported.addAll(report.stats()));
    List<WriteStat> stats = new ArrayList<>(WriteStat.withoutReplaced(reported));
    stats.sort(Comparator.comparing(WriteStat::path));
    CommitMetadata metadata =
        CommitMetadata.ofWrite(settings.operationType(), stats, extraMetadata(commit))
            .replacing(settings.overwrite().replacedGroups(HudiTable.open(storage), stats));
    if (commit.isRepeated()) {
      if (timelineStore.load().completedWrite(commit.instant()).isPresent()) {
        return false;
      }
      requireFiles(commit, stats);
    }
    long waitMillis = settings.retryInterval().toMillis();
    for (int tries = 0; ; tries++) {
      switch (tryCommit(commit.instant(), metadata)) {
        case COMMITTED -> {
          forget(commit.instant());
          return true;
        }
        case REFUSED ->
            throw new HudiTableException(
                ("Instant %s of the table at '%s' cannot be committed: another writer has rolled it"
                        + " back and deleted its files, so the rows of checkpoint %s are not in the"
                        + " table. Let only one job write the table, and restart this one from a"
                        + " checkpoint before %s.")
                    .formatted(
                        commit.instant(),
                        settings.path(),
                        checkpointText(commit),
                        checkpointText(commit)));
        case UNKNOWN -> {
          if (tries >= settings.retries()) {
            throw new IOException(
                "Instant %s of the table at '%s' could not be committed in %d tries (see 'write.retry.times'); the job restarts and commits it again"
                    .formatted(commit.instant(), settings.path(), tries + 1));
          }
          LOG.warn(
              "Commit of instant {} of '{}' got no answer; trying again in {} ms ({} of {})",
              commit.instant(),
              settings.path(),
              waitMillis,
              tries + 1,
              settings.retries());
          pause.millis(waitMillis);
          waitMillis *= 2;
        }
      }
    }
  }

  private CommitOutcome tryCommit(InstantTime instant, CommitMetadata metadata)
      throws IOException, InterruptedException {
    try {
      holdLease();
      lease.requireNewest();
    } catch (WriterFencedException e) {
      throw e;
    } catch (IOException e) {
      LOG.warn("{}: not known who may write", storage.location(), e);
      return CommitOutcome.UNKNOWN;
    }
    return committer.commit(instant, metadata);
  }

  private void forget(InstantTime instant) {
    synchronized (own) {
      own.remove(instant);
    }
  }

  /** Deletes what hung attempts of writers made after their instants were decided. */
  void removeLateFiles() throws IOException {
    committer.removeLateFiles();
  }

  /**
   * Rolls back what a writer of an older lease began after this one was taken: it was past its look
   * at the lease already. Its writer cannot commit it. And what writers of other kinds have left
   * since, if they count as failed.
   *
   * @throws IOException if it is not known whether all is rolled back
   */
  void rollBackStrays() throws IOException, InterruptedException {
    List<InstantTime> strays = new ArrayList<>(pendingOfOthers());
    strays.removeAll(older);
    for (InstantTime stray : strays) {
      rollBack(stray);
    }
  }

  private void requireFiles(Effect.Commit commit, List<WriteStat> stats) throws IOException {
    for (RewindStore.Rewind rewind :
        new RewindStore(storage).after(commit.instant(), timelineStore.load(), timelineStore)) {
      throw new HudiTableException(
          ("The state that the job was restored from holds rows of checkpoint %s in instant %s of"
                  + " the table at '%s', which is not there any more: the restore or rollback %s has"
                  + " taken back what was written before it. Start the job from a checkpoint of"
                  + " before, or without state and with its source set back.")
              .formatted(checkpointText(commit), commit.instant(), settings.path(), rewind.time()));
    }
    for (WriteStat stat : stats) {
      if (!storage.exists(stat.path())) {
        throw new HudiTableException(
            ("The state that the job was restored from holds rows of checkpoint %s in instant %s,"
                    + " which is not committed, and their file '%s' is not in the table at '%s' any"
                    + " more: the instant was rolled back, by another writer, or by this job itself"
                    + " if the state is a savepoint taken in between and the job went on from an"
                    + " older checkpoint. Such a savepoint cannot be restored. These rows can only"
                    + " come from an older checkpoint or from the source again.")
                .formatted(checkpointText(commit), commit.instant(), stat.path(), settings.path()));
      }
    }
  }

  private Map<String, String> extraMetadata(Effect.Commit commit) {
    WriteReport newest =
        commit.reports().stream()
            .max(Comparator.comparingLong(WriteReport::checkpoint))
            .orElseThrow();
    Map<String, String> extra = new LinkedHashMap<>();
    extra.put(CommitMetadata.SCHEMA, settings.schemaJson());
    extra.put(CHECKPOINT, Long.toString(commit.checkpoint()));
    extra.put(RUN, newest.run());
    extra.put(JOB, newest.job());
    if (settings.dropsSuperseded()) {
      extra.put(CommitMetadata.SUPERSEDED_DROPPED, "true");
    }
    extra.put(
        CommitMetadata.KEYS_MOVED,
        Boolean.toString(commit.reports().stream().anyMatch(WriteReport::keysMoved)));
    extra.put(FLINK_CHECKPOINT, Long.toString(commit.checkpoint()));
    if (commit.isLast()) {
      extra.put(RUN_END, "true");
    }
    return extra;
  }

  private static String checkpointText(Effect.Commit commit) {
    return commit.checkpoint() == WriteReport.END_OF_INPUT
        ? "(end of input)"
        : Long.toString(commit.checkpoint());
  }

  /** Removes an instant that was opened and given to nobody. For the thread that opens. */
  void giveUp(InstantTime instant) throws IOException {
    opener.rollBack(instant);
    forget(instant);
  }

  /**
   * Removes an instant and its files; tries again as often as the settings say.
   *
   * @return false if the instant is visible, since another writer decided so first
   * @throws IOException if its fate is still open, so that others may yet make it visible
   */
  boolean rollBack(InstantTime instant) throws IOException, InterruptedException {
    long waitMillis = settings.retryInterval().toMillis();
    for (int tries = 0; ; tries++) {
      try {
        boolean isGone = committer.rollBack(instant);
        forget(instant);
        LOG.info(
            isGone ? "Rolled back instant {} of '{}'" : "Instant {} of '{}' is visible already",
            instant,
            settings.path());
        return isGone;
      } catch (IOException e) {
        if (tries >= settings.retries()) {
          if (!isDecidedOrOwn(instant)) {
            throw e;
          }
          // Invisible as it is, and remains so; the next start of a writer removes it.
          LOG.warn("Instant {} of '{}' is not rolled back yet", instant, settings.path(), e);
          return true;
        }
        pause.millis(waitMillis);
        waitMillis *= 2;
      }
    }
  }

  /** Nobody but this writer would decide about what it began itself. */
  private boolean isDecidedOrOwn(InstantTime instant) throws IOException {
    synchronized (own) {
      if (own.contains(instant)) {
        return true;
      }
    }
    return committer.isDecided(instant);
  }
}
