package io.hudilite.sql;

import static org.apache.flink.table.functions.BuiltInFunctionDefinitions.AND;
import static org.apache.flink.table.functions.BuiltInFunctionDefinitions.EQUALS;
import static org.apache.flink.table.functions.BuiltInFunctionDefinitions.GREATER_THAN;
import static org.apache.flink.table.functions.BuiltInFunctionDefinitions.IS_NOT_NULL;
import static org.apache.flink.table.functions.BuiltInFunctionDefinitions.IS_NULL;
import static org.apache.flink.table.functions.BuiltInFunctionDefinitions.LOWER;
import static org.apache.flink.table.functions.BuiltInFunctionDefinitions.OR;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.key.KeyGenerator;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.source.config.PartitionFilter;
import java.time.LocalDate;
import java.util.List;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.expressions.CallExpression;
import org.apache.flink.table.expressions.FieldReferenceExpression;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.expressions.ValueLiteralExpression;
import org.apache.flink.table.functions.BuiltInFunctionDefinition;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class PartitionPruningTest {

  private static final DataType STRING = DataTypes.STRING();
  private static final ResolvedExpression DT = field("dt", DataTypes.DATE(), 1);
  private static final ResolvedExpression TYP = field("typ", STRING, 2);
  private static final ResolvedExpression ID = field("id", DataTypes.INT(), 0);

  private static final TableSchema SCHEMA =
      new TableSchema(
          (RowType)
              DataTypes.ROW(
                      DataTypes.FIELD("id", DataTypes.INT()),
                      DataTypes.FIELD("dt", DataTypes.DATE()),
                      DataTypes.FIELD("typ", STRING))
                  .getLogicalType(),
          List.of("id"),
          List.of("dt", "typ"),
          List.of());

  private static ResolvedExpression field(String name, DataType type, int index) {
    return new FieldReferenceExpression(name, type, 0, index);
  }

  private static ResolvedExpression literal(Object value, DataType type) {
    return new ValueLiteralExpression(value, type.notNull());
  }

  private static ResolvedExpression call(
      BuiltInFunctionDefinition function, ResolvedExpression... operands) {
    return CallExpression.permanent(function, List.of(operands), DataTypes.BOOLEAN());
  }

  private static ResolvedExpression day(int day) {
    return literal(LocalDate.of(2024, 4, day), DataTypes.DATE());
  }

  private static PartitionFilter filter(ResolvedExpression expression, boolean hiveStyle)
      throws Exception {
    PartitionCondition condition =
        new PartitionPruning(SCHEMA).conditionOf(expression).orElseThrow();
    return InstantiationUtil.clone(
        PartitionPruning.filter(
            condition,
            SCHEMA,
            new KeyFormat(
                hiveStyle, false, KeyFormat.DEFAULT_PARTITION_NAME, KeyGenerator.COMPLEX)));
  }

  @Test
  void partitionsAreJudgedByTheirPath() throws Exception {
    PartitionFilter login = filter(call(EQUALS, TYP, literal("login", STRING)), false);
    assertThat(login).accepts("2024-04-18/login").rejects("2024-04-18/pay");
    PartitionFilter later = filter(call(GREATER_THAN, DT, day(17)), true);
    assertThat(later)
        .accepts("dt=2024-04-18/typ=x")
        .rejects("dt=2024-04-17/typ=x", "dt=1969-12-31/typ=x");
    PartitionFilter turned = filter(call(GREATER_THAN, day(17), DT), false);
    assertThat(turned).accepts("2024-04-16/x").rejects("2024-04-18/x");
  }

  @Test
  void conditionsCombine() throws Exception {
    PartitionFilter filter =
        filter(
            call(
                OR,
                call(EQUALS, TYP, literal("login", STRING)),
                call(AND, call(EQUALS, TYP, literal("pay", STRING)), call(EQUALS, DT, day(18)))),
            false);
    assertThat(filter)
        .accepts("2024-04-01/login", "2024-04-18/pay")
        .rejects("2024-04-17/pay", "2024-04-18/x");
  }

  @Test
  void defaultPartitionHoldsNullsAndEmptyTexts() throws Exception {
    String path = "2024-04-18/" + KeyFormat.DEFAULT_PARTITION_NAME;
    assertThat(filter(call(IS_NULL, TYP), false)).accepts(path).rejects("2024-04-18/x");
    assertThat(filter(call(IS_NOT_NULL, TYP), false)).accepts(path, "2024-04-18/x");
    assertThat(filter(call(EQUALS, TYP, literal("", STRING)), false)).accepts(path);
    assertThat(filter(call(EQUALS, TYP, literal("x", STRING)), false)).rejects(path);
    String withoutDate = KeyFormat.DEFAULT_PARTITION_NAME + "/x";
    assertThat(filter(call(IS_NULL, DT), false)).accepts(withoutDate);
    assertThat(filter(call(IS_NOT_NULL, DT), false)).rejects(withoutDate);
  }

  @Test
  void foldersOfAnotherFormAreRead() throws Exception {
    PartitionFilter filter = filter(call(EQUALS, DT, day(18)), false);
    assertThat(filter).accepts("", "no-date/x", "2024/04/18/x");
  }

  @Test
  void otherColumnsAndFunctionsAreLeftToFlink() {
    PartitionPruning pruning = new PartitionPruning(SCHEMA);
    assertThat(pruning.conditionOf(call(EQUALS, ID, literal(1, DataTypes.INT())))).isEmpty();
    assertThat(
            pruning.conditionOf(
                call(
                    EQUALS,
                    CallExpression.permanent(LOWER, List.of(TYP), STRING),
                    literal("x", STRING))))
        .isEmpty();
    assertThat(
            pruning.conditionOf(
                call(
                    OR,
                    call(EQUALS, TYP, literal("x", STRING)),
                    call(EQUALS, ID, literal(1, DataTypes.INT())))))
        .isEmpty();
  }
}
