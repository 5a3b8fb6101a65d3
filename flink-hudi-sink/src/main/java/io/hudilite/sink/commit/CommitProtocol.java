package io.hudilite.sink.commit;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Decides which instants are opened, committed and rolled back. Knows no Flink, no storage, no
 * clock and no thread: every call returns what is to be done. All calls come from one thread.
 *
 * <p>A writer knows its interval by an <em>epoch</em>, the checkpoint whose barrier began it. All
 * writers of one epoch share one instant, which is opened when the first of them asks and every
 * writer is done with older epochs. At the next barrier each writer reports. An instant is
 * committed when a checkpoint that covers all its reports is complete and every writer has reported
 * for that checkpoint:
 *
 * <pre>
 * request(epoch) -> Open -> onOpened -> Answer      reports      checkpoint n complete
 *                                                     |                 |
 *                             all writers reported >= n, no report of the instant > n
 *                                                     |
 *                                          Commit -> onCommitted -> AnswerCommitted
 * </pre>
 *
 * After a restart every writer resumes with the reports of its state. Instants that these name are
 * committed, whatever else is pending is rolled back. Without checkpoints the end of all writers'
 * input stands for the only checkpoint.
 */
final class CommitProtocol {
  /** Committed instants that are remembered for late messages. */
  private static final int REMEMBERED = 1_000;

  private final CommitTiming timing;
  private final Writer[] writers;
  private final Epochs epochs = new Epochs();
  private final Slots slots;
  private final Set<InstantTime> committed = new LinkedHashSet<>();
  private final Map<Long, Wait> waits = new LinkedHashMap<>();
  private final List<Slot.Request> early = new ArrayList<>();
  private final Set<InstantTime> unclaimed = new LinkedHashSet<>();

  private List<Effect> effects = new ArrayList<>();
  private boolean isStarted;
  private boolean isDone;
  private boolean hasFailed;
  private long lastComplete = -1;

  /**
   * @param run id of this job start
   * @param parallelism number of writers
   */
  CommitProtocol(String run, CommitTiming timing, int parallelism) {
    this.timing = requireNonNull(timing, "timing");
    this.slots = new Slots(requireNonNull(run, "run"), epochs);
    this.writers = new Writer[parallelism];
    for (int i = 0; i < parallelism; i++) {
      writers[i] = new Writer();
    }
  }

  /**
   * The table is ready.
   *
   * @param pending instants that an earlier start left; those that no writer claims are rolled back
   */
  List<Effect> onStarted(Collection<InstantTime> pending) {
    isStarted = true;
    unclaimed.addAll(pending);
    rollBackUnclaimed();
    answerEarly();
    commitReady();
    return take();
  }

  /** The same run committed at its end already: only the answer was lost. */
  List<Effect> onFoundDone() {
    isDone = true;
    isStarted = true;
    answerEarly();
    return take();
  }

  /** A writer that begins tells of one report of its state. */
  List<Effect> onRestored(int subtask, int attempt, WriteReport report) {
    Writer writer = writers[subtask];
    if (attempt > writer.restoringAttempt) {
      writer.restoringAttempt = attempt;
      writer.restored.clear();
    }
    if (attempt == writer.restoringAttempt) {
      writer.restored.add(report);
    }
    return take();
  }

  /**
   * A writer begins: all of its state is told.
   *
   * @param restoredCheckpoint -1 if it has no state
   * @param count of the reports of its state
   */
  List<Effect> onResume(int subtask, int attempt, long restoredCheckpoint, int count) {
    Writer writer = writers[subtask];
    if (writer.isStale(attempt)) {
      return take();
    }
    List<WriteReport> reports =
        attempt == writer.restoringAttempt ? List.copyOf(writer.restored) : List.of();
    writer.restored.clear();
    if (reports.size() != count) {
      fail(
          "Writer %d begins with %d reports, of which %d arrived. The job restarts from its last checkpoint."
              .formatted(subtask, count, reports.size()),
          OptionalLong.empty());
      return take();
    }
    writer.attempt = attempt;
    writer.hasResumed = true;
    writer.reported = Math.max(writer.reported, restoredCheckpoint);
    complete(restoredCheckpoint);
    for (WriteReport report : reports) {
      report.instant().ifPresent(writer::observe);
      restore(report);
    }
    rollBackUnclaimed();
    answerEarly();
    commitReady();
    return take();
  }

