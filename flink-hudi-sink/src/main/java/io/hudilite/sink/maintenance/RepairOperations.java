package io.hudilite.sink.maintenance;

import static io.hudilite.sink.maintenance.ValueKind.FLAG;
import static io.hudilite.sink.maintenance.ValueKind.INTEGER;
import static io.hudilite.sink.maintenance.ValueKind.LONG;
import static io.hudilite.sink.maintenance.ValueKind.MOMENT;
import static io.hudilite.sink.maintenance.ValueKind.TEXT;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.recovery.SoleWriter;
import io.hudilite.core.repair.DuplicateKeys;
import io.hudilite.core.repair.DuplicateRepair;
import io.hudilite.core.repair.KeyScope;
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
  private static final String ACROSS_PARTITIONS = "across_partitions";

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
          "Finds keys that have several rows, and takes out all but one if dry_run is false: that"
              + " one stays which the table's merge rule picks, the later instant being the later"
              + " version. Reads the keys of the whole table, and writes the file groups that lose"
              + " rows anew, in one commit that is no change to streaming readers. Refused while a"
              + " job writes the table.",
          List.of(
              ShowOperations.ROWS,
              Argument.optional(
                  DRY_RUN,
                  FLAG,
                  "Whether keys are only listed; true unless set. If false all are repaired, also"
                      + " those that are not listed."),
              Argument.optional(
                  ACROSS_PARTITIONS,
                  FLAG,
                  "Whether the same key in two partitions is one too many; true unless set, and"
                      + " false for a bucket index.",
                  "index.global.enabled")),
          List.of(
              ResultColumn.of("state", TEXT, "duplicate or repaired"),
              ResultColumn.of("record_key", TEXT, "of the rows"),
              ResultColumn.of("row_count", INTEGER, "that have or had it"),
              ResultColumn.of("file_groups", INTEGER, "where they are or were"),
              ResultColumn.of("kept", TEXT, "partition and id of the one that stays"),
              ResultColumn.of("places", TEXT, "partitions and ids of all")),
          RepairOperations::repairDuplicates);

  private RepairOperations() {}

  private static List<Object[]> repairDuplicates(Call call) throws IOException {
    int limit = ShowOperations.limit(call);
    KeyScope scope = scope(call);
    if (call.flag(DRY_RUN, true)) {
      return rows("duplicate", DuplicateKeys.find(call.table(), scope, limit), limit);
    }
    call.writableTable();
    DuplicateRepair.Result result =
        new DuplicateRepair(
                call.storage(),
                new SoleWriter(call.storage(), call.wall(), "repair of duplicate keys"),
                BaseFileSettings.DEFAULT)
            .repair(scope);
    LOG.info(
        "{} duplicate keys of '{}' repaired{}",
        result.repaired().size(),
        call.path(),
        result.instant().map(instant -> " in commit " + instant).orElse(""));
    return rows("repaired", result.repaired(), limit);
  }

  private static KeyScope scope(Call call) throws IOException {
    boolean byDefault = call.table().config().bucketNumber().isEmpty();
    return call.flag(ACROSS_PARTITIONS, byDefault) && byDefault
        ? KeyScope.TABLE
        : KeyScope.PARTITION;
  }

  private static List<Object[]> rows(
      String state, List<DuplicateKeys.Duplicate> duplicates, int limit) {
    List<Object[]> rows = new ArrayList<>();
    for (DuplicateKeys.Duplicate duplicate :
        duplicates.subList(0, Math.min(limit, duplicates.size()))) {
      rows.add(
          new Object[] {
            state,
            duplicate.recordKey(),
            1 + duplicate.dropped().size(),
            duplicate.groups().size(),
            place(duplicate.kept().group()),
            duplicate.groups().stream()
                .map(RepairOperations::place)
                .collect(Collectors.joining(", "))
          });
    }
    return rows;
  }

  private static String place(FileGroupId group) {
    return group.partitionPath() + "/" + group.fileId().value();
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
