package io.hudilite.sink.maintenance;

import static io.hudilite.sink.maintenance.ValueKind.FLAG;
import static io.hudilite.sink.maintenance.ValueKind.INTEGER;
import static io.hudilite.sink.maintenance.ValueKind.LONG;
import static io.hudilite.sink.maintenance.ValueKind.MOMENT;
import static io.hudilite.sink.maintenance.ValueKind.TEXT;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.CompactionPlan;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.view.FileSystemView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Shows the timeline and the files of a table; changes nothing. */
final class ShowOperations {
  private static final String LIMIT = "max_rows";
  private static final String ACTION = "action";
  private static final String PARTITION = "partition_path";
  private static final String ALL_VERSIONS = "all_versions";

  static final Argument ROWS =
      Argument.optional(LIMIT, INTEGER, "So many rows at most; 100 unless set.");

  static final Operation SHOW_TIMELINE =
      new Operation(
          "show_timeline",
          "Lists the active timeline, the newest instant first.",
          List.of(
              ROWS,
              Argument.optional(
                  ACTION, TEXT, "Only this one, such as deltacommit or clean; all unless set.")),
          List.of(
              ResultColumn.of("instant", TEXT, "requested time"),
              ResultColumn.of("action", TEXT, "as it was begun"),
              ResultColumn.of("state", TEXT, "requested, inflight or completed"),
              ResultColumn.of("completed_at", MOMENT, "when it became visible"),
              ResultColumn.of("operation", TEXT, "of a write"),
              ResultColumn.of("files_written", INTEGER, "by a write"),
              ResultColumn.of("rows_written", LONG, "by a write, deletes not counted"),
              ResultColumn.of("rows_deleted", LONG, "by a write"),
              ResultColumn.of("bytes_written", LONG, "by a write")),
          ShowOperations::timeline);

  static final Operation SHOW_FILE_SLICES =
      new Operation(
          "show_file_slices",
          "Lists the file groups with the files of their newest slice, or of all. Lists the folders"
              + " of the partitions.",
          List.of(
              Argument.optional(
                  PARTITION,
                  TEXT,
                  "Only this partition path, such as dt=2026-01-01; all unless set."),
              ROWS,
              Argument.optional(
                  ALL_VERSIONS, FLAG, "Whether older slices are listed, too; false unless set.")),
          List.of(
              ResultColumn.of("partition", TEXT, "path"),
              ResultColumn.of("file_id", TEXT, "of the file group"),
              ResultColumn.of("slice", TEXT, "instant that began it"),
              ResultColumn.of("base_file", TEXT, "none if there are log files only"),
              ResultColumn.of("base_bytes", LONG, "of the base file"),
              ResultColumn.of("log_files", INTEGER, "on top of it"),
              ResultColumn.of("log_bytes", LONG, "of the log files"),
              ResultColumn.of("planned_compaction", TEXT, "instant of it")),
          ShowOperations::fileSlices);

  static final Operation SHOW_COMPACTIONS =
      new Operation(
          "show_compactions",
          "Lists compactions, planned and completed, the newest first.",
          List.of(ROWS),
          List.of(
              ResultColumn.of("instant", TEXT, "of the plan"),
              ResultColumn.of("state", TEXT, "requested, inflight or completed"),
              ResultColumn.of("file_groups", INTEGER, "in the plan, or compacted"),
              ResultColumn.of("log_files", LONG, "in the plan; empty once it is completed"),
              ResultColumn.of("rows_written", LONG, "of completed ones"),
              ResultColumn.of("bytes_written", LONG, "of completed ones"),
              ResultColumn.of("completed_at", MOMENT, "when it became visible")),
          ShowOperations::compactions);

  private ShowOperations() {}

  static int limit(Call call) {
    int limit = call.integer(LIMIT, 100);
    if (limit < 1) {
      throw new HudiTableException("'max_rows' is %d; it must be 1 or more".formatted(limit));
    }
    return limit;
  }

  static String state(Instant instant) {
    if (instant.isCompleted()) {
      return "completed";
    }
    return instant instanceof Instant.Inflight ? "inflight" : "requested";
  }

  static java.time.Instant moment(HudiTable table, InstantTime time) {
    return java.time.Instant.ofEpochMilli(time.toMillis(table.config().timelineZone()));
  }

  private static List<Instant> newestFirst(HudiTable table) {
    List<Instant> instants = new ArrayList<>(table.timeline().instants());
    instants.sort(Comparator.comparing(Instant::requestedTime).reversed());
    return instants;
  }

