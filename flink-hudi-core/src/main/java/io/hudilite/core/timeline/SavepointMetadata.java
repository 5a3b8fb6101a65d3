package io.hudilite.core.timeline;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a savepoint says. Source: HoodieSavepointMetadata of Hudi 1.0.2.
 *
 * @param by who made it
 * @param atMillis when it was made, in epoch milliseconds
 * @param comment what for
 * @param files names of all data files of the table at the savepoint, by partition path
 */
public record SavepointMetadata(
    String by, long atMillis, String comment, Map<String, List<String>> files) {
  public SavepointMetadata {
    requireNonNull(by, "by");
    requireNonNull(comment, "comment");
    Map<String, List<String>> copied = new TreeMap<>();
    files.forEach((partition, names) -> copied.put(partition, List.copyOf(names)));
    files = Collections.unmodifiableMap(copied);
  }
}
