package io.hudilite.core.timeline;

import static io.hudilite.core.timeline.AvroContainer.field;
import static io.hudilite.core.timeline.AvroContainer.map;
import static io.hudilite.core.timeline.AvroContainer.number;
import static io.hudilite.core.timeline.AvroContainer.records;
import static io.hudilite.core.timeline.AvroContainer.text;
import static io.hudilite.core.timeline.AvroContainer.texts;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;

/**
 * Content of requested and completed cleans, and of savepoints. Source: Hudi 1.0.2 CleanPlanner,
 * CleanActionExecutor; plans of version 1 name files, those of version 2 full paths.
 */
public final class CleanCodec {
  private static final int VERSION = 2;

  private CleanCodec() {}

  /**
   * Writes a plan.
   *
   * @param location base path of the table, for the full paths in a plan
   */
  public static byte[] encodePlan(CleanPlan plan, String location) {
    Map<String, List<IndexedRecord>> files = new TreeMap<>();
    plan.files()
        .forEach(
            (partition, names) -> {
              List<IndexedRecord> infos = new ArrayList<>();
              for (String name : names) {
                GenericData.Record info = new GenericData.Record(InstantSchemas.CLEAN_FILE);
                info.put(
                    "filePath",
                    location + "/" + (partition.isEmpty() ? "" : partition + "/") + name);
                info.put("isBootstrapBaseFile", false);
                infos.add(info);
              }
              files.put(partition, infos);
            });
    GenericData.Record record = new GenericData.Record(InstantSchemas.CLEAN_PLAN);
    plan.earliestToRetain()
        .ifPresent(
            instant -> {
              GenericData.Record earliest = new GenericData.Record(InstantSchemas.ACTION_INSTANT);
              earliest.put("timestamp", instant.requestedTime().digits());
              earliest.put("action", instant.action().word());
              earliest.put("state", instant.isCompleted() ? "COMPLETED" : "INFLIGHT");
              record.put("earliestInstantToRetain", earliest);
            });
    record.put("lastCompletedCommitTimestamp", plan.lastCompletedCommit());
    record.put("policy", plan.policy());
    record.put("filesToBeDeletedPerPartition", Map.of());
    record.put("version", VERSION);
    record.put("filePathsToBeDeletedPerPartition", files);
    record.put("partitionsToBeDeleted", List.of());
    record.put("extraMetadata", new TreeMap<>(plan.extra()));
    return AvroContainer.encode(record);
  }

  /**
   * Reads a plan.
   *
   * @param source name of the file, for messages
   */
  public static CleanPlan decodePlan(byte[] content, String source) throws CorruptInstantException {
    IndexedRecord record = AvroContainer.decode(content, source);
    Map<String, List<String>> files = new TreeMap<>();
    map(record, "filesToBeDeletedPerPartition")
        .forEach(
            (partition, names) ->
                files
                    .computeIfAbsent(partition, path -> new ArrayList<>())
                    .addAll(texts(names).stream().map(CleanCodec::fileName).toList()));
    map(record, "filePathsToBeDeletedPerPartition")
        .forEach(
            (partition, infos) ->
                records(infos)
                    .forEach(
                        info ->
                            files
                                .computeIfAbsent(partition, path -> new ArrayList<>())
                                .add(fileName(text(info, "filePath", "")))));
    try {
      return new CleanPlan(
          field(record, "earliestInstantToRetain") instanceof IndexedRecord earliest
              ? earliest(earliest)
              : Optional.empty(),
          text(record, "lastCompletedCommitTimestamp", ""),
          text(record, "policy", ""),
          files,
          extra(record));
    } catch (IllegalArgumentException e) {
      throw new CorruptInstantException(source + ": " + e.getMessage(), e);
    }
  }

  private static Optional<Instant> earliest(IndexedRecord record) {
    String time = text(record, "timestamp", "");
    if (time.isEmpty()) {
      return Optional.empty();
    }
    Action action =
        Action.ofRequestedSuffix("." + text(record, "action", "") + ".requested")
            .orElse(Action.COMMIT);
    return Optional.of(new Instant.Inflight(new InstantTime(time), action));
  }

  public static byte[] encodeMetadata(CleanMetadata clean) {
    Map<String, IndexedRecord> partitions = new TreeMap<>();
    Set<String> paths = new TreeSet<>(clean.deleted().keySet());
    paths.addAll(clean.failed().keySet());
    for (String path : paths) {
      List<String> deleted = clean.deleted().getOrDefault(path, List.of());
      List<String> failed = clean.failed().getOrDefault(path, List.of());
      List<String> all = new ArrayList<>(deleted);
      all.addAll(failed);
      GenericData.Record partition = new GenericData.Record(InstantSchemas.CLEAN_PARTITION);
      partition.put("partitionPath", path);
      partition.put("policy", clean.policy());
      partition.put("deletePathPatterns", all);
      partition.put("successDeleteFiles", deleted);
      partition.put("failedDeleteFiles", failed);
      partition.put("isPartitionDeleted", false);
      partitions.put(path, partition);
    }
    GenericData.Record record = new GenericData.Record(InstantSchemas.CLEAN_METADATA);
    record.put("startCleanTime", clean.start().digits());
    record.put("timeTakenInMillis", clean.takenMillis());
    record.put("totalFilesDeleted", clean.deletedFiles());
    record.put("earliestCommitToRetain", clean.earliestToRetain());
    record.put("lastCompletedCommitTimestamp", clean.lastCompletedCommit());
    record.put("partitionMetadata", partitions);
    record.put("version", VERSION);
    record.put("bootstrapPartitionMetadata", Map.of());
    record.put("extraMetadata", new TreeMap<>(clean.extra()));
    return AvroContainer.encode(record);
  }

  /**
   * Reads what a clean has deleted.
   *
   * @param source name of the file, for messages
   */
  public static CleanMetadata decodeMetadata(byte[] content, String source)
      throws CorruptInstantException {
    IndexedRecord record = AvroContainer.decode(content, source);
    Map<String, List<String>> deleted = new TreeMap<>();
    Map<String, List<String>> failed = new TreeMap<>();
    String policy = "";
    for (Map.Entry<String, Object> entry : map(record, "partitionMetadata").entrySet()) {
      if (entry.getValue() instanceof IndexedRecord partition) {
        policy = text(partition, "policy", policy);
        putIfAny(deleted, entry.getKey(), texts(partition, "successDeleteFiles"));
        putIfAny(failed, entry.getKey(), texts(partition, "failedDeleteFiles"));
      }
    }
    try {
      return new CleanMetadata(
          new InstantTime(text(record, "startCleanTime", "")),
          number(record, "timeTakenInMillis", 0),
          text(record, "earliestCommitToRetain", ""),
          text(record, "lastCompletedCommitTimestamp", ""),
          policy,
          deleted,
          failed,
          extra(record));
    } catch (IllegalArgumentException e) {
      throw new CorruptInstantException(source + ": " + e.getMessage(), e);
    }
  }

  private static void putIfAny(
      Map<String, List<String>> files, String partition, List<String> paths) {
    if (!paths.isEmpty()) {
      files.put(partition, paths.stream().map(CleanCodec::fileName).toList());
    }
  }

  private static Map<String, String> extra(IndexedRecord record) {
    Map<String, String> extra = new TreeMap<>();
    map(record, "extraMetadata").forEach((key, value) -> extra.put(key, value.toString()));
    return extra;
  }

  static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
