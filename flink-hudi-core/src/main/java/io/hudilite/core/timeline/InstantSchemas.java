package io.hudilite.core.timeline;

import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.SchemaBuilder.FieldAssembler;

/**
 * Avro schemas of the instant files that are written here. Names and types as in Hudi 1.0.2
 * (namespace {@code org.apache.hudi.avro.model}): readers resolve them by full name.
 */
final class InstantSchemas {
  private static final String NAMESPACE = "org.apache.hudi.avro.model";

  private static final Schema STRING = Schema.create(Schema.Type.STRING);
  private static final Schema LONG = Schema.create(Schema.Type.LONG);
  private static final Schema INT = Schema.create(Schema.Type.INT);
  private static final Schema BOOLEAN = Schema.create(Schema.Type.BOOLEAN);
  private static final Schema DOUBLE = Schema.create(Schema.Type.DOUBLE);

  static final Schema WRITE_STAT = writeStat();
  static final Schema COMMIT_METADATA = commitMetadata("HoodieCommitMetadata").endRecord();
  static final Schema REPLACE_COMMIT_METADATA =
      nullable(
              commitMetadata("HoodieReplaceCommitMetadata"),
              "partitionToReplaceFileIds",
              Schema.createMap(Schema.createArray(STRING)))
          .endRecord();

  static final Schema COMPACTION_OPERATION = compactionOperation();
  static final Schema COMPACTION_STRATEGY = compactionStrategy();
  static final Schema COMPACTION_PLAN = compactionPlan();

  static final Schema CLUSTERING_SLICE = clusteringSlice();
  static final Schema CLUSTERING_GROUP = clusteringGroup();
  static final Schema CLUSTERING_STRATEGY = clusteringStrategy();
  static final Schema CLUSTERING_PLAN = clusteringPlan();
  static final Schema REQUESTED_REPLACE = requestedReplace();

  static final Schema INSTANT_INFO =
      record("HoodieInstantInfo").requiredString("commitTime").requiredString("action").endRecord();
  static final Schema ROLLBACK_REQUEST = rollbackRequest();
  static final Schema ROLLBACK_PLAN = rollbackPlan();
  static final Schema ROLLBACK_PARTITION = rollbackPartition();
  static final Schema ROLLBACK_METADATA = rollbackMetadata();

  static final Schema SAVEPOINT_PARTITION = savepointPartition();
  static final Schema SAVEPOINT_METADATA = savepointMetadata();
  static final Schema RESTORE_PLAN = restorePlan();
  static final Schema RESTORE_METADATA = restoreMetadata();

  static final Schema ACTION_INSTANT =
      record("HoodieActionInstant")
          .requiredString("timestamp")
          .requiredString("action")
          .requiredString("state")
          .endRecord();
  static final Schema CLEAN_FILE = cleanFile();
  static final Schema CLEAN_PLAN = cleanPlan();
  static final Schema CLEAN_PARTITION = cleanPartition();
  static final Schema CLEAN_METADATA = cleanMetadata();

  private InstantSchemas() {}

  private static FieldAssembler<Schema> record(String name) {
    return SchemaBuilder.record(name).namespace(NAMESPACE).fields();
  }

  private static FieldAssembler<Schema> nullable(
      FieldAssembler<Schema> fields, String name, Schema type) {
    return fields
        .name(name)
        .type(Schema.createUnion(Schema.create(Schema.Type.NULL), type))
        .withDefault(null);
  }

  /** Hudi's {@code version} fields: {@code [int, null]}, 1 by default. */
  private static FieldAssembler<Schema> version(FieldAssembler<Schema> fields) {
    return fields
        .name("version")
        .type(Schema.createUnion(INT, Schema.create(Schema.Type.NULL)))
        .withDefault(1);
  }

