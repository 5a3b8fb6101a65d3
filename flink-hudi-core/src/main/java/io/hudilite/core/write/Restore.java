package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.CorruptInstantException;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.RestoreCodec;
import io.hudilite.core.timeline.RestorePlan;
import io.hudilite.core.timeline.RollbackPlan;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.TimelineStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes instants back, the newest first, so that at each moment the table is as it was at some time
 * before. Each step may be repeated. Source: Hudi 1.0.2 BaseRestoreActionExecutor.
 *
 * <pre>
 * r.restore.requested (plan) -> r.restore.inflight
 *   -> for each instant t: its fate -> t_c.action -> data files -> markers -> t.*.inflight
 *        -> t.*.requested
 *   -> r_c.restore
 * </pre>
 */
final class Restore {
  private static final Logger LOG = LoggerFactory.getLogger(Restore.class);

  private final Storage storage;
  private final TimelineStore timelines;
  private final FateStore fates;
  private final LateFiles lateFiles;
  private final InstantClock clock;

  Restore(
      Storage storage,
      TimelineStore timelines,
      FateStore fates,
      LateFiles lateFiles,
      InstantClock clock) {
    this.storage = requireNonNull(storage, "storage");
    this.timelines = requireNonNull(timelines, "timelines");
    this.fates = requireNonNull(fates, "fates");
    this.lateFiles = requireNonNull(lateFiles, "lateFiles");
    this.clock = requireNonNull(clock, "clock");
  }

  /** Plans and carries out. */
  InstantTime run(RestorePlan plan, TableCommit.Step step) throws IOException {
    InstantTime time = clock.next();
    timelines.createRequested(
        new Instant.Requested(time, Action.RESTORE), RestoreCodec.encodePlan(plan));
    execute(time, plan, step);
    return time;
  }

  /** Carries out what a process began that died, of this or another engine. */
  void finishPending(Timeline timeline) throws IOException {
    for (Instant instant : timeline.instants()) {
      if (instant.action() == Action.RESTORE && !instant.isCompleted()) {
        InstantTime time = instant.requestedTime();
        RestorePlan plan;
        try {
          plan = timelines.readRestorePlan(time);
        } catch (CorruptInstantException | NoSuchFileException e) {
          LOG.warn("{}: dropping restore {} without a plan", storage.location(), time, e);
          timelines.delete(new Instant.Inflight(time, Action.RESTORE));
          timelines.delete(new Instant.Requested(time, Action.RESTORE));
          continue;
        }
        LOG.info("Finishing restore {} of '{}'", time, storage.location());
        execute(time, plan, () -> {});
      }
    }
  }

  private void execute(InstantTime time, RestorePlan plan, TableCommit.Step step)
      throws IOException {
    long begin = System.nanoTime();
    Timeline before = timelines.load();
    Map<Instant.Completed, CommitMetadata> commits = new HashMap<>();
    for (RestorePlan.Target target : plan.targets()) {
      Optional<Instant.Completed> completed = before.completedWrite(target.instant());
      if (completed.isPresent()) {
        commits.put(completed.get(), timelines.readCommit(completed.get()));
      }
    }
    new RewindStore(storage).add(time, commits);
    try {
      timelines.createInflight(new Instant.Inflight(time, Action.RESTORE));
    } catch (FileAlreadyExistsException e) {
      // Begun before.
    }
    List<RollbackPlan> removed = new ArrayList<>();
    for (RestorePlan.Target target : plan.targets()) {
      step.passed();
      removed.add(remove(target, time));
    }
    step.passed();
    timelines.load().newestTime().ifPresent(clock::observe);
    long takenMillis = (System.nanoTime() - begin) / 1_000_000;
    timelines.complete(
        Instant.Completed.of(time, clock.next(), Action.RESTORE),
        RestoreCodec.encodeMetadata(plan, time, takenMillis, removed));
  }

  /** What an earlier try removed is not told again. */
  private RollbackPlan remove(RestorePlan.Target target, InstantTime time) throws IOException {
    InstantTime instant = target.instant();
    Timeline timeline = timelines.load();
    Optional<Instant.Completed> completed = timeline.completedWrite(instant);
    Action action;
    Set<String> paths;
    if (completed.isPresent()) {
      action = timeline.startedAs(completed.get());
      paths = TableCommit.pathsOf(timelines.readCommit(completed.get()));
    } else {
      Optional<Instant> pending = timeline.pending(instant);
      if (pending.isEmpty()) {
        return new RollbackPlan(instant, target.action(), Map.of());
      }
      action = pending.get().action();
      paths = new InstantFiles(storage, instant).paths();
    }
    // From now on nobody can complete it any more, or again.
    fates.replace(instant, new Fate.Rollback(time, time, action));
    if (completed.isPresent()) {
      timelines.delete(completed.get());
    }
    Map<String, List<String>> byPartition = new TreeMap<>();
    for (String path : paths) {
      storage.delete(path);
      int slash = path.lastIndexOf('/');
      byPartition
          .computeIfAbsent(slash < 0 ? "" : path.substring(0, slash), key -> new ArrayList<>())
          .add(storage.location() + "/" + path);
    }
    if (completed.isEmpty()) {
      lateFiles.expect(instant, paths);
    }
    new WriteMarkers(storage, instant).delete();
    storage.delete(".hoodie/.heartbeat/" + instant);
    timelines.delete(new Instant.Inflight(instant, action));
    timelines.delete(new Instant.Requested(instant, action));
    return new RollbackPlan(instant, target.action(), byPartition);
  }
}
