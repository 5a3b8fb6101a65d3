package io.hudilite.sql;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.TimelineStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.flink.table.types.logical.RowType;

/**
 * What is at a path when a statement is planned.
 *
 * @param columns the table's own columns as of its newest write, as {@link AvroSchemas#toRowType}
 *     gives them; empty if the table does not tell
 */
record StoredTable(TableConfig config, Optional<RowType> columns) {
  StoredTable {
    requireNonNull(config, "config");
    requireNonNull(columns, "columns");
  }

  /**
   * Looks at a path; empty if there is no table.
   *
   * @throws HudiTableException if the path cannot be read, or a table there is none that can be
   *     read here
   */
  static Optional<StoredTable> at(String path) {
    Storage storage = open(path);
    try {
      Optional<TableConfig> config = TableConfigStore.find(storage);
      return config.isEmpty()
          ? Optional.empty()
          : Optional.of(new StoredTable(config.get(), columns(storage, config.get())));
    } catch (IOException e) {
      throw new HudiTableException(
          "Cannot look at 'path'='%s': %s. Check the path and the credentials of its file system."
              .formatted(path, e),
          e);
    }
  }

  /** Whether there is a file or folder at the path, and something in it. */
  static boolean isOccupied(String path) {
    try {
      Storage storage = open(path);
      return storage.exists("") && !storage.list("").isEmpty();
    } catch (IOException e) {
      throw new HudiTableException("Cannot look at 'path'='%s': %s".formatted(path, e), e);
    }
  }

  static Storage open(String path) {
    try {
      return Storages.of(path);
    } catch (IllegalArgumentException e) {
      throw new HudiTableException(
          "'path'='%s' is not a path: %s. Use a local path or a URI such as s3://bucket/folder."
              .formatted(path, e.getMessage()),
          e);
    }
  }

  private static Optional<RowType> columns(Storage storage, TableConfig config) throws IOException {
    TimelineStore timeline = new TimelineStore(storage, config);
    List<Instant.Completed> writes = timeline.load().completedWrites();
    for (int i = writes.size() - 1; i >= 0; i--) {
      Optional<String> schema = timeline.readCommit(writes.get(i)).schema();
      if (schema.isPresent() && !schema.get().isBlank()) {
        return Optional.of(columnsOf(schema.get()));
      }
    }
    return config.createSchema().map(StoredTable::columnsOf);
  }

  private static RowType columnsOf(String avroSchema) {
    return AvroSchemas.withoutMetaColumns(
        AvroSchemas.toRowType(new Schema.Parser().parse(avroSchema)));
  }
}
