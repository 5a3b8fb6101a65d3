package io.hudilite.core.base;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.util.function.Function;

/**
 * A condition over columns that is asked of ranges of values, so that rows can be left out unread.
 * Like SQL's WHERE: a row for which it is not true, but false or NULL, is not wanted. Pure.
 */
public sealed interface ColumnCondition extends Serializable {

  /** Whether a row with values in these ranges may be wanted. */
  boolean mayBeTrue(Function<String, ColumnRange> ranges);

  /** Compares the column with the literal, the column on the left. */
  enum Operator {
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL
  }

  /**
   * @param literal a Long or a {@link ColumnRange.Text}
   */
  record Comparison(String column, Operator operator, Comparable<?> literal)
      implements ColumnCondition {
    public Comparison {
      requireNonNull(column, "column");
      requireNonNull(operator, "operator");
      requireNonNull(literal, "literal");
    }

    @Override
    public boolean mayBeTrue(Function<String, ColumnRange> ranges) {
      ColumnRange range = ranges.apply(column);
      if (!range.mayHaveValues()) {
        return false; // a comparison with NULL is not true
      }
      if (range.min() == null
          || range.max() == null
          || range.min().getClass() != literal.getClass()
          || range.max().getClass() != literal.getClass()) {
        return true;
      }
      int min = compare(range.min(), literal);
      int max = compare(range.max(), literal);
      return switch (operator) {
        case EQUAL -> min <= 0 && max >= 0;
        case NOT_EQUAL -> min != 0 || max != 0;
        case LESS -> min < 0;
        case LESS_OR_EQUAL -> min <= 0;
        case GREATER -> max > 0;
        case GREATER_OR_EQUAL -> max >= 0;
      };
    }

    @SuppressWarnings("unchecked")
    private static int compare(Comparable<?> left, Comparable<?> right) {
      return ((Comparable<Object>) left).compareTo(right);
    }
  }

  record And(ColumnCondition left, ColumnCondition right) implements ColumnCondition {
    @Override
    public boolean mayBeTrue(Function<String, ColumnRange> ranges) {
      return left.mayBeTrue(ranges) && right.mayBeTrue(ranges);
    }
  }

  record Or(ColumnCondition left, ColumnCondition right) implements ColumnCondition {
    @Override
    public boolean mayBeTrue(Function<String, ColumnRange> ranges) {
      return left.mayBeTrue(ranges) || right.mayBeTrue(ranges);
    }
  }
}
