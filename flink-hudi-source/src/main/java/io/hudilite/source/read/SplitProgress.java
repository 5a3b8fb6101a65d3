package io.hudilite.source.read;

import io.hudilite.source.split.HudiSplit;
import io.hudilite.source.split.Turn;

/** A split that is being read, with the count of its emitted rows. Task thread only. */
final class SplitProgress {
  private final HudiSplit split;
  private long rowsDone;

  SplitProgress(HudiSplit split) {
    this.split = split;
    this.rowsDone = split.rowsDone();
  }

  Turn turn() {
    return split.turn();
  }

  void rowEmitted() {
    rowsDone++;
  }

  /** What the rows of the split that a former reader emitted made. */
  long formerWatermarkMillis() {
    return split.progress().watermarkMillis();
  }

  /**
   * @param watermarkMillis what all rows of this reader so far make
   */
  HudiSplit toSplit(long watermarkMillis) {
    return split.withProgress(
        new HudiSplit.Progress(rowsDone, Math.max(watermarkMillis, formerWatermarkMillis())));
  }
}
