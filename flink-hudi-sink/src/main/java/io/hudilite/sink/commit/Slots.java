package io.hudilite.sink.commit;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The instants of one coordinator that are being opened, or are open and not visible yet. */
final class Slots {
  /** An epoch that no writer has: of instants that were restored. */
  private static final long RESTORED_EPOCH = Long.MIN_VALUE;

  private final String run;
  private final Epochs epochs;
  private final Map<Long, Slot> opening = new LinkedHashMap<>();
  private final TreeMap<InstantTime, Slot> opened = new TreeMap<>();
  private long nextId;

  Slots(String run, Epochs epochs) {
    this.run = requireNonNull(run, "run");
    this.epochs = requireNonNull(epochs, "epochs");
  }

  /** A new instant, which is to be opened. */
  Slot begin(long epoch) {
    Slot slot = new Slot(nextId++, epoch);
    opening.put(slot.id(), slot);
    return slot;
  }

  /** The instant of a slot has begun. Empty if nobody wants it any more. */
  Optional<Slot> open(long id) {
    return Optional.ofNullable(opening.remove(id));
  }

  void add(Slot slot) {
    opened.put(slot.instant().orElseThrow(), slot);
  }

  /** Takes a report of restored state. */
  void restore(WriteReport report) {
    InstantTime instant = report.instant().orElseThrow();
    Slot slot = opened.get(instant);
    if (slot == null) {
      slot = new Slot(nextId++, RESTORED_EPOCH);
      slot.open(instant);
      opened.put(instant, slot);
    }
    slot.restore(report);
  }

  /**
   * The slot that a writer shares with others of its interval. Instants of one writer must rise,
   * since of two rows of a key the one of the later instant counts; only behind the barrier of an
   * aborted checkpoint a writer goes on with the instant that it has.
   *
   * @param newest instant that the writer was given
   */
  Optional<Slot> find(Slot.Request request, InstantTime newest) {
    List<Slot> newestFirst = new ArrayList<>(opening.values());
    Collections.reverse(newestFirst);
    newestFirst.addAll(opened.descendingMap().values());
    for (Slot slot : newestFirst) {
      if (slot.isClaimedBy(request)) {
        return Optional.of(slot); // asked again
      }
    }
    long epoch = epochs.of(request.epoch());
    return newestFirst.stream()
        .filter(
            slot ->
                slot.epoch() != RESTORED_EPOCH
                    && epochs.of(slot.epoch()) == epoch
                    && !slot.isCommitting()
                    && mayTake(slot, request, newest))
        .findFirst();
  }

  private boolean mayTake(Slot slot, Slot.Request request, InstantTime newest) {
    return slot.instant()
        .map(
            instant ->
                instant.isAfter(newest)
                    || (instant.equals(newest)
                        && slot.hasReportOf(run, request.subtask(), request.attempt())))
        .orElseGet(slot::isClaimed);
  }

  Optional<Slot> opened(InstantTime instant) {
    return Optional.ofNullable(opened.get(instant));
  }

  boolean isOpened(InstantTime instant) {
    return opened.containsKey(instant);
  }

  /** The instants that are begun and not visible yet. */
  Set<InstantTime> opened() {
    return Collections.unmodifiableSet(opened.keySet());
  }

  boolean isEmpty() {
    return opening.isEmpty() && opened.isEmpty();
  }

  boolean isCommitting() {
    return opened.values().stream().anyMatch(Slot::isCommitting);
  }

  void remove(InstantTime instant) {
    opened.remove(instant);
  }

  /**
   * What can be made visible now, in order: nothing may be visible before what is older, as a key
   * may have moved from one writer to another.
   *
   * @param complete newest complete checkpoint
   */
  List<Slot> ready(long complete) {
    List<Slot> ready = new ArrayList<>();
    for (Slot slot : opened.values()) {
      if (slot.isCommitting()) {
        continue;
      }
      if (slot.isClaimed() || slot.newestCheckpoint() > complete) {
        break;
      }
      ready.add(slot);
    }
    return ready;
  }

  /**
   * Drops what a writer did after a checkpoint.
   *
   * @return instants that nobody has any part in now
   */
  List<InstantTime> forget(int subtask, long checkpoint) {
    opening.values().forEach(slot -> slot.forget(run, subtask, checkpoint));
    List<InstantTime> left = new ArrayList<>();
    opened
        .entrySet()
        .removeIf(
            entry -> {
              Slot slot = entry.getValue();
              boolean isLeft = !slot.isCommitting() && slot.forget(run, subtask, checkpoint);
              if (isLeft) {
                left.add(entry.getKey());
              }
              return isLeft;
            });
    return left;
  }

  /** Who waits for an instant to begin. */
  List<Slot.Request> waiting() {
    return opening.values().stream().flatMap(slot -> slot.requests().stream()).toList();
  }
}
