package io.hudilite.sink.commit;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.write.FailedWrites;
import java.io.Serializable;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * What the coordinator needs to know of the table and the job.
 *
 * @param path base path
 * @param tableProperties of the table as it is declared, for {@code hoodie.properties}
 * @param operationType word of Hudi's WriteOperationType
 * @param overwrite what the commit takes the place of
 * @param schemaJson Avro schema of the columns without meta columns
 * @param dropsSuperseded whether no commit holds a row or delete that loses against an older
 *     version of its key; readers then need not look at older versions
 * @param run id of this job start
 * @param heartbeatInterval how often the coordinator shows that it is alive
 * @param patience after how long without a sign of life others take it for dead
 * @param failedWrites which pending writes of others are rolled back
 */
public record CommitSettings(
    String path,
    Map<String, String> tableProperties,
    String operationType,
    Overwrite overwrite,
    String schemaJson,
    boolean dropsSuperseded,
    String run,
    CommitTiming timing,
    int retries,
    Duration retryInterval,
    Duration heartbeatInterval,
    Duration patience,
    FailedWrites failedWrites)
    implements Serializable {
  public CommitSettings {
    requireNonNull(path, "path");
    requireNonNull(operationType, "operationType");
    requireNonNull(overwrite, "overwrite");
    requireNonNull(schemaJson, "schemaJson");
    requireNonNull(run, "run");
    requireNonNull(timing, "timing");
    requireNonNull(retryInterval, "retryInterval");
    requireNonNull(heartbeatInterval, "heartbeatInterval");
    requireNonNull(patience, "patience");
    requireNonNull(failedWrites, "failedWrites");
    // A plain class: it travels in the job graph.
    tableProperties = new HashMap<>(tableProperties);
  }
}
