package io.hudilite.sql.catalog;

import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.types.Row;

/** Clustering. */
final class ClusteringProcedures {
  private ClusteringProcedures() {}

  /** {@code CALL sys.schedule_clustering}. */
  public static final class ScheduleClustering extends TableProcedure {
    ScheduleClustering(TablePaths tables) {
      super("schedule_clustering", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(name = "sort_columns", type = @DataTypeHint("STRING"), isOptional = true),
          @ArgumentHint(name = "layout", type = @DataTypeHint("STRING"), isOptional = true),
          @ArgumentHint(
              name = "target_file_bytes",
              type = @DataTypeHint("BIGINT"),
              isOptional = true),
          @ArgumentHint(name = "small_file_mb", type = @DataTypeHint("BIGINT"), isOptional = true),
          @ArgumentHint(name = "max_groups", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(
              name = "max_group_bytes",
              type = @DataTypeHint("BIGINT"),
              isOptional = true),
          @ArgumentHint(
              name = "partition_filter",
              type = @DataTypeHint("STRING"),
              isOptional = true),
          @ArgumentHint(
              name = "lookback_partitions",
              type = @DataTypeHint("INT"),
              isOptional = true),
          @ArgumentHint(
              name = "skip_latest_partitions",
              type = @DataTypeHint("INT"),
              isOptional = true),
          @ArgumentHint(
              name = "begin_partition",
              type = @DataTypeHint("STRING"),
              isOptional = true),
          @ArgumentHint(name = "end_partition", type = @DataTypeHint("STRING"), isOptional = true),
          @ArgumentHint(
              name = "partition_pattern",
              type = @DataTypeHint("STRING"),
              isOptional = true),
          @ArgumentHint(name = "partitions", type = @DataTypeHint("STRING"), isOptional = true),
          @ArgumentHint(name = "delta_commits", type = @DataTypeHint("INT"), isOptional = true)
        },
        output =
            @DataTypeHint(
                "ROW<state STRING, instant STRING, groups INT, file_groups BIGINT, "
                    + "detail STRING>"))
    public Row[] call(
        ProcedureContext context,
        String tableName,
        String sortColumns,
        String layout,
        Long targetFileBytes,
        Long smallFileMb,
        Integer maxGroups,
        Long maxGroupBytes,
        String partitionFilter,
        Integer lookbackPartitions,
        Integer skipLatestPartitions,
        String beginPartition,
        String endPartition,
        String partitionPattern,
        String partitions,
        Integer deltaCommits)
        throws Exception {
      return run(
          context,
          tableName,
          sortColumns,
          layout,
          targetFileBytes,
          smallFileMb,
          maxGroups,
          maxGroupBytes,
          partitionFilter,
          lookbackPartitions,
          skipLatestPartitions,
          beginPartition,
          endPartition,
          partitionPattern,
          partitions,
          deltaCommits);
    }
  }

  /** {@code CALL sys.cluster}. */
  public static final class Cluster extends TableProcedure {
    Cluster(TablePaths tables) {
      super("cluster", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(name = "sort_columns", type = @DataTypeHint("STRING"), isOptional = true),
          @ArgumentHint(name = "layout", type = @DataTypeHint("STRING"), isOptional = true),
          @ArgumentHint(
              name = "target_file_bytes",
              type = @DataTypeHint("BIGINT"),
              isOptional = true),
          @ArgumentHint(name = "small_file_mb", type = @DataTypeHint("BIGINT"), isOptional = true),
          @ArgumentHint(name = "max_groups", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(
              name = "max_group_bytes",
              type = @DataTypeHint("BIGINT"),
              isOptional = true),
          @ArgumentHint(
              name = "partition_filter",
              type = @DataTypeHint("STRING"),
              isOptional = true),
          @ArgumentHint(
              name = "lookback_partitions",
              type = @DataTypeHint("INT"),
              isOptional = true),
          @ArgumentHint(
              name = "skip_latest_partitions",
              type = @DataTypeHint("INT"),
              isOptional = true),
          @ArgumentHint(
              name = "begin_partition",
              type = @DataTypeHint("STRING"),
              isOptional = true),
          @ArgumentHint(name = "end_partition", type = @DataTypeHint("STRING"), isOptional = true),
          @ArgumentHint(
              name = "partition_pattern",
              type = @DataTypeHint("STRING"),
              isOptional = true),
          @ArgumentHint(name = "partitions", type = @DataTypeHint("STRING"), isOptional = true),
          @ArgumentHint(name = "delta_commits", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(name = "schedule", type = @DataTypeHint("BOOLEAN"), isOptional = true),
          @ArgumentHint(name = "tasks", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(name = "max_memory_mb", type = @DataTypeHint("INT"), isOptional = true),
          @ArgumentHint(name = "timeout_seconds", type = @DataTypeHint("INT"), isOptional = true)
        },
        output =
            @DataTypeHint(
                "ROW<state STRING, instant STRING, new_files INT, rows_written BIGINT, "
                    + "bytes_written BIGINT, detail STRING>"))
    public Row[] call(
        ProcedureContext context,
        String tableName,
        String sortColumns,
        String layout,
        Long targetFileBytes,
        Long smallFileMb,
        Integer maxGroups,
        Long maxGroupBytes,
        String partitionFilter,
        Integer lookbackPartitions,
        Integer skipLatestPartitions,
        String beginPartition,
        String endPartition,
        String partitionPattern,
        String partitions,
        Integer deltaCommits,
        Boolean schedule,
        Integer tasks,
        Integer maxMemoryMb,
        Integer timeoutSeconds)
        throws Exception {
      return run(
          context,
          tableName,
          sortColumns,
          layout,
          targetFileBytes,
          smallFileMb,
          maxGroups,
          maxGroupBytes,
          partitionFilter,
          lookbackPartitions,
          skipLatestPartitions,
          beginPartition,
          endPartition,
          partitionPattern,
          partitions,
          deltaCommits,
          schedule,
          tasks,
          maxMemoryMb,
          timeoutSeconds);
    }
  }

  /** {@code CALL sys.show_clusterings}. */
  public static final class ShowClusterings extends TableProcedure {
    ShowClusterings(TablePaths tables) {
      super("show_clusterings", tables);
    }

    /** Called by Flink. */
    @ProcedureHint(
        argument = {
          @ArgumentHint(name = "table_name", type = @DataTypeHint("STRING")),
          @ArgumentHint(name = "max_rows", type = @DataTypeHint("INT"), isOptional = true)
        },
        output =
            @DataTypeHint(
                "ROW<instant STRING, state STRING, file_groups BIGINT, new_files INT, "
                    + "rows_written BIGINT, bytes_written BIGINT, completed_at "
                    + "TIMESTAMP_LTZ(3)>"))
    public Row[] call(ProcedureContext context, String tableName, Integer maxRows)
        throws Exception {
      return run(context, tableName, maxRows);
    }
  }
}
