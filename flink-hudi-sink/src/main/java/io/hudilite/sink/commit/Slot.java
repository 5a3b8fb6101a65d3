package io.hudilite.sink.commit;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.annotation.Nullable;

/**
 * One instant from the first request for it to its commit: who was given it, and what they
 * reported.
 */
final class Slot {
  private final long id;
  private final long epoch;
  private final List<Request> requests = new ArrayList<>();

  /** Intervals of writers that were given the instant and have not reported yet. */
  private final Set<Claim> claims = new HashSet<>();

  private final Map<Author, WriteReport> reports = new HashMap<>();

  /** Null while it is being opened. */
  @Nullable private InstantTime instant;

  private boolean isCommitting;
  private boolean isRepeated;

  /**
   * @param epoch of the writer that asked for it first
   */
  Slot(long id, long epoch) {
    this.id = id;
    this.epoch = epoch;
  }

  long id() {
    return id;
  }

  long epoch() {
    return epoch;
  }

  /** Empty while it is being opened. */
  Optional<InstantTime> instant() {
    return Optional.ofNullable(instant);
  }

  /** The instant has begun; returns who waits for it. */
  List<Request> open(InstantTime opened) {
    instant = requireNonNull(opened, "opened");
    List<Request> waiting = List.copyOf(requests);
    requests.clear();
    return waiting;
  }

  /** Who waits for the instant to begin. */
  List<Request> requests() {
    return List.copyOf(requests);
  }

  void await(Request request) {
    requests.add(request);
  }

  void claim(Request request) {
    claims.add(Claim.of(request));
  }

  boolean isClaimedBy(Request request) {
    return claims.contains(Claim.of(request));
  }

  /** Whether a writer has it and has not reported. */
  boolean isClaimed() {
    return !claims.isEmpty();
  }

  boolean isCommitting() {
    return isCommitting;
  }

  void beginCommit() {
    isCommitting = true;
  }

  /** Whether reports came out of restored state, so that all may be done already. */
  boolean isRepeated() {
    return isRepeated;
  }

  /** A report of restored state. */
  void restore(WriteReport report) {
    isRepeated = true;
    add(report);
  }

  /** A report of a writer that has just passed a barrier. May come again. */
  void report(WriteReport report) {
    claims.remove(new Claim(report.subtask(), report.attempt(), report.epoch()));
    add(report);
  }

  private void add(WriteReport report) {
    reports.merge(
        new Author(report.run(), report.subtask(), report.checkpoint()),
        report,
        (old, fresh) -> fresh.attempt() >= old.attempt() ? fresh : old);
  }

  /** Whether this attempt of a writer has reported files of it. */
  boolean hasReportOf(String run, int subtask, int attempt) {
    return reports.values().stream()
        .anyMatch(
            report ->
                report.run().equals(run)
                    && report.subtask() == subtask
                    && report.attempt() == attempt);
  }

  /** Drops what a writer did after a checkpoint; returns whether nothing is left. */
  boolean forget(String run, int subtask, long checkpoint) {
    boolean hadClaim = claims.removeIf(claim -> claim.subtask == subtask);
    boolean hadReport =
        reports
            .values()
            .removeIf(
                report ->
                    report.run().equals(run)
                        && report.subtask() == subtask
                        && report.checkpoint() > checkpoint);
    return (hadClaim || hadReport) && claims.isEmpty() && reports.isEmpty();
  }

  long newestCheckpoint() {
    return reports.values().stream().mapToLong(WriteReport::checkpoint).max().orElse(-1);
  }

  List<WriteReport> sortedReports() {
    return reports.values().stream()
        .sorted(
            Comparator.comparing(WriteReport::run)
                .thenComparing(WriteReport::subtask)
                .thenComparing(WriteReport::checkpoint))
        .toList();
  }

  /** A writer's question for the instant of its interval. */
  record Request(long id, int subtask, int attempt, long epoch) {}

  /** One interval of one attempt of a writer. */
  private record Claim(int subtask, int attempt, long epoch) {
    private static Claim of(Request request) {
      return new Claim(request.subtask, request.attempt, request.epoch);
    }
  }

  /** A writer has two reports of one instant if the checkpoint between them was aborted. */
  private record Author(String run, int subtask, long checkpoint) {}
}
