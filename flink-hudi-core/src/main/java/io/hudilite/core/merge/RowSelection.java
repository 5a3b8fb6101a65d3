package io.hudilite.core.merge;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;
import java.util.Set;

/** Which rows of a merged file slice a reader returns, and with which row kinds. */
public sealed interface RowSelection {

  /** The rows that exist, as INSERT. */
  record Live() implements RowSelection {}

  /**
   * The newest version of each key, if one of the given instants wrote it: rows of base files as
   * INSERT, rows of log files as UPDATE_AFTER, deletes as DELETE.
   *
   * @param instants requested times; for rows of base files {@code _hoodie_commit_time} counts
   */
  record Changes(Set<InstantTime> instants, ChangePhase phase) implements RowSelection {
    public Changes {
      instants = Set.copyOf(instants);
      requireNonNull(phase, "phase");
    }
  }

  /** The newest version of each key, whoever wrote it; row kinds as those of {@link Changes}. */
  record Newest() implements RowSelection {}
}
