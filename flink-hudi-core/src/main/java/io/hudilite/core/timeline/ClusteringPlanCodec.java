package io.hudilite.core.timeline;

import static io.hudilite.core.timeline.AvroContainer.field;
import static io.hudilite.core.timeline.AvroContainer.records;
import static io.hudilite.core.timeline.AvroContainer.text;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.generic.IndexedRecord;

/** Content of requested clusterings. Source: HoodieRequestedReplaceMetadata of Hudi 1.0.2. */
public final class ClusteringPlanCodec {
  private ClusteringPlanCodec() {}

  /**
   * The file groups that a clustering takes rows from; none for an overwrite, which has no plan.
   *
   * @param source name of the file, for messages
   */
  public static List<FileGroupId> decodeInputGroups(byte[] content, String source)
      throws CorruptInstantException {
    List<FileGroupId> groups = new ArrayList<>();
    if (content.length == 0) {
      return groups;
    }
    IndexedRecord record = AvroContainer.decode(content, source);
    if (field(record, "clusteringPlan") instanceof IndexedRecord plan) {
      for (IndexedRecord group : records(field(plan, "inputGroups"))) {
        for (IndexedRecord slice : records(field(group, "slices"))) {
          groups.add(
              new FileGroupId(
                  text(slice, "partitionPath", ""), new FileId(text(slice, "fileId", ""))));
        }
      }
    }
    return groups;
  }
}
