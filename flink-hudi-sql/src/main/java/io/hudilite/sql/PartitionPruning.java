package io.hudilite.sql;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.source.config.PartitionFilter;
import io.hudilite.sql.PartitionCondition.Operator;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.flink.table.expressions.CallExpression;
import org.apache.flink.table.expressions.FieldReferenceExpression;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.expressions.ValueLiteralExpression;
import org.apache.flink.table.functions.BuiltInFunctionDefinitions;
import org.apache.flink.table.functions.FunctionDefinition;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/**
 * Turns the conjuncts of a WHERE clause that look at partition columns only into a filter over
 * partition paths. A hint, never the whole truth: Flink still filters all rows.
 */
final class PartitionPruning {
  private final TableSchema schema;

  PartitionPruning(TableSchema schema) {
    this.schema = requireNonNull(schema, "schema");
  }

  /** The condition that a conjunct stands for; empty if partitions cannot be judged by it. */
  Optional<PartitionCondition> conditionOf(ResolvedExpression expression) {
    if (expression instanceof CallExpression call) {
      return ofCall(call.getFunctionDefinition(), call.getResolvedChildren());
    }
    if (expression instanceof FieldReferenceExpression) {
      return comparable(expression)
          .filter(column -> typeOf(column).is(LogicalTypeRoot.BOOLEAN))
          .map(column -> new PartitionCondition.Comparison(column, Operator.EQUAL, true));
    }
    return Optional.empty();
  }

  private Optional<PartitionCondition> ofCall(
      FunctionDefinition function, List<ResolvedExpression> operands) {
    if (function == BuiltInFunctionDefinitions.AND) {
      return folded(operands, PartitionCondition.And::new);
    }
    if (function == BuiltInFunctionDefinitions.OR) {
      return folded(operands, PartitionCondition.Or::new);
    }
    if (function == BuiltInFunctionDefinitions.NOT) {
      return conditionOf(operands.get(0)).map(PartitionCondition.Not::new);
    }
    if (function == BuiltInFunctionDefinitions.IS_NULL) {
      return comparable(operands.get(0)).map(PartitionCondition.IsNull::new);
    }
    if (function == BuiltInFunctionDefinitions.IS_NOT_NULL) {
      return comparable(operands.get(0))
          .map(column -> new PartitionCondition.Not(new PartitionCondition.IsNull(column)));
    }
    if (function == BuiltInFunctionDefinitions.IN) {
      List<PartitionCondition> equalities = new ArrayList<>();
      for (ResolvedExpression candidate : operands.subList(1, operands.size())) {
        Optional<PartitionCondition> equality =
            comparison(operands.get(0), Operator.EQUAL, candidate);
        if (equality.isEmpty()) {
          return Optional.empty();
        }
        equalities.add(equality.get());
      }
      return equalities.stream().reduce(PartitionCondition.Or::new);
    }
    if (function == BuiltInFunctionDefinitions.BETWEEN) {
      return both(
          comparison(operands.get(0), Operator.GREATER_OR_EQUAL, operands.get(1)),
          comparison(operands.get(0), Operator.LESS_OR_EQUAL, operands.get(2)));
    }
    return operatorOf(function)
        .flatMap(
            operator ->
                comparison(operands.get(0), operator, operands.get(1))
                    .or(() -> comparison(operands.get(1), operator.turned(), operands.get(0))));
  }

  private interface Joining {
    PartitionCondition join(PartitionCondition left, PartitionCondition right);
  }

  private Optional<PartitionCondition> folded(List<ResolvedExpression> operands, Joining joining) {
    PartitionCondition all = null;
    for (ResolvedExpression operand : operands) {
      Optional<PartitionCondition> one = conditionOf(operand);
      if (one.isEmpty()) {
        return Optional.empty();
      }
      all = all == null ? one.get() : joining.join(all, one.get());
    }
    return Optional.ofNullable(all);
  }

  private static Optional<PartitionCondition> both(
      Optional<PartitionCondition> left, Optional<PartitionCondition> right) {
    return left.flatMap(l -> right.map(r -> new PartitionCondition.And(l, r)));
  }

