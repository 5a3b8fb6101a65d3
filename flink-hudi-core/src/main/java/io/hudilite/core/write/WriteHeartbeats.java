package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs of life of pending writes, by which several writers tell each other's running writes from
 * failed ones. Those of Hudi's writers and ours are the same files. Which writes are ours, of
 * whatever process, is told by files that Hudi does not look at: whoever holds the lease of our
 * writers knows that no other one of ours is alive, and needs not wait.
 *
 * <pre>
 * .hoodie/.heartbeat/t             empty; its modification time is the last sign of life
 * .hoodie/.hudi-lite/begun/t       empty; t is a write of ours
 * </pre>
 *
 * Both are made before the instant is requested, and deleted after it is completed or rolled back:
 * a pending write without a heartbeat is nobody's. Source: Hudi 1.0.2 HoodieHeartbeatClient,
 * HeartbeatUtils. Safe for use by several threads.
 */
public final class WriteHeartbeats {
  private static final Logger LOG = LoggerFactory.getLogger(WriteHeartbeats.class);
  private static final String BEATS = ".hoodie/.heartbeat";
  private static final String BEGUN = ".hoodie/.hudi-lite/begun";
  private static final byte[] NOTHING = new byte[0];

  private final Storage storage;
  private final InstantSource wall;
  private final FailedWrites rule;
  private final Set<InstantTime> own = new HashSet<>();
  private long lastBeatMillis = Long.MIN_VALUE;

  /**
   * @param wall as near to the clock of the storage as the tolerance wants
   */
  public WriteHeartbeats(Storage storage, InstantSource wall, FailedWrites rule) {
    this.storage = requireNonNull(storage, "storage");
    this.wall = requireNonNull(wall, "wall");
    this.rule = requireNonNull(rule, "rule");
  }

  /** Nothing is looked at, and nothing told: all that is pending is to be rolled back. */
  static WriteHeartbeats none(Storage storage) {
    return new WriteHeartbeats(storage, InstantSource.system(), FailedWrites.EAGER);
  }

  private boolean isOn() {
    return rule.policy() == FailedWrites.Policy.LAZY;
  }

  /**
   * To be called before an instant is requested.
   *
   * @return false if somebody else has a write of this time
   * @throws IOException if it is unknown; take another time
   */
  synchronized boolean begin(InstantTime instant) throws IOException {
    if (!isOn()) {
      return true;
    }
    storage.createNew(BEGUN + "/" + instant, NOTHING);
    try {
      storage.createNew(BEATS + "/" + instant, NOTHING);
    } catch (FileAlreadyExistsException e) {
      storage.delete(BEGUN + "/" + instant);
      return false;
    }
    own.add(instant);
    return true;
  }

  /** Somebody else has requested the instant meanwhile; the heartbeat may be theirs as well. */
  synchronized void leave(InstantTime instant) throws IOException {
    if (own.remove(instant)) {
      storage.delete(BEGUN + "/" + instant);
    }
  }

  /** To be called after an instant was completed or rolled back, whoever began it. */
  synchronized void end(InstantTime instant) throws IOException {
    if (isOn()) {
      own.remove(instant);
      storage.delete(BEATS + "/" + instant);
      storage.delete(BEGUN + "/" + instant);
    }
  }

  /**
   * Shows that the writes that were begun here are alive, if half of the interval is over. To be
   * called as often as the interval says, or more often.
   *
   * @throws IOException if one may not be shown; the next call tries again
   */
  public synchronized void beat() throws IOException {
    long now = wall.millis();
    if (own.isEmpty() || now < lastBeatMillis + rule.beatInterval().toMillis() / 2) {
      return;
    }
    IOException failure = null;
    for (InstantTime instant : own) {
      try {
        beat(BEATS + "/" + instant);
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
    lastBeatMillis = now;
  }

  private void beat(String path) throws IOException {
    try {
      storage.overwrite(path, NOTHING);
    } catch (NoSuchFileException e) {
      storage.createNew(path, NOTHING);
    }
  }

  /**
   * Those of some pending writes that failed, or are ours.
   *
   * @param pending read from the timeline before this is called: a write that is on it has its
   *     heartbeat already
   */
  List<Instant> failedOrOurs(List<Instant> pending) throws IOException {
    if (!isOn() || pending.isEmpty()) {
      return pending;
    }
    Set<String> ours = new HashSet<>();
    storage.list(BEGUN).forEach(file -> ours.add(file.name()));
    Map<String, StoredFile> beats = new HashMap<>();
    storage.list(BEATS).forEach(file -> beats.put(file.name(), file));
    return pending.stream()
        .filter(
            instant -> {
              String time = instant.requestedTime().digits();
              StoredFile beat = beats.get(time);
              return ours.contains(time) || beat == null || isTooOld(beat);
            })
        .toList();
  }

  /** Where the storage tells no times, whoever has left a heartbeat counts as alive. */
  private boolean isTooOld(StoredFile beat) {
    return beat.modificationMillis() > 0
        && wall.millis() - beat.modificationMillis() > rule.tolerance().toMillis();
  }

  /**
   * Deletes what crashes left of our writes that are not pending any more. To be called by who
   * holds the lease, before it begins a write.
   */
  void removeLeftOvers(Collection<InstantTime> pending) throws IOException {
    Set<String> names = new HashSet<>();
    pending.forEach(instant -> names.add(instant.digits()));
    for (StoredFile begun : storage.list(BEGUN)) {
      if (!names.contains(begun.name())) {
        LOG.debug("{}: {} left a heartbeat", storage.location(), begun.name());
        storage.delete(BEATS + "/" + begun.name());
        storage.delete(BEGUN + "/" + begun.name());
      }
    }
  }
}
