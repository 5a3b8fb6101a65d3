package io.hudilite.core.timeline;

import static io.hudilite.core.timeline.AvroContainer.field;
import static io.hudilite.core.timeline.AvroContainer.records;
import static io.hudilite.core.timeline.AvroContainer.text;
import static io.hudilite.core.timeline.AvroContainer.texts;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;

/** Content of requested and completed rollbacks. Source: Hudi 1.0.2 BaseRollbackActionExecutor. */
public final class RollbackCodec {
  private RollbackCodec() {}

  public static byte[] encodePlan(RollbackPlan plan) {
    List<IndexedRecord> requests = new ArrayList<>();
    plan.files()
        .forEach(
            (partition, paths) -> {
              GenericData.Record request = new GenericData.Record(InstantSchemas.ROLLBACK_REQUEST);
              request.put("partitionPath", partition);
              request.put("fileId", "");
              request.put("latestBaseInstant", "");
              request.put("filesToBeDeleted", paths);
              request.put("logBlocksToBeDeleted", Map.of());
              requests.add(request);
            });
    GenericData.Record record = new GenericData.Record(InstantSchemas.ROLLBACK_PLAN);
    record.put("instantToRollback", instantInfo(plan.target(), plan.action()));
    record.put("RollbackRequests", requests);
    record.put("version", 1);
    return AvroContainer.encode(record);
  }

  /**
   * Reads a plan.
   *
   * @param source name of the file, for messages
   * @throws CorruptInstantException if it is no rollback plan, or names no instant
   */
  public static RollbackPlan decodePlan(byte[] content, String source)
      throws CorruptInstantException {
    IndexedRecord record = AvroContainer.decode(content, source);
    if (!(field(record, "instantToRollback") instanceof IndexedRecord target)) {
      throw new CorruptInstantException(source + ": a rollback plan that names no instant");
    }
    Map<String, List<String>> files = new TreeMap<>();
    for (IndexedRecord request : records(field(record, "RollbackRequests"))) {
      files
          .computeIfAbsent(text(request, "partitionPath", ""), path -> new ArrayList<>())
          .addAll(texts(request, "filesToBeDeleted"));
    }
    try {
      return new RollbackPlan(
          new InstantTime(text(target, "commitTime", "")), text(target, "action", ""), files);
    } catch (IllegalArgumentException e) {
      throw new CorruptInstantException(source + ": " + e.getMessage(), e);
    }
  }

  /** Content of the completed file: the files of the plan are gone. */
  public static byte[] encodeMetadata(RollbackPlan plan, InstantTime rollbackTime) {
    return AvroContainer.encode(metadata(plan, rollbackTime));
  }

  static GenericData.Record metadata(RollbackPlan plan, InstantTime rollbackTime) {
    Map<String, IndexedRecord> partitions = new TreeMap<>();
    int deleted = 0;
    for (Map.Entry<String, List<String>> entry : plan.files().entrySet()) {
      GenericData.Record partition = new GenericData.Record(InstantSchemas.ROLLBACK_PARTITION);
      partition.put("partitionPath", entry.getKey());
      partition.put("successDeleteFiles", entry.getValue());
      partition.put("failedDeleteFiles", List.of());
      partition.put("rollbackLogFiles", Map.of());
      partition.put("logFilesFromFailedCommit", Map.of());
      partitions.put(entry.getKey(), partition);
      deleted += entry.getValue().size();
    }
    GenericData.Record record = new GenericData.Record(InstantSchemas.ROLLBACK_METADATA);
    record.put("startRollbackTime", rollbackTime.toString());
    // Unknown: a part of the work may have been done by a process that died.
    record.put("timeTakenInMillis", 0L);
    record.put("totalFilesDeleted", deleted);
    record.put("commitsRollback", List.of(plan.target().toString()));
    record.put("partitionMetadata", partitions);
    record.put("version", 1);
    record.put("instantsRollback", List.of(instantInfo(plan.target(), plan.action())));
    return record;
  }

  static IndexedRecord instantInfo(InstantTime time, String action) {
    GenericData.Record record = new GenericData.Record(InstantSchemas.INSTANT_INFO);
    record.put("commitTime", time.toString());
    record.put("action", action);
    return record;
  }
}
