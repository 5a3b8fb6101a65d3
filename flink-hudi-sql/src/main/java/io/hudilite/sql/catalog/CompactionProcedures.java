package io.hudilite.sql.catalog;

import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.types.Row;

/** Compaction, cleaning and archiving. */
final class CompactionProcedures {
  private CompactionProcedures() {}

  /** {@code CALL sys.schedule_compaction}. */
  public static final class ScheduleCompaction extends TableProcedure {
    ScheduleCompaction(TablePaths tables) {
      super("schedule_compaction", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(
              name = "trigger_strategy",
              type = @DataTypeHint("STRING"),
              isOptional = true),
          @ArgumentHint(name = "delta_commits", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(name = "delta_seconds", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(name = "strategy", type = @DataTypeHint("STRING"), isOptional = true),
          @ArgumentHint(name = "target_io_mb", type = @DataTypeHint("BIGINT"), isOptional = true),
          @ArgumentHint(name = "min_log_bytes", type = @DataTypeHint("BIGINT"), isOptional = true)
        },
        output =
            @DataTypeHint(
                "ROW<state STRING, instant STRING, file_groups INT, log_files BIGINT, "
                    + "detail STRING>"))
    public Row[] call(
        ProcedureContext context,
        String tableName,
        String triggerStrategy,
        Integer deltaCommits,
        Integer deltaSeconds,
        String strategy,
        Long targetIoMb,
        Long minLogBytes)
        throws Exception {
      return run(
          context,
          tableName,
          triggerStrategy,
          deltaCommits,
          deltaSeconds,
          strategy,
          targetIoMb,
          minLogBytes);
    }
  }

  /** {@code CALL sys.compact}. */
  public static final class Compact extends TableProcedure {
    Compact(TablePaths tables) {
      super("compact", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(
              name = "trigger_strategy",
              type = @DataTypeHint("STRING"),
              isOptional = true),
          @ArgumentHint(name = "delta_commits", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(name = "delta_seconds", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(name = "strategy", type = @DataTypeHint("STRING"), isOptional = true),
          @ArgumentHint(name = "target_io_mb", type = @DataTypeHint("BIGINT"), isOptional = true),
          @ArgumentHint(name = "min_log_bytes", type = @DataTypeHint("BIGINT"), isOptional = true),
          @ArgumentHint(name = "schedule", type = @DataTypeHint("BOOLEAN"), isOptional = true),
          @ArgumentHint(name = "tasks", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(name = "max_memory_mb", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(name = "timeout_seconds", type = @DataTypeHint("INT"), isOptional = true)
        },
        output =
            @DataTypeHint(
                "ROW<state STRING, instant STRING, file_groups INT, rows_written "
                    + "BIGINT, bytes_written BIGINT, detail STRING>"))
    public Row[] call(
        ProcedureContext context,
        String tableName,
        String triggerStrategy,
        Integer deltaCommits,
        Integer deltaSeconds,
        String strategy,
        Long targetIoMb,
        Long minLogBytes,
        Boolean schedule,
        Integer tasks,
        Integer maxMemoryMb,
        Integer timeoutSeconds)
        throws Exception {
      return run(
          context,
          tableName,
          triggerStrategy,
          deltaCommits,
          deltaSeconds,
          strategy,
          targetIoMb,
          minLogBytes,
          schedule,
          tasks,
          maxMemoryMb,
          timeoutSeconds);
    }
  }

  /** {@code CALL sys.clean}. */
  public static final class Clean extends TableProcedure {
    Clean(TablePaths tables) {
      super("clean", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(name = "policy", type = @DataTypeHint("STRING"), isOptional = true),
          @ArgumentHint(name = "retain_commits", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(name = "retain_hours", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(
              name = "retain_file_versions",
              type = @DataTypeHint("INT"),
              isOptional = true)
        },
        output =
            @DataTypeHint(
                "ROW<state STRING, instant STRING, deleted_files INT, failed_files INT, "
                    + "retained_from STRING, detail STRING>"))
    public Row[] call(
        ProcedureContext context,
        String tableName,
        String policy,
        Integer retainCommits,
        Integer retainHours,
        Integer retainFileVersions)
        throws Exception {
      return run(context, tableName, policy, retainCommits, retainHours, retainFileVersions);
    }
  }

  /** {@code CALL sys.archive}. */
  public static final class Archive extends TableProcedure {
    Archive(TablePaths tables) {
      super("archive", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(name = "policy", type = @DataTypeHint("STRING"), isOptional = true),
          @ArgumentHint(name = "retain_commits", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(name = "retain_hours", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(
              name = "retain_file_versions",
              type = @DataTypeHint("INT"),
              isOptional = true),
          @ArgumentHint(name = "min_commits", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(name = "max_commits", type = @DataTypeHint("INT"), isOptional = true)
        },
        output = @DataTypeHint("ROW<state STRING, archived INT, detail STRING>"))
    public Row[] call(
        ProcedureContext context,
        String tableName,
        String policy,
        Integer retainCommits,
        Integer retainHours,
        Integer retainFileVersions,
        Integer minCommits,
        Integer maxCommits)
        throws Exception {
      return run(
          context,
          tableName,
          policy,
          retainCommits,
          retainHours,
          retainFileVersions,
          minCommits,
          maxCommits);
    }
  }
}
