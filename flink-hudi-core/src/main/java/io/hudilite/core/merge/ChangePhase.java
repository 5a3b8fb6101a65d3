package io.hudilite.core.merge;

/**
 * Which changes are read. A key that moves between partitions is deleted in one file group and
 * written in another; reading all deletes of a range first keeps the two in order.
 */
public enum ChangePhase {
  DELETES,
  UPSERTS,
  ALL;

  public boolean wantsDeletes() {
    return this != UPSERTS;
  }

  public boolean wantsUpserts() {
    return this != DELETES;
  }
}
