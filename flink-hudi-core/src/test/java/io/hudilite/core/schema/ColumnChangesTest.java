package io.hudilite.core.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnChangesTest {
  private static RowType row(String type) {
    return (RowType) LogicalTypeParser.parse(type, ColumnChangesTest.class.getClassLoader());
  }

  private static ColumnChanges changes(String stored, String declared) {
    return new ColumnChanges(row(stored), row(declared));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ROW<a STRING, b INT, c TIMESTAMP_LTZ(3)>|ROW<a CHAR(3), b SMALLINT, c TIMESTAMP(3)>",
        "ROW<b DECIMAL(10, 2), a INT>|ROW<a INT NOT NULL, b DECIMAL(10, 2)>",
        "ROW<a ARRAY<ROW<x INT>>, m MAP<STRING, INT>>|ROW<a ARRAY<ROW<x INT NOT NULL>>, m MAP<STRING, INT>>",
      })
  void sameColumnsInWhateverOrderChangeNothing(String stored, String declared) {
    ColumnChanges changes = changes(stored, declared);
    assertThat(changes.isNone()).isTrue();
    assertThat(changes.problems(List.of())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ROW<k INT>|ROW<k INT, n STRING>",
        "ROW<k INT>|ROW<n STRING, k INT>",
        "ROW<k INT, a INT, b FLOAT>|ROW<k INT, a BIGINT, b DOUBLE>",
        "ROW<r ROW<x INT>>|ROW<r ROW<y STRING, x BIGINT>>",
        "ROW<a ARRAY<ROW<x INT>>, m MAP<STRING, INT>>|ROW<a ARRAY<ROW<x INT, y INT>>, m MAP<STRING, BIGINT>>",
      })
  void nullableColumnsMayComeAndNumbersMayWiden(String stored, String declared) {
    ColumnChanges changes = changes(stored, declared);
    assertThat(changes.isNone()).isFalse();
    assertThat(changes.problems(List.of("k"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ROW<k INT>|ROW<k BIGINT>|key, partition or ordering",
        "ROW<k INT>|ROW<k INT, n INT NOT NULL>|it cannot be NOT NULL",
        "ROW<k INT, name STRING>|ROW<k INT, name STRING, Name STRING>|which has 'name'",
        "ROW<k INT, a BIGINT>|ROW<k INT, a INT>|'a' is declared as INT, but BIGINT in the table",
        "ROW<k INT, a INT>|ROW<k INT, a DOUBLE>|'a' is declared as DOUBLE, but INT in the table",
        "ROW<k INT, a DECIMAL(5, 2)>|ROW<k INT, a DECIMAL(6, 2)>|'a' is declared as DECIMAL(6, 2)",
        "ROW<k INT, a INT>|ROW<k INT>|The table has a column 'a' INT that is not declared",
        "ROW<r ROW<x INT>>|ROW<r ROW<x INT, y INT NOT NULL>>|'r' is declared as",
        "ROW<r ROW<x INT>>|ROW<r ROW<y INT>>|'r' is declared as",
      })
  void otherDifferencesAreTold(String stored, String declared, String problem) {
    assertThat(changes(stored, declared).problems(List.of("k")))
        .singleElement()
        .asString()
        .contains(problem);
  }

  @Test
  void newColumnsComeLastAndNullsAreThoseOfTheTable() {
    assertThat(
            changes(
                    "ROW<r ROW<x INT NOT NULL>, k INT, a ARRAY<INT>>",
                    "ROW<k INT NOT NULL, n INT, a ARRAY<INT NOT NULL>, r ROW<x INT, y INT> NOT NULL>")
                .rows())
        .isEqualTo(row("ROW<r ROW<x INT NOT NULL, y INT>, k INT, a ARRAY<INT>, n INT>"));
    assertThat(
            changes("ROW<k INT, r ROW<x INT>>", "ROW<n INT, r ROW<x INT> NOT NULL, k INT NOT NULL>")
                .declaredWithNullabilityOfTable())
        .isEqualTo(row("ROW<n INT, r ROW<x INT>, k INT>"));
  }
}
