package io.hudilite.sql;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.key.BucketCounts;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.table.BucketCountsStore;
import io.hudilite.core.table.HudiTable;
import java.io.IOException;
import java.io.UncheckedIOException;
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

  private static final int LEVELS_ABOVE = 4;
  private static final int FOLDERS_BELOW = 50;

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

  /**
   * A table whose folder this path is in, or right above: what was meant, if there is none at the
   * path itself.
   */
  static Optional<String> near(String path) {
    String folder = withoutSlash(path);
    for (int above = 0; above < LEVELS_ABOVE && folder.lastIndexOf('/') > 0; above++) {
      folder = withoutSlash(folder.substring(0, folder.lastIndexOf('/')));
      if (isTable(folder)) {
        return Optional.of(folder);
      }
    }
    try {
      return Storages.of(path).list("").stream()
          .filter(StoredFile::isFolder)
          .limit(FOLDERS_BELOW)
          .map(child -> withoutSlash(path) + "/" + child.name())
          .filter(StoredTable::isTable)
          .findFirst();
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // only a hint
    }
  }

  private static boolean isTable(String path) {
    try {
      return TableConfigStore.find(Storages.of(path)).isPresent();
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private static String withoutSlash(String path) {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
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
    } catch (UncheckedIOException e) {
      throw unreachable(path, e.getCause());
    }
  }
}
