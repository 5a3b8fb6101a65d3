package io.hudilite.core.clean;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileGroup;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.readerlease.ReaderLeaseStore;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CleanCodec;
import io.hudilite.core.timeline.CleanMetadata;
import io.hudilite.core.timeline.CleanPlan;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
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
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what a plan says, after asking once more whether anybody needs it. Plans that a process
 * left behind are finished by the next one. Best kept from one clean to the next; not safe for use
 * by several threads.
 *
 * <pre>t.clean.requested (plan) -> t.clean.inflight -> files -> t_c.clean</pre>
 */
public final class Cleaner {
  private static final Logger LOG = LoggerFactory.getLogger(Cleaner.class);

  /** A clean that another process began, and has not ended for so long, is finished here. */
  private static final Duration STUCK = Duration.ofMinutes(20);

  private final Storage storage;
  private final CleanPlanner planner;
  private final ReaderLeaseStore leases;
  private final InstantSource wall;
  private final int everyCommits;

  /** Begun here, and failed. */
  private final Set<InstantTime> unfinished = new HashSet<>();

  /**
   * Cleans when it is asked, also where no commit came since the last one: a savepoint may have
   * gone.
   */
  public Cleaner(Storage storage, CleanRetention retention, InstantSource wall) {
    this(storage, retention, wall, 0);
  }

  /**
   * @param everyCommits option {@code hoodie.clean.max.commits}: a new clean is planned when so
   *     many writes have completed since the last one
   */
  public Cleaner(Storage storage, CleanRetention retention, InstantSource wall, int everyCommits) {
    this.everyCommits = everyCommits;
    this.storage = requireNonNull(storage, "storage");
    this.planner = new CleanPlanner(retention);
    this.leases = new ReaderLeaseStore(storage, wall);
    this.wall = requireNonNull(wall, "wall");
  }

  /** What came of a clean. */
  public sealed interface Result {
    /** Files are gone, and a clean is on the timeline. */
    record Cleaned(InstantTime instant, CleanMetadata metadata) implements Result {}

    /** Nothing was to be done. */
    record Nothing(String reason) implements Result {}
  }

  /**
   * Finishes cleans that were left behind, plans a new one, and carries it out.
   *
   * @param clock of the table
   * @throws IOException if it is not finished; the next clean goes on
   */
  public Result clean(InstantClock clock) throws IOException {
    finishPending(clock);
    HudiTable table = HudiTable.open(storage);
    table.timeline().newestTime().ifPresent(clock::observe);
    leases.removeExpired();
    Optional<String> tooSoon = tooSoon(table.timeline());
    if (tooSoon.isPresent()) {
      return new Result.Nothing(tooSoon.get());
    }
    InstantTime time = clock.next();
    Optional<CleanPlan> plan = planner.plan(table, time, leases.oldestHeld());
    if (plan.isEmpty()) {
      return new Result.Nothing("all commits are retained");
    }
    if (plan.get().files().isEmpty()) {
      return new Result.Nothing(
          "nothing is older than "
              + plan.get()
                  .earliestToRetain()
                  .map(Instant::requestedTime)
                  .map(InstantTime::digits)
                  .orElse("the retained file versions"));
    }
    unfinished.add(time);
    byte[] content = CleanCodec.encodePlan(plan.get(), storage.location());
    table.timelineStore().createRequested(new Instant.Requested(time, Action.CLEAN), content);
    return execute(table, time, plan.get(), clock);
  }

  private Optional<String> tooSoon(Timeline timeline) {
    Optional<InstantTime> last =
        timeline.instants().stream()
            .filter(instant -> instant.action() == Action.CLEAN && instant.isCompleted())
            .map(Instant::requestedTime)
            .max(InstantTime::compareTo);
    long since = timeline.completedAfter(last.orElse(InstantTime.BEGINNING)).size();
    return since >= everyCommits
        ? Optional.empty()
        : Optional.of(
            "%d of %d commits since clean %s"
                .formatted(
                    since, everyCommits, last.map(InstantTime::digits).orElse("(there is none)")));
  }

