package io.hudilite.core.soak;

import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** The most of something in each {@value #COMMITS} commits: what grows for ever shows. */
final class Peaks {
  private static final int COMMITS = 200;

  private final TreeMap<Integer, Integer> byPart = new TreeMap<>();

  void see(int commit, int value) {
    byPart.merge(commit / COMMITS, value, Math::max);
  }

  int most() {
    return most(byPart.values());
  }

  /** The most in the second half, as a multiple of the most in the first one. */
  double growth() {
    List<Integer> peaks = List.copyOf(byPart.values());
    int half = (peaks.size() + 1) / 2;
    return (double) most(peaks.subList(half, peaks.size()))
        / Math.max(1, most(peaks.subList(0, half)));
  }

  private static int most(Collection<Integer> peaks) {
    return peaks.stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  @Override
  public String toString() {
    return byPart.values().toString();
  }
}
