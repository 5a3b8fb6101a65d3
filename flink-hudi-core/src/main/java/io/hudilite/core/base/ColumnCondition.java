package io.hudilite.core.base;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.key.ByteText;
import java.io.Serializable;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A condition over columns that is asked of ranges of values, so that rows can be left out unread.
 * Like SQL's WHERE: a row for which it is not true, but false or NULL, is not wanted. Pure.
 */
public sealed interface ColumnCondition extends Serializable {

  /** Whether a row with values in these ranges may be wanted. */
  boolean mayBeTrue(Function<String, ColumnRange> ranges);

  /**
   * What the condition says of some columns alone: true wherever the condition is. Empty if it says
   * nothing of them.
   */
  Optional<ColumnCondition> of(Predicate<String> columns);

  /** The values that a column can have where the condition is true; empty if it can have any. */
  Optional<Set<Comparable<?>>> valuesOf(String column);

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
   * A column beside a value.
   *
   * @param literal a Long or a {@link ByteText}
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

    @Override
    public Optional<ColumnCondition> of(Predicate<String> columns) {
      return columns.test(column) ? Optional.of(this) : Optional.empty();
    }

    @Override
    public Optional<Set<Comparable<?>>> valuesOf(String of) {
      return operator == Operator.EQUAL && column.equals(of)
          ? Optional.of(Set.of(literal))
          : Optional.empty();
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

    @Override
    public Optional<ColumnCondition> of(Predicate<String> columns) {
      Optional<ColumnCondition> l = left.of(columns);
      Optional<ColumnCondition> r = right.of(columns);
      return l.isPresent() && r.isPresent()
          ? Optional.of(new And(l.get(), r.get()))
          : l.or(() -> r);
    }

    @Override
    public Optional<Set<Comparable<?>>> valuesOf(String column) {
      Optional<Set<Comparable<?>>> l = left.valuesOf(column);
      Optional<Set<Comparable<?>>> r = right.valuesOf(column);
      if (l.isEmpty() || r.isEmpty()) {
        return l.or(() -> r);
      }
      Set<Comparable<?>> both = new HashSet<>(l.get());
      both.retainAll(r.get());
      return Optional.of(both);
    }
  }

  record Or(ColumnCondition left, ColumnCondition right) implements ColumnCondition {
    @Override
    public boolean mayBeTrue(Function<String, ColumnRange> ranges) {
      return left.mayBeTrue(ranges) || right.mayBeTrue(ranges);
    }

    @Override
    public Optional<ColumnCondition> of(Predicate<String> columns) {
      return left.of(columns).flatMap(l -> right.of(columns).map(r -> new Or(l, r)));
    }

    @Override
    public Optional<Set<Comparable<?>>> valuesOf(String column) {
      return left.valuesOf(column).flatMap(l -> right.valuesOf(column).map(r -> union(l, r)));
    }

    private static Set<Comparable<?>> union(Set<Comparable<?>> left, Set<Comparable<?>> right) {
      Set<Comparable<?>> either = new HashSet<>(left);
      either.addAll(right);
      return either;
    }
  }
}