  private void finishPending(InstantClock clock) throws IOException {
    HudiTable table = HudiTable.open(storage);
    table.timeline().newestTime().ifPresent(clock::observe);
    for (Instant instant : table.timeline().instants()) {
      if (instant.action() == Action.CLEAN
          && !instant.isCompleted()
          && isAbandoned(table, instant)) {
        InstantTime time = instant.requestedTime();
        LOG.info("Finishing clean {} of '{}'", time, storage.location());
        execute(table, time, table.timelineStore().readCleanPlan(time), clock);
      }
    }
  }

  private boolean isAbandoned(HudiTable table, Instant instant) throws IOException {
    if (unfinished.contains(instant.requestedTime())) {
      return true;
    }
    long since = table.timelineStore().modificationMillis(instant);
    return wall.millis() - since > STUCK.toMillis();
  }

  private Result execute(HudiTable table, InstantTime time, CleanPlan plan, InstantClock clock)
      throws IOException {
    long begin = wall.millis();
    TimelineStore store = table.timelineStore();
    try {
      store.createInflight(
          new Instant.Inflight(time, Action.CLEAN),
          CleanCodec.encodePlan(plan, storage.location()));
    } catch (FileAlreadyExistsException e) {
      // Begun before.
    }
    Map<String, List<String>> deleted = new TreeMap<>();
    Map<String, List<String>> failed = new TreeMap<>();
    Set<String> held = new TreeSet<>();
    delete(plan, deleted, failed, held);
    String deferred = plan.extra().get(CleanMetadata.DEFERRED);
    if (deferred != null) { // an empty line is the partition of a table without any
      held.addAll(List.of(deferred.split("\n", -1)));
    }
    CleanMetadata metadata =
        new CleanMetadata(
            time,
            Math.max(0, wall.millis() - begin),
            plan.earliestToRetain().map(Instant::requestedTime).map(InstantTime::digits).orElse(""),
            plan.lastCompletedCommit(),
            plan.policy(),
            deleted,
            failed,
            held.isEmpty() ? Map.of() : Map.of(CleanMetadata.DEFERRED, String.join("\n", held)));
    complete(store, time, metadata, clock);
    unfinished.remove(time);
    return new Result.Cleaned(time, metadata);
  }

  /** Another process may have finished the same plan; then this one has nothing to add. */
  private void complete(
      TimelineStore store, InstantTime time, CleanMetadata metadata, InstantClock clock)
      throws IOException {
    var timeline = store.load();
    timeline.newestTime().ifPresent(clock::observe);
    boolean isDone =
        timeline.instants().stream()
            .anyMatch(
                instant ->
                    instant.isCompleted()
                        && instant.action() == Action.CLEAN
                        && instant.requestedTime().equals(time));
    if (!isDone) {
      store.complete(
          Instant.Completed.of(time, clock.next(), Action.CLEAN),
          CleanCodec.encodeMetadata(metadata));
    }
  }

  /** Readers may have come, and plans been made, since the clean was planned. */
  private void delete(
      CleanPlan plan,
      Map<String, List<String>> deleted,
      Map<String, List<String>> failed,
      Set<String> held)
      throws IOException {
    HudiTable now = HudiTable.open(storage);
    FileSystemView view = now.view();
    SliceGuard guard = SliceGuard.of(now, leases.oldestHeld());
    for (Map.Entry<String, List<String>> entry : plan.files().entrySet()) {
      String partition = entry.getKey();
      List<FileGroup> groups = view.fileGroups(partition);
      Set<FileGroupId> replaced = new HashSet<>();
      for (FileGroup group : groups) {
        if (view.isReplaced(group.id())) {
          replaced.add(group.id());
        }
      }
      Set<String> needed = guard.neededFiles(groups, replaced);
      for (String name : entry.getValue()) {
        if (needed.contains(name)) {
          held.add(partition);
        } else {
          boolean isGone = delete(partition.isEmpty() ? name : partition + "/" + name);
          (isGone ? deleted : failed)
              .computeIfAbsent(partition, path -> new ArrayList<>())
              .add(name);
        }
      }
    }
  }

  private boolean delete(String path) {
    try {
      storage.delete(path); // false: an earlier try was as far
      return true;
    } catch (IOException e) {
      LOG.warn("'{}/{}' cannot be deleted now; a later clean will", storage.location(), path, e);
      return false;
    }
  }
}
