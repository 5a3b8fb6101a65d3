package io.hudilite.core.timeline;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a clean did. Source: HoodieCleanMetadata of Hudi 1.0.2.
 *
 * @param start its requested time
 * @param earliestToRetain requested time, or {@code ""}
 * @param lastCompletedCommit requested time, or {@code ""}
 * @param deleted names of the files that are gone, by partition path
 * @param failed names of the files that could not be deleted, by partition path
 */
public record CleanMetadata(
    InstantTime start,
    long takenMillis,
    String earliestToRetain,
    String lastCompletedCommit,
    String policy,
    Map<String, List<String>> deleted,
    Map<String, List<String>> failed,
    Map<String, String> extra) {
  /** Key of ours in plan and metadata: partitions where old slices are still needed, by lines. */
  public static final String DEFERRED = "hudi-lite.deferred.partitions";

  public CleanMetadata {
    requireNonNull(start, "start");
    requireNonNull(earliestToRetain, "earliestToRetain");
    requireNonNull(lastCompletedCommit, "lastCompletedCommit");
    requireNonNull(policy, "policy");
    deleted = java.util.Collections.unmodifiableMap(new TreeMap<>(deleted));
    failed = java.util.Collections.unmodifiableMap(new TreeMap<>(failed));
    extra = Map.copyOf(extra);
  }

  public int deletedFiles() {
    return deleted.values().stream().mapToInt(List::size).sum();
  }

  /** The partitions where files are still there that the retention does not need. */
  public Set<String> heldPartitions() {
    String text = extra.get(DEFERRED);
    Set<String> held = new TreeSet<>();
    if (text != null) { // an empty line is the partition of a table without any
      held.addAll(List.of(text.split("\n", -1)));
    }
    failed.forEach(
        (partition, names) -> {
          if (!names.isEmpty()) {
            held.add(partition);
          }
        });
    return held;
  }
}
