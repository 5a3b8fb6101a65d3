package io.hudilite.sql;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import javax.annotation.Nullable;

/**
 * A condition over partition columns, asked without knowing all values: a folder name does not
 * always tell. The answer is the set of outcomes that SQL's three-valued logic may have, so a
 * partition can be left out only if TRUE is not among them.
 */
sealed interface PartitionCondition extends Serializable {
  int TRUE = 1;
  int FALSE = 2;
  int NULL = 4;
  int ANYTHING = TRUE | FALSE | NULL;

  /** The possible outcomes, as a set of bits, if the columns have these values. */
  int outcomes(List<PartitionValue> values);

  /** What is known of the value of one partition column. */
  sealed interface PartitionValue {
    /**
     * @param value a String, Long (also epoch days) or Boolean, or null for SQL's NULL
     */
    record Known(@Nullable Comparable<?> value) implements PartitionValue {}

    /** NULL or the empty string: both lie in the default partition. */
    record NullOrEmpty() implements PartitionValue {}

    record Unknown() implements PartitionValue {}
  }

  enum Operator {
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL;

    boolean holds(int order) {
      return switch (this) {
        case EQUAL -> order == 0;
        case NOT_EQUAL -> order != 0;
        case LESS -> order < 0;
        case LESS_OR_EQUAL -> order <= 0;
        case GREATER -> order > 0;
        case GREATER_OR_EQUAL -> order >= 0;
      };
    }

    /** The operator that gives the same with its sides exchanged. */
    Operator turned() {
      return switch (this) {
        case EQUAL, NOT_EQUAL -> this;
        case LESS -> GREATER;
        case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
        case GREATER -> LESS;
        case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
      };
    }
  }

  /**
   * @param column index among the partition columns
   * @param literal of the same class as the values of that column
   */
  record Comparison(int column, Operator operator, Comparable<?> literal)
      implements PartitionCondition {
    public Comparison {
      Objects.requireNonNull(literal, "literal");
    }

    @Override
    public int outcomes(List<PartitionValue> values) {
      PartitionValue value = values.get(column);
      if (value instanceof PartitionValue.Known known) {
        return outcome(known.value());
      }
      if (value instanceof PartitionValue.NullOrEmpty) {
        return NULL | outcome("");
      }
      return ANYTHING;
    }

    @SuppressWarnings("unchecked")
    private int outcome(@Nullable Comparable<?> value) {
      if (value == null) {
        return NULL;
      }
      if (value.getClass() != literal.getClass()) {
        return ANYTHING;
      }
      int order = ((Comparable<Object>) value).compareTo(literal);
      return operator.holds(order) ? TRUE : FALSE;
    }
  }

  record IsNull(int column) implements PartitionCondition {
    @Override
    public int outcomes(List<PartitionValue> values) {
      PartitionValue value = values.get(column);
      if (value instanceof PartitionValue.Known known) {
        return known.value() == null ? TRUE : FALSE;
      }
      return TRUE | FALSE;
    }
  }

  record Not(PartitionCondition condition) implements PartitionCondition {
    @Override
    public int outcomes(List<PartitionValue> values) {
      int inner = condition.outcomes(values);
      return ((inner & TRUE) != 0 ? FALSE : 0) | ((inner & FALSE) != 0 ? TRUE : 0) | (inner & NULL);
    }
  }

  record And(PartitionCondition left, PartitionCondition right) implements PartitionCondition {
    @Override
    public int outcomes(List<PartitionValue> values) {
      int l = left.outcomes(values);
      int r = right.outcomes(values);
      int either = l | r;
      int result = either & FALSE;
      if ((l & TRUE) != 0 && (r & TRUE) != 0) {
        result |= TRUE;
      }
      if ((either & NULL) != 0 && (l & (TRUE | NULL)) != 0 && (r & (TRUE | NULL)) != 0) {
        result |= NULL;
      }
      return result;
    }
  }

  record Or(PartitionCondition left, PartitionCondition right) implements PartitionCondition {
    @Override
    public int outcomes(List<PartitionValue> values) {
      return new Not(new And(new Not(left), new Not(right))).outcomes(values);
    }
  }
}
