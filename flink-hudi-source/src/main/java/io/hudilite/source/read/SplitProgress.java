package io.hudilite.source.read;

import io.hudilite.source.split.HudiSplit;

/** A split that is being read, with the count of its emitted rows. Task thread only. */
final class SplitProgress {
  private final HudiSplit split;
  private long rowsDone;

  SplitProgress(HudiSplit split) {
    this.split = split;
    this.rowsDone = split.rowsDone();
  }

  void rowEmitted() {
    rowsDone++;
  }

  HudiSplit toSplit() {
    return split.withRowsDone(rowsDone);
  }
}
