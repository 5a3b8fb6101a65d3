package io.hudilite.core.testkit;

import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.merge.Version;

/** A user's class that makes one row of all versions of a key, in the order in which they came. */
public abstract class CombiningMerger implements RecordMerger {
  @Override
  public final boolean laterWins(Version earlier, Version later) {
    return true;
  }

  @Override
  public final boolean usesOrdering() {
    return false;
  }

  @Override
  public final RecordMerger.Combination combination() {
    return RecordMerger.Combination.WHOLE_ROWS;
  }
}
