package io.hudilite.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Figures as they are told. */
final class Numbers {
  static double seconds(long nanos) {
    return round(nanos / 1e9, 3);
  }

  static double round(double value, int digits) {
    double factor = Math.pow(10, digits);
    return Math.round(value * factor) / factor;
  }

  /** The smallest value that so many of all do not exceed; null of none. */
  static Object quantile(List<Double> values, double share) {
    if (values.isEmpty()) {
      return null;
    }
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    int rank = (int) Math.ceil(share * sorted.size()) - 1;
    return Math.round(sorted.get(Math.max(0, Math.min(sorted.size() - 1, rank))));
  }

  private Numbers() {}
}
