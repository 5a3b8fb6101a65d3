package io.hudilite.sql.catalog;

import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.types.Row;

/** What a table is, holds, and needs. */
final class ShowProcedures {
  private ShowProcedures() {}

  /** {@code CALL sys.show_timeline}. */
  public static final class ShowTimeline extends TableProcedure {
    ShowTimeline(TablePaths tables) {
      super("show_timeline", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(name = "max_rows", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(name = "action", type = @DataTypeHint("STRING"), isOptional = true)
        },
        output =
            @DataTypeHint(
                "ROW<instant STRING, action STRING, state STRING, completed_at "
                    + "TIMESTAMP_LTZ(3), operation STRING, files_written INT, rows_written "
                    + "BIGINT, rows_deleted BIGINT, bytes_written BIGINT>"))
    public Row[] call(ProcedureContext context, String tableName, Integer maxRows, String action)
        throws Exception {
      return run(context, tableName, maxRows, action);
    }
  }

  /** {@code CALL sys.show_file_slices}. */
  public static final class ShowFileSlices extends TableProcedure {
    ShowFileSlices(TablePaths tables) {
      super("show_file_slices", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(name = "partition_path", type = @DataTypeHint("STRING"), isOptional = true),
          @ArgumentHint(name = "max_rows", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(name = "all_versions", type = @DataTypeHint("BOOLEAN"), isOptional = true)
        },
        output =
            @DataTypeHint(
                "ROW<partition STRING, file_id STRING, slice STRING, base_file STRING, "
                    + "base_bytes BIGINT, log_files INT, log_bytes BIGINT, planned_compaction "
                    + "STRING>"))
    public Row[] call(
        ProcedureContext context,
        String tableName,
        String partitionPath,
        Integer maxRows,
        Boolean allVersions)
        throws Exception {
      return run(context, tableName, partitionPath, maxRows, allVersions);
    }
  }

  /** {@code CALL sys.show_compactions}. */
  public static final class ShowCompactions extends TableProcedure {
    ShowCompactions(TablePaths tables) {
      super("show_compactions", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(name = "max_rows", type = @DataTypeHint("INT"), isOptional = true)
        },
        output =
            @DataTypeHint(
                "ROW<instant STRING, state STRING, file_groups INT, log_files BIGINT, "
                    + "rows_written BIGINT, bytes_written BIGINT, completed_at "
                    + "TIMESTAMP_LTZ(3)>"))
    public Row[] call(ProcedureContext context, String tableName, Integer maxRows)
        throws Exception {
      return run(context, tableName, maxRows);
    }
  }

  /** {@code CALL sys.show_leases}. */
  public static final class ShowLeases extends TableProcedure {
    ShowLeases(TablePaths tables) {
      super("show_leases", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {@ArgumentHint(name = "table_name", type = @DataTypeHint("STRING"))},
        output =
            @DataTypeHint(
                "ROW<kind STRING, holder STRING, detail STRING, expires_at " + "TIMESTAMP_LTZ(3)>"))
    public Row[] call(ProcedureContext context, String tableName) throws Exception {
      return run(context, tableName);
    }
  }

  /** {@code CALL sys.expire_lease}. */
  public static final class ExpireLease extends TableProcedure {
    ExpireLease(TablePaths tables) {
      super("expire_lease", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(name = "holder", type = @DataTypeHint("STRING"))
        },
        output = @DataTypeHint("ROW<state STRING, holder STRING, detail STRING>"))
    public Row[] call(ProcedureContext context, String tableName, String holder) throws Exception {
      return run(context, tableName, holder);
    }
  }

  /** {@code CALL sys.describe_table}. */
  public static final class DescribeTable extends TableProcedure {
    DescribeTable(TablePaths tables) {
      super("describe_table", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {@ArgumentHint(name = "table_name", type = @DataTypeHint("STRING"))},
        output = @DataTypeHint("ROW<name STRING, value STRING>"))
    public Row[] call(ProcedureContext context, String tableName) throws Exception {
      return run(context, tableName);
    }
  }

  /** {@code CALL sys.show_health}. */
  public static final class ShowHealth extends TableProcedure {
    ShowHealth(TablePaths tables) {
      super("show_health", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(name = "retain_commits", type = @DataTypeHint("INT"), isOptional = true)
        },
        output = @DataTypeHint("ROW<name STRING, value STRING>"))
    public Row[] call(ProcedureContext context, String tableName, Integer retainCommits)
        throws Exception {
      return run(context, tableName, retainCommits);
    }
  }
}
