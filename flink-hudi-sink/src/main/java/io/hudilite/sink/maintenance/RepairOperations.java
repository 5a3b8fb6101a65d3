package io.hudilite.sink.maintenance;

import static io.hudilite.sink.maintenance.ValueKind.FLAG;
import static io.hudilite.sink.maintenance.ValueKind.INTEGER;
import static io.hudilite.sink.maintenance.ValueKind.LONG;
import static io.hudilite.sink.maintenance.ValueKind.MOMENT;
import static io.hudilite.sink.maintenance.ValueKind.TEXT;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.repair.DuplicateKeys;
import io.hudilite.core.repair.OrphanFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes out what should not be in a table; each shows first what it would do. */
final class RepairOperations {
  private static final Logger LOG = LoggerFactory.getLogger(RepairOperations.class);
  private static final long HOUR_MILLIS = 3_600_000;
  private static final String OLDER_THAN = "older_than_hours";
  private static final String DRY_RUN = "dry_run";

  static final Operation REMOVE_ORPHAN_FILES =
      new Operation(
          "remove_orphan_files",
          "Finds data files of instants that are not on the timeline, so that no reader sees them,"
              + " and deletes them if dry_run is false. Lists the whole table once.",
          List.of(
              Argument.optional(
                  OLDER_THAN, INTEGER, "Younger files are left alone; 24 unless set."),
              Argument.optional(DRY_RUN, FLAG, "Whether files are only listed; true unless set.")),
          List.of(
              ResultColumn.of("state", TEXT, "orphan, deleted or failed"),
              ResultColumn.of("path", TEXT, "relative to the table"),
              ResultColumn.of("size_bytes", LONG, "of the file"),
              ResultColumn.of("modified_at", MOMENT, "when it was written"),
              ResultColumn.of("instant", TEXT, "in its name")),
          RepairOperations::removeOrphanFiles);

  static final Operation REPAIR_DUPLICATES =
      new Operation(
          "repair_duplicates",
          "Finds keys that have rows in several file groups. Reads the keys of the whole table."
              + " Does not take rows out yet: it tells the statement that does.",
          List.of(
              ShowOperations.ROWS,
              Argument.optional(
                  DRY_RUN, FLAG, "Whether keys are only listed; only true is possible.")),
          List.of(
              ResultColumn.of("record_key", TEXT, "of the rows"),
              ResultColumn.of("file_groups", INTEGER, "that have it"),
              ResultColumn.of("places", TEXT, "their partitions and ids")),
          RepairOperations::repairDuplicates);

  private RepairOperations() {}

  private static List<Object[]> repairDuplicates(Call call) throws IOException {
    if (!call.flag(DRY_RUN, true)) {
      throw new HudiTableException(
          "repair_duplicates lists duplicate keys in this version, and does not take rows out of '%s'. Stop the writers, and rewrite the table in batch mode: INSERT OVERWRITE t SELECT … FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY key ORDER BY ordering DESC) AS n FROM t) WHERE n = 1, with 'write.partition.overwrite.mode'='STATIC'."
              .formatted(call.path()));
    }
    List<Object[]> rows = new ArrayList<>();
    for (DuplicateKeys.Duplicate duplicate :
        DuplicateKeys.find(call.table(), ShowOperations.limit(call))) {
      String places =
          duplicate.groups().stream()
              .map(group -> group.partitionPath() + "/" + group.fileId().value())
              .collect(Collectors.joining(", "));
      rows.add(new Object[] {duplicate.recordKey(), duplicate.groups().size(), places});
    }
    return rows;
  }

  private static List<Object[]> removeOrphanFiles(Call call) throws IOException {
    int hours = call.integer(OLDER_THAN, 24);
    if (hours < 0) {
      throw new HudiTableException("'%s' is %d; it must be 0 or more".formatted(OLDER_THAN, hours));
    }
    boolean deletes = !call.flag(DRY_RUN, true);
    if (deletes) {
      call.writableTable();
    }
    List<Object[]> rows = new ArrayList<>();
    for (OrphanFiles.Orphan orphan :
        OrphanFiles.find(call.storage(), call.wall().millis() - hours * HOUR_MILLIS)) {
      rows.add(
          new Object[] {
            deletes ? delete(call, orphan.path()) : "orphan",
            orphan.path(),
            orphan.bytes(),
            java.time.Instant.ofEpochMilli(orphan.modifiedMillis()),
            orphan.instant().digits()
          });
    }
    LOG.info("{} orphan files in '{}'{}", rows.size(), call.path(), deletes ? ", deleted" : "");
    return rows;
  }

  private static String delete(Call call, String path) {
    try {
      call.storage().delete(path);
      return "deleted";
    } catch (IOException e) {
      LOG.warn("'{}/{}' cannot be deleted", call.path(), path, e);
      return "failed";
    }
  }
}
