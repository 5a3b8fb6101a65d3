package io.hudilite.sink;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.TableSchema;
import java.util.List;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

final class OrderingCheckTest {
  private static TableSchema orderedBy(LogicalType type) {
    return new TableSchema(
        RowType.of(new LogicalType[] {VarCharType.STRING_TYPE, type}, new String[] {"k", "o"}),
        List.of("k"),
        List.of(),
        List.of("o"));
  }

  @Test
  void newTablesAreNotOrderedByDecimals() {
    assertThatThrownBy(
            () -> OrderingCheck.requireKept(orderedBy(new DecimalType(10, 2)), true, "p"))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'o'")
        .hasMessageContaining("CAST(o * 100 AS BIGINT)");
    assertThatCode(() -> OrderingCheck.requireKept(orderedBy(VarCharType.STRING_TYPE), true, "p"))
        .doesNotThrowAnyException();
  }

  @Test
  void tablesOfOthersAreIfDeletesCanHoldTheDigits() {
    assertThatCode(() -> OrderingCheck.requireKept(orderedBy(new DecimalType(30, 15)), false, "p"))
        .doesNotThrowAnyException();
    for (DecimalType tooLarge : List.of(new DecimalType(18, 16), new DecimalType(20, 2))) {
      assertThatThrownBy(() -> OrderingCheck.requireKept(orderedBy(tooLarge), false, "p"))
          .isInstanceOf(HudiTableException.class)
          .hasMessageContaining(tooLarge.asSummaryString());
    }
  }
}
