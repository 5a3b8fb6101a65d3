package io.hudilite.core.timeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Commit metadata of table version 6, and of old instants in upgraded tables: JSON with the names
 * that the Avro form has. Source: Hudi 0.15.0 HoodieCommitMetadata.toJsonString.
 */
final class LegacyCommitJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private LegacyCommitJson() {}

  static CommitMetadata decode(byte[] content, String source) throws CorruptInstantException {
    JsonNode root;
    try {
      root = MAPPER.readTree(content);
    } catch (IOException e) {
      throw new CorruptInstantException(
          "%s: %d bytes are neither an Avro container nor JSON: %s"
              .formatted(source, content.length, e.getMessage()),
          e);
    }
    if (!root.isObject()) {
      throw new CorruptInstantException(
          "%s: expected a JSON object, found %s".formatted(source, root.getNodeType()));
    }
    List<WriteStat> stats = new ArrayList<>();
    fields(root.path("partitionToWriteStats"))
        .forEach((partition, array) -> array.forEach(stat -> stats.add(stat(stat, partition))));
    Map<String, String> extra = new TreeMap<>();
    fields(root.path("extraMetadata")).forEach((key, value) -> extra.put(key, value.asText()));
    Map<String, List<String>> replaced = new TreeMap<>();
    fields(root.path("partitionToReplaceFileIds"))
        .forEach((partition, ids) -> replaced.put(partition, texts(ids)));
    return new CommitMetadata(
        stats,
        root.path("compacted").asBoolean(false),
        extra,
        text(root, "operationType", ""),
        replaced);
  }

  private static WriteStat stat(JsonNode stat, String partition) {
    Map<String, Long> cdcStats = new TreeMap<>();
    fields(stat.path("cdcStats")).forEach((path, size) -> cdcStats.put(path, size.asLong()));
    return new WriteStat(
        text(stat, "fileId", ""),
        text(stat, "path", ""),
        text(stat, "partitionPath", partition),
        text(stat, "prevCommit", WriteStat.NO_PREVIOUS_COMMIT),
        number(stat, "numWrites"),
        number(stat, "numInserts"),
        number(stat, "numUpdateWrites"),
        number(stat, "numDeletes"),
        number(stat, "fileSizeInBytes"),
        stat.path("logVersion").asInt(0),
        text(stat, "baseFile", ""),
        texts(stat.path("logFiles")),
        cdcStats,
        text(stat, "prevBaseFile", ""));
  }

  private static Map<String, JsonNode> fields(JsonNode object) {
    Map<String, JsonNode> entries = new TreeMap<>();
    object
        .fields()
        .forEachRemaining(
            entry -> {
              if (!entry.getValue().isNull()) {
                entries.put(entry.getKey(), entry.getValue());
              }
            });
    return entries;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(element -> texts.add(element.asText()));
    return texts;
  }

  private static String text(JsonNode object, String name, String whenAbsent) {
    JsonNode value = object.path(name);
    return value.isMissingNode() || value.isNull() ? whenAbsent : value.asText();
  }

  private static long number(JsonNode object, String name) {
    return object.path(name).asLong(-1);
  }
}
