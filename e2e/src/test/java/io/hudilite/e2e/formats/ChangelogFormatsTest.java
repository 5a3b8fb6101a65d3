package io.hudilite.e2e.formats;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.base.RowReader;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.scan.SplitReader;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.sink.HudiSink;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.formats.json.canal.CanalJsonFormatFactory;
import org.apache.flink.formats.json.debezium.DebeziumJsonFormatFactory;
import org.apache.flink.formats.json.maxwell.MaxwellJsonFormatFactory;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.factories.DeserializationFormatFactory;
import org.apache.flink.table.runtime.connector.source.ScanRuntimeProviderContext;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What databases tell of their changes becomes a table, in each of Flink's formats for it. */
class ChangelogFormatsTest {
  private static final DataType COLUMNS =
      DataTypes.ROW(
          DataTypes.FIELD("id", DataTypes.INT().notNull()),
          DataTypes.FIELD("v", DataTypes.STRING()),
          DataTypes.FIELD("ts", DataTypes.BIGINT()),
          DataTypes.FIELD("p", DataTypes.STRING()));
  private static final RowType ROW_TYPE = (RowType) COLUMNS.getLogicalType();

  private static String row(int id, String v, int ts, String p) {
    return "{\"id\":%d,\"v\":\"%s\",\"ts\":%d,\"p\":\"%s\"}".formatted(id, v, ts, p);
  }

  private static String debezium(String op, String before, String after) {
    return "{\"before\":%s,\"after\":%s,\"op\":\"%s\"}".formatted(before, after, op);
  }

  private static String canal(String type, String old, String data) {
    return "{\"data\":[%s],\"old\":%s,\"type\":\"%s\"}".formatted(data, old, type);
  }

  private static String maxwell(String type, String old, String data) {
    return "{\"data\":%s,\"old\":%s,\"type\":\"%s\"}".formatted(data, old, type);
  }

  /** Two rows come; one changes its value and its partition, the other one goes. */
  static Stream<Arguments> formats() {
    String one = row(1, "a", 1, "p1");
    String moved = row(1, "b", 2, "p2");
    String two = row(2, "x", 1, "p1");
    String old = "{\"v\":\"a\",\"ts\":1,\"p\":\"p1\"}";
    return Stream.of(
        Arguments.of(
            new DebeziumJsonFormatFactory(),
            List.of(
                debezium("r", "null", one),
                debezium("c", "null", two),
                debezium("u", one, moved),
                debezium("d", two, "null"))),
        Arguments.of(
            new CanalJsonFormatFactory(),
            List.of(
                canal("INSERT", "null", one),
                canal("INSERT", "null", two),
                canal("UPDATE", "[" + old + "]", moved),
                canal("DELETE", "null", two))),
        Arguments.of(
            new MaxwellJsonFormatFactory(),
            List.of(
                maxwell("insert", "null", one),
                maxwell("insert", "null", two),
                maxwell("update", old, moved),
                maxwell("delete", "null", two))));
  }

  @ParameterizedTest
  @MethodSource("formats")
  void changesOfADatabaseBecomeATable(
      DeserializationFormatFactory format, List<String> messages, @TempDir Path folder)
      throws Exception {
    DeserializationSchema<RowData> decoder =
        format
            .createDecodingFormat(null, new Configuration())
            .createRuntimeDecoder(ScanRuntimeProviderContext.INSTANCE, COLUMNS);
    decoder.open(null);
    List<RowData> changes = new ArrayList<>();
    for (String message : messages) {
      decoder.deserialize(message.getBytes(StandardCharsets.UTF_8), new Into(changes));
    }
    assertThat(write(folder, changes)).containsExactly("1,b,2,p2");
  }

  /** A tombstone of upsert-kafka has nothing but its key. */
  @Test
  void deletesThatHoldNothingButTheirKeyCount(@TempDir Path folder) throws Exception {
    List<RowData> changes =
        List.of(
            GenericRowData.ofKind(RowKind.UPDATE_AFTER, 1, text("a"), 1L, text("p1")),
            GenericRowData.ofKind(RowKind.UPDATE_AFTER, 2, text("b"), 1L, text("p1")),
            GenericRowData.ofKind(RowKind.DELETE, 1, null, null, null));
    assertThat(write(folder, changes)).containsExactly("2,b,1,p1");
  }

  private static StringData text(String value) {
    return StringData.fromString(value);
  }

  private static List<String> write(Path folder, List<RowData> changes) throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createLocalEnvironment(1, new Configuration());
    HudiSink.builder()
        .path(folder.toUri().toString())
        .tableName("t")
        .schema(new TableSchema(ROW_TYPE, List.of("id"), List.of("p"), List.of("ts")))
        .build()
        .append(env.fromData(changes, InternalTypeInfo.of(ROW_TYPE)));
    env.execute("changes");

    HudiTable table = HudiTable.open(Storages.of(folder.toString()));
    List<String> rows = new ArrayList<>();
    for (ScanSplit split : new ScanPlanner().snapshot(table)) {
      try (RowReader reader = SplitReader.open(table.readContext(), split, ROW_TYPE)) {
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          rows.add(
              "%d,%s,%d,%s"
                  .formatted(row.getInt(0), row.getString(1), row.getLong(2), row.getString(3)));
        }
      }
    }
    rows.sort(null);
    return rows;
  }

  private record Into(List<RowData> rows) implements Collector<RowData> {
    @Override
    public void collect(RowData row) {
      rows.add(row);
    }

    @Override
    public void close() {}
  }
}
