package io.hudilite.core.merge;

/** The later version wins, deletes included. */
public final class CommitTimeMerger implements RecordMerger {
  @Override
  public boolean laterWins(Version earlier, Version later) {
    return true;
  }

  @Override
  public boolean usesOrdering() {
    return false;
  }
}
