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
import java.util.TreeMap;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;

/** Content of requested clusterings. Source: HoodieRequestedReplaceMetadata of Hudi 1.0.2. */
public final class ClusteringPlanCodec {
  private ClusteringPlanCodec() {}

  public static byte[] encode(ClusteringPlan plan) {
    List<IndexedRecord> groups = new ArrayList<>();
    for (ClusteringPlan.Group group : plan.groups()) {
      List<IndexedRecord> slices = new ArrayList<>();
      for (ClusteringPlan.Slice slice : group.slices()) {
        GenericData.Record record = new GenericData.Record(InstantSchemas.CLUSTERING_SLICE);
        record.put("dataFilePath", slice.dataFile());
        record.put("deltaFilePaths", slice.logFiles());
        record.put("fileId", slice.fileId());
        record.put("partitionPath", slice.partitionPath());
        record.put("version", 1);
        slices.add(record);
      }
      GenericData.Record record = new GenericData.Record(InstantSchemas.CLUSTERING_GROUP);
      record.put("slices", slices);
      record.put("metrics", new TreeMap<>(group.metrics()));
      record.put("numOutputFileGroups", group.outputGroups());
      record.put("version", 1);
      groups.add(record);
    }
    GenericData.Record strategy = new GenericData.Record(InstantSchemas.CLUSTERING_STRATEGY);
    strategy.put("strategyClassName", plan.executionClass());
    strategy.put("strategyParams", new TreeMap<>(plan.parameters()));
    strategy.put("version", 1);
    GenericData.Record body = new GenericData.Record(InstantSchemas.CLUSTERING_PLAN);
    body.put("inputGroups", groups);
    body.put("strategy", strategy);
    body.put("extraMetadata", Map.of());
    body.put("version", 1);
    body.put("preserveHoodieMetadata", true);
    GenericData.Record record = new GenericData.Record(InstantSchemas.REQUESTED_REPLACE);
    record.put("operationType", CommitMetadata.CLUSTER);
    record.put("clusteringPlan", body);
    record.put("extraMetadata", Map.of());
    record.put("version", 1);
    return AvroContainer.encode(record);
  }

  /**
   * The plan; one without groups for an overwrite.
   *
   * @param source name of the file, for messages
   */
  public static ClusteringPlan decode(byte[] content, String source)
      throws CorruptInstantException {
    if (content.length == 0) {
      return ClusteringPlan.NONE;
    }
    IndexedRecord record = AvroContainer.decode(content, source);
    if (!(field(record, "clusteringPlan") instanceof IndexedRecord plan)) {
      return ClusteringPlan.NONE;
    }
    List<ClusteringPlan.Group> groups = new ArrayList<>();
    for (IndexedRecord group : records(field(plan, "inputGroups"))) {
      List<ClusteringPlan.Slice> slices = new ArrayList<>();
      for (IndexedRecord slice : records(field(group, "slices"))) {
        slices.add(
            new ClusteringPlan.Slice(
                text(slice, "partitionPath", ""),
                text(slice, "fileId", ""),
                text(slice, "dataFilePath", ""),
                texts(slice, "deltaFilePaths")));
      }
      Map<String, Double> metrics = new TreeMap<>();
      map(group, "metrics")
          .forEach((name, value) -> metrics.put(name, ((Number) value).doubleValue()));
      groups.add(
          new ClusteringPlan.Group(slices, (int) number(group, "numOutputFileGroups", 1), metrics));
    }
    String executionClass = "";
    Map<String, String> parameters = new TreeMap<>();
    if (field(plan, "strategy") instanceof IndexedRecord strategy) {
      executionClass = text(strategy, "strategyClassName", "");
      map(strategy, "strategyParams")
          .forEach((key, value) -> parameters.put(key, value.toString()));
    }
    return new ClusteringPlan(groups, executionClass, parameters);
  }
}