  private void restore(WriteReport report) {
    if (report.instant().filter(instant -> !committed.contains(instant)).isPresent()) {
      slots.restore(report);
    }
  }

  private void complete(long checkpoint) {
    if (checkpoint > lastComplete) {
      lastComplete = checkpoint;
      if (checkpoint != WriteReport.END_OF_INPUT) {
        epochs.complete(checkpoint);
      }
    }
  }

  /** A writer asks which instant the files of its interval belong to. Answered at once or later. */
  List<Effect> onRequest(long request, int subtask, int attempt, long epoch) {
    answerOrKeep(new Slot.Request(request, subtask, attempt, epoch));
    return take();
  }

  private void answerOrKeep(Slot.Request request) {
    Writer writer = writers[request.subtask()];
    if (hasFailed || writer.isStale(request.attempt())) {
      effects.add(new Effect.AnswerStale(request.id()));
      return;
    }
    epochs.pass(request.epoch());
    if (!isStarted
        || !writer.hasResumed
        || writer.attempt != request.attempt()
        || isEnding()
        || !hasEveryWriterPassed(epochs.of(request.epoch()))) {
      early.add(request);
    } else if (isDone) {
      effects.add(new Effect.AnswerDone(request.id()));
    } else {
      give(request);
    }
  }

  /** Whether the only commit of the job is under way: a writer that runs again must wait for it. */
  private boolean isEnding() {
    return timing == CommitTiming.AT_END && isCommitting();
  }

  /**
   * Whether nobody may still ask for an instant of an older epoch. A row that a key moved from must
   * not be deleted later than the row that it moved to is written, and these may be rows of two
   * writers: so all instants before a barrier are opened before one behind it is. Who is late at
   * the barrier holds up those that have passed it and flush already, until it comes or the
   * checkpoint is aborted.
   */
  private boolean hasEveryWriterPassed(long barrier) {
    return barrier <= lastComplete
        || List.of(writers).stream()
            .allMatch(writer -> writer.hasEnded || writer.reported >= barrier);
  }

  private void give(Slot.Request request) {
    Slot slot = slots.find(request, writers[request.subtask()].newestInstant).orElse(null);
    if (slot == null) {
      slot = slots.begin(request.epoch());
      effects.add(new Effect.Open(slot.id()));
    }
    slot.claim(request);
    Optional<InstantTime> instant = slot.instant();
    if (instant.isPresent()) {
      answer(request, instant.get());
    } else {
      slot.await(request);
    }
  }

  private void answer(Slot.Request request, InstantTime instant) {
    writers[request.subtask()].observe(instant);
    effects.add(new Effect.Answer(request.id(), instant));
  }

  private void answerEarly() {
    List<Slot.Request> kept = List.copyOf(early);
    early.clear();
    kept.forEach(this::answerOrKeep);
  }

  /** The instant of a slot has begun. */
  List<Effect> onOpened(long slotId, InstantTime instant) {
    Optional<Slot> opened = slots.open(slotId);
    boolean isWanted = opened.filter(Slot::isClaimed).isPresent();
    if (!isWanted) {
      effects.add(new Effect.RollBack(instant));
    }
    if (opened.isPresent()) {
      Slot slot = opened.get();
      for (Slot.Request request : slot.open(instant)) {
        if (slot.isClaimedBy(request)) {
          answer(request, instant);
        } else {
          effects.add(new Effect.AnswerStale(request.id()));
        }
      }
      if (isWanted) {
        slots.add(slot);
      }
    }
    return take();
  }

  /** A writer has passed a barrier, or its end. The same report may come again. */
  List<Effect> onReport(WriteReport report) {
    Writer writer = writers[report.subtask()];
    if (hasFailed || isDone || writer.isStale(report.attempt())) {
      return take();
    }
    if (report.instant().isPresent() && !accept(report, report.instant().get())) {
      return take();
    }
    writer.reported = Math.max(writer.reported, report.checkpoint());
    writer.hasEnded |= report.isEndOfInput();
    if (report.checkpoint() != WriteReport.END_OF_INPUT) {
      epochs.pass(report.checkpoint());
    }
    if (timing == CommitTiming.AT_END
        && report.isEndOfInput()
        && List.of(writers).stream().allMatch(w -> w.hasEnded)) {
      complete(WriteReport.END_OF_INPUT);
    }
    answerEarly();
    commitReady();
    return take();
  }

