package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.RollbackCodec;
import io.hudilite.core.timeline.RollbackPlan;
import io.hudilite.core.timeline.TimelineStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Removes a failed instant. Each step may be repeated. The data files go before the instant's own
 * files: a data file without an instant would become visible once the timeline starts after it.
 * Source: Hudi 1.0.2 BaseRollbackActionExecutor.
 *
 * <pre>
 * r.rollback.requested (plan) -> r.rollback.inflight -> data files -> markers
 *   -> t.*.inflight -> t.*.requested -> r_c.rollback
 * </pre>
 */
final class Rollback {
  private final Storage storage;
  private final TimelineStore timelines;
  private final LateFiles lateFiles;

  Rollback(Storage storage, TimelineStore timelines, LateFiles lateFiles) {
    this.storage = requireNonNull(storage, "storage");
    this.timelines = requireNonNull(timelines, "timelines");
    this.lateFiles = requireNonNull(lateFiles, "lateFiles");
  }

  /** Plans and carries out. */
  void run(InstantTime target, Fate.Rollback fate) throws IOException {
    InstantTime time = fate.rollbackTime();
    Instant.Requested requested = new Instant.Requested(time, Action.ROLLBACK);
    RollbackPlan plan;
    if (timelines.exists(requested)) {
      plan = timelines.readRollbackPlan(time);
    } else {
      plan = plan(target, fate.action());
      try {
        timelines.createRequested(requested, RollbackCodec.encodePlan(plan));
      } catch (FileAlreadyExistsException e) {
        plan = timelines.readRollbackPlan(time);
      }
    }
    execute(plan, time, fate.rollbackCompletionTime());
  }

  /** Plans to remove a write that is completed as yet. */
  void planCompleted(InstantTime time, InstantTime target, Action action, Set<String> paths)
      throws IOException {
    timelines.createRequested(
        new Instant.Requested(time, Action.ROLLBACK),
        RollbackCodec.encodePlan(new RollbackPlan(target, action.word(), byPartition(paths))));
  }

  /** Carries out a plan of this or another writer. */
  void execute(RollbackPlan plan, InstantTime time, InstantTime completionTime) throws IOException {
    try {
      timelines.createInflight(new Instant.Inflight(time, Action.ROLLBACK));
    } catch (FileAlreadyExistsException e) {
      // Begun before.
    }
    InstantTime target = plan.target();
    InstantFiles files = new InstantFiles(storage, target);
    List<String> paths = new ArrayList<>();
    for (Map.Entry<String, List<String>> partition : plan.files().entrySet()) {
      for (String fullPath : partition.getValue()) {
        String name = fullPath.substring(fullPath.lastIndexOf('/') + 1);
        // The table may have been moved since; and nothing but the instant's own may go.
        if (files.isNamedAfterInstant(name)) {
          paths.add(partition.getKey().isEmpty() ? name : partition.getKey() + "/" + name);
        }
      }
    }
    for (String path : paths) {
      storage.delete(path);
    }
    lateFiles.expect(target, paths);
    new WriteMarkers(storage, target).delete();
    storage.delete(".hoodie/.heartbeat/" + target);
    for (Action action : Action.values()) {
      if (action.word().equals(plan.action())) {
        timelines.delete(new Instant.Inflight(target, action));
        timelines.delete(new Instant.Requested(target, action));
      }
    }
    try {
      timelines.complete(
          Instant.Completed.of(time, completionTime, Action.ROLLBACK),
          RollbackCodec.encodeMetadata(plan, time));
    } catch (FileAlreadyExistsException e) {
      // Somebody else was as far.
    }
  }

  private RollbackPlan plan(InstantTime target, Action action) throws IOException {
    // Data files come after the inflight file: without it there is nothing to look for.
    boolean begun = timelines.exists(new Instant.Inflight(target, action));
    Set<String> paths = begun ? new InstantFiles(storage, target).paths() : Set.of();
    return new RollbackPlan(target, action.word(), byPartition(paths));
  }

  private Map<String, List<String>> byPartition(Set<String> paths) {
    Map<String, List<String>> byPartition = new TreeMap<>();
    for (String path : paths) {
      int slash = path.lastIndexOf('/');
      byPartition
          .computeIfAbsent(slash < 0 ? "" : path.substring(0, slash), key -> new ArrayList<>())
          .add(storage.location() + "/" + path);
    }
    return byPartition;
  }
}
