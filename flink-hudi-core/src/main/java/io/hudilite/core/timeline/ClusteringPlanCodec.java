package io.hudilite.core.timeline;

import static io.hudilite.core.timeline.AvroContainer.field;
import static io.hudilite.core.timeline.AvroContainer.records;
import static io.hudilite.core.timeline.AvroContainer.text;

import java.util.ArrayList;
import java.util.List;
import org.apache.avro.generic.IndexedRecord;

/** Content of requested clusterings. Source: HoodieRequestedReplaceMetadata of Hudi 1.0.2. */
public final class ClusteringPlanCodec {
  private ClusteringPlanCodec() {}

  /** A file group that is clustered. */
  public record InputGroup(String partitionPath, String fileId) {}

  /**
   * The file groups that a clustering takes rows from; none for an overwrite, which has no plan.
   *
   * @param source name of the file, for messages
   */
  public static List<InputGroup> decodeInputGroups(byte[] content, String source)
      throws CorruptInstantException {
    List<InputGroup> groups = new ArrayList<>();
    if (content.length == 0) {
      return groups;
    }
    IndexedRecord record = AvroContainer.decode(content, source);
    if (field(record, "clusteringPlan") instanceof IndexedRecord plan) {
      for (IndexedRecord group : records(field(plan, "inputGroups"))) {
        for (IndexedRecord slice : records(field(group, "slices"))) {
          groups.add(new InputGroup(text(slice, "partitionPath", ""), text(slice, "fileId", "")));
        }
      }
    }
    return groups;
  }
}
