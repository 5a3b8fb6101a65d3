package io.hudilite.sql;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.key.BucketCounts;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.BucketCountsStore;
import io.hudilite.core.table.HudiTable;
import java.io.IOException;
import java.util.Optional;
import org.apache.flink.table.types.logical.RowType;

/**
 * What is at a path when a statement is planned.
 *
 * @param columns the table's own columns as of its newest write
 * @param buckets counts that any engine has written down
 */
record StoredTable(TableConfig config, RowType columns, Optional<BucketCounts> buckets) {
  StoredTable {
    requireNonNull(config, "config");
    requireNonNull(columns, "columns");
    requireNonNull(buckets, "buckets");
  }

  /**
   * Looks at a path; empty if there is no table.
   *
   * @throws HudiTableException if the path cannot be read, or what is there is no table that can be
   *     read here
   */
  static Optional<StoredTable> at(String path) {
    Storage storage = open(path);
    try {
      if (TableConfigStore.find(storage).isEmpty()) {
        return Optional.empty();
      }
      HudiTable table = HudiTable.open(storage);
      return Optional.of(
          new StoredTable(table.config(), table.schema().rowType(), BucketCountsStore.of(table)));
    } catch (IOException e) {
      throw unreachable(path, e);
    }
  }

  /** Whether there are files or folders at the path that no start of a table explains. */
  static boolean isOccupied(String path) {
    Storage storage = open(path);
    try {
      return storage.list("").stream().anyMatch(entry -> !entry.name().equals(".hoodie"));
    } catch (IOException e) {
      throw unreachable(path, e);
    }
  }

  private static HudiTableException unreachable(String path, IOException cause) {
    return new HudiTableException(
        "Cannot look at 'path'='%s': %s. Check the path, and the credentials and plugin of its file system."
            .formatted(path, cause),
        cause);
  }

  private static Storage open(String path) {
    try {
      return Storages.of(path);
    } catch (IllegalArgumentException e) {
      throw new HudiTableException(
          "'path'='%s' is not a path: %s. Use a local path or a URI such as s3://bucket/folder."
              .formatted(path, e.getMessage()),
          e);
    }
  }
}
