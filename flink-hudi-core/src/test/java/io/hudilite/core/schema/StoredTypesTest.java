package io.hudilite.core.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;
import org.junit.jupiter.api.Test;

final class StoredTypesTest {
  private static final RowType DECLARED =
      row(
          "ROW<a TIMESTAMP(0) NOT NULL, b TIMESTAMP_LTZ(3), c TIMESTAMP(6), d ARRAY<TIMESTAMP(3)>,"
              + " e MAP<STRING, ROW<x TIMESTAMP_LTZ(0), y INT>>, f STRING>");

  private static RowType row(String type) {
    return (RowType) LogicalTypeParser.parse(type, StoredTypesTest.class.getClassLoader());
  }

  @Test
  void newTablesStoreMicroseconds() {
    assertThat(StoredTypes.ofNewTable(DECLARED))
        .isEqualTo(
            row(
                "ROW<a TIMESTAMP(6) NOT NULL, b TIMESTAMP_LTZ(6), c TIMESTAMP(6),"
                    + " d ARRAY<TIMESTAMP(6)>, e MAP<STRING, ROW<x TIMESTAMP_LTZ(6), y INT>>,"
                    + " f STRING>"));
  }

  @Test
  void existingTablesKeepTheUnitOfEachColumn() {
    RowType stored =
        row(
            "ROW<f STRING, e MAP<STRING, ROW<y INT, x TIMESTAMP_LTZ(3)>>, a TIMESTAMP_LTZ(3),"
                + " b TIMESTAMP_LTZ(6), d ARRAY<TIMESTAMP_LTZ(3)>>");
    assertThat(StoredTypes.in(stored, DECLARED))
        .isEqualTo(
            row(
                "ROW<a TIMESTAMP(3) NOT NULL, b TIMESTAMP_LTZ(6), c TIMESTAMP(6),"
                    + " d ARRAY<TIMESTAMP(3)>, e MAP<STRING, ROW<x TIMESTAMP_LTZ(3), y INT>>,"
                    + " f STRING>"));
  }

  @Test
  void digitsThatTheTableCannotHoldAreNotCutOff() {
    assertThat(StoredTypes.in(row("ROW<c TIMESTAMP(3)>"), row("ROW<c TIMESTAMP(6)>")))
        .isEqualTo(row("ROW<c TIMESTAMP(6)>"));
  }
}
