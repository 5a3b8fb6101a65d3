package io.hudilite.core.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.CorruptInstantException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What Hudi remembers of a table's columns when its evolution on read is switched on: numbers of
 * columns that stay when their names change. Here columns are found by their names, so a table is
 * refused in which a name has changed its column, or a column its name. Source: Hudi 1.0.2
 * FileBasedInternalSchemaStorageManager, SerDeHelper.
 *
 * <pre>
 * .hoodie/.schema/(instant).schemacommit
 *   {"schemas": [{"version_id": ..., "fields": [{"id": 5, "name": "a", "type": ...}, ...]}, ...]}
 * </pre>
 */
final class SchemaHistory {
  /** Key in commits: the columns with their numbers, as JSON; only with evolution on read. */
  static final String LATEST_SCHEMA = "latest_schema";

  private static final String FOLDER = ".hoodie/.schema";
  private static final String SUFFIX = ".schemacommit";

  private final String location;
  private final Map<Integer, String> names = new HashMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();

  private SchemaHistory(String location) {
    this.location = location;
  }

  /**
   * @throws HudiTableException if a column was renamed, or its name given to another one
   */
  static void requireNamesStay(Storage storage) throws IOException {
    Optional<String> newest =
        storage.list(FOLDER).stream()
            .map(StoredFile::name)
            .filter(name -> name.matches("\\d+\\" + SUFFIX))
            .max(String::compareTo);
    if (newest.isEmpty()) {
      return;
    }
    String path = FOLDER + "/" + newest.get();
    byte[] content = storage.read(path);
    JsonNode root;
    try {
      root = new ObjectMapper().readTree(content);
    } catch (IOException e) {
      throw new CorruptInstantException(
          "%s/%s is no JSON: %s".formatted(storage.location(), path, e.getMessage()), e);
    }
    SchemaHistory history = new SchemaHistory(storage.location());
    root.path("schemas").forEach(schema -> history.add(schema, ""));
  }

  private void add(JsonNode type, String path) {
    for (JsonNode field : type.path("fields")) {
      String name = field.path("name").asText();
      int number = field.path("id").asInt();
      String known = names.put(number, name);
      Integer knownNumber = numbers.put(path + name, number);
      if ((known != null && !known.equals(name))
          || (knownNumber != null && knownNumber != number)) {
        throw new HudiTableException(
            ("The table at '%s' cannot be read here: its column '%s' %s, and older files have it"
                    + " under the old name. Rewrite the table with Hudi, for example by a"
                    + " clustering of all of it.")
                .formatted(
                    location,
                    path + name,
                    known != null && !known.equals(name)
                        ? "was called '" + known + "' at another time"
                        : "was dropped and added again"));
      }
      add(field.path("type"), path + name + ".");
    }
    if (type.has("element")) {
      add(type.get("element"), path + "[].");
    }
    if (type.has("value")) {
      add(type.get("value"), path + "{}.");
    }
  }
}