  private static Schema writeStat() {
    FieldAssembler<Schema> fields = record("HoodieWriteStat");
    nullable(fields, "fileId", STRING);
    nullable(fields, "path", STRING);
    nullable(fields, "prevCommit", STRING);
    nullable(fields, "numWrites", LONG);
    nullable(fields, "numDeletes", LONG);
    nullable(fields, "numUpdateWrites", LONG);
    nullable(fields, "totalWriteBytes", LONG);
    nullable(fields, "totalWriteErrors", LONG);
    nullable(fields, "partitionPath", STRING);
    nullable(fields, "totalLogRecords", LONG);
    nullable(fields, "totalLogFiles", LONG);
    nullable(fields, "totalUpdatedRecordsCompacted", LONG);
    nullable(fields, "numInserts", LONG);
    nullable(fields, "totalLogBlocks", LONG);
    nullable(fields, "totalCorruptLogBlock", LONG);
    nullable(fields, "totalRollbackBlocks", LONG);
    nullable(fields, "fileSizeInBytes", LONG);
    nullable(fields, "logVersion", INT);
    nullable(fields, "logOffset", LONG);
    nullable(fields, "baseFile", STRING);
    nullable(fields, "logFiles", Schema.createArray(STRING));
    nullable(fields, "cdcStats", Schema.createMap(LONG));
    nullable(fields, "prevBaseFile", STRING);
    nullable(fields, "minEventTime", LONG);
    nullable(fields, "maxEventTime", LONG);
    FieldAssembler<Schema> runtime = record("HoodieRuntimeStats");
    nullable(runtime, "totalScanTime", LONG);
    nullable(runtime, "totalCreateTime", LONG);
    nullable(runtime, "totalUpsertTime", LONG);
    nullable(fields, "runtimeStats", runtime.endRecord());
    nullable(fields, "totalLogFilesCompacted", LONG);
    nullable(fields, "totalLogReadTimeMs", LONG);
    nullable(fields, "totalLogSizeCompacted", LONG);
    nullable(fields, "tempPath", STRING);
    nullable(fields, "numUpdates", LONG);
    return fields.endRecord();
  }

  private static FieldAssembler<Schema> commitMetadata(String name) {
    FieldAssembler<Schema> fields = record(name);
    nullable(fields, "partitionToWriteStats", Schema.createMap(Schema.createArray(WRITE_STAT)));
    nullable(fields, "compacted", BOOLEAN);
    nullable(fields, "extraMetadata", Schema.createMap(STRING));
    version(fields);
    nullable(fields, "operationType", STRING);
    return fields;
  }

  private static Schema compactionOperation() {
    FieldAssembler<Schema> fields = record("HoodieCompactionOperation");
    Schema nullableString = Schema.createUnion(Schema.create(Schema.Type.NULL), STRING);
    fields.name("baseInstantTime").type(nullableString).noDefault();
    nullable(fields, "deltaFilePaths", Schema.createArray(STRING));
    nullable(fields, "dataFilePath", STRING);
    fields.name("fileId").type(nullableString).noDefault();
    nullable(fields, "partitionPath", STRING);
    nullable(fields, "metrics", Schema.createMap(DOUBLE));
    nullable(fields, "bootstrapFilePath", STRING);
    return fields.endRecord();
  }

  private static Schema compactionStrategy() {
    FieldAssembler<Schema> fields = record("HoodieCompactionStrategy");
    nullable(fields, "compactorClassName", STRING);
    nullable(fields, "strategyParams", Schema.createMap(STRING));
    return version(fields).endRecord();
  }

  private static Schema compactionPlan() {
    FieldAssembler<Schema> fields = record("HoodieCompactionPlan");
    nullable(fields, "operations", Schema.createArray(COMPACTION_OPERATION));
    nullable(fields, "extraMetadata", Schema.createMap(STRING));
    version(fields);
    nullable(fields, "strategy", COMPACTION_STRATEGY);
    fields
        .name("preserveHoodieMetadata")
        .type(Schema.createUnion(BOOLEAN, Schema.create(Schema.Type.NULL)))
        .withDefault(false);
    nullable(fields, "missingSchedulePartitions", Schema.createArray(STRING));
    return fields.endRecord();
  }

  private static Schema clusteringSlice() {
    FieldAssembler<Schema> fields = record("HoodieSliceInfo");
    nullable(fields, "dataFilePath", STRING);
    nullable(fields, "deltaFilePaths", Schema.createArray(STRING));
    fields
        .name("fileId")
        .type(Schema.createUnion(Schema.create(Schema.Type.NULL), STRING))
        .noDefault();
    nullable(fields, "partitionPath", STRING);
    nullable(fields, "bootstrapFilePath", STRING);
    return version(fields).endRecord();
  }

