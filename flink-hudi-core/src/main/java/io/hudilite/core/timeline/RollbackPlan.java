package io.hudilite.core.timeline;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a rollback removes. Source: HoodieRollbackPlan of Hudi 1.0.2.
 *
 * @param target the instant that is rolled back
 * @param action word of its action, as in its pending file names
 * @param files the files to delete as full paths, by partition path
 */
public record RollbackPlan(InstantTime target, String action, Map<String, List<String>> files) {
  public RollbackPlan {
    requireNonNull(target, "target");
    requireNonNull(action, "action");
    Map<String, List<String>> copied = new TreeMap<>();
    files.forEach((partition, paths) -> copied.put(partition, List.copyOf(paths)));
    files = java.util.Collections.unmodifiableMap(copied);
  }
}
