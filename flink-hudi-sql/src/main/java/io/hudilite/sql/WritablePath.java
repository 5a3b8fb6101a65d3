package io.hudilite.sql;

import io.hudilite.core.config.HudiTableException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether a table can be made at a path, as far as that shows without trying. */
final class WritablePath {
  private WritablePath() {}

  /**
   * @throws HudiTableException if the folder holds something that is no table
   */
  static void requireUnused(String table, String path) {
    if (StoredTable.isOccupied(path)) {
      throw new HudiTableException(
          "Table %s: 'path'='%s' holds files, but no table (no .hoodie/hoodie.properties). Use an empty or a new folder."
              .formatted(table, path));
    }
  }

  /**
   * @throws HudiTableException if the path leads through a file, or to a folder that this user must
   *     not write
   */
  static void requireFolder(String table, String path) {
    if (path.startsWith("/") || path.startsWith("file:")) {
      requireLocal(table, path);
    }
  }

  private static void requireLocal(String table, String path) {
    Path folder = path.startsWith("/") ? Path.of(path) : Path.of(URI.create(path).getPath());
    Path there = folder;
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    if (there == null) {
      return;
    }
    if (!Files.isDirectory(there)) {
      throw new HudiTableException(
          "Table %s: 'path'='%s' cannot be written, since %s is a file. Use another path."
              .formatted(table, path, there));
    }
    if (!Files.isWritable(there)) {
      throw new HudiTableException(
          "Table %s: 'path'='%s' cannot be written, since the folder %s is read-only for this user. Change its permissions or use another path."
              .formatted(table, path, there));
    }
  }
}
