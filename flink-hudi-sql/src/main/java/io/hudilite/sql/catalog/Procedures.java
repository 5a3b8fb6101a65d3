package io.hudilite.sql.catalog;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.storage.Storages;
import io.hudilite.sql.catalog.TableProcedure.TablePaths;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.flink.table.catalog.ObjectPath;

/** The procedures of a catalog, by their names in its database {@code sys}. */
final class Procedures {
  private static final Map<String, Function<TablePaths, TableProcedure>> ALL =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("schedule_compaction", CompactionProcedures.ScheduleCompaction::new),
              Map.entry("compact", CompactionProcedures.Compact::new),
              Map.entry("clean", CompactionProcedures.Clean::new),
              Map.entry("archive", CompactionProcedures.Archive::new),
              Map.entry("schedule_clustering", ClusteringProcedures.ScheduleClustering::new),
              Map.entry("cluster", ClusteringProcedures.Cluster::new),
              Map.entry("show_clusterings", ClusteringProcedures.ShowClusterings::new),
              Map.entry("rollback_instant", RecoveryProcedures.RollbackInstant::new),
              Map.entry("create_savepoint", RecoveryProcedures.CreateSavepoint::new),
              Map.entry("delete_savepoint", RecoveryProcedures.DeleteSavepoint::new),
              Map.entry("restore_savepoint", RecoveryProcedures.RestoreSavepoint::new),
              Map.entry("show_savepoints", RecoveryProcedures.ShowSavepoints::new),
              Map.entry("remove_orphan_files", RecoveryProcedures.RemoveOrphanFiles::new),
              Map.entry("repair_duplicates", RecoveryProcedures.RepairDuplicates::new),
              Map.entry("show_timeline", ShowProcedures.ShowTimeline::new),
              Map.entry("show_file_slices", ShowProcedures.ShowFileSlices::new),
              Map.entry("show_compactions", ShowProcedures.ShowCompactions::new),
              Map.entry("show_leases", ShowProcedures.ShowLeases::new),
              Map.entry("expire_lease", ShowProcedures.ExpireLease::new),
              Map.entry("describe_table", ShowProcedures.DescribeTable::new),
              Map.entry("show_health", ShowProcedures.ShowHealth::new),
              Map.entry("rollback", RecoveryProcedures.RollbackInstant::new)));

  private final TablePaths tables;

  Procedures(String catalog, String defaultDatabase, CatalogFolders folders) {
    this.tables = name -> pathOf(catalog, defaultDatabase, folders, name);
  }

  /** Sorted. */
  static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  Optional<TableProcedure> find(String name) {
    return Optional.ofNullable(ALL.get(name)).map(procedure -> procedure.apply(tables));
  }

  /** What has a slash in it is a path: of a table that is in no catalog. */
  private static String pathOf(
      String catalog, String defaultDatabase, CatalogFolders folders, String name) {
    String wanted = name == null ? "" : name.trim();
    int dot = wanted.indexOf('.');
    boolean isPath = wanted.contains("/");
    String path;
    if (isPath) {
      path = wanted;
    } else if (dot > 0 && dot < wanted.length() - 1) {
      path = folders.pathOf(new ObjectPath(wanted.substring(0, dot), wanted.substring(dot + 1)));
    } else {
      throw new HudiTableException(
          "'table_name' is '%s'; it must be database.table, such as '%s.orders', or the path of a table in no catalog"
              .formatted(wanted, defaultDatabase));
    }
    try {
      if (TableConfigStore.find(Storages.of(path)).isEmpty()) {
        throw new HudiTableException(
            isPath
                ? "There is no table of Hudi at '%s'. Check the path.".formatted(path)
                : "Catalog %s has no table %s (there is none at '%s'). SHOW TABLES FROM %s lists those that there are."
                    .formatted(catalog, wanted, path, wanted.substring(0, dot)));
      }
    } catch (IOException e) {
      throw new HudiTableException(
          "The table at '%s' cannot be looked at: %s. Check the path, and the credentials and plugin of its file system."
              .formatted(path, e),
          e);
    }
    return path;
  }
}
