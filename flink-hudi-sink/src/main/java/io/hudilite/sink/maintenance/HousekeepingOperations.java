package io.hudilite.sink.maintenance;

import static io.hudilite.sink.maintenance.ValueKind.INTEGER;
import static io.hudilite.sink.maintenance.ValueKind.TEXT;

import io.hudilite.core.archive.ArchiveLimits;
import io.hudilite.core.archive.TimelineArchiver;
import io.hudilite.core.clean.CleanPolicy;
import io.hudilite.core.clean.CleanRetention;
import io.hudilite.core.clean.Cleaner;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.CleanMetadata;
import io.hudilite.sink.config.HousekeepingConfig;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Cleans and archives now, by the table's options unless told otherwise. */
final class HousekeepingOperations {
  private static final String POLICY = "policy";
  private static final String COMMITS = "retain_commits";
  private static final String HOURS = "retain_hours";
  private static final String VERSIONS = "retain_file_versions";
  private static final String MIN_COMMITS = "min_commits";
  private static final String MAX_COMMITS = "max_commits";

  private static final List<Argument> OF_RETENTION =
      List.of(
          Argument.optional(
              POLICY,
              TEXT,
              "KEEP_LATEST_COMMITS, KEEP_LATEST_FILE_VERSIONS or KEEP_LATEST_BY_HOURS; the first"
                  + " unless set.",
              "clean.policy",
              "hoodie.clean.policy",
              "hoodie.cleaner.policy"),
          Argument.optional(
              COMMITS,
              INTEGER,
              "So many commits stay readable; 30 unless set.",
              "clean.retain_commits",
              "hoodie.clean.commits.retained",
              "hoodie.cleaner.commits.retained"),
          Argument.optional(
              HOURS,
              INTEGER,
              "So many hours stay readable; 24 unless set.",
              "clean.retain_hours",
              "hoodie.clean.hours.retained",
              "hoodie.cleaner.hours.retained"),
          Argument.optional(
              VERSIONS,
              INTEGER,
              "So many versions of each file group stay; 5 unless set.",
              "clean.retain_file_versions",
              "hoodie.clean.fileversions.retained",
              "hoodie.cleaner.fileversions.retained"));

  static final Operation CLEAN =
      new Operation(
          "clean",
          "Deletes files that only older states of the table need, but none that a reader's lease,"
              + " a savepoint or a plan holds.",
          OF_RETENTION,
          List.of(
              ResultColumn.of("state", TEXT, "cleaned or nothing"),
              ResultColumn.of("instant", TEXT, "of the clean"),
              ResultColumn.of("deleted_files", INTEGER, "that are gone"),
              ResultColumn.of("failed_files", INTEGER, "that could not be deleted now"),
              ResultColumn.of("retained_from", TEXT, "oldest instant that stays readable"),
              ResultColumn.of("detail", TEXT, "why there was nothing to do")),
          HousekeepingOperations::clean);

  static final Operation ARCHIVE =
      new Operation(
          "archive",
          "Moves old instants from the active timeline to its history, but none that a reader, a"
              + " plan or an uncompacted log file needs.",
          Stream.concat(
                  OF_RETENTION.stream(),
                  Stream.of(
                      Argument.optional(
                          MIN_COMMITS,
                          INTEGER,
                          "So many commits stay active; 40, and 10 more than the clean retains,"
                              + " unless set.",
                          "archive.min_commits",
                          "hoodie.keep.min.commits"),
                      Argument.optional(
                          MAX_COMMITS,
                          INTEGER,
                          "With more commits it is time; 50, and 20 more than the clean retains,"
                              + " unless set.",
                          "archive.max_commits",
                          "hoodie.keep.max.commits")))
              .toList(),
          List.of(
              ResultColumn.of("state", TEXT, "archived or nothing"),
              ResultColumn.of("archived", INTEGER, "instants that left the active timeline"),
              ResultColumn.of("detail", TEXT, "why there was nothing to do")),
          HousekeepingOperations::archive);

  private HousekeepingOperations() {}

  private static CleanRetention retention(Call call) {
    String word = call.text(POLICY).orElse(CleanPolicy.KEEP_LATEST_COMMITS.name());
    CleanPolicy policy;
    try {
      policy = CleanPolicy.valueOf(word.trim().toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new HudiTableException(
          "'policy' is '%s'; it must be one of %s"
              .formatted(word, Arrays.toString(CleanPolicy.values())),
          e);
    }
    CleanRetention usual = CleanRetention.DEFAULT;
    return new CleanRetention(
        policy,
        call.integer(COMMITS, usual.commits()),
        call.integer(HOURS, usual.hours()),
        call.integer(VERSIONS, usual.fileVersions()));
  }

  private static List<Object[]> clean(Call call) throws IOException {
    CleanRetention retention = retention(call);
    HudiTable table = call.writableTable();
    Cleaner.Result result =
        new Cleaner(call.storage(), retention, call.wall()).clean(call.clockOf(table));
    if (result instanceof Cleaner.Result.Cleaned cleaned) {
      CleanMetadata metadata = cleaned.metadata();
      int failed = metadata.failed().values().stream().mapToInt(List::size).sum();
      return List.<Object[]>of(
          new Object[] {
            "cleaned",
            cleaned.instant().digits(),
            metadata.deletedFiles(),
            failed,
            metadata.earliestToRetain(),
            null
          });
    }
    return List.<Object[]>of(
        new Object[] {"nothing", null, 0, 0, null, ((Cleaner.Result.Nothing) result).reason()});
  }

  private static List<Object[]> archive(Call call) throws IOException {
    ArchiveLimits wanted =
        new ArchiveLimits(
            call.integer(MIN_COMMITS, ArchiveLimits.DEFAULT.minCommits()),
            call.integer(MAX_COMMITS, ArchiveLimits.DEFAULT.maxCommits()));
    ArchiveLimits limits = new HousekeepingConfig(true, retention(call), true, wanted).limits();
    HudiTable table = call.writableTable();
    int archived = new TimelineArchiver(call.storage(), limits, call.wall()).archive();
    String reason =
        "%d commits are on the active timeline; with more than %d all but %d of them are archived, unless a clean, a reader, a plan or an uncompacted log file needs them"
            .formatted(
                table.timeline().completedWrites().size(),
                limits.maxCommits(),
                limits.minCommits());
    return List.<Object[]>of(
        archived > 0
            ? new Object[] {"archived", archived, null}
            : new Object[] {"nothing", 0, reason});
  }
}
