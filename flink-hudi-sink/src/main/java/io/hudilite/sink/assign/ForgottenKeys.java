package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.LogFile;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.RecordKey;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import javax.annotation.Nullable;

/**
 * Stands beside an index whose entries expire: a key that it does not know may be forgotten, not
 * new. Rows of such keys wait until many can be looked up in the table at once, at the latest until
 * the next barrier; rows that come after them for the same keys wait, too, so the order of a key's
 * rows stays. What is not in the table yet, since its commit is to come, is remembered here.
 *
 * <p>Not safe for use by several threads.
 */
final class ForgottenKeys {
  private static final int MOST_ROWS = 10_000;
  private static final long MOST_BYTES = 16 << 20;

  /** New keys since a look at the table after which it is looked at again. */
  private static final int MOST_UNCOMMITTED = 100_000;

  /** What clocks of two machines may differ by. */
  private static final long CLOCK_SKEW_MILLIS = 60_000;

  private static final long POLL_MILLIS = 50;
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

  /** Gives what takes in what the table says of some keys, into an index of its own. */
  interface Fillers {
    IndexFiller of(RecordIndex found, Set<RecordKey> keys);
  }

  /** Takes the rows once their keys were looked up. */
  interface Rows {
    void assign(HudiRecord record) throws Exception;
  }

  private final Storage storage;
  private final String run;
  private final IndexScope scope;
  private final long ttlMillis;
  private final InstantSource clock;
  private final long openedMillis;
  private final KeyFinder finder;
  private final UncommittedKeys uncommitted;
  private final List<HudiRecord> waiting = new ArrayList<>();
  private long waitingBytes;

  /** What the table says of the keys that are being resolved; null while none are. */
  @Nullable private HeapIndex found;

  /** Instants that were pending at the start: what the state says may be in none but them. */
  private Set<InstantTime> restored;

  /** As it was looked at last; null before the first look. */
  @Nullable private HudiTable table;

  private long lookedMillis;

  /**
   * @param run id of this job start
   * @param ttl after which an entry expires
   * @param table as it is now, null if there is none
   */
  ForgottenKeys(
      Storage storage,
      String run,
      IndexScope scope,
      Duration ttl,
      InstantSource clock,
      @Nullable HudiTable table) {
    this.storage = requireNonNull(storage, "storage");
    this.run = requireNonNull(run, "run");
    this.scope = requireNonNull(scope, "scope");
    this.ttlMillis = ttl.toMillis();
    this.clock = requireNonNull(clock, "clock");
    this.openedMillis = clock.millis();
    this.finder = new KeyFinder(scope);
    this.uncommitted = new UncommittedKeys(openedMillis);
    this.restored = new HashSet<>();
    if (table != null) {
      table.timeline().pendingWrites().forEach(pending -> restored.add(pending.requestedTime()));
    }
  }

  /** A key got a place that the table does not show yet. */
  void placed(RecordKey key, KeyLocation location) {
    uncommitted.add(key, location);
  }

  /** The place of a key that the index does not know, as a copy; null if that is not known. */
  @Nullable
  KeyLocation recall(RecordKey key) {
    KeyLocation location = uncommitted.find(key);
    if (location == null && found != null) {
      found.select(key);
      location = found.get();
      return location == null ? null : location.copy();
    }
    return location;
  }

  /** Keeps a row of a key that is not known; false if the key has just been looked up. */
  boolean holdBack(HudiRecord record) {
    if (found != null) {
      return false;
    }
    waiting.add(record);
    waitingBytes += record.bytes().length;
    return true;
  }

  /** Whether so many rows wait that they should be resolved now. */
  boolean isFull() {
    return waiting.size() >= MOST_ROWS || waitingBytes >= MOST_BYTES;
  }

  /** A barrier passes, behind the rows that were resolved. */
  void onBarrier(long checkpoint) {
    uncommitted.endInterval(checkpoint, clock.millis());
  }

