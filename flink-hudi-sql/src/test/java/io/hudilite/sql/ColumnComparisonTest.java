package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnComparisonTest {

  private static RowType row(String type) {
    LogicalType parsed = LogicalTypeParser.parse(type, ColumnComparisonTest.class.getClassLoader());
    return (RowType) parsed;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ROW<a CHAR(3), b SMALLINT, c TIMESTAMP(3)>|ROW<a STRING, b INT, c TIMESTAMP_LTZ(3)>",
        "ROW<a INT NOT NULL, b DECIMAL(10, 2)>|ROW<b DECIMAL(10, 2), a INT>",
        "ROW<a ARRAY<ROW<x INT NOT NULL>>, m MAP<STRING, INT>>|ROW<a ARRAY<ROW<x INT>>, m MAP<STRING, INT>>",
      })
  void sameAsStoredIsWritable(String ddl, String stored) {
    assertThatCode(() -> ColumnComparison.requireWritable("t", row(ddl), row(stored), List.of()))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ROW<a STRING>|ROW<a INT>|Column 'a' is declared as STRING, but INT in the table",
        "ROW<a TIMESTAMP(6)>|ROW<a TIMESTAMP(3)>|Column 'a' is declared as TIMESTAMP(6), but TIMESTAMP(3)",
        "ROW<a DECIMAL(10, 3)>|ROW<a DECIMAL(10, 2)>|DECIMAL(10, 3)",
        "ROW<a INT, naem STRING>|ROW<a INT, name STRING>|Is 'naem' a slip of the pen for 'name'?",
        "ROW<a INT>|ROW<a INT, b STRING>|The table has a column 'b'",
        "ROW<a ROW<x INT>>|ROW<a ROW<x INT, y INT>>|Column 'a'",
      })
  void differencesAreNotWritable(String ddl, String stored, String message) {
    assertThatThrownBy(
            () -> ColumnComparison.requireWritable("t", row(ddl), row(stored), List.of()))
        .hasMessageContaining("Table t cannot be written")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ROW<a BIGINT>|ROW<a INT, b STRING>",
        "ROW<a STRING>|ROW<a INT>",
        "ROW<a DOUBLE>|ROW<a FLOAT>",
        "ROW<a DECIMAL(20, 2)>|ROW<a DECIMAL(10, 2)>",
        "ROW<a TIMESTAMP(3)>|ROW<a TIMESTAMP(6)>",
        "ROW<a ROW<x BIGINT>>|ROW<a ROW<x INT, y INT>>",
      })
  void widerTypesAndFewerColumnsAreReadable(String ddl, String stored) {
    assertThatCode(() -> ColumnComparison.requireReadable("t", row(ddl), row(stored)))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ROW<a INT>|ROW<a BIGINT>",
        "ROW<a INT>|ROW<a STRING>",
        "ROW<b INT>|ROW<a INT>",
        "ROW<a DECIMAL(5, 2)>|ROW<a DECIMAL(10, 2)>",
      })
  void narrowerTypesAndOtherColumnsAreNotReadable(String ddl, String stored) {
    assertThatThrownBy(() -> ColumnComparison.requireReadable("t", row(ddl), row(stored)))
        .hasMessageContaining("Table t cannot be read");
  }
}
