package io.hudilite.core.merge;

/**
 * The version with the greater ordering value wins, of equal ones the earlier. Source: Hudi 1.0.2
 * FirstValueAvroPayload.
 */
public final class FirstValueMerger implements RecordMerger {
  @Override
  public boolean laterWins(Version earlier, Version later) {
    if (later.isUnconditionalDelete()) {
      return true;
    }
    if (earlier.isUnconditionalDelete()) {
      return !later.isDelete();
    }
    return !earlier.isComparableTo(later) || earlier.compareOrdering(later) < 0;
  }

  @Override
  public boolean usesOrdering() {
    return true;
  }
}