  /** Looks the keys of all rows that wait up in the table, and gives the rows on. */
  void resolve(Fillers fillers, Rows rows) throws Exception {
    if (waiting.isEmpty() && uncommitted.size() < MOST_UNCOMMITTED) {
      return;
    }
    look();
    Map<RecordKey, HudiRecord> wanted = new HashMap<>();
    for (HudiRecord record : waiting) {
      wanted.putIfAbsent(new RecordKey().set(record, scope).copy(), record);
    }
    List<HudiRecord> resolved = new ArrayList<>(waiting);
    waiting.clear();
    waitingBytes = 0;
    found = new HeapIndex();
    try {
      if (table != null && !wanted.isEmpty()) {
        IndexFiller filler = fillers.of(found, wanted.keySet());
        finder.find(table, wanted, this::mayHoldForgotten, filler::of);
      }
      for (HudiRecord record : resolved) {
        rows.assign(record);
      }
    } finally {
      found = null;
    }
  }

  /**
   * Keys of log files that this task saw being made are not forgotten yet, if the files are young
   * enough: they were in the index since.
   */
  private boolean mayHoldForgotten(LogFile log) {
    long made = log.name().instant().toMillis(table.config().timelineZone());
    long remembered = ttlMillis - uncommitted.longestMillis() - CLOCK_SKEW_MILLIS;
    return made < openedMillis + CLOCK_SKEW_MILLIS || clock.millis() - made >= remembered;
  }

  /**
   * Sees to it that the table is seen with all keys in it that may be forgotten. That is no new
   * look each time: what came since is remembered here.
   */
  private void look() throws IOException, InterruptedException {
    HudiTable now = table == null ? find() : table.refresh();
    if (now == null) {
      return;
    }
    long begin = clock.millis();
    while (now.timeline().pendingWrites().stream()
        .anyMatch(pending -> restored.contains(pending.requestedTime()))) {
      if (clock.millis() - begin > LONGEST_WAIT.toMillis()) {
        throw new IOException(
            "Waited %s in vain for the writers of '%s' to decide about the instants %s, in which forgotten keys may be"
                .formatted(LONGEST_WAIT, storage.location(), restored));
      }
      Thread.sleep(POLL_MILLIS);
      now = now.refresh();
    }
    restored = Set.of();
    if (table == null
        || uncommitted.size() >= MOST_UNCOMMITTED
        || begin - lookedMillis >= ttlMillis / 4
        || filesAreGone(table, now)) {
      table = now;
      lookedMillis = begin;
      committedCheckpoint(now).ifPresent(newest -> uncommitted.dropBefore(newest, clock.millis()));
    }
  }

  @Nullable
  private HudiTable find() throws IOException {
    return IndexBootstrap.open(storage).table();
  }

  private static boolean filesAreGone(HudiTable before, HudiTable now) {
    Set<InstantTime> known = new HashSet<>();
    before.timeline().instants().stream()
        .filter(Instant::isCompleted)
        .forEach(instant -> known.add(instant.requestedTime()));
    return now.timeline().instants().stream()
        .filter(Instant::isCompleted)
        .filter(
            instant ->
                switch (instant.action()) {
                  case CLEAN, REPLACE_COMMIT, CLUSTERING, ROLLBACK, RESTORE -> true;
                  case COMMIT, DELTA_COMMIT, COMPACTION, LOG_COMPACTION, SAVEPOINT, INDEXING ->
                      false;
                })
        .anyMatch(instant -> !known.contains(instant.requestedTime()));
  }

  /** The checkpoint of this run's newest commit. Commits come in the order of checkpoints. */
  private OptionalLong committedCheckpoint(HudiTable now) throws IOException {
    List<Instant.Completed> writes = now.timeline().completedWrites();
    for (int i = writes.size() - 1; i >= 0; i--) {
      Instant.Completed write = writes.get(i);
      if (write.completionTime().toMillis(now.config().timelineZone())
          < openedMillis - CLOCK_SKEW_MILLIS) {
        break;
      }
      if (write.action() == Action.REPLACE_COMMIT) {
        continue;
      }
      CommitMetadata commit = now.timelineStore().readCommit(write);
      if (commit.extra(IndexBootstrap.RUN).filter(run::equals).isPresent()
          && commit
              .extra(IndexBootstrap.CHECKPOINT)
              .filter(t -> t.matches("\\d{1,18}"))
              .isPresent()) {
        return OptionalLong.of(
            Long.parseLong(commit.extra(IndexBootstrap.CHECKPOINT).orElseThrow()));
      }
    }
    return OptionalLong.empty();
  }
}
