package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.base.RowReader;
import io.hudilite.core.config.TableType;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.scan.SplitReader;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.table.HudiTable;
import io.hudilite.sink.config.BadRows;
import io.hudilite.sink.config.WriteOperation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.conversion.RowRowConverter;
import org.apache.flink.table.data.writer.BinaryRowWriter;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.table.types.utils.TypeConversions;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that must be refused (F45), and rows of any size (F52). */
class BadAndLargeRowsTest {
  /** With the smallest memory pages that Flink has; {@code TypeCasesTest} has the default. */
  @RegisterExtension
  static final MiniClusterExtension CLUSTER = SinkJob.cluster(MemorySize.parse("4kb"));

  @TempDir Path folder;

  /** A binary row still holds the bytes of what it was before it became null. */
  @ParameterizedTest
  @CsvSource({"id, 0", "n, 1", "s, 2"})
  void f45NullInANotNullColumnIsRefusedWithItsName(String column, int position) {
    RowType notNull =
        RowType.of(
            new LogicalType[] {
              VarCharType.STRING_TYPE.copy(false),
              new BigIntType(false),
              VarCharType.STRING_TYPE.copy(false),
              VarCharType.STRING_TYPE
            },
            new String[] {"id", "n", "s", "p"});
    BinaryRowData row = new BinaryRowData(4);
    BinaryRowWriter writer = new BinaryRowWriter(row);
    writer.writeString(0, StringData.fromString("k1"));
    writer.writeLong(1, 42);
    writer.writeString(2, StringData.fromString("old"));
    writer.writeString(3, StringData.fromString("p1"));
    writer.complete();
    row.setNullAt(position);
    SinkJob job =
        SinkJob.on(folder).schema(new TableSchema(notNull, List.of("id"), List.of("p"), List.of()));
    assertThatThrownBy(() -> job.run(List.of((RowData) row)))
        .hasStackTraceContaining("Table 'T'")
        .hasStackTraceContaining("'" + column + "'");
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

  /** Nested columns behind a text that is longer than ten pages. */
  @ParameterizedTest
  @CsvSource({
    "MERGE_ON_READ, UPSERT",
    "COPY_ON_WRITE, UPSERT",
    "MERGE_ON_READ, INSERT",
    "COPY_ON_WRITE, INSERT_OVERWRITE"
  })
  void f52NestedColumnsBehindALongTextComeBackWhole(TableType type, WriteOperation operation)
      throws Exception {
    RowType rowType =
        (RowType)
            DataTypes.ROW(
                    DataTypes.FIELD("id", DataTypes.STRING().notNull()),
                    DataTypes.FIELD("s", DataTypes.STRING()),
                    DataTypes.FIELD(
                        "r",
                        DataTypes.ROW(
                            DataTypes.FIELD("a", DataTypes.INT()),
                            DataTypes.FIELD("b", DataTypes.STRING()))),
                    DataTypes.FIELD("m", DataTypes.MAP(DataTypes.STRING(), DataTypes.STRING())))
                .notNull()
                .getLogicalType();
    RowRowConverter converter =
        RowRowConverter.create(TypeConversions.fromLogicalToDataType(rowType));
    converter.open(getClass().getClassLoader());
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Map<String, String> entries = new HashMap<>();
      for (int entry = 0; entry < 100; entry++) {
        entries.put("key" + entry, "value " + i * entry);
      }
      rows.add(Row.of("k" + i, ("s" + i).repeat(150_000), Row.of(i, "b" + i), entries));
    }
    SinkJob job =
        SinkJob.on(folder)
            .type(type)
            .schema(new TableSchema(rowType, List.of("id"), List.of(), List.of()))
            .config(config -> config.operation(operation));
    if (operation.overwrites()) {
      job.flink("execution.runtime-mode", "BATCH");
    }
    job.run(rows.stream().map(converter::toInternal).toList());
    List<Row> found = new ArrayList<>();
    HudiTable table = job.table();
    for (ScanSplit split : new ScanPlanner().snapshot(table)) {
      try (RowReader reader = SplitReader.open(table.readContext(), split, rowType)) {
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          found.add(converter.toExternal(row));
        }
      }
    }
    assertThat(found.size()).isEqualTo(10);
    assertThat(Set.copyOf(found).equals(Set.copyOf(rows))).as("field by field").isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = WriteOperation.class,
      names = {"UPSERT", "INSERT", "BULK_INSERT"})
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
    assertThatThrownBy(() -> job.run(rows))
        .hasStackTraceContaining("Table 'T': A row has no record key: 'id' is null");
    assertThat(job.rows()).isEmpty();
    SinkJob goesOn =
        SinkJob.on(folder.resolve("goes on"))
            .schema(new TableSchema(notNull, List.of("id"), List.of("p"), List.of("ts")))
            .config(config -> config.operation(operation).badRows(BadRows.LEAVE_OUT));
    goesOn.run(rows);
    assertThat(goesOn.rows()).containsExactly("[k1, a, 1, p1]", "[k4, d, 1, p1]");
  }
}