  private static Schema clusteringGroup() {
    FieldAssembler<Schema> fields = record("HoodieClusteringGroup");
    nullable(fields, "slices", Schema.createArray(CLUSTERING_SLICE));
    nullable(fields, "metrics", Schema.createMap(DOUBLE));
    fields
        .name("numOutputFileGroups")
        .type(Schema.createUnion(INT, Schema.create(Schema.Type.NULL)))
        .withDefault(1);
    nullable(fields, "extraMetadata", Schema.createMap(STRING));
    return version(fields).endRecord();
  }

  private static Schema clusteringStrategy() {
    FieldAssembler<Schema> fields = record("HoodieClusteringStrategy");
    nullable(fields, "strategyClassName", STRING);
    nullable(fields, "strategyParams", Schema.createMap(STRING));
    return version(fields).endRecord();
  }

  private static Schema clusteringPlan() {
    FieldAssembler<Schema> fields = record("HoodieClusteringPlan");
    nullable(fields, "inputGroups", Schema.createArray(CLUSTERING_GROUP));
    nullable(fields, "strategy", CLUSTERING_STRATEGY);
    nullable(fields, "extraMetadata", Schema.createMap(STRING));
    version(fields);
    nullable(fields, "preserveHoodieMetadata", BOOLEAN);
    nullable(fields, "missingSchedulePartitions", Schema.createArray(STRING));
    return fields.endRecord();
  }

  private static Schema requestedReplace() {
    FieldAssembler<Schema> fields = record("HoodieRequestedReplaceMetadata");
    nullable(fields, "operationType", STRING);
    nullable(fields, "clusteringPlan", CLUSTERING_PLAN);
    nullable(fields, "extraMetadata", Schema.createMap(STRING));
    return version(fields).endRecord();
  }

  private static Schema rollbackRequest() {
    FieldAssembler<Schema> fields = record("HoodieRollbackRequest").requiredString("partitionPath");
    nullable(fields, "fileId", STRING);
    nullable(fields, "latestBaseInstant", STRING);
    fields
        .name("filesToBeDeleted")
        .type(Schema.createArray(STRING))
        .withDefault(java.util.List.of());
    nullable(fields, "logBlocksToBeDeleted", Schema.createMap(LONG));
    return fields.endRecord();
  }

  private static Schema rollbackPlan() {
    FieldAssembler<Schema> fields = record("HoodieRollbackPlan");
    nullable(fields, "instantToRollback", INSTANT_INFO);
    nullable(fields, "RollbackRequests", Schema.createArray(ROLLBACK_REQUEST));
    return version(fields).endRecord();
  }

  private static Schema rollbackPartition() {
    FieldAssembler<Schema> fields =
        record("HoodieRollbackPartitionMetadata").requiredString("partitionPath");
    fields.name("successDeleteFiles").type(Schema.createArray(STRING)).noDefault();
    fields.name("failedDeleteFiles").type(Schema.createArray(STRING)).noDefault();
    nullable(fields, "rollbackLogFiles", Schema.createMap(LONG));
    nullable(fields, "logFilesFromFailedCommit", Schema.createMap(LONG));
    return fields.endRecord();
  }

  private static Schema rollbackMetadata() {
    FieldAssembler<Schema> fields =
        record("HoodieRollbackMetadata")
            .requiredString("startRollbackTime")
            .requiredLong("timeTakenInMillis")
            .requiredInt("totalFilesDeleted");
    fields.name("commitsRollback").type(Schema.createArray(STRING)).noDefault();
    fields.name("partitionMetadata").type(Schema.createMap(ROLLBACK_PARTITION)).noDefault();
    version(fields);
    fields
        .name("instantsRollback")
        .type(Schema.createArray(INSTANT_INFO))
        .withDefault(java.util.List.of());
    return fields.endRecord();
  }

  private static Schema savepointPartition() {
    FieldAssembler<Schema> fields =
        record("HoodieSavepointPartitionMetadata").requiredString("partitionPath");
    fields.name("savepointDataFile").type(Schema.createArray(STRING)).noDefault();
    return fields.endRecord();
  }

