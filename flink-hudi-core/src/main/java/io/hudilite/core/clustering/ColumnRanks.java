package io.hudilite.core.clustering;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Tells about how many of all rows have smaller values in a column, by a sample of them: so that
 * columns count alike on a curve whatever their values are, a flag as well as a time. Not safe for
 * use by several threads.
 */
final class ColumnRanks {
  /** Bits of a rank. */
  static final int BITS = 10;

  private static final int RANKS = 1 << BITS;
  private static final int SAMPLED = 16 * RANKS;

  private final List<byte[]> sample = new ArrayList<>();
  private final Random random = new Random(42);
  private long seen;
  private byte[][] bounds = new byte[0][];
  private int shift;

  /** Takes a value, or leaves it, so that all have the same chance. */
  void add(KeyBytes value, int from) {
    seen++;
    if (sample.size() < SAMPLED) {
      sample.add(value.copy(from));
    } else {
      long place = (long) (random.nextDouble() * seen);
      if (place < SAMPLED) {
        sample.set((int) place, value.copy(from));
      }
    }
  }

  /** All values were there. */
  void finish() {
    sample.sort(Arrays::compareUnsigned);
    List<byte[]> distinct = new ArrayList<>();
    for (byte[] value : sample) {
      if (distinct.isEmpty() || !Arrays.equals(distinct.get(distinct.size() - 1), value)) {
        distinct.add(value);
      }
    }
    if (distinct.size() > RANKS) {
      distinct.clear();
      for (int i = 0; i < RANKS; i++) {
        distinct.add(sample.get((int) ((long) i * sample.size() / RANKS)));
      }
    }
    bounds = distinct.toArray(new byte[0][]);
    // Few values take the upper bits, as those count most on a curve.
    shift = BITS - (Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, bounds.length - 1)));
    sample.clear();
  }

  /** From 0 to 2^{@link #BITS} - 1; equal values have equal ranks. */
  int of(KeyBytes value, int from) {
    int low = 0;
    int high = bounds.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      byte[] bound = bounds[middle];
      if (Arrays.compareUnsigned(bound, 0, bound.length, value.array(), from, value.size()) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return Math.min(low, Math.max(0, bounds.length - 1)) << shift;
  }
}
