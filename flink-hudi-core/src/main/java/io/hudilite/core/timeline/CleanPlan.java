package io.hudilite.core.timeline;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which files a clean deletes. Source: HoodieCleanerPlan of Hudi 1.0.2, plan version 2.
 *
 * @param earliestToRetain the oldest instant whose view of the table stays whole; empty by file
 *     versions
 * @param lastCompletedCommit requested time of the newest completed write when it was planned, or
 *     {@code ""}
 * @param policy word of Hudi's HoodieCleaningPolicy
 * @param files names by partition path
 * @param extra what a writer wants to find again
 */
public record CleanPlan(
    Optional<Instant> earliestToRetain,
    String lastCompletedCommit,
    String policy,
    Map<String, List<String>> files,
    Map<String, String> extra) {
  public CleanPlan {
    requireNonNull(earliestToRetain, "earliestToRetain");
    requireNonNull(lastCompletedCommit, "lastCompletedCommit");
    requireNonNull(policy, "policy");
    Map<String, List<String>> copied = new TreeMap<>();
    files.forEach((partition, names) -> copied.put(partition, List.copyOf(names)));
    files = java.util.Collections.unmodifiableMap(copied);
    extra = Map.copyOf(extra);
  }
}