  private static Schema savepointMetadata() {
    FieldAssembler<Schema> fields =
        record("HoodieSavepointMetadata")
            .requiredString("savepointedBy")
            .requiredLong("savepointedAt")
            .requiredString("comments");
    fields.name("partitionMetadata").type(Schema.createMap(SAVEPOINT_PARTITION)).noDefault();
    return version(fields).endRecord();
  }

  private static Schema restorePlan() {
    FieldAssembler<Schema> fields = record("HoodieRestorePlan");
    fields
        .name("instantsToRollback")
        .type(Schema.createArray(INSTANT_INFO))
        .withDefault(java.util.List.of());
    fields
        .name("version")
        .type(Schema.createUnion(INT, Schema.create(Schema.Type.NULL)))
        .withDefault(2);
    nullable(fields, "savepointToRestoreTimestamp", STRING);
    return fields.endRecord();
  }

  private static Schema restoreMetadata() {
    FieldAssembler<Schema> fields =
        record("HoodieRestoreMetadata")
            .requiredString("startRestoreTime")
            .requiredLong("timeTakenInMillis");
    fields.name("instantsToRollback").type(Schema.createArray(STRING)).noDefault();
    Schema nullableRollback =
        Schema.createUnion(Schema.create(Schema.Type.NULL), ROLLBACK_METADATA);
    fields
        .name("hoodieRestoreMetadata")
        .type(Schema.createMap(Schema.createArray(nullableRollback)))
        .noDefault();
    version(fields);
    fields
        .name("restoreInstantInfo")
        .type(Schema.createArray(INSTANT_INFO))
        .withDefault(java.util.List.of());
    return fields.endRecord();
  }

  private static Schema cleanFile() {
    FieldAssembler<Schema> fields = record("HoodieCleanFileInfo");
    nullable(fields, "filePath", STRING);
    nullable(fields, "isBootstrapBaseFile", BOOLEAN);
    return fields.endRecord();
  }

  private static Schema cleanPlan() {
    FieldAssembler<Schema> fields = record("HoodieCleanerPlan");
    nullable(fields, "earliestInstantToRetain", ACTION_INSTANT);
    fields.name("lastCompletedCommitTimestamp").type(STRING).withDefault("");
    fields.requiredString("policy");
    nullable(fields, "filesToBeDeletedPerPartition", Schema.createMap(Schema.createArray(STRING)));
    version(fields);
    nullable(
        fields,
        "filePathsToBeDeletedPerPartition",
        Schema.createMap(Schema.createArray(CLEAN_FILE)));
    nullable(fields, "partitionsToBeDeleted", Schema.createArray(STRING));
    nullable(fields, "extraMetadata", Schema.createMap(STRING));
    return fields.endRecord();
  }

  private static Schema cleanPartition() {
    FieldAssembler<Schema> fields =
        record("HoodieCleanPartitionMetadata")
            .requiredString("partitionPath")
            .requiredString("policy");
    fields.name("deletePathPatterns").type(Schema.createArray(STRING)).noDefault();
    fields.name("successDeleteFiles").type(Schema.createArray(STRING)).noDefault();
    fields.name("failedDeleteFiles").type(Schema.createArray(STRING)).noDefault();
    nullable(fields, "isPartitionDeleted", BOOLEAN);
    return fields.endRecord();
  }

  private static Schema cleanMetadata() {
    FieldAssembler<Schema> fields =
        record("HoodieCleanMetadata")
            .requiredString("startCleanTime")
            .requiredLong("timeTakenInMillis")
            .requiredInt("totalFilesDeleted")
            .requiredString("earliestCommitToRetain");
    fields.name("lastCompletedCommitTimestamp").type(STRING).withDefault("");
    fields.name("partitionMetadata").type(Schema.createMap(CLEAN_PARTITION)).noDefault();
    version(fields);
    nullable(fields, "bootstrapPartitionMetadata", Schema.createMap(CLEAN_PARTITION));
    nullable(fields, "extraMetadata", Schema.createMap(STRING));
    return fields.endRecord();
  }
}
