package io.hudilite.core.soak;

import java.util.Map;
import java.util.TreeMap;

/** Calls of the storage that steps of a kind took on average, in the first commits and later. */
final class ServiceCosts {
  private static final int COMMITS = 200;

  private final Map<String, Map<Integer, Sum>> sums = new TreeMap<>();

  private static final class Sum {
    private long steps;
    private long calls;

    double average() {
      return (double) calls / steps;
    }
  }

  void add(String kind, int commit, long calls) {
    Sum sum =
        sums.computeIfAbsent(kind, k -> new TreeMap<>())
            .computeIfAbsent(commit / COMMITS, part -> new Sum());
    sum.steps++;
    sum.calls += calls;
  }

  /** By kind, for each {@value #COMMITS} commits. */
  Map<String, double[]> averages() {
    Map<String, double[]> averages = new TreeMap<>();
    sums.forEach(
        (kind, parts) ->
            averages.put(kind, parts.values().stream().mapToDouble(Sum::average).toArray()));
    return averages;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    averages()
        .forEach(
            (kind, values) -> {
              text.append(text.isEmpty() ? "" : "; ").append(kind);
              for (double value : values) {
                text.append(" %.0f".formatted(value));
              }
            });
    return text.toString();
  }
}
