package io.hudilite.core.timeline;

import static io.hudilite.core.timeline.AvroContainer.map;
import static io.hudilite.core.timeline.AvroContainer.number;
import static io.hudilite.core.timeline.AvroContainer.text;
import static io.hudilite.core.timeline.AvroContainer.texts;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;

/** Content of completed savepoints. Source: Hudi 1.0.2 SavepointActionExecutor. */
public final class SavepointCodec {
  private SavepointCodec() {}

  public static byte[] encode(SavepointMetadata savepoint) {
    Map<String, IndexedRecord> partitions = new TreeMap<>();
    savepoint
        .files()
        .forEach(
            (path, names) -> {
              GenericData.Record partition =
                  new GenericData.Record(InstantSchemas.SAVEPOINT_PARTITION);
              partition.put("partitionPath", path);
              partition.put("savepointDataFile", names);
              partitions.put(path, partition);
            });
    GenericData.Record record = new GenericData.Record(InstantSchemas.SAVEPOINT_METADATA);
    record.put("savepointedBy", savepoint.by());
    record.put("savepointedAt", savepoint.atMillis());
    record.put("comments", savepoint.comment());
    record.put("partitionMetadata", partitions);
    record.put("version", 1);
    return AvroContainer.encode(record);
  }

  /**
   * Reads what a savepoint keeps.
   *
   * @param source name of the file, for messages
   */
  public static SavepointMetadata decode(byte[] content, String source)
      throws CorruptInstantException {
    IndexedRecord record = AvroContainer.decode(content, source);
    Map<String, List<String>> files = new TreeMap<>();
    map(record, "partitionMetadata")
        .forEach(
            (path, value) -> {
              if (value instanceof IndexedRecord partition) {
                files.put(
                    path,
                    texts(partition, "savepointDataFile").stream()
                        .map(CleanCodec::fileName)
                        .toList());
              }
            });
    return new SavepointMetadata(
        text(record, "savepointedBy", ""),
        number(record, "savepointedAt", 0),
        text(record, "comments", ""),
        files);
  }
}
