package io.hudilite.core.clustering;

/**
 * Positions on curves through a space of several numbers, as bytes that sort along the curve. Pure.
 */
final class SpaceCurve {
  private SpaceCurve() {}

  /**
   * The bits of all numbers in turns, highest first.
   *
   * @param numbers of {@code bits} bits each, not negative
   */
  static void zOrder(int[] numbers, int bits, KeyBytes out) {
    int current = 0;
    int filled = 0;
    for (int bit = bits - 1; bit >= 0; bit--) {
      for (int number : numbers) {
        current = current << 1 | (number >>> bit & 1);
        if (++filled == 8) {
          out.put(current);
          current = 0;
          filled = 0;
        }
      }
    }
    if (filled > 0) {
      out.put(current << (8 - filled));
    }
  }

  /**
   * On Hilbert's curve. Source: J. Skilling, Programming the Hilbert curve (2004).
   *
   * @param numbers of {@code bits} bits each, not negative; changed here
   */
  static void hilbert(int[] numbers, int bits, KeyBytes out) {
    int last = numbers.length - 1;
    for (int q = 1 << (bits - 1); q > 1; q >>= 1) {
      int below = q - 1;
      for (int i = 0; i <= last; i++) {
        if ((numbers[i] & q) != 0) {
          numbers[0] ^= below;
        } else {
          int swapped = (numbers[0] ^ numbers[i]) & below;
          numbers[0] ^= swapped;
          numbers[i] ^= swapped;
        }
      }
    }
    for (int i = 1; i <= last; i++) {
      numbers[i] ^= numbers[i - 1];
    }
    int turned = 0;
    for (int q = 1 << (bits - 1); q > 1; q >>= 1) {
      if ((numbers[last] & q) != 0) {
        turned ^= q - 1;
      }
    }
    for (int i = 0; i <= last; i++) {
      numbers[i] ^= turned;
    }
    zOrder(numbers, bits, out);
  }
}