  static String begunAs(HudiTable table, Instant instant) {
    Action action =
        instant instanceof Instant.Completed completed
            ? table.timeline().startedAs(completed)
            : instant.action();
    return action.word();
  }

  private static List<Object[]> timeline(Call call) throws IOException {
    HudiTable table = call.table();
    String action = call.text(ACTION).map(a -> a.trim().toLowerCase(Locale.ROOT)).orElse("");
    if (!action.isEmpty()
        && java.util.Arrays.stream(Action.values()).noneMatch(a -> a.word().equals(action))) {
      throw new HudiTableException(
          "'action' is '%s'; it must be one of %s"
              .formatted(
                  action, java.util.Arrays.stream(Action.values()).map(Action::word).toList()));
    }
    List<Object[]> rows = new ArrayList<>();
    int limit = limit(call);
    for (Instant instant : newestFirst(table)) {
      String word = begunAs(table, instant);
      if (rows.size() < limit && (action.isEmpty() || word.equals(action))) {
        rows.add(row(table, instant, word));
      }
    }
    return rows;
  }

  private static Object[] row(HudiTable table, Instant instant, String action) throws IOException {
    Object[] row = new Object[9];
    row[0] = instant.requestedTime().digits();
    row[1] = action;
    row[2] = state(instant);
    if (instant instanceof Instant.Completed completed) {
      row[3] = moment(table, completed.completionTime());
      if (completed.action().writesData()) {
        CommitMetadata commit = table.timelineStore().readCommit(completed);
        List<WriteStat> stats = commit.writeStats();
        row[4] = commit.operationType();
        row[5] = stats.size();
        row[6] = stats.stream().mapToLong(WriteStat::numWrites).sum();
        row[7] = stats.stream().mapToLong(WriteStat::numDeletes).sum();
        row[8] = stats.stream().mapToLong(WriteStat::fileSizeInBytes).sum();
      }
    }
    return row;
  }

  private static List<Object[]> fileSlices(Call call) throws IOException {
    HudiTable table = call.table();
    FileSystemView view = table.view();
    List<String> partitions =
        call.text(PARTITION).isPresent() ? List.of(call.text(PARTITION).get()) : view.partitions();
    int limit = limit(call);
    List<Object[]> rows = new ArrayList<>();
    for (String partition : partitions) {
      List<FileSlice> slices =
          call.flag(ALL_VERSIONS, false)
              ? view.fileGroups(partition).stream().flatMap(g -> g.slices().stream()).toList()
              : view.latestSlices(partition);
      for (FileSlice slice : slices) {
        if (rows.size() == limit) {
          return rows;
        }
        rows.add(
            new Object[] {
              partition,
              slice.groupId().fileId().value(),
              slice.baseInstant().digits(),
              slice.baseFile().map(file -> file.name().toString()).orElse(null),
              slice.baseFile().map(BaseFile::lengthBytes).orElse(0L),
              slice.logFiles().size(),
              slice.logBytes(),
              view.pendingCompaction(slice.groupId()).map(InstantTime::digits).orElse(null)
            });
      }
    }
    return rows;
  }

  private static List<Object[]> compactions(Call call) throws IOException {
    HudiTable table = call.table();
    int limit = limit(call);
    List<Object[]> rows = new ArrayList<>();
    for (Instant instant : newestFirst(table)) {
      String word = begunAs(table, instant);
      boolean isCompaction =
          word.equals(Action.COMPACTION.word()) || word.equals(Action.LOG_COMPACTION.word());
      if (!isCompaction || rows.size() == limit) {
        continue;
      }
      Object[] row = new Object[7];
      row[0] = instant.requestedTime().digits();
      row[1] = state(instant);
      if (instant instanceof Instant.Completed completed) {
        List<WriteStat> stats = table.timelineStore().readCommit(completed).writeStats();
        row[2] = stats.size();
        row[4] = stats.stream().mapToLong(WriteStat::numWrites).sum();
        row[5] = stats.stream().mapToLong(WriteStat::fileSizeInBytes).sum();
        row[6] = moment(table, completed.completionTime());
      } else {
        CompactionPlan plan = table.timelineStore().readCompactionPlan(instant.requestedTime());
        row[2] = plan.operations().size();
        row[3] = plan.operations().stream().mapToLong(o -> o.logFileNames().size()).sum();
      }
      rows.add(row);
    }
    return rows;
  }
}
