package io.hudilite.core.table;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.PropertiesCodec;
import io.hudilite.core.storage.Storage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a {@code CREATE TABLE} said beyond the table's properties, kept in the table. Source: Hudi
 * 1.0.2 TableOptionProperties; keys that begin with {@link #DDL} are our own.
 *
 * <pre>
 * .hoodie/.aux/table_option.properties
 *   any option = value                   the WITH clause
 *   pk.constraint.name, pk.columns, partition.columns, comment
 *   hudi-lite.ddl.schema.0.name = ...    columns as Flink writes them down
 * </pre>
 *
 * @param options of the WITH clause, without {@code connector} and {@code path}
 * @param keyName name of the primary key's constraint
 * @param ddl keys of Flink's {@code ResolvedCatalogTable.toProperties()} that begin with {@code
 *     schema.}; empty if the table was made elsewhere
 * @param isOfHudisCatalog whether Hudi's own catalog for Flink made the table
 */
public record StoredOptions(
    Map<String, String> options,
    Optional<String> comment,
    Optional<String> keyName,
    Map<String, String> ddl,
    boolean isOfHudisCatalog) {
  private static final String PATH = ".hoodie/.aux/table_option.properties";

  /** Holds the new content while the file is replaced. */
  private static final String NEXT_PATH = PATH + ".next";

  private static final String KEY_NAME = "pk.constraint.name";
  private static final String KEY_COLUMNS = "pk.columns";
  private static final String PARTITION_COLUMNS = "partition.columns";
  private static final String COMMENT = "comment";
  private static final String DDL = "hudi-lite.ddl.";

  /** Of a table that was made by a writer, and not by a catalog. */
  public static final StoredOptions NONE =
      new StoredOptions(Map.of(), Optional.empty(), Optional.empty(), Map.of(), false);

  /** What is told elsewhere, or is only for a certain engine. */
  private static final Set<String> NO_OPTIONS =
      Set.of(
          KEY_NAME,
          KEY_COLUMNS,
          PARTITION_COLUMNS,
          COMMENT,
          "metadata.columns",
          "spark.version",
          "connector",
          "path");

  public StoredOptions {
    options = Map.copyOf(options);
    requireNonNull(comment, "comment");
    requireNonNull(keyName, "keyName");
    ddl = Map.copyOf(ddl);
  }

  /** {@link #NONE} if the table has none. */
  public static StoredOptions load(Storage table) throws IOException {
    // While it is replaced, the old file may be gone; the new content is there before.
    for (String path : List.of(PATH, NEXT_PATH, PATH)) {
      try {
        return of(PropertiesCodec.decode(table.read(path)));
      } catch (NoSuchFileException e) {
        // The next one, then.
      }
    }
    return NONE;
  }

  private static StoredOptions of(Map<String, String> properties) {
    Map<String, String> options = new HashMap<>();
    Map<String, String> ddl = new HashMap<>();
    properties.forEach(
        (key, value) -> {
          if (key.startsWith(DDL)) {
            ddl.put(key.substring(DDL.length()), value);
          } else if (!NO_OPTIONS.contains(key)) {
            options.put(key, value);
          }
        });
    return new StoredOptions(
        options,
        Optional.ofNullable(properties.get(COMMENT)).filter(text -> !text.isEmpty()),
        Optional.ofNullable(properties.get(KEY_NAME)).filter(text -> !text.isEmpty()),
        ddl,
        ddl.isEmpty());
  }

  /**
   * Writes or replaces the file. A reader sees the old content or the new.
   *
   * @param keyColumns for Hudi's catalog, as {@code partitionColumns}
   */
  public void save(Storage table, List<String> keyColumns, List<String> partitionColumns)
      throws IOException {
    Map<String, String> properties = new TreeMap<>(options);
    comment.ifPresent(text -> properties.put(COMMENT, text));
    keyName.ifPresent(name -> properties.put(KEY_NAME, name));
    if (!keyColumns.isEmpty()) {
      properties.put(KEY_COLUMNS, String.join(",", keyColumns));
    }
    if (!partitionColumns.isEmpty()) {
      properties.put(PARTITION_COLUMNS, String.join(",", partitionColumns));
    }
    ddl.forEach((key, value) -> properties.put(DDL + key, value));
    byte[] content = PropertiesCodec.encode(properties, "Options of the table in catalogs");
    table.delete(NEXT_PATH);
    table.createNew(NEXT_PATH, content);
    table.delete(PATH);
    table.createNew(PATH, content);
    table.delete(NEXT_PATH);
  }
}
