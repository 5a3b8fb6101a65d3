package io.hudilite.sql;

import static io.hudilite.sql.PartitionCondition.ANYTHING;
import static io.hudilite.sql.PartitionCondition.FALSE;
import static io.hudilite.sql.PartitionCondition.NULL;
import static io.hudilite.sql.PartitionCondition.TRUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.sql.PartitionCondition.And;
import io.hudilite.sql.PartitionCondition.Comparison;
import io.hudilite.sql.PartitionCondition.IsNull;
import io.hudilite.sql.PartitionCondition.Not;
import io.hudilite.sql.PartitionCondition.Operator;
import io.hudilite.sql.PartitionCondition.Or;
import io.hudilite.sql.PartitionCondition.PartitionValue;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class PartitionConditionTest {

  private static final Comparison IS_X = new Comparison(0, Operator.EQUAL, "x");

  private static int outcomes(PartitionCondition condition, PartitionValue... values) {
    return condition.outcomes(List.of(values));
  }

  private static PartitionValue known(Comparable<?> value) {
    return new PartitionValue.Known(value);
  }

  @Test
  void knownValuesGiveOneOutcome() {
    assertThat(outcomes(IS_X, known("x"))).isEqualTo(TRUE);
    assertThat(outcomes(IS_X, known("y"))).isEqualTo(FALSE);
    assertThat(outcomes(IS_X, known(null))).isEqualTo(NULL);
    assertThat(outcomes(new IsNull(0), known(null))).isEqualTo(TRUE);
    assertThat(outcomes(new Not(new IsNull(0)), known("x"))).isEqualTo(TRUE);
  }

  @Test
  void defaultPartitionIsNullOrEmpty() {
    PartitionValue value = new PartitionValue.NullOrEmpty();
    assertThat(outcomes(new IsNull(0), value)).isEqualTo(TRUE | FALSE);
    assertThat(outcomes(IS_X, value)).isEqualTo(NULL | FALSE);
    assertThat(outcomes(new Comparison(0, Operator.EQUAL, ""), value)).isEqualTo(NULL | TRUE);
  }

  @Test
  void unknownValuesExcludeNothing() {
    assertThat(outcomes(IS_X, new PartitionValue.Unknown())).isEqualTo(ANYTHING);
    assertThat(outcomes(new Not(IS_X), new PartitionValue.Unknown())).isEqualTo(ANYTHING);
  }

  @Test
  void sidesCanBeExchanged() {
    assertThat(Operator.LESS.turned()).isEqualTo(Operator.GREATER);
    assertThat(Operator.GREATER_OR_EQUAL.turned()).isEqualTo(Operator.LESS_OR_EQUAL);
    assertThat(Operator.EQUAL.turned()).isEqualTo(Operator.EQUAL);
  }

  /** Whatever the true values are: their outcome is among those foreseen without knowing all. */
  @Property(tries = 500)
  void foreseenOutcomesHoldTheTrueOne(
      @ForAll("conditions") PartitionCondition condition,
      @ForAll("texts") String first,
      @ForAll("texts") String second,
      @ForAll boolean firstIsHidden) {
    List<PartitionValue> truth = List.of(value(first), value(second));
    List<PartitionValue> seen = new ArrayList<>(truth);
    if (first == null || first.isEmpty()) {
      seen.set(0, new PartitionValue.NullOrEmpty());
    }
    if (firstIsHidden) {
      seen.set(0, new PartitionValue.Unknown());
    }
    int actual = condition.outcomes(truth);
    assertThat(Integer.bitCount(actual)).isEqualTo(1);
    assertThat(condition.outcomes(seen) & actual).isEqualTo(actual);
  }

  private static PartitionValue value(String text) {
    return new PartitionValue.Known(text);
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of("", "a", "b", "c").injectNull(0.2);
  }

  @Provide
  Arbitrary<PartitionCondition> conditions() {
    return conditions(3);
  }

  private static Arbitrary<PartitionCondition> conditions(int depth) {
    Arbitrary<Integer> columns = Arbitraries.integers().between(0, 1);
    Arbitrary<PartitionCondition> leaves =
        Arbitraries.oneOf(
            Combinators.combine(
                    columns, Arbitraries.of(Operator.class), Arbitraries.of("", "a", "b"))
                .as(Comparison::new),
            columns.map(IsNull::new));
    if (depth == 0) {
      return leaves;
    }
    Arbitrary<PartitionCondition> inner = conditions(depth - 1);
    return Arbitraries.oneOf(
        leaves,
        inner.map(Not::new),
        Combinators.combine(inner, inner).as(And::new),
        Combinators.combine(inner, inner).as(Or::new));
  }
}
