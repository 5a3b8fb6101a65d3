package io.hudilite.core.base;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;

/**
 * What the statistics of files tell of a column.
 *
 * @param range of its values
 * @param nulls how many rows have none; empty if that is not known
 */
public record ColumnSummary(ColumnRange range, OptionalLong nulls) {
  public static final ColumnSummary UNKNOWN =
      new ColumnSummary(ColumnRange.UNKNOWN, OptionalLong.empty());

  public ColumnSummary {
    requireNonNull(range, "range");
    requireNonNull(nulls, "nulls");
  }

  /** Of the rows of both. */
  public ColumnSummary and(ColumnSummary other) {
    return new ColumnSummary(
        range.and(other.range),
        nulls.isPresent() && other.nulls.isPresent()
            ? OptionalLong.of(nulls.getAsLong() + other.nulls.getAsLong())
            : OptionalLong.empty());
  }
}
