package io.hudilite.sink.maintenance;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Carries out planned instants as a job and tells what became of each, in rows of instant state,
 * instant, number of files, rows and bytes written, and a detail.
 *
 * @param work what the job does, as in "compaction"
 * @param isElsewhere tells of an instant that is still pending when the job has ended
 * @param wasDropped tells of an instant that is neither pending nor completed then
 */
record PlannedWork(String work, String isElsewhere, String wasDropped) {
  PlannedWork {
    requireNonNull(work, "work");
    requireNonNull(isElsewhere, "isElsewhere");
    requireNonNull(wasDropped, "wasDropped");
  }

  private static List<Object[]> nothing(String reason) {
    return List.<Object[]>of(new Object[] {"nothing", null, 0, 0L, 0L, reason});
  }

  /**
   * @param reason why there may be nothing to do
   * @param pending instants of the plans
   * @param pipeline adds to a job what executes them
   */
  List<Object[]> carryOut(
      Call call,
      String reason,
      List<InstantTime> pending,
      Consumer<StreamExecutionEnvironment> pipeline)
      throws Exception {
    if (pending.isEmpty()) {
      return nothing(reason);
    }
    boolean hasEnded = call.runJob(work + " of " + call.path(), pipeline);
    HudiTable after = call.table();
    List<Object[]> rows = new ArrayList<>();
    for (InstantTime instant : pending) {
      rows.add(outcome(after, instant, hasEnded));
    }
    return rows;
  }

  private Object[] outcome(HudiTable table, InstantTime instant, boolean hasEnded)
      throws IOException {
    Optional<Instant.Completed> completed = table.timeline().completedWrite(instant);
    if (completed.isPresent()) {
      List<WriteStat> stats = table.timelineStore().readCommit(completed.get()).writeStats();
      return new Object[] {
        "completed",
        instant.digits(),
        stats.size(),
        stats.stream().mapToLong(WriteStat::numWrites).sum(),
        stats.stream().mapToLong(WriteStat::fileSizeInBytes).sum(),
        null
      };
    }
    if (!hasEnded) {
      return unfinished("submitted", instant, "the job was submitted, and goes on by itself");
    }
    boolean isPending = table.timeline().pending(instant).isPresent();
    return unfinished("pending", instant, isPending ? isElsewhere : wasDropped);
  }

  private static Object[] unfinished(String state, InstantTime instant, String detail) {
    return new Object[] {state, instant.digits(), 0, 0L, 0L, detail};
  }
}
