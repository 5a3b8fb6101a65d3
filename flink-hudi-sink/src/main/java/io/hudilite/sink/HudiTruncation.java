package io.hudilite.sink;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.merge.ColumnDefaults;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.write.CommitOutcome;
import io.hudilite.core.write.TableCommit;
import io.hudilite.sink.commit.Overwrite;
import io.hudilite.sink.config.WriteOperation;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Empties a table by one commit, without a job. */
public final class HudiTruncation {
  private HudiTruncation() {}

  /**
   * Takes all rows out of a table; does nothing if there is none. Files stay until they are
   * cleaned, so that readers of earlier instants go on.
   *
   * @param path base path
   * @throws HudiTableException if the table cannot be written, or the storage fails: then the table
   *     is as it was, or is empty
   */
  public static void run(String path) {
    Storage storage = Storages.of(path);
    try {
      Optional<TableConfig> config = TableConfigStore.find(storage);
      if (config.isEmpty()) {
        return;
      }
      TableCommit commits =
          new TableCommit(
              storage,
              config.get(),
              new InstantClock(InstantSource.system(), config.get().timelineZone()));
      commits.finishDecidedCommits();
      InstantTime instant = commits.begin(Action.REPLACE_COMMIT);
      HudiTable table = HudiTable.open(storage);
      CommitMetadata metadata =
          CommitMetadata.ofWrite(
                  WriteOperation.INSERT_OVERWRITE_TABLE.word(),
                  List.of(),
                  Map.of(
                      CommitMetadata.SCHEMA,
                      ColumnDefaults.of(config.get().createSchema())
                          .in(
                              AvroSchemas.toAvro(
                                  table.schema().rowType(), config.get().tableName()))
                          .toString()))
              .replacing(new Overwrite(Overwrite.Scope.TABLE, "").replacedGroups(table, List.of()));
      CommitOutcome outcome = commits.commit(instant, metadata);
      if (outcome != CommitOutcome.COMMITTED) {
        throw new IOException("commit of instant " + instant + " is " + outcome);
      }
    } catch (IOException e) {
      throw new HudiTableException(
          "The table at '%s' could not be truncated: %s. Look whether it is empty, and try again if not."
              .formatted(path, e.getMessage()),
          e);
    }
  }
}
