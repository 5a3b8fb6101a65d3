package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.sink.config.SinkConfig;
import io.hudilite.sink.config.TableProperties;
import java.io.Serializable;
import org.apache.flink.table.types.logical.RowType;

/**
 * What an assigner needs to know of the table and the job.
 *
 * @param path base path
 * @param table config of the table
 * @param rowType the table's own columns
 * @param index where the places of keys are kept
 * @param start what the assigners wait for
 * @param run id of this job start
 * @param writers parallelism of the writers
 * @param followsClusterings whether the timeline is looked at with each barrier, for clusterings
 *     that move keys
 */
public record AssignSettings(
    String path,
    TableProperties table,
    RowType rowType,
    SinkConfig config,
    Index index,
    AssignStart start,
    String run,
    int writers,
    boolean followsClusterings)
    implements Serializable {

  /** Kinds of {@link RecordIndex}. */
  public enum Index {
    /** In Flink's keyed state, which survives failures: streaming. */
    FLINK_STATE,
    /** In memory, filled from the table at each start: batch. */
    HEAP
  }

  public AssignSettings {
    requireNonNull(path, "path");
    requireNonNull(table, "table");
    requireNonNull(rowType, "rowType");
    requireNonNull(config, "config");
    requireNonNull(index, "index");
    requireNonNull(start, "start");
    requireNonNull(run, "run");
  }
}
