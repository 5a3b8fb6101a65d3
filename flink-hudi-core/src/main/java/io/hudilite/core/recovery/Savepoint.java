package io.hudilite.core.recovery;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.SavepointMetadata;

/**
 * A state of the table that is kept: all that had completed when one instant did.
 *
 * @param instant requested time of the write that is its newest; it names the savepoint
 * @param metadata what the savepoint says of itself
 */
public record Savepoint(InstantTime instant, SavepointMetadata metadata) {
  public Savepoint {
    requireNonNull(instant, "instant");
    requireNonNull(metadata, "metadata");
  }

  /** How many data files it keeps. */
  public int fileCount() {
    return metadata.files().values().stream().mapToInt(names -> names.size()).sum();
  }
}
