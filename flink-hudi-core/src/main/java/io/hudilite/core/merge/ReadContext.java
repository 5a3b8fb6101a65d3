package io.hudilite.core.merge;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.storage.Storage;

/**
 * What the readers of one table share. Made once per task; its parts are safe for several threads.
 *
 * @param schema the table's own, as stored: not the columns that a query declares, since the types
 *     of the ordering columns tell in which unit delete records hold their values
 * @param columns what the columns were called earlier
 */
public record ReadContext(
    Storage storage,
    TableConfig config,
    TableSchema schema,
    MergeMemory memory,
    ColumnHistory columns) {
  public ReadContext {
    requireNonNull(storage, "storage");
    requireNonNull(config, "config");
    requireNonNull(schema, "schema");
    requireNonNull(memory, "memory");
    requireNonNull(columns, "columns");
  }

  /** The same table through other eyes. */
  public ReadContext withStorage(Storage other) {
    return new ReadContext(other, config, schema, memory, columns);
  }

  public ReadContext withMemory(MergeMemory other) {
    return new ReadContext(storage, config, schema, other, columns);
  }
}
