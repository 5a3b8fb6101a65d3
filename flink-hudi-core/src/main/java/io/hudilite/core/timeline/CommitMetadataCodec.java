package io.hudilite.core.timeline;

import static io.hudilite.core.timeline.AvroContainer.field;
import static io.hudilite.core.timeline.AvroContainer.flag;
import static io.hudilite.core.timeline.AvroContainer.map;
import static io.hudilite.core.timeline.AvroContainer.records;
import static io.hudilite.core.timeline.AvroContainer.text;
import static io.hudilite.core.timeline.AvroContainer.texts;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;

/** Content of completed commit, deltacommit and replacecommit files. */
public final class CommitMetadataCodec {
  private CommitMetadataCodec() {}

  /**
   * As an Avro container file; a replace commit if {@code action} completes as one. Equal metadata
   * gives equal bytes.
   */
  public static byte[] encode(CommitMetadata metadata, Action action) {
    boolean replaces = action.completedAs() == Action.REPLACE_COMMIT;
    Schema schema =
        replaces ? InstantSchemas.REPLACE_COMMIT_METADATA : InstantSchemas.COMMIT_METADATA;
    if (replaces && metadata.operationType().isEmpty()) {
      throw new IllegalArgumentException("A replace commit must say its operation type");
    }
    Map<String, List<IndexedRecord>> stats = new TreeMap<>();
    for (WriteStat stat : metadata.writeStats()) {
      stats
          .computeIfAbsent(stat.partitionPath(), path -> new ArrayList<>())
          .add(WriteStatCodec.toAvro(stat));
    }
    GenericData.Record record = new GenericData.Record(schema);
    record.put("partitionToWriteStats", stats);
    record.put("compacted", metadata.isCompaction());
    record.put("extraMetadata", new TreeMap<>(metadata.extraMetadata()));
    if (!metadata.operationType().isEmpty()) {
      record.put("operationType", metadata.operationType());
    }
    if (replaces) {
      record.put("partitionToReplaceFileIds", metadata.replacedFileIds());
    }
    return AvroContainer.encode(record);
  }

  /**
   * Reads Avro, or the JSON of table version 6; both are known by their first bytes. Nothing at all
   * is a commit without files, as Hudi has it.
   *
   * @param source name of the file, for messages
   * @throws CorruptInstantException if the content is neither
   */
  public static CommitMetadata decode(byte[] content, String source)
      throws CorruptInstantException {
    if (content.length == 0) {
      return CommitMetadata.ofWrite("", List.of(), Map.of());
    }
    if (!AvroContainer.isContainer(content)) {
      return LegacyCommitJson.decode(content, source);
    }
    IndexedRecord record = AvroContainer.decode(content, source);
    List<WriteStat> stats = new ArrayList<>();
    map(record, "partitionToWriteStats")
        .forEach(
            (partition, array) ->
                records(array).forEach(stat -> stats.add(WriteStatCodec.ofAvro(stat, partition))));
    Map<String, String> extra = new TreeMap<>();
    map(record, "extraMetadata").forEach((key, value) -> extra.put(key, value.toString()));
    Map<String, List<String>> replaced = new TreeMap<>();
    if (field(record, "partitionToReplaceFileIds") != null) {
      map(record, "partitionToReplaceFileIds")
          .forEach((partition, ids) -> replaced.put(partition, texts(ids)));
    }
    return new CommitMetadata(
        stats, flag(record, "compacted"), extra, text(record, "operationType", ""), replaced);
  }
}
