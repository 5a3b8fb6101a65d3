package io.hudilite.sink.maintenance;

import static io.hudilite.sink.maintenance.ValueKind.FLAG;
import static io.hudilite.sink.maintenance.ValueKind.INTEGER;
import static io.hudilite.sink.maintenance.ValueKind.LONG;
import static io.hudilite.sink.maintenance.ValueKind.TEXT;

import io.hudilite.core.compact.CompactionScheduler;
import io.hudilite.core.compact.CompactionTrigger;
import io.hudilite.core.compact.PlanLimits;
import io.hudilite.core.compact.PlanOrder;
import io.hudilite.core.compact.ScheduleResult;
import io.hudilite.core.compact.TriggerStrategy;
import io.hudilite.core.config.TableType;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CompactionPlan;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.sink.compact.CompactionSettings;
import io.hudilite.sink.config.ClusteringConfig;
import io.hudilite.sink.config.CompactionConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.configuration.MemorySize;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Plans compactions and carries them out. */
final class CompactionOperations {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionOperations.class);
  private static final long MEGABYTE = 1 << 20;
  private static final PlannedWork WORK =
      new PlannedWork(
          "compaction",
          "another execution is at it; show_compactions tells when it is done",
          "the plan could not be carried out and was dropped; its log files are in the next one");
  private static final String TRIGGER = "trigger_strategy";
  private static final String DELTA_COMMITS = "delta_commits";
  private static final String DELTA_SECONDS = "delta_seconds";
  private static final String STRATEGY = "strategy";
  private static final String TARGET_IO = "target_io_mb";
  private static final String MIN_LOG_BYTES = "min_log_bytes";
  private static final String TASKS = "tasks";
  private static final String MAX_MEMORY = "max_memory_mb";
  private static final String TIMEOUT = "timeout_seconds";
  private static final String SCHEDULE = "schedule";

  /**
   * Asked for by somebody, one delta commit is enough; so options of the writing job say nothing.
   */
  private static final List<Argument> OF_A_PLAN =
      List.of(
          Argument.optional(
                  TRIGGER,
                  TEXT,
                  "When it is time for a plan, as compaction.trigger.strategy;"
                      + " NUM_COMMITS_AFTER_LAST_REQUEST unless set.")
              .alias("compaction.trigger.strategy"),
          Argument.optional(
                  DELTA_COMMITS, INTEGER, "So many delta commits make a plan; 1 unless set.")
              .alias("compaction.delta_commits"),
          Argument.optional(
                  DELTA_SECONDS,
                  INTEGER,
                  "So many seconds make a plan, if the trigger looks at them.")
              .alias("compaction.delta_seconds"),
          Argument.optional(
              STRATEGY,
              TEXT,
              "Which file groups come first; most bytes of log files unless set.",
              "hoodie.compaction.strategy"),
          Argument.optional(
              TARGET_IO,
              LONG,
              "Megabytes that a plan reads and writes at most; 512000 unless set.",
              "compaction.target_io"),
          Argument.optional(
              MIN_LOG_BYTES,
              LONG,
              "File groups with fewer bytes of log files are left out; 0 unless set.",
              "hoodie.compaction.logfile.size.threshold"));

  static final Operation SCHEDULE_COMPACTION =
      new Operation(
          "schedule_compaction",
          "Puts a plan on the timeline, which this or another job, or Hudi, carries out.",
          OF_A_PLAN,
          List.of(
              ResultColumn.of("state", TEXT, "planned or nothing"),
              ResultColumn.of("instant", TEXT, "of the plan"),
              ResultColumn.of("file_groups", INTEGER, "in the plan"),
              ResultColumn.of("log_files", LONG, "in the plan"),
              ResultColumn.of("detail", TEXT, "why there is nothing to do")),
          CompactionOperations::schedule);

  static final Operation COMPACT =
      new Operation(
          "compact",
          "Plans a compaction, unless told not to, and carries out all that are planned, as a job"
              + " with one task for each file group at a time.",
          Stream.concat(
                  OF_A_PLAN.stream(),
                  Stream.of(
                      Argument.optional(
                          SCHEDULE, FLAG, "Whether a plan is made, too; true unless set."),
                      Argument.optional(
                          TASKS,
                          INTEGER,
                          "Parallelism of the job; that of the session unless set.",
                          "compaction.tasks"),
                      Argument.optional(
                          MAX_MEMORY,
                          INTEGER,
                          "Megabytes of log records that a task holds; 100 unless set.",
                          "compaction.max_memory"),
                      Argument.optional(
                          TIMEOUT,
                          INTEGER,
                          "An execution elsewhere without a sign of life for so long is taken over;"
                              + " 1200 unless set.",
                          "compaction.timeout.seconds")))
              .toList(),
          List.of(
              ResultColumn.of("state", TEXT, "completed, pending, submitted or nothing"),
              ResultColumn.of("instant", TEXT, "of the compaction"),
              ResultColumn.of("file_groups", INTEGER, "that were compacted"),
              ResultColumn.of("rows_written", LONG, "to new base files"),
              ResultColumn.of("bytes_written", LONG, "to new base files"),
              ResultColumn.of("detail", TEXT, "why there is nothing to do")),
          CompactionOperations::compact);

  private CompactionOperations() {}

  /** What a call asks for; also for a service that plans again and again. */
  static CompactionConfig config(Call call) {
    boolean executes = call.isOf(COMPACT);
    return new CompactionConfig(
        !executes || call.flag(SCHEDULE, true),
        executes,
        executes ? call.integer(TASKS, 0) : 0,
        new CompactionTrigger(
            TriggerStrategy.of(
                call.text(TRIGGER).orElse(CompactionTrigger.ALWAYS.strategy().name())),
            call.integer(DELTA_COMMITS, 1),
            Duration.ofSeconds(call.integer(DELTA_SECONDS, 0))),
        new PlanLimits(
            PlanOrder.of(call.text(STRATEGY).orElse(PlanOrder.LOG_SIZE.hudiName())),
            Math.multiplyExact(call.number(TARGET_IO, 512_000), MEGABYTE),
            call.number(MIN_LOG_BYTES, 0),
            PlanLimits.DEFAULT.baseFileBytes()),
        Duration.ofSeconds(executes ? call.integer(TIMEOUT, 1_200) : 1_200),
        MemorySize.ofMebiBytes(executes ? call.integer(MAX_MEMORY, 100) : 100));
  }

  private static ScheduleResult plan(Call call, HudiTable table) throws IOException {
    CompactionConfig config = config(call);
    if (table.config().type() == TableType.COPY_ON_WRITE) {
      return new ScheduleResult.Nothing(
          "no plan: a copy-on-write table has no log files; its files are rewritten by each"
              + " commit");
    }
    ScheduleResult result =
        new CompactionScheduler(config.trigger(), config.limits())
            .schedule(table, CompactionScheduler.timeFor(table));
    LOG.info("Compaction of '{}': {}", call.path(), result);
    return result;
  }

  private static List<Object[]> schedule(Call call) throws IOException {
    ScheduleResult result = plan(call, call.writableTable());
    if (result instanceof ScheduleResult.Planned planned) {
      CompactionPlan plan = planned.plan();
      long logs = plan.operations().stream().mapToLong(o -> o.logFileNames().size()).sum();
      return List.<Object[]>of(
          new Object[] {
            "planned", planned.instant().digits(), plan.operations().size(), logs, null
          });
    }
    return List.<Object[]>of(
        new Object[] {"nothing", null, 0, 0L, ((ScheduleResult.Nothing) result).reason()});
  }

  private static List<Object[]> compact(Call call) throws Exception {
    CompactionConfig config = config(call);
    HudiTable table = call.writableTable();
    String reason = "no compaction is planned, and none was to be planned";
    if (config.schedules() && plan(call, table) instanceof ScheduleResult.Nothing nothing) {
      reason = nothing.reason();
    }
    List<InstantTime> pending = new ArrayList<>();
    for (Instant instant : table.refresh().timeline().pendingCompactions()) {
      if (instant.action() == Action.COMPACTION) {
        pending.add(instant.requestedTime());
      }
    }
    return WORK.carryOut(
        call,
        reason,
        pending,
        env ->
            ServicesJob.append(
                env,
                call.path(),
                config.withSchedules(false),
                ClusteringConfig.OFF,
                CompactionSettings.Mode.ONCE));
  }
}
