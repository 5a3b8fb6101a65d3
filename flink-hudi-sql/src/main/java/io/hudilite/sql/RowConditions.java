package io.hudilite.sql;

import io.hudilite.core.base.ColumnCondition;
import io.hudilite.core.key.ByteText;
import io.hudilite.core.schema.TableSchema;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.expressions.ResolvedExpression;

/**
 * Turns the conjuncts of a WHERE clause into a condition over columns, as far as statistics of
 * files can judge it: comparisons of whole numbers, days and texts with literals.
 */
final class RowConditions {
  private final List<String> columns;

  private RowConditions(List<String> columns) {
    this.columns = columns;
  }

  /** Empty if none of the conjuncts can be judged. */
  static Optional<ColumnCondition> of(List<ResolvedExpression> conjuncts, TableSchema schema) {
    List<String> columns = schema.rowType().getFieldNames();
    // The same forms as of partition columns, of all columns.
    PartitionPruning forms =
        new PartitionPruning(new TableSchema(schema.rowType(), List.of(), columns, List.of()));
    RowConditions conditions = new RowConditions(columns);
    return conjuncts.stream()
        .map(conjunct -> forms.conditionOf(conjunct).flatMap(conditions::translate))
        .flatMap(Optional::stream)
        .reduce(ColumnCondition.And::new);
  }

  private Optional<ColumnCondition> translate(PartitionCondition condition) {
    if (condition instanceof PartitionCondition.And and) {
      Optional<ColumnCondition> left = translate(and.left());
      Optional<ColumnCondition> right = translate(and.right());
      return left.isPresent() && right.isPresent()
          ? Optional.of(new ColumnCondition.And(left.get(), right.get()))
          : left.or(() -> right);
    }
    if (condition instanceof PartitionCondition.Or or) {
      return translate(or.left())
          .flatMap(l -> translate(or.right()).map(r -> new ColumnCondition.Or(l, r)));
    }
    if (condition instanceof PartitionCondition.Comparison comparison) {
      return literal(comparison.literal())
          .map(
              value ->
                  new ColumnCondition.Comparison(
                      columns.get(comparison.column()),
                      ColumnCondition.Operator.valueOf(comparison.operator().name()),
                      value));
    }
    return Optional.empty();
  }

  private static Optional<Comparable<?>> literal(Comparable<?> value) {
    if (value instanceof Long) {
      return Optional.of(value);
    }
    return value instanceof String text ? Optional.of(ByteText.of(text)) : Optional.empty();
  }
}
