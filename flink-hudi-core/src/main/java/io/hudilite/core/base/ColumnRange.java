package io.hudilite.core.base;

import io.hudilite.core.key.ByteText;
import javax.annotation.Nullable;

/**
 * What is known of the values of a column in some rows.
 *
 * @param min a Long or a {@link ByteText}; null if it is not known, or there are no values
 * @param max of the same class
 * @param mayHaveValues false if all values are null
 */
public record ColumnRange(
    @Nullable Comparable<?> min, @Nullable Comparable<?> max, boolean mayHaveValues) {
  /** Anything. */
  public static final ColumnRange UNKNOWN = new ColumnRange(null, null, true);

  /** Only nulls. */
  public static final ColumnRange NULLS = new ColumnRange(null, null, false);

  /** Of the rows of both; values of one class. */
  ColumnRange and(ColumnRange other) {
    if (!mayHaveValues) {
      return other;
    }
    if (!other.mayHaveValues) {
      return this;
    }
    return min == null || max == null || other.min == null || other.max == null
        ? UNKNOWN
        : new ColumnRange(least(min, other.min), greatest(max, other.max), true);
  }

  @SuppressWarnings("unchecked") // of one class, as the constructor is told
  private static int compare(Comparable<?> a, Comparable<?> b) {
    return ((Comparable<Object>) a).compareTo(b);
  }

  private static Comparable<?> least(Comparable<?> a, Comparable<?> b) {
    return compare(a, b) <= 0 ? a : b;
  }

  private static Comparable<?> greatest(Comparable<?> a, Comparable<?> b) {
    return compare(a, b) >= 0 ? a : b;
  }
}
