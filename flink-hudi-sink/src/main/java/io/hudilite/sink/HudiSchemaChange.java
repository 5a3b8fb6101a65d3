package io.hudilite.sink;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableType;
import io.hudilite.core.merge.ColumnDefaults;
import io.hudilite.core.recovery.SoleWriter;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.ColumnChanges;
import io.hudilite.core.schema.StoredTypes;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.write.CommitOutcome;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.types.logical.RowType;

/**
 * Gives a table new columns, or wider ones, by one commit without rows, and without a job. Source:
 * AlterHoodieTableAddColumnsCommand of Hudi 1.0.2.
 */
public final class HudiSchemaChange {
  private HudiSchemaChange() {}

  /**
   * Does nothing if the table has these columns.
   *
   * @param path base path
   * @param columns all that the table has, and the new ones
   * @throws HudiTableException if the table cannot take such columns or a job writes it: then it is
   *     as it was; or if the storage fails: then it is as it was, or has the columns
   */
  public static void run(String path, RowType columns) {
    Storage storage = Storages.of(path);
    try {
      SchemaCheck.requireFits(HudiTable.open(storage), columns, path);
      new SoleWriter(storage, InstantSource.system(), "change of columns")
          .run(
              (commits, lease) -> {
                commit(HudiTable.open(storage), columns, commits, path);
                return null;
              });
    } catch (IOException e) {
      throw new HudiTableException(
          "The columns of the table at '%s' could not be changed: %s. Look which ones it has, and try again."
              .formatted(path, e.getMessage()),
          e);
    }
  }

  private static void commit(HudiTable table, RowType columns, TableCommit commits, String path)
      throws IOException {
    SchemaCheck.requireFits(table, columns, path);
    RowType stored = table.schema().rowType();
    ColumnChanges changes = new ColumnChanges(stored, columns);
    if (changes.isNone()) {
      return;
    }
    InstantTime instant =
        commits.begin(
            table.config().type() == TableType.MERGE_ON_READ ? Action.DELTA_COMMIT : Action.COMMIT);
    CommitOutcome outcome =
        commits.commit(
            instant,
            CommitMetadata.ofWrite(
                CommitMetadata.ALTER_SCHEMA,
                List.of(),
                Map.of(
                    CommitMetadata.SCHEMA,
                    ColumnDefaults.of(table.config().createSchema())
                        .in(
                            AvroSchemas.toAvro(
                                StoredTypes.in(stored, changes.rows()), table.config().tableName()))
                        .toString())));
    if (outcome != CommitOutcome.COMMITTED) {
      throw new IOException("commit of instant " + instant + " is " + outcome);
    }
  }
}
