package io.hudilite.source.split;

import java.io.Serializable;
import java.util.Comparator;

/**
 * A step of a read: all splits of one stage may be read at the same time, and a stage begins only
 * when all earlier ones are finished.
 *
 * @param range counts the ranges of instants that were planned one after the other, from 0
 * @param phase step inside the range, from 0: deletes before upserts
 */
public record Stage(long range, int phase) implements Comparable<Stage>, Serializable {
  private static final long serialVersionUID = 1L;
  private static final Comparator<Stage> ORDER =
      Comparator.comparingLong(Stage::range).thenComparingInt(Stage::phase);

  public Stage {
    if (range < 0 || phase < 0) {
      throw new IllegalArgumentException("Stages count from 0, got " + range + "." + phase);
    }
  }

  @Override
  public int compareTo(Stage other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return range + "." + phase;
  }
}
