package io.hudilite.core.storage;

import java.net.URI;
import java.nio.file.Path;

/** Opens the storage that fits a table's base path. */
public final class Storages {
  private Storages() {}

  /**
   * The storage for a base path: {@link LocalStorage} for {@code file:} and plain paths (unless
   * Flink's default file system is another), {@link FlinkStorage} for all others.
   */
  public static Storage of(String basePath) {
    URI uri = FlinkStorage.qualify(basePath);
    return "file".equals(uri.getScheme())
        ? new LocalStorage(Path.of(uri.getPath()))
        : new FlinkStorage(uri.toString());
  }
}
