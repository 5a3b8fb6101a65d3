package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.schema.TableSchema;
import io.hudilite.sink.config.BadRows;
import io.hudilite.sink.config.WriteOperation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.writer.BinaryRowWriter;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that must be refused (F45), and rows of any size (F52). */
class BadAndLargeRowsTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SinkJob.cluster();

  @TempDir Path folder;

  @Test
  void f45NullInANotNullColumnIsRefusedWithItsName() {
    BinaryRowData row = new BinaryRowData(4);
    BinaryRowWriter writer = new BinaryRowWriter(row);
    writer.writeString(0, StringData.fromString("old"));
    writer.writeString(1, StringData.fromString("v"));
    writer.writeLong(2, 1);
    writer.writeString(3, StringData.fromString("p1"));
    writer.complete();
    row.setNullAt(0);
    assertThatThrownBy(() -> SinkJob.on(folder).run(List.of((RowData) row)))
        .hasStackTraceContaining("'id'");
  }

  @Test
  void nullOrderingValueIsRefusedWithAdvice() {
    GenericRowData row =
        GenericRowData.of(
            StringData.fromString("k1"),
            StringData.fromString("v"),
            null,
            StringData.fromString("p"));
    assertThatThrownBy(() -> SinkJob.on(folder).run(List.of((RowData) row)))
        .hasStackTraceContaining("k1")
        .hasStackTraceContaining("'ts'")
        .hasStackTraceContaining("COALESCE");
  }

  @Test
  void f52RowsLargerThanPagesAndBuffersComeBackWhole() throws Exception {
    List<RowData> rows = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int length : new int[] {32_767, 32_768, 32_769, 65_536, 300_000, 2_000_000}) {
      String text = "x".repeat(length - 1) + "y";
      rows.add(insert("k" + length, text, 1, "p1"));
      expected.add("[k" + length + ", " + text + ", 1, p1]");
    }
    SinkJob job =
        SinkJob.on(folder)
            .config(
                config ->
                    config
                        .batchSize(MemorySize.parse("64kb"))
                        .taskMaxSize(MemorySize.parse("64kb")));
    job.run(rows);
    assertThat(job.rows()).containsExactlyInAnyOrderElementsOf(expected);
    job.assertNothingIsPending();
  }

  @ParameterizedTest
  @EnumSource(
      value = WriteOperation.class,
      names = {"UPSERT", "INSERT"})
  void f56BadRowsFailTheJobOrAreLeftOutAndToldOf(WriteOperation operation) throws Exception {
    RowType notNull =
        RowType.of(
            new LogicalType[] {
              VarCharType.STRING_TYPE,
              VarCharType.STRING_TYPE.copy(false),
              new BigIntType(),
              VarCharType.STRING_TYPE
            },
            new String[] {"id", "v", "ts", "p"});
    SinkJob job =
        SinkJob.on(folder.resolve("fails"))
            .schema(new TableSchema(notNull, List.of("id"), List.of("p"), List.of("ts")))
            .config(config -> config.operation(operation));
    List<RowData> rows =
        List.of(
            SinkJob.insert("k1", "a", 1, "p1"),
            SinkJob.insert(null, "b", 1, "p1"),
            SinkJob.insert("k3", null, 1, "p1"),
            SinkJob.insert("k4", "d", 1, "p1"));
    assertThatThrownBy(() -> job.run(rows)).hasStackTraceContaining("'id' is null");
    assertThat(job.rows()).isEmpty();
    SinkJob goesOn =
        SinkJob.on(folder.resolve("goes on"))
            .schema(new TableSchema(notNull, List.of("id"), List.of("p"), List.of("ts")))
            .config(config -> config.operation(operation).badRows(BadRows.LEAVE_OUT));
    goesOn.run(rows);
    assertThat(goesOn.rows()).containsExactly("[k1, a, 1, p1]", "[k4, d, 1, p1]");
  }
}
