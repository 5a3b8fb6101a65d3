package io.hudilite.core.timeline;

import static io.hudilite.core.timeline.AvroContainer.field;
import static io.hudilite.core.timeline.AvroContainer.records;
import static io.hudilite.core.timeline.AvroContainer.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;

/** Content of requested and completed restores. Source: Hudi 1.0.2 BaseRestoreActionExecutor. */
public final class RestoreCodec {
  private static final int PLAN_VERSION = 2;

  private RestoreCodec() {}

  public static byte[] encodePlan(RestorePlan plan) {
    GenericData.Record record = new GenericData.Record(InstantSchemas.RESTORE_PLAN);
    record.put("instantsToRollback", infos(plan));
    record.put("version", PLAN_VERSION);
    if (!plan.savepoint().isEmpty()) {
      record.put("savepointToRestoreTimestamp", plan.savepoint());
    }
    return AvroContainer.encode(record);
  }

  /**
   * Reads a plan.
   *
   * @param source name of the file, for messages
   */
  public static RestorePlan decodePlan(byte[] content, String source)
      throws CorruptInstantException {
    IndexedRecord record = AvroContainer.decode(content, source);
    List<RestorePlan.Target> targets = new ArrayList<>();
    try {
      for (IndexedRecord info : records(field(record, "instantsToRollback"))) {
        targets.add(
            new RestorePlan.Target(
                new InstantTime(text(info, "commitTime", "")), text(info, "action", "")));
      }
    } catch (IllegalArgumentException e) {
      throw new CorruptInstantException(source + ": " + e.getMessage(), e);
    }
    return new RestorePlan(text(record, "savepointToRestoreTimestamp", ""), targets);
  }

  /**
   * Content of the completed file.
   *
   * @param removed what was taken back, with its files as full paths
   */
  public static byte[] encodeMetadata(
      RestorePlan plan, InstantTime restoreTime, long takenMillis, List<RollbackPlan> removed) {
    Map<String, List<IndexedRecord>> rollbacks = new TreeMap<>();
    for (RollbackPlan one : removed) {
      rollbacks.put(one.target().digits(), List.of(RollbackCodec.metadata(one, restoreTime)));
    }
    GenericData.Record record = new GenericData.Record(InstantSchemas.RESTORE_METADATA);
    record.put("startRestoreTime", restoreTime.digits());
    record.put("timeTakenInMillis", takenMillis);
    record.put(
        "instantsToRollback",
        plan.targets().stream().map(target -> target.instant().digits()).toList());
    record.put("hoodieRestoreMetadata", rollbacks);
    record.put("version", 1);
    record.put("restoreInstantInfo", infos(plan));
    return AvroContainer.encode(record);
  }

  private static List<IndexedRecord> infos(RestorePlan plan) {
    return plan.targets().stream()
        .map(target -> RollbackCodec.instantInfo(target.instant(), target.action()))
        .toList();
  }
}