  private boolean accept(WriteReport report, InstantTime instant) {
    Optional<Slot> slot = slots.opened(instant);
    if (slot.isPresent()) {
      if (!slot.get().isCommitting()) {
        slot.get().report(report);
      }
      return true;
    }
    if (!committed.contains(instant)) {
      fail(
          "Writer %d reports files of instant %s, which this coordinator does not know. The job restarts from its last checkpoint."
              .formatted(report.subtask(), instant),
          OptionalLong.of(report.checkpoint()));
      return false;
    }
    return true;
  }

  /** All older checkpoints are covered, too: Flink may skip a notification, never the order. */
  List<Effect> onCheckpointComplete(long checkpoint) {
    if (timing == CommitTiming.PER_CHECKPOINT) {
      complete(checkpoint);
      answerEarly();
      commitReady();
    }
    return take();
  }

  /** Who has not met the barrier of this checkpoint need not meet it any more. */
  List<Effect> onCheckpointAborted(long checkpoint) {
    if (checkpoint > lastComplete) {
      epochs.abort(checkpoint);
      answerEarly();
    }
    return take();
  }

  private void commitReady() {
    if (hasFailed || !isStarted || slots.opened().isEmpty() || !everyWriterHasReported()) {
      return;
    }
    for (Iterator<Slot> it = slots.ready(lastComplete).iterator(); it.hasNext(); ) {
      Slot slot = it.next();
      slot.beginCommit();
      effects.add(
          new Effect.Commit(
              slot.instant().orElseThrow(),
              slot.newestCheckpoint(),
              slot.sortedReports(),
              slot.isRepeated(),
              timing == CommitTiming.AT_END && !it.hasNext()));
    }
  }

  private boolean everyWriterHasReported() {
    for (Writer writer : writers) {
      if (timing == CommitTiming.AT_END
          ? !writer.hasEnded
          : !writer.hasResumed || (!writer.hasEnded && writer.reported < lastComplete)) {
        return false;
      }
    }
    return true;
  }

  /** An instant is visible. */
  List<Effect> onCommitted(InstantTime instant) {
    slots.remove(instant);
    committed.add(instant);
    if (committed.size() > REMEMBERED) {
      Iterator<InstantTime> oldest = committed.iterator();
      oldest.next();
      oldest.remove();
    }
    if (timing == CommitTiming.AT_END && slots.opened().isEmpty()) {
      isDone = true;
      answerEarly();
    }
    answerWaits();
    return take();
  }

  /** An instant cannot be committed, or one cannot be opened. */
  List<Effect> onFailure(String reason, OptionalLong checkpoint) {
    fail(reason, checkpoint);
    return take();
  }

  /**
   * A writer wants to know when these instants are visible: to forget their reports, or to end only
   * then.
   */
  List<Effect> onAwait(long request, int subtask, int attempt, Collection<InstantTime> instants) {
    if (hasFailed || writers[subtask].isStale(attempt)) {
      effects.add(new Effect.AnswerStale(request));
    } else {
      waits.put(request, new Wait(subtask, new HashSet<>(instants)));
      answerWaits();
    }
    return take();
  }

  /**
   * A writer without checkpoints has ended. The last of them is answered when all is committed, the
   * others at once, since batch jobs may run writers one after the other.
   */
  List<Effect> onEnd(long request, WriteReport report) {
    if (hasFailed || writers[report.subtask()].isStale(report.attempt())) {
      effects.add(new Effect.AnswerStale(request));
      return take();
    }
    List<Effect> before = onReport(report);
    effects.addAll(before);
    if (lastComplete == WriteReport.END_OF_INPUT && !isDone && !slots.opened().isEmpty()) {
      waits.put(request, new Wait(report.subtask(), new HashSet<>(slots.opened())));
    } else {
      effects.add(new Effect.AnswerCommitted(request));
    }
    return take();
  }

