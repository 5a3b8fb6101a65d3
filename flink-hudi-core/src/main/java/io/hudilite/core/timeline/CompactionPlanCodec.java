package io.hudilite.core.timeline;

import static io.hudilite.core.timeline.AvroContainer.field;
import static io.hudilite.core.timeline.AvroContainer.map;
import static io.hudilite.core.timeline.AvroContainer.records;
import static io.hudilite.core.timeline.AvroContainer.text;
import static io.hudilite.core.timeline.AvroContainer.texts;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;

/**
 * Content of requested compactions. Written as plan version 2, whose paths are file names; the full
 * paths of version 1 are cut to names. Source: Hudi 1.0.2 CompactionUtils.
 */
public final class CompactionPlanCodec {
  private static final int PLAN_VERSION = 2;

  private CompactionPlanCodec() {}

  public static byte[] encode(CompactionPlan plan) {
    List<IndexedRecord> operations = new ArrayList<>();
    for (CompactionPlan.Operation operation : plan.operations()) {
      GenericData.Record record = new GenericData.Record(InstantSchemas.COMPACTION_OPERATION);
      record.put("baseInstantTime", operation.baseInstant());
      record.put("deltaFilePaths", operation.logFileNames());
      if (!operation.dataFileName().isEmpty()) {
        record.put("dataFilePath", operation.dataFileName());
      }
      record.put("fileId", operation.fileId());
      record.put("partitionPath", operation.partitionPath());
      record.put("metrics", new TreeMap<>(operation.metrics()));
      operations.add(record);
    }
    GenericData.Record record = new GenericData.Record(InstantSchemas.COMPACTION_PLAN);
    record.put("operations", operations);
    record.put("extraMetadata", Map.of());
    record.put("version", PLAN_VERSION);
    record.put("preserveHoodieMetadata", false);
    record.put("missingSchedulePartitions", List.of());
    return AvroContainer.encode(record);
  }

  /**
   * Reads a plan.
   *
   * @param source name of the file, for messages
   */
  public static CompactionPlan decode(byte[] content, String source)
      throws CorruptInstantException {
    List<CompactionPlan.Operation> operations = new ArrayList<>();
    for (IndexedRecord operation :
        records(field(AvroContainer.decode(content, source), "operations"))) {
      Map<String, Double> metrics = new TreeMap<>();
      map(operation, "metrics")
          .forEach((name, value) -> metrics.put(name, ((Number) value).doubleValue()));
      operations.add(
          new CompactionPlan.Operation(
              text(operation, "partitionPath", ""),
              text(operation, "fileId", ""),
              text(operation, "baseInstantTime", ""),
              fileName(text(operation, "dataFilePath", "")),
              texts(operation, "deltaFilePaths").stream()
                  .map(CompactionPlanCodec::fileName)
                  .toList(),
              metrics));
    }
    return new CompactionPlan(operations);
  }

  private static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
