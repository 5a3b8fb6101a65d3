package io.hudilite.sink.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.clustering.UpdatesStrategy;
import io.hudilite.core.config.TableType;
import io.hudilite.sink.commit.CommitTiming;
import io.hudilite.sink.config.SinkConfig;
import io.hudilite.sink.config.TableProperties;
import java.io.Serializable;
import org.apache.flink.table.types.logical.RowType;

/**
 * What a writer needs to know of the table and the job.
 *
 * @param path base path
 * @param rowType the table's own columns
 * @param tableType of the table
 * @param table config of the table
 * @param updates of rows that are being clustered
 * @param run id of this job start
 */
public record WriteSettings(
    String path,
    String tableName,
    RowType rowType,
    TableType tableType,
    TableProperties table,
    SinkConfig config,
    UpdatesStrategy updates,
    String run,
    CommitTiming timing)
    implements Serializable {
  public WriteSettings {
    requireNonNull(path, "path");
    requireNonNull(tableName, "tableName");
    requireNonNull(rowType, "rowType");
    requireNonNull(tableType, "tableType");
    requireNonNull(table, "table");
    requireNonNull(config, "config");
    requireNonNull(updates, "updates");
    requireNonNull(run, "run");
    requireNonNull(timing, "timing");
  }
}
