package io.hudilite.core.timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An immutable view of the active timeline: each instant in its highest state. Requested times tell
 * what belongs together, completion times what a reader could see when.
 */
public final class Timeline {
  private static final Comparator<Instant> BY_REQUESTED_TIME =
      Comparator.comparing(Instant::requestedTime).thenComparing(Instant::action);
  private static final Comparator<Instant.Completed> BY_COMPLETION_TIME =
      Comparator.comparing(Instant.Completed::completionTime)
          .thenComparing(Instant.Completed::requestedTime);

  private final List<Instant> instants;
  private final List<Instant.Completed> completedWrites;
  private final List<Instant> pendingWrites;
  private final Map<InstantTime, Instant.Completed> completedWriteByTime = new HashMap<>();
  private final Map<Slot, Action> startedAs;
  private final Optional<InstantTime> firstWrite;

  private Timeline(Map<Slot, Instant> highest, Map<Slot, Action> startedAs) {
    this.instants = highest.values().stream().sorted(BY_REQUESTED_TIME).toList();
    this.startedAs = Map.copyOf(startedAs);
    List<Instant.Completed> completed = new ArrayList<>();
    List<Instant> pending = new ArrayList<>();
    for (Instant instant : instants) {
      if (!instant.action().writesData()) {
        continue;
      }
      if (instant instanceof Instant.Completed done) {
        completed.add(done);
        completedWriteByTime.put(done.requestedTime(), done);
      } else {
        pending.add(instant);
      }
    }
    completed.sort(BY_COMPLETION_TIME);
    this.completedWrites = List.copyOf(completed);
    this.pendingWrites = List.copyOf(pending);
    this.firstWrite = firstWrite(instants);
  }

  /** Archiving may go past commits with a savepoint: they do not say where the timeline starts. */
  private static Optional<InstantTime> firstWrite(List<Instant> instants) {
    Set<InstantTime> savepoints = new HashSet<>();
    List<InstantTime> writes = new ArrayList<>();
    for (Instant instant : instants) {
      if (instant.action() == Action.SAVEPOINT) {
        savepoints.add(instant.requestedTime());
      } else if (instant.action().writesData()) {
        writes.add(instant.requestedTime());
      }
    }
    return writes.stream()
        .filter(time -> !savepoints.contains(time))
        .findFirst()
        .or(() -> writes.stream().findFirst());
  }

  /** A timeline of any states of instants, in any order; only the highest state of each counts. */
  public static Timeline of(Collection<? extends Instant> states) {
    Map<Slot, Instant> highest = new HashMap<>();
    Map<Slot, Action> startedAs = new HashMap<>();
    for (Instant state : states) {
      Slot slot = new Slot(state.requestedTime(), state.action().completedAs());
      if (!state.isCompleted()) {
        startedAs.put(slot, state.action());
      }
      highest.merge(slot, state, (a, b) -> higher(a, b));
    }
    return new Timeline(highest, startedAs);
  }

  /** All instants by requested time. */
  public List<Instant> instants() {
    return instants;
  }

  /** Completed instants that may have added data files, by completion time. */
  public List<Instant.Completed> completedWrites() {
    return completedWrites;
  }

  /** Uncompleted instants that may have added data files, by requested time. */
  public List<Instant> pendingWrites() {
    return pendingWrites;
  }

  /** Completed writes with {@code from <= completion time}, by completion time. */
  public List<Instant.Completed> completedFrom(InstantTime from) {
    return completedWrites.stream().filter(w -> !w.completionTime().isBefore(from)).toList();
  }

  /** Completed writes with {@code position < completion time}, by completion time. */
  public List<Instant.Completed> completedAfter(InstantTime position) {
    return completedWrites.stream().filter(w -> w.completionTime().isAfter(position)).toList();
  }

  /** Completed writes with {@code after < completion time <= to}, by completion time. */
  public List<Instant.Completed> completedBetween(InstantTime after, InstantTime to) {
    return completedWrites.stream()
        .filter(w -> w.completionTime().isAfter(after) && !w.completionTime().isAfter(to))
        .toList();
  }

  /** The completed write of a requested time. */
  public Optional<Instant.Completed> completedWrite(InstantTime requested) {
    return Optional.ofNullable(completedWriteByTime.get(requested));
  }

  /** Empty if no write of this requested time is completed on the active timeline. */
  public Optional<InstantTime> completionTimeOf(InstantTime requested) {
    return completedWrite(requested).map(Instant.Completed::completionTime);
  }