  private static Optional<Operator> operatorOf(FunctionDefinition function) {
    if (function == BuiltInFunctionDefinitions.EQUALS) {
      return Optional.of(Operator.EQUAL);
    }
    if (function == BuiltInFunctionDefinitions.NOT_EQUALS) {
      return Optional.of(Operator.NOT_EQUAL);
    }
    if (function == BuiltInFunctionDefinitions.LESS_THAN) {
      return Optional.of(Operator.LESS);
    }
    if (function == BuiltInFunctionDefinitions.LESS_THAN_OR_EQUAL) {
      return Optional.of(Operator.LESS_OR_EQUAL);
    }
    if (function == BuiltInFunctionDefinitions.GREATER_THAN) {
      return Optional.of(Operator.GREATER);
    }
    if (function == BuiltInFunctionDefinitions.GREATER_THAN_OR_EQUAL) {
      return Optional.of(Operator.GREATER_OR_EQUAL);
    }
    return Optional.empty();
  }

  private Optional<PartitionCondition> comparison(
      ResolvedExpression field, Operator operator, ResolvedExpression literal) {
    if (!(literal instanceof ValueLiteralExpression value)) {
      return Optional.empty();
    }
    return comparable(field)
        .flatMap(
            column ->
                literalOf(typeOf(column), value)
                    .map(known -> new PartitionCondition.Comparison(column, operator, known)));
  }

  /** Index among the partition columns, if this is one whose folder name can be compared. */
  private Optional<Integer> comparable(ResolvedExpression expression) {
    if (!(expression instanceof FieldReferenceExpression field)) {
      return Optional.empty();
    }
    int column = schema.partitionColumns().indexOf(field.getName());
    return column >= 0 && isComparable(typeOf(column)) ? Optional.of(column) : Optional.empty();
  }

  private LogicalType typeOf(int column) {
    int index = schema.rowType().getFieldIndex(schema.partitionColumns().get(column));
    return schema.rowType().getTypeAt(index);
  }

  static boolean isComparable(LogicalType type) {
    return switch (type.getTypeRoot()) {
      case VARCHAR, BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, DATE -> true;
      default -> false;
    };
  }

  private static Optional<Comparable<?>> literalOf(
      LogicalType type, ValueLiteralExpression literal) {
    return switch (type.getTypeRoot()) {
      case VARCHAR -> literal.getValueAs(String.class).map(value -> value);
      case BOOLEAN -> literal.getValueAs(Boolean.class).map(value -> value);
      case TINYINT, SMALLINT, INTEGER, BIGINT -> wholeNumber(literal).map(value -> value);
      case DATE -> literal.getValueAs(LocalDate.class).map(LocalDate::toEpochDay);
      default -> Optional.empty();
    };
  }

  private static Optional<Long> wholeNumber(ValueLiteralExpression literal) {
    return switch (literal.getOutputDataType().getLogicalType().getTypeRoot()) {
      case TINYINT -> literal.getValueAs(Byte.class).map(Byte::longValue);
      case SMALLINT -> literal.getValueAs(Short.class).map(Short::longValue);
      case INTEGER -> literal.getValueAs(Integer.class).map(Integer::longValue);
      case BIGINT -> literal.getValueAs(Long.class);
      default -> Optional.empty();
    };
  }

  /** Whether folder names tell the values of partition columns. */
  static boolean tellsValues(KeyFormat format) {
    return switch (format.keyGenerator()) {
      case SIMPLE, NON_PARTITION, COMPLEX, COMPLEX_WITH_FIELD_NAME -> true;
      case TIMESTAMP, CUSTOM, UNKNOWN -> false;
    };
  }

  /** The filter that keeps the partitions in which the condition may be true. */
  static PartitionFilter filter(
      PartitionCondition condition, TableSchema schema, KeyFormat format) {
    return tellsValues(format)
        ? new MayHold(condition, new PartitionValues(schema, format))
        : PartitionFilter.ALL;
  }

  /**
   * The same; all partitions if there is no condition, or no table whose folder names are known.
   *
   * @param condition null for none
   */
  static PartitionFilter filterOf(
      @Nullable PartitionCondition condition, TableSchema schema, Optional<TableConfig> stored) {
    return condition == null || stored.isEmpty()
        ? PartitionFilter.ALL
        : filter(condition, schema, KeyFormat.of(stored.get()));
  }

  private record MayHold(PartitionCondition condition, PartitionValues values)
      implements PartitionFilter {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean test(String partitionPath) {
      return (condition.outcomes(values.of(partitionPath)) & PartitionCondition.TRUE) != 0;
    }

    @Override
    public String toString() {
      return condition.toString();
    }
  }
}
