package io.hudilite.sql.catalog;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.PropertiesCodec;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.storage.StoredFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.table.catalog.ObjectPath;

/**
 * Databases and tables as folders. A folder of the catalog is a database, a folder in it a table if
 * there is one in it; so object stores, which have no empty folders, need the file of a database.
 *
 * <pre>
 * catalog.path/database/.database.properties    comment and properties
 * catalog.path/database/table/.hoodie/...
 * </pre>
 */
final class CatalogFolders {
  private static final String DATABASE_FILE = ".database.properties";
  private static final String COMMENT = "comment";
  private static final String PROPERTY = "property.";

  private final String path;
  private final Storage storage;

  /**
   * @param path of the catalog, as the user gave it
   */
  CatalogFolders(String path) {
    this.path = requireNonNull(path, "path").replaceAll("(?<=.)/+$", "");
    this.storage = Storages.of(this.path);
  }

  /** What is known of a database. */
  record Database(Optional<String> comment, Map<String, String> properties) {
    Database {
      requireNonNull(comment, "comment");
      properties = Map.copyOf(properties);
    }
  }

  /** Looks whether the path can be listed at all. */
  void requireReadable() throws IOException {
    List<StoredFile> unused = storage.list("");
  }

  /** Sorted. */
  List<String> databases() throws IOException {
    return folders("");
  }

  private List<String> folders(String parent) throws IOException {
    return storage.list(parent).stream()
        .filter(entry -> entry.isFolder() && !entry.name().startsWith("."))
        .map(StoredFile::name)
        .sorted()
        .toList();
  }

  boolean databaseExists(String name) throws IOException {
    return !name.isEmpty()
        && !name.startsWith(".")
        && name.indexOf('/') < 0
        && (storage.exists(name + "/" + DATABASE_FILE) || folders("").contains(name));
  }

  Database database(String name) throws IOException {
    Map<String, String> stored;
    try {
      stored = PropertiesCodec.decode(storage.read(name + "/" + DATABASE_FILE));
    } catch (NoSuchFileException e) {
      stored = Map.of();
    }
    Map<String, String> properties = new HashMap<>();
    stored.forEach(
        (key, value) -> {
          if (key.startsWith(PROPERTY)) {
            properties.put(key.substring(PROPERTY.length()), value);
          }
        });
    return new Database(Optional.ofNullable(stored.get(COMMENT)), properties);
  }

  void saveDatabase(String name, Database database) throws IOException {
    requireName("database", name);
    Map<String, String> stored = new TreeMap<>();
    database.comment().ifPresent(text -> stored.put(COMMENT, text));
    database.properties().forEach((key, value) -> stored.put(PROPERTY + key, value));
    String file = name + "/" + DATABASE_FILE;
    storage.delete(file);
    storage.createNew(file, PropertiesCodec.encode(stored, "A database of hudi-lite"));
  }

  /**
   * Removes the folder of a database that has no tables any more.
   *
   * @throws HudiTableException if there is something in it that is no table
   */
  void dropDatabase(String name) throws IOException {
    List<String> strange =
        storage.list(name).stream()
            .map(StoredFile::name)
            .filter(entry -> !entry.equals(DATABASE_FILE))
            .toList();
    if (!strange.isEmpty()) {
      throw new HudiTableException(
          "Database %s is not dropped: its folder '%s/%s' holds %s, which are no tables of Hudi. Look at them, and move or delete them first."
              .formatted(name, path, name, strange));
    }
    storage.deleteFolder(name);
  }

  /** The tables of a database, sorted. Looks into each folder of it. */
  List<String> tables(String database) throws IOException {
    return folders(database).stream()
        .filter(name -> isTable(new ObjectPath(database, name)))
        .toList();
  }

  private boolean isTable(ObjectPath table) {
    try {
      return tableExists(table);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  boolean tableExists(ObjectPath table) throws IOException {
    return table.getObjectName().indexOf('/') < 0
        && storage.exists(relative(table) + "/" + TableConfigStore.PATH);
  }

  /** The base path of a table, whether it is there or not. */
  String pathOf(ObjectPath table) {
    return (path.equals("/") ? "" : path) + "/" + relative(table);
  }

  Storage tableStorage(ObjectPath table) {
    return Storages.of(pathOf(table));
  }

  /** Deletes a table with all its files. */
  void dropTable(ObjectPath table) throws IOException {
    // First what makes it a table: a crash in between leaves files that nobody reads any more.
    storage.delete(relative(table) + "/" + TableConfigStore.PATH);
    storage.deleteFolder(relative(table));
  }

  /**
   * @throws UnsupportedOperationException if the storage cannot rename folders
   */
  void renameTable(ObjectPath from, ObjectPath to) throws IOException {
    storage.renameFolder(relative(from), relative(to));
  }

  private static String relative(ObjectPath table) {
    return table.getDatabaseName() + "/" + table.getObjectName();
  }

  /** Whether a path is that of a table, however it is written. */
  boolean isPathOf(ObjectPath table, String other) {
    return tableStorage(table)
        .location()
        .equals(Storages.of(other.replaceAll("(?<=.)/+$", "")).location());
  }

  /**
   * @throws HudiTableException if a folder must not have this name
   */
  static void requireName(String what, String name) {
    if (!name.matches("[\\p{L}\\p{N}_][\\p{L}\\p{N}_.$-]*")) {
      throw new HudiTableException(
          "The %s cannot be called '%s', since its folder will have that name. Use letters, digits, '_', '-', '.' and '$' only, and none of the last three first."
              .formatted(what, name));
    }
  }

  @Override
  public String toString() {
    return path;
  }
}
