package io.hudilite.core.merge;

/**
 * The version with the greater ordering value wins, of equal ones the later. A delete without an
 * ordering value wins over every version before it, and every row after it wins over the delete. If
 * the values are of different kinds, the later version wins. Source: Hudi 1.1 BufferedRecordMerger
 * (1.0.2 compares a delete without ordering as int 0 and then fails on other kinds).
 */
public final class EventTimeMerger implements RecordMerger {
  @Override
  public boolean laterWins(Version earlier, Version later) {
    if (later.isUnconditionalDelete()) {
      return true;
    }
    if (earlier.isUnconditionalDelete()) {
      return !later.isDelete();
    }
    return !earlier.isComparableTo(later) || earlier.compareOrdering(later) <= 0;
  }

  @Override
  public boolean usesOrdering() {
    return true;
  }
}