  /**
   * Whether files that carry this requested time are visible: it is completed, or older than the
   * first write on the active timeline and so archived. Source: Hudi 1.0.2
   * BaseHoodieTimeline.containsOrBeforeTimelineStarts.
   */
  public boolean isCommitted(InstantTime requested) {
    return completedWriteByTime.containsKey(requested) || isBeforeStart(requested);
  }

  /** Whether the instant is older than the first write on the active timeline. */
  public boolean isBeforeStart(InstantTime requested) {
    return firstWrite.isPresent() && requested.isBefore(firstWrite.get());
  }

  /** The uncompleted instant of a requested time, whatever its action. */
  public Optional<Instant> pending(InstantTime requested) {
    return instants.stream()
        .filter(i -> !i.isCompleted() && i.requestedTime().equals(requested))
        .findFirst();
  }

  /** The greatest completion time of a write. */
  public Optional<InstantTime> lastCompletion() {
    return completedWrites.isEmpty()
        ? Optional.empty()
        : Optional.of(completedWrites.get(completedWrites.size() - 1).completionTime());
  }

  /** The completed write with the greatest completion time. */
  public Optional<Instant.Completed> lastCompletedWrite() {
    return completedWrites.isEmpty()
        ? Optional.empty()
        : Optional.of(completedWrites.get(completedWrites.size() - 1));
  }

  /** The greatest of all requested and completion times; new times must lie after it. */
  public Optional<InstantTime> newestTime() {
    return instants.stream()
        .map(
            instant ->
                instant instanceof Instant.Completed done
                        && done.completionTime().isAfter(done.requestedTime())
                    ? done.completionTime()
                    : instant.requestedTime())
        .max(Comparator.naturalOrder());
  }

  /** The completed replace commits (overwrites and clusterings), by completion time. */
  public List<Instant.Completed> completedReplacements() {
    return completedWrites.stream().filter(w -> w.action() == Action.REPLACE_COMMIT).toList();
  }

  /** The compactions and log compactions that are planned or under way. */
  public List<Instant> pendingCompactions() {
    return pendingWrites.stream()
        .filter(i -> i.action() == Action.COMPACTION || i.action() == Action.LOG_COMPACTION)
        .toList();
  }

  /** The clusterings that are planned or under way. */
  public List<Instant> pendingClusterings() {
    return pendingWrites.stream().filter(i -> i.action() == Action.CLUSTERING).toList();
  }

  /**
   * The action under which a completed instant was begun: {@link Action#COMPACTION} for a commit
   * that is one. The completed action if its earlier states are not on the timeline.
   */
  public Action startedAs(Instant.Completed instant) {
    return startedAs.getOrDefault(
        new Slot(instant.requestedTime(), instant.action()), instant.action());
  }

  /** Without the instants that were requested after {@code time}; for time travel. */
  public Timeline requestedUpTo(InstantTime time) {
    Map<Slot, Instant> kept = new HashMap<>();
    for (Instant instant : instants) {
      if (!instant.requestedTime().isAfter(time)) {
        kept.put(new Slot(instant.requestedTime(), instant.action().completedAs()), instant);
      }
    }
    return new Timeline(kept, startedAs);
  }

  /**
   * This timeline as it was just before a moment: writes that completed at {@code time} or later
   * are still under way on it. They stay on it, or their files would count as archived.
   */
  public Timeline completedBefore(InstantTime time) {
    Map<Slot, Instant> seen = new HashMap<>();
    for (Instant instant : instants) {
      Instant then =
          instant instanceof Instant.Completed completed
                  && completed.action().writesData()
                  && !completed.completionTime().isBefore(time)
              ? new Instant.Inflight(completed.requestedTime(), startedAs(completed))
              : instant;
      seen.put(new Slot(instant.requestedTime(), instant.action().completedAs()), then);
    }
    return new Timeline(seen, startedAs);
  }

  @Override
  public String toString() {
    return "Timeline" + instants;
  }

  private static Instant higher(Instant a, Instant b) {
    int order = Integer.compare(rank(a), rank(b));
    if (order == 0 && a instanceof Instant.Completed x && b instanceof Instant.Completed y) {
      // Two completions of one instant must not be; readers agree on the first.
      return x.completionTime().isAfter(y.completionTime()) ? b : a;
    }
    return order >= 0 ? a : b;
  }

  private static int rank(Instant instant) {
    if (instant.isCompleted()) {
      return 2;
    }
    return instant instanceof Instant.Inflight ? 1 : 0;
  }

  /** Instants that are one and the same in different states share this. */
  private record Slot(InstantTime requestedTime, Action completedAction) {}
}
