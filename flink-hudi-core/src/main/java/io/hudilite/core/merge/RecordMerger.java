package io.hudilite.core.merge;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeMode;

/**
 * Decides which of two versions of a row counts. Pure; implementations have no state and may be
 * used by several threads.
 */
public interface RecordMerger {

  /**
   * Whether {@code later} replaces {@code earlier}.
   *
   * @param earlier the one that comes first in reading order: base file, then log files
   */
  boolean laterWins(Version earlier, Version later);

  /** Whether ordering values matter, so that readers need the ordering columns. */
  boolean usesOrdering();

  /**
   * @throws HudiTableException for {@link MergeMode#CUSTOM}, where a class of the writer decides
   */
  static RecordMerger of(MergeMode mode) {
    return switch (mode) {
      case COMMIT_TIME_ORDERING -> new CommitTimeMerger();
      case EVENT_TIME_ORDERING -> new EventTimeMerger();
      case CUSTOM ->
          throw new HudiTableException(
              "The rows of this table are merged by a class of its writer (merge mode CUSTOM),"
                  + " which cannot be run here. Set 'hoodie.record.merge.mode' of the table to"
                  + " EVENT_TIME_ORDERING or COMMIT_TIME_ORDERING, if one of them tells how its"
                  + " rows are to be merged.");
    };
  }
}
