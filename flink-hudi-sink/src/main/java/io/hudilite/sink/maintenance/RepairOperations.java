package io.hudilite.sink.maintenance;

import static io.hudilite.sink.maintenance.ValueKind.FLAG;
import static io.hudilite.sink.maintenance.ValueKind.INTEGER;
import static io.hudilite.sink.maintenance.ValueKind.LONG;
import static io.hudilite.sink.maintenance.ValueKind.MOMENT;
import static io.hudilite.sink.maintenance.ValueKind.TEXT;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.repair.OrphanFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

  private RepairOperations() {}

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
