package io.hudilite.core.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.write.WriteMarkers;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The right to execute a pending plan, which one process has at a time. Taken from an execution
 * that shows no sign of life any more; that one notices when it asks again. Not safe for use by
 * several threads.
 */
public final class PlanClaim {
  private final HudiTable table;
  private final Instant.Requested plan;
  private final ExecutionClaims claims;
  private final int number;

  private PlanClaim(HudiTable table, Instant.Requested plan, ExecutionClaims claims, int number) {
    this.table = requireNonNull(table, "table");
    this.plan = requireNonNull(plan, "plan");
    this.claims = requireNonNull(claims, "claims");
    this.number = number;
  }

  /**
   * The right, or why there is none.
   *
   * @param reason {@code ""} if there is a claim
   */
  public record Attempt(Optional<PlanClaim> claim, String reason) {
    public Attempt {
      requireNonNull(claim, "claim");
      requireNonNull(reason, "reason");
    }

    private static Attempt refused(String reason) {
      return new Attempt(Optional.empty(), reason);
    }
  }

  /**
   * Tries to get the right.
   *
   * @param table as it is now
   * @param action of the plan
   * @throws IOException on a failure of the storage; call again
   */
  public static Attempt take(HudiTable table, InstantTime instant, Action action, TakeOver takeOver)
      throws IOException {
    Optional<Instant> pending =
        table.timeline().pending(instant).filter(found -> found.action() == action);
    String name = action.word() + " " + instant;
    if (pending.isEmpty()) {
      return Attempt.refused("no " + name + " is pending");
    }
    ExecutionClaims claims = new ExecutionClaims(table.storage(), action, instant);
    Optional<ExecutionClaims.Claim> current = claims.current();
    if (pending.get() instanceof Instant.Inflight inflight) {
      long progress = lastProgress(table, inflight, current);
      String owner = current.map(ExecutionClaims.Claim::owner).orElse("another engine");
      if (!takeOver.mayTakeOver(owner, progress)) {
        return Attempt.refused(
            "%s is being executed by '%s', which was last seen at %s"
                .formatted(name, owner, InstantTime.ofUtcMillis(progress)));
      }
    }
    OptionalInt claim = claims.takeOver(current, takeOver.owner());
    if (claim.isEmpty()) {
      return Attempt.refused(name + " was claimed by another process");
    }
    HudiTable now = table.refresh();
    if (now.timeline().pending(instant).isEmpty()) {
      claims.forget();
      return Attempt.refused(name + " has just been completed");
    }
    return new Attempt(
        Optional.of(
            new PlanClaim(now, new Instant.Requested(instant, action), claims, claim.getAsInt())),
        "");
  }

  /** The newest sign of life: the claim, the inflight file, or the marker of a task. */
  private static long lastProgress(
      HudiTable table, Instant.Inflight inflight, Optional<ExecutionClaims.Claim> claim)
      throws IOException {
    long newest =
        Math.max(
            claim.map(ExecutionClaims.Claim::madeMillis).orElse(0L),
            table.timelineStore().modificationMillis(inflight));
    for (StoredFile file : table.storage().list(".hoodie/.temp/" + inflight.requestedTime())) {
      newest = Math.max(newest, file.modificationMillis());
    }
    return newest;
  }

  /**
   * Makes sure in a worker that the execution it works for still counts.
   *
   * @throws IOException if another one has taken its place
   */
  public static void requireCurrent(Storage storage, Action action, ServiceTask task)
      throws IOException {
    if (!new ExecutionClaims(storage, action, task.instant()).isCurrent(task.claim())) {
      throw new IOException(
          "Execution %d of %s %s was taken for dead and another one has taken its place, or the %s is completed"
              .formatted(task.claim(), action.word(), task.instant(), action.word()));
    }
  }

  /** The table as it was when the claim was taken. */
  HudiTable table() {
    return table;
  }

  /** Of the plan. */
  public InstantTime instant() {
    return plan.requestedTime();
  }

  /** Distinct among all executions of the plan, rising. */
  public int number() {
    return number;
  }

  public boolean isCurrent() throws IOException {
    return claims.isCurrent(number);
  }

  /** The plan is done with. */
  public void forget() throws IOException {
    claims.forget();
  }

  /** The plan becomes inflight, and files may be written for it. */
  public void begin() throws IOException {
    try {
      table
          .timelineStore()
          .createInflight(new Instant.Inflight(plan.requestedTime(), plan.action()));
    } catch (FileAlreadyExistsException e) {
      // Left by an execution that ended without a word.
    }
    new WriteMarkers(table.storage(), plan.requestedTime()).begin();
  }

  /**
   * The plan becomes requested again, if the claim still counts; files of this execution go.
   *
   * @param isOwn of the paths that have a marker
   */
  public void giveUp(Predicate<String> isOwn) throws IOException {
    if (table.refresh().timeline().completedWrite(plan.requestedTime()).isPresent()) {
      return; // an answer was lost, or another one has completed it and deleted all but its own
    }
    Set<String> marked = new WriteMarkers(table.storage(), plan.requestedTime()).paths();
    for (String path : marked) {
      if (isOwn.test(path)) {
        table.storage().delete(path);
      }
    }
    if (isCurrent()) {
      table.timelineStore().delete(new Instant.Inflight(plan.requestedTime(), plan.action()));
    }
  }
}
