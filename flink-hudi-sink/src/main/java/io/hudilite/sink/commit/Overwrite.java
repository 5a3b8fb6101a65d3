package io.hudilite.sink.commit;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileSlice;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What of the table a write takes the place of.
 *
 * @param scope which partitions
 * @param partitionPath for {@link Scope#PARTITION}: of the partition, or of the folder of several;
 *     else {@code ""}
 */
public record Overwrite(Scope scope, String partitionPath) implements Serializable {

  /** Which partitions are replaced. */
  public enum Scope {
    /** None: rows are added or merged. */
    NOTHING,
    /** All. */
    TABLE,
    /** Those that get rows. */
    WRITTEN_PARTITIONS,
    /** One that is named, or all below it, also if they get no rows. */
    PARTITION
  }

  public static final Overwrite NOTHING = new Overwrite(Scope.NOTHING, "");

  public Overwrite {
    requireNonNull(scope, "scope");
    requireNonNull(partitionPath, "partitionPath");
  }

  public boolean isNothing() {
    return scope == Scope.NOTHING;
  }

  /**
   * The file groups that are replaced, by partition path.
   *
   * @param written by the instant that replaces them
   */
  public Map<String, List<String>> replacedGroups(HudiTable table, List<WriteStat> written)
      throws IOException {
    if (isNothing()) {
      return Map.of();
    }
    Set<String> own = new HashSet<>();
    Set<String> ownPartitions = new HashSet<>();
    for (WriteStat stat : written) {
      own.add(stat.fileId());
      ownPartitions.add(stat.partitionPath());
    }
    Map<String, List<String>> replaced = new TreeMap<>();
    for (String partition : table.view().partitions()) {
      if (!covers(partition, ownPartitions)) {
        continue;
      }
      List<String> ids = new ArrayList<>();
      for (FileSlice slice : table.view().latestSlices(partition)) {
        String id = slice.groupId().fileId().value();
        if (!own.contains(id)) {
          ids.add(id);
        }
      }
      if (!ids.isEmpty()) {
        replaced.put(partition, ids);
      }
    }
    return replaced;
  }

  private boolean covers(String partition, Set<String> written) {
    return switch (scope) {
      case NOTHING -> false;
      case TABLE -> true;
      case WRITTEN_PARTITIONS -> written.contains(partition);
      case PARTITION ->
          partition.equals(partitionPath) || partition.startsWith(partitionPath + "/");
    };
  }
}
