package io.hudilite.sink.maintenance;

import static io.hudilite.sink.maintenance.ValueKind.INTEGER;
import static io.hudilite.sink.maintenance.ValueKind.MOMENT;
import static io.hudilite.sink.maintenance.ValueKind.TEXT;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.recovery.Savepoint;
import io.hudilite.core.recovery.SavepointStore;
import io.hudilite.core.recovery.TableRecovery;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Takes instants back, and keeps states of the table. */
final class RecoveryOperations {
  private static final String INSTANT = "instant";
  private static final String BY = "created_by";
  private static final String COMMENT = "note";

  private static final List<ResultColumn> TAKEN_BACK =
      List.of(
          ResultColumn.of("state", TEXT, "rolled back or restored"),
          ResultColumn.of("instant", TEXT, "of it on the timeline; none for a dropped plan"),
          ResultColumn.of("removed", TEXT, "instants that are gone, the newest first"));

  private static final List<ResultColumn> SAVEPOINT =
      List.of(
          ResultColumn.of("instant", TEXT, "names the savepoint"),
          ResultColumn.of("created_by", TEXT, "who made it"),
          ResultColumn.of("created_at", MOMENT, "when"),
          ResultColumn.of("note", TEXT, "what for"),
          ResultColumn.of("files", INTEGER, "that it keeps"));

  static final Operation ROLLBACK =
      new Operation(
          "rollback_instant",
          "Takes one instant back: a pending write, a planned compaction or clustering, or the"
              + " newest completed write. Refused while a job writes the table.",
          List.of(
              Argument.required(INSTANT, TEXT, "Time of the instant, as show_timeline shows it.")),
          TAKEN_BACK,
          call -> {
            TableRecovery.Result result =
                new TableRecovery(call.storage(), call.wall(), "rollback")
                    .rollBack(call.instant(INSTANT).orElseThrow());
            return takenBack("rolled back", result);
          });

  static final Operation CREATE_SAVEPOINT =
      new Operation(
          "create_savepoint",
          "Keeps a state of the table until the savepoint is deleted: cleaning and archiving spare"
              + " what it needs.",
          List.of(
              Argument.optional(
                  INSTANT, TEXT, "Newest instant of the state; the newest of all unless set."),
              Argument.optional(BY, TEXT, "Who wants it; the user of this process unless set."),
              Argument.optional(COMMENT, TEXT, "What for.")),
          SAVEPOINT,
          RecoveryOperations::create);

  static final Operation DELETE_SAVEPOINT =
      new Operation(
          "delete_savepoint",
          "Deletes a savepoint; the files that only it kept go with the next clean.",
          List.of(Argument.required(INSTANT, TEXT, "The instant that names it.")),
          List.of(
              ResultColumn.of("state", TEXT, "deleted"),
              ResultColumn.of("instant", TEXT, "that named it")),
          RecoveryOperations::delete);

  static final Operation RESTORE_SAVEPOINT =
      new Operation(
          "restore_savepoint",
          "Brings the table back to a savepoint: all writes after it are taken back, with their"
              + " files. Refused while a job writes the table.",
          List.of(Argument.required(INSTANT, TEXT, "The instant that names the savepoint.")),
          TAKEN_BACK,
          call -> {
            TableRecovery.Result result =
                new TableRecovery(call.storage(), call.wall(), "restore")
                    .restore(call.instant(INSTANT).orElseThrow());
            return takenBack("restored", result);
          });

  static final Operation SHOW_SAVEPOINTS =
      new Operation(
          "show_savepoints",
          "Lists the savepoints, the oldest first.",
          List.of(),
          SAVEPOINT,
          call -> {
            List<Object[]> rows = new ArrayList<>();
            for (Savepoint savepoint : new SavepointStore(call.storage(), call.wall()).list()) {
              rows.add(row(savepoint));
            }
            return rows;
          });

  private RecoveryOperations() {}

  private static List<Object[]> takenBack(String state, TableRecovery.Result result) {
    String removed =
        result.removed().stream().map(InstantTime::digits).collect(Collectors.joining(", "));
    return List.<Object[]>of(
        new Object[] {state, result.instant().map(InstantTime::digits).orElse(null), removed});
  }

  private static List<Object[]> create(Call call) throws IOException {
    SavepointStore store = new SavepointStore(call.storage(), call.wall());
    String by = call.text(BY).orElse(System.getProperty("user.name", ""));
    String comment = call.text(COMMENT).orElse("");
    Optional<InstantTime> instant = call.instant(INSTANT);
    Savepoint made =
        instant.isPresent()
            ? store.create(instant.get(), by, comment)
            : store.createNewest(by, comment);
    return List.<Object[]>of(row(made));
  }

  private static List<Object[]> delete(Call call) throws IOException {
    SavepointStore store = new SavepointStore(call.storage(), call.wall());
    InstantTime instant = call.instant(INSTANT).orElseThrow();
    if (!store.delete(instant)) {
      throw new HudiTableException(
          "The table at '%s' has no savepoint %s; it has %s"
              .formatted(
                  call.path(),
                  instant,
                  store.list().stream().map(s -> s.instant().digits()).toList()));
    }
    return List.<Object[]>of(new Object[] {"deleted", instant.digits()});
  }

  private static Object[] row(Savepoint savepoint) {
    return new Object[] {
      savepoint.instant().digits(),
      savepoint.metadata().by(),
      java.time.Instant.ofEpochMilli(savepoint.metadata().atMillis()),
      savepoint.metadata().comment(),
      savepoint.fileCount()
    };
  }
}
