package io.hudilite.sql;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody who mistyped a name may have meant. */
final class NearestName {
  private NearestName() {}

  /**
   * The candidate with the smallest edit distance, letter case not counted; of equal ones the first
   * in alphabetical order. Empty if there are no candidates.
   */
  static Optional<String> of(String name, Collection<String> candidates) {
    return candidates.stream()
        .min(
            Comparator.comparingInt((String candidate) -> distance(name, candidate))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Like {@link #of}, but empty if more than a third of the letters would have to change. */
  static Optional<String> closeTo(String name, Collection<String> candidates) {
    return of(name, candidates)
        .filter(candidate -> distance(name, candidate) <= Math.max(1, name.length() / 3));
  }

  /**
   * Levenshtein distance of the lower-case forms: insertions, deletions and replacements of a
   * letter.
   */
  static int distance(String left, String right) {
    String a = left.toLowerCase(Locale.ROOT);
    String b = right.toLowerCase(Locale.ROOT);
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