  private void answerWaits() {
    waits
        .entrySet()
        .removeIf(
            entry -> {
              Set<InstantTime> open = entry.getValue().instants;
              open.removeIf(instant -> !slots.isOpened(instant));
              if (open.isEmpty()) {
                effects.add(new Effect.AnswerCommitted(entry.getKey()));
              }
              return open.isEmpty();
            });
  }

  /**
   * A writer has failed and begins again from a checkpoint.
   *
   * @param checkpoint -1 if from nothing
   */
  List<Effect> onSubtaskReset(int subtask, long checkpoint) {
    Writer writer = writers[subtask];
    writer.leastAttempt = writer.attempt + 1;
    writer.hasResumed = false;
    writer.hasEnded = false;
    writer.reported = -1;
    epochs.abortAfter(Math.max(checkpoint, lastComplete));
    // A report may be late, and yet be in the state that the writer comes back with.
    unclaimed.addAll(slots.forget(subtask, checkpoint));
    for (Iterator<Map.Entry<Long, Wait>> it = waits.entrySet().iterator(); it.hasNext(); ) {
      Map.Entry<Long, Wait> entry = it.next();
      if (entry.getValue().subtask == subtask) {
        effects.add(new Effect.AnswerStale(entry.getKey()));
        it.remove();
      }
    }
    answerEarly();
    return take();
  }

  /** A new attempt of a writer runs: older ones are gone. */
  List<Effect> onAttemptReady(int subtask, int attempt) {
    Writer writer = writers[subtask];
    writer.leastAttempt = Math.max(writer.leastAttempt, attempt);
    answerEarly();
    return take();
  }

  /**
   * Whether all writers have ended and all is visible, so that nothing will be written any more.
   */
  boolean isOver() {
    return isStarted
        && !hasFailed
        && early.isEmpty()
        && slots.isEmpty()
        && (isDone || List.of(writers).stream().allMatch(writer -> writer.hasEnded));
  }

  /** Instants that hold rows and are not visible yet. */
  int pendingCommits() {
    return slots.opened().size();
  }

  /** Whether a complete checkpoint still has instants to commit. */
  boolean isCommitting() {
    return slots.isCommitting();
  }

  private void rollBackUnclaimed() {
    boolean nobodyElseComes =
        timing == CommitTiming.AT_END
            || List.of(writers).stream().allMatch(writer -> writer.hasResumed);
    if (isStarted && nobodyElseComes) {
      unclaimed.stream()
          .filter(instant -> !slots.isOpened(instant) && !committed.contains(instant))
          .forEach(instant -> effects.add(new Effect.RollBack(instant)));
      unclaimed.clear();
    }
  }

  private void fail(String reason, OptionalLong checkpoint) {
    if (!hasFailed) {
      hasFailed = true;
      effects.add(new Effect.FailJob(reason, checkpoint));
      early.forEach(request -> effects.add(new Effect.AnswerStale(request.id())));
      early.clear();
      slots.waiting().forEach(request -> effects.add(new Effect.AnswerStale(request.id())));
      waits.keySet().forEach(request -> effects.add(new Effect.AnswerStale(request)));
      waits.clear();
    }
  }

  private List<Effect> take() {
    List<Effect> taken = effects;
    effects = new ArrayList<>();
    return taken;
  }

  /** What is known of one writer. */
  private static final class Writer {
    private int attempt = -1;
    private int leastAttempt;
    private int restoringAttempt = -1;

    /** Reports of the state of an attempt that has not resumed yet. */
    private final List<WriteReport> restored = new ArrayList<>();

    private boolean hasResumed;
    private boolean hasEnded;

    /** Newest checkpoint that it reported for, or was restored from. */
    private long reported = -1;

    /** Of all attempts: the newest that it was given, or came back with. */
    private InstantTime newestInstant = InstantTime.BEGINNING;

    private void observe(InstantTime instant) {
      if (instant.isAfter(newestInstant)) {
        newestInstant = instant;
      }
    }

    private boolean isStale(int otherAttempt) {
      return otherAttempt < leastAttempt || otherAttempt < attempt;
    }
  }

  private record Wait(int subtask, Set<InstantTime> instants) {}
}
