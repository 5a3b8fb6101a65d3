package io.hudilite.core.config;

import io.hudilite.core.storage.Storage;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;

/** Finds and creates {@code .hoodie/hoodie.properties}; never changes it afterwards. */
public final class TableConfigStore {
  public static final String PATH = ".hoodie/hoodie.properties";

  /** Stands in while another engine rewrites the file. */
  private static final String BACKUP_PATH = PATH + ".backup";

  /** Source: what Hudi 1.0.2 makes for a new table of version 8. */
  private static final List<String> FOLDERS =
      List.of(
          ".hoodie/.aux/.bootstrap/.partitions",
          ".hoodie/.aux/.bootstrap/.fileids",
          ".hoodie/.schema",
          ".hoodie/.temp",
          ".hoodie/timeline/history");

  private TableConfigStore() {}

  /**
   * Reads the properties of the table that must be there.
   *
   * @throws HudiTableException if there is no table, or one that cannot be read here
   */
  public static TableConfig load(Storage storage) throws IOException {
    return find(storage)
        .orElseThrow(
            () ->
                new HudiTableException(
                    ("'%s' is not a Hudi table: it has no %s. Check the path, or write to it"
                            + " first.")
                        .formatted(storage.location(), PATH)));
  }

  /**
   * Empty if there is no table at the base path.
   *
   * @throws HudiTableException if there is one that cannot be read here
   */
  public static Optional<TableConfig> find(Storage storage) throws IOException {
    // Another engine that rewrites the file deletes it while the backup is there, and deletes the
    // backup after that: so the file is looked for once more.
    for (String path : List.of(PATH, BACKUP_PATH, PATH)) {
      try {
        return Optional.of(TableConfig.parse(storage.read(path), storage.location()));
      } catch (NoSuchFileException e) {
        // The next one, then.
      }
    }
    return Optional.empty();
  }

  /**
   * Creates the table's folders and its config. When the table exists, or two start at once, the
   * stored config is compared with the wanted one.
   *
   * @return the config that is stored
   * @throws HudiTableException if another table is there already
   */
  public static TableConfig create(Storage storage, TableConfig wanted) throws IOException {
    Optional<TableConfig> existing = find(storage);
    if (existing.isEmpty()) {
      for (String folder : FOLDERS) {
        storage.makeFolder(folder);
      }
      try {
        storage.createNew(PATH, wanted.toProperties());
        return wanted;
      } catch (FileAlreadyExistsException e) {
        existing = Optional.of(load(storage));
      }
    }
    existing.get().requireSame(wanted.properties(), storage.location());
    return existing.get();
  }
}
