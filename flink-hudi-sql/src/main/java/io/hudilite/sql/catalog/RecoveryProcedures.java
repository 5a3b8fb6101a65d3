package io.hudilite.sql.catalog;

import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.types.Row;

/** Instants that are taken back, states that are kept, and repairs. */
final class RecoveryProcedures {
  private RecoveryProcedures() {}

  /** {@code CALL sys.rollback_instant}. */
  public static final class RollbackInstant extends TableProcedure {
    RollbackInstant(TablePaths tables) {
      super("rollback_instant", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(name = "instant", type = @DataTypeHint("STRING"))
        },
        output = @DataTypeHint("ROW<state STRING, instant STRING, removed STRING>"))
    public Row[] call(ProcedureContext context, String tableName, String instant) throws Exception {
      return run(context, tableName, instant);
    }
  }

  /** {@code CALL sys.create_savepoint}. */
  public static final class CreateSavepoint extends TableProcedure {
    CreateSavepoint(TablePaths tables) {
      super("create_savepoint", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(name = "instant", type = @DataTypeHint("STRING"), isOptional = true),
          @ArgumentHint(name = "created_by", type = @DataTypeHint("STRING"), isOptional = true),
          @ArgumentHint(name = "note", type = @DataTypeHint("STRING"), isOptional = true)
        },
        output =
            @DataTypeHint(
                "ROW<instant STRING, created_by STRING, created_at TIMESTAMP_LTZ(3), "
                    + "note STRING, files INT>"))
    public Row[] call(
        ProcedureContext context, String tableName, String instant, String createdBy, String note)
        throws Exception {
      return run(context, tableName, instant, createdBy, note);
    }
  }

  /** {@code CALL sys.delete_savepoint}. */
  public static final class DeleteSavepoint extends TableProcedure {
    DeleteSavepoint(TablePaths tables) {
      super("delete_savepoint", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(name = "instant", type = @DataTypeHint("STRING"))
        },
        output = @DataTypeHint("ROW<state STRING, instant STRING>"))
    public Row[] call(ProcedureContext context, String tableName, String instant) throws Exception {
      return run(context, tableName, instant);
    }
  }

  /** {@code CALL sys.restore_savepoint}. */
  public static final class RestoreSavepoint extends TableProcedure {
    RestoreSavepoint(TablePaths tables) {
      super("restore_savepoint", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(name = "instant", type = @DataTypeHint("STRING"))
        },
        output = @DataTypeHint("ROW<state STRING, instant STRING, removed STRING>"))
    public Row[] call(ProcedureContext context, String tableName, String instant) throws Exception {
      return run(context, tableName, instant);
    }
  }

  /** {@code CALL sys.show_savepoints}. */
  public static final class ShowSavepoints extends TableProcedure {
    ShowSavepoints(TablePaths tables) {
      super("show_savepoints", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {@ArgumentHint(name = "table_name", type = @DataTypeHint("STRING"))},
        output =
            @DataTypeHint(
                "ROW<instant STRING, created_by STRING, created_at TIMESTAMP_LTZ(3), "
                    + "note STRING, files INT>"))
    public Row[] call(ProcedureContext context, String tableName) throws Exception {
      return run(context, tableName);
    }
  }

  /** {@code CALL sys.remove_orphan_files}. */
  public static final class RemoveOrphanFiles extends TableProcedure {
    RemoveOrphanFiles(TablePaths tables) {
      super("remove_orphan_files", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(name = "older_than_hours", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(name = "dry_run", type = @DataTypeHint("BOOLEAN"), isOptional = true)
        },
        output =
            @DataTypeHint(
                "ROW<state STRING, path STRING, size_bytes BIGINT, modified_at "
                    + "TIMESTAMP_LTZ(3), instant STRING>"))
    public Row[] call(
        ProcedureContext context, String tableName, Integer olderThanHours, Boolean dryRun)
        throws Exception {
      return run(context, tableName, olderThanHours, dryRun);
    }
  }

  /** {@code CALL sys.repair_duplicates}. */
  public static final class RepairDuplicates extends TableProcedure {
    RepairDuplicates(TablePaths tables) {
      super("repair_duplicates", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(name = "max_rows", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(name = "dry_run", type = @DataTypeHint("BOOLEAN"), isOptional = true),
          @ArgumentHint(
              name = "across_partitions",
              type = @DataTypeHint("BOOLEAN"),
              isOptional = true)
        },
        output =
            @DataTypeHint(
                "ROW<state STRING, record_key STRING, row_count INT, file_groups INT, kept STRING, "
                    + "places STRING>"))
    public Row[] call(
        ProcedureContext context,
        String tableName,
        Integer maxRows,
        Boolean dryRun,
        Boolean acrossPartitions)
        throws Exception {
      return run(context, tableName, maxRows, dryRun, acrossPartitions);
    }
  }
}
