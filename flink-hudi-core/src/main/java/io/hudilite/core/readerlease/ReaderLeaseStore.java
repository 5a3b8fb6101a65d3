package io.hudilite.core.readerlease;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The leases of one table. All of a lease is in the name of an empty file, so that one listing
 * tells all; renewing makes the next file and deletes the one before, and in between the older
 * position counts. Safe for use by several threads, but for one reader's own lease.
 *
 * <pre>.hoodie/.hudi-lite/leases/reader_position_expiresMillis_number</pre>
 */
public final class ReaderLeaseStore {
  /** How long a lease lives without being renewed, unless said otherwise. */
  public static final Duration DEFAULT_LIFE = Duration.ofMinutes(10);

  private static final String FOLDER = ".hoodie/.hudi-lite/leases";
  private static final Pattern NAME =
      Pattern.compile("([A-Za-z0-9-]{1,100})_(\\d{14,20})_(\\d{1,19})_(\\d{1,18})");

  private final Storage storage;
  private final InstantSource clock;

  public ReaderLeaseStore(Storage storage, InstantSource clock) {
    this.storage = requireNonNull(storage, "storage");
    this.clock = requireNonNull(clock, "clock");
  }

  private record Named(ReaderLease lease, long number, String fileName) {}

  /**
   * Takes or renews a reader's lease.
   *
   * @param life how long it holds from now on
   */
  public ReaderLease hold(String reader, InstantTime position, Duration life) throws IOException {
    ReaderLease lease = new ReaderLease(reader, position, clock.millis() + life.toMillis());
    List<Named> older = named().stream().filter(n -> n.lease.reader().equals(reader)).toList();
    long number = older.stream().mapToLong(Named::number).max().orElse(0) + 1;
    try {
      storage.createNew(
          "%s/%s_%s_%d_%d".formatted(FOLDER, reader, position, lease.expiresMillis(), number),
          new byte[0]);
    } catch (FileAlreadyExistsException e) {
      // Sent again after an answer that was lost.
    }
    for (Named before : older) {
      storage.delete(FOLDER + "/" + before.fileName);
    }
    return lease;
  }

  /** Gives a reader's lease back, or takes it away; returns false if there was none. */
  public boolean release(String reader) throws IOException {
    boolean had = false;
    for (Named named : named()) {
      if (named.lease.reader().equals(reader)) {
        had |= storage.delete(FOLDER + "/" + named.fileName);
      }
    }
    return had;
  }

  /** The leases that hold now, one for each reader with its oldest position, by reader. */
  public List<ReaderLease> held() throws IOException {
    Map<String, ReaderLease> byReader = new TreeMap<>();
    for (Named named : named()) {
      if (!named.lease.isExpired(clock.millis())) {
        byReader.merge(
            named.lease.reader(),
            named.lease,
            (a, b) -> a.position().isBefore(b.position()) ? a : b);
      }
    }
    return List.copyOf(byReader.values());
  }

  /** The oldest position that is held. */
  public Optional<InstantTime> oldestHeld() throws IOException {
    return held().stream().map(ReaderLease::position).min(InstantTime::compareTo);
  }

  /** Deletes leases that have expired; returns how many. */
  public int removeExpired() throws IOException {
    int removed = 0;
    for (Named named : named()) {
      if (named.lease.isExpired(clock.millis()) && storage.delete(FOLDER + "/" + named.fileName)) {
        removed++;
      }
    }
    return removed;
  }

  private List<Named> named() throws IOException {
    List<Named> leases = new ArrayList<>();
    for (StoredFile file : storage.list(FOLDER)) {
      Matcher name = NAME.matcher(file.name());
      if (name.matches()) {
        leases.add(
            new Named(
                new ReaderLease(
                    name.group(1), new InstantTime(name.group(2)), Long.parseLong(name.group(3))),
                Long.parseLong(name.group(4)),
                file.name()));
      }
    }
    return leases;
  }
}
