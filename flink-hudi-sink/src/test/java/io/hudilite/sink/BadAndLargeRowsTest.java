package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.writer.BinaryRowWriter;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

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
}
