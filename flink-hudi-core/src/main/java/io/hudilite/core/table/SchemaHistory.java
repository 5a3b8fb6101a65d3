package io.hudilite.core.table;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hudilite.core.merge.ColumnHistory;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.CorruptInstantException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What Hudi remembers of a table's columns when its evolution on read is switched on: numbers of
 * columns that stay when their names change. Source: Hudi 1.0.2
 * FileBasedInternalSchemaStorageManager, SerDeHelper.
 *
 * <pre>
 * .hoodie/.schema/(instant).schemacommit
 *   {"schemas": [{"version_id": ..., "fields": [{"id": 5, "name": "a", "type": ...}, ...]}, ...]}
 * type   "int", or {"type": "record", "fields": [...]}, {"type": "array", "element": type, ...},
 *        {"type": "map", "value": type, ...}
 * </pre>
 */
final class SchemaHistory {
  /** Key in commits: the columns with their numbers, as JSON; only with evolution on read. */
  static final String LATEST_SCHEMA = "latest_schema";

  private static final String FOLDER = ".hoodie/.schema";
  private static final String SUFFIX = ".schemacommit";

  /** Version numbers are instants; those of 14 digits have no milliseconds. */
  private static final long SMALLEST_OF_17_DIGITS = 10_000_000_000_000_000L;

  private static final long SMALLEST_OF_14_DIGITS = 10_000_000_000_000L;

  private SchemaHistory() {}

  /** All editions of the columns; none if no column's name ever changed. */
  static ColumnHistory load(Storage storage) throws IOException {
    Optional<String> newest =
        storage.list(FOLDER).stream()
            .map(StoredFile::name)
            .filter(name -> name.matches("\\d+\\" + SUFFIX))
            .max(String::compareTo);
    if (newest.isEmpty()) {
      return ColumnHistory.NONE;
    }
    String path = FOLDER + "/" + newest.get();
    JsonNode root;
    try {
      root = new ObjectMapper().readTree(storage.read(path));
    } catch (JsonProcessingException e) {
      throw new CorruptInstantException(
          "%s/%s is no JSON: %s".formatted(storage.location(), path, e.getMessage()), e);
    }
    List<ColumnHistory.Edition> editions = new ArrayList<>();
    for (JsonNode schema : root.path("schemas")) {
      editions.add(
          new ColumnHistory.Edition(instant(schema.path("version_id").asLong()), node(schema)));
    }
    return new ColumnHistory(editions);
  }

  private static long instant(long version) {
    return version >= SMALLEST_OF_14_DIGITS && version < SMALLEST_OF_17_DIGITS
        ? version * 1_000
        : version;
  }

  private static ColumnHistory.Node node(JsonNode type) {
    List<ColumnHistory.Field> fields = new ArrayList<>();
    for (JsonNode field : type.path("fields")) {
      fields.add(
          new ColumnHistory.Field(
              field.path("id").asInt(), field.path("name").asText(), node(field.path("type"))));
    }
    JsonNode element = type.has("element") ? type.get("element") : type.path("value");
    return element.isMissingNode() && fields.isEmpty()
        ? ColumnHistory.Node.LEAF
        : new ColumnHistory.Node(fields, element.isMissingNode() ? null : node(element));
  }
}
