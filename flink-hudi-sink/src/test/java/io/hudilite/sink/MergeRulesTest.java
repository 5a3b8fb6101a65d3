package io.hudilite.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.config.TableType;
import io.hudilite.core.merge.RowCombiner;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.testkit.CombiningMerger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Payload classes and classes of users, for both table types, in one commit and in several. */
class MergeRulesTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SinkJob.cluster();

  private static final RowType ROW_TYPE =
      RowType.of(
          new LogicalType[] {
            VarCharType.STRING_TYPE.copy(false),
            VarCharType.STRING_TYPE,
            VarCharType.STRING_TYPE,
            new BigIntType()
          },
          new String[] {"k", "c0", "c1", "ts"});

  @TempDir Path folder;

  private record Row(String c0, String c1, long ts) {
    private Row filledBy(Row other) {
      return new Row(c0 == null ? other.c0 : c0, c1 == null ? other.c1 : c1, ts);
    }

    private RowData of(String key) {
      return GenericRowData.of(
          StringData.fromString(key), StringData.fromString(c0), StringData.fromString(c1), ts);
    }
  }

  private static final List<Row> MESSAGES =
      List.of(new Row("a", null, 1), new Row(null, "b", 2), new Row("c", null, 3));
  private static final int[][] ORDERS = {
    {0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}
  };

  private static BinaryOperator<Row> rule(String payload) {
    return switch (payload) {
      case "OverwriteWithLatestAvroPayload" -> (old, fresh) -> fresh;
      case "OverwriteNonDefaultsWithLatestAvroPayload" -> (old, fresh) -> fresh.filledBy(old);
      case "DefaultHoodieRecordPayload" -> (old, fresh) -> fresh.ts >= old.ts ? fresh : old;
      case "FirstValueAvroPayload" -> (old, fresh) -> fresh.ts > old.ts ? fresh : old;
      case "PartialUpdateAvroPayload" ->
          (old, fresh) -> fresh.ts >= old.ts ? fresh.filledBy(old) : old.filledBy(fresh);
      default -> (old, fresh) -> new Row(fresh.c0, fresh.c1, old.ts + fresh.ts);
    };
  }

  private SinkJob job(TableType type, String payload) {
    return SinkJob.on(folder)
        .type(type)
        .payload(payload)
        .parallelism(1)
        .schema(new TableSchema(ROW_TYPE, List.of("k"), List.of(), List.of("ts")));
  }

  @ParameterizedTest
  @CsvSource({
    "COPY_ON_WRITE, OverwriteWithLatestAvroPayload",
    "MERGE_ON_READ, OverwriteWithLatestAvroPayload",
    "COPY_ON_WRITE, OverwriteNonDefaultsWithLatestAvroPayload",
    "MERGE_ON_READ, OverwriteNonDefaultsWithLatestAvroPayload",
    "COPY_ON_WRITE, DefaultHoodieRecordPayload",
    "MERGE_ON_READ, DefaultHoodieRecordPayload",
    "COPY_ON_WRITE, FirstValueAvroPayload",
    "MERGE_ON_READ, FirstValueAvroPayload",
    "COPY_ON_WRITE, PartialUpdateAvroPayload",
    "MERGE_ON_READ, PartialUpdateAvroPayload",
    "COPY_ON_WRITE, io.hudilite.sink.MergeRulesTest$SummingMerger",
    "MERGE_ON_READ, io.hudilite.sink.MergeRulesTest$SummingMerger"
  })
  void rowsMergeByThePayloadClass(TableType type, String payload) throws Exception {
    List<List<RowData>> checkpoints =
        List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    Map<String, String> expected = new TreeMap<>();
    BinaryOperator<Row> rule = rule(payload);
    for (int[] order : ORDERS) {
      String key = "" + order[0] + order[1] + order[2];
      Row merged = null;
      for (int i = 0; i < order.length; i++) {
        Row message = MESSAGES.get(order[i]);
        checkpoints.get(0).add(message.of("once" + key));
        checkpoints.get(i).add(message.of("apart" + key));
        merged = merged == null ? message : rule.apply(merged, message);
      }
      for (String name : List.of("once" + key, "apart" + key)) {
        expected.put(
            name, "[%s, %s, %s, %d]".formatted(name, merged.c0(), merged.c1(), merged.ts()));
      }
    }
    // What comes back after a delete has nothing of the rows before it.
    checkpoints.get(0).add(new Row("x", "y", 1).of("back"));
    GenericRowData delete = (GenericRowData) new Row("x", "y", 2).of("back");
    delete.setRowKind(RowKind.DELETE);
    checkpoints.get(1).add(delete);
    checkpoints.get(1).add(new Row("z", null, 3).of("back"));
    expected.put("back", "[back, z, null, 3]");

    SinkJob job = job(type, payload);
    job.run(ScriptedSource.bounded(checkpoints));
    assertThat(job.rows()).containsExactlyInAnyOrderElementsOf(expected.values());
  }

  @Test
  void anotherPayloadClassThanTheTablesIsRefused() throws Exception {
    List<RowData> row = List.of(new Row("a", "b", 1).of("k"));
    job(TableType.COPY_ON_WRITE, "PartialUpdateAvroPayload").run(row);
    assertThat(job(TableType.COPY_ON_WRITE, "").table().config().properties())
        .containsEntry(TableConfig.MERGE_MODE, "CUSTOM")
        .containsEntry(
            TableConfig.PAYLOAD_CLASS, "org.apache.hudi.common.model.PartialUpdateAvroPayload")
        .containsEntry(TableConfig.MERGE_STRATEGY_ID, "00000000-0000-0000-0000-000000000000");
    for (String other : List.of("FirstValueAvroPayload", "DefaultHoodieRecordPayload")) {
      assertThatThrownBy(() -> job(TableType.COPY_ON_WRITE, other).run(row))
          .isInstanceOf(HudiTableException.class)
          .hasMessageContaining(other)
          .hasMessageContaining("PartialUpdateAvroPayload");
    }
    assertThatThrownBy(
            () ->
                SinkJob.on(folder.resolve("other"))
                    .payload("com.example.NoSuchMerger")
                    .run(List.of(SinkJob.insert("k", "v", 1, "p"))))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("com.example.NoSuchMerger");
  }

  /** Another engine may have made the table so; the next one must find the default, too. */
  @Test
  void row5DefaultOfAColumnStaysWithTheTable() throws Exception {
    String payload = "OverwriteNonDefaultsWithLatestAvroPayload";
    String avro =
        """
        {"type": "record", "name": "r", "fields": [{"name": "k", "type": "string"},
          {"name": "c0", "type": ["null", "string"], "default": null},
          {"name": "c1", "type": ["string", "null"], "default": "x"},
          {"name": "ts", "type": ["long", "null"], "default": 0}]}""";
    TableConfigStore.create(
        Storages.of(folder.toUri().toString()),
        TableConfig.newTable("T", TableType.MERGE_ON_READ)
            .recordKeyFields("k")
            .orderingField("ts")
            .property(TableConfig.PAYLOAD_CLASS, payload)
            .property(TableConfig.CREATE_SCHEMA, avro.replaceAll("\\s", ""))
            .build());
    SinkJob job = job(TableType.MERGE_ON_READ, payload);
    job.run(
        List.of(new Row("a", "b", 7).of("k1"), new Row("a", "x", 7).of("k2")),
        List.of(new Row(null, "x", 0).of("k1"), new Row("c", null, 0).of("k2")));
    assertThat(job.rows()).containsExactly("[k1, a, b, 7]", "[k2, c, null, 7]");
    Schema stored = job.table().avroSchema();
    assertThat(stored.getField("c1").defaultVal()).isEqualTo("x");
    assertThat(stored.getField("ts").defaultVal()).isEqualTo(0L);
    assertThat(stored.getField("c0").defaultVal()).isEqualTo(JsonProperties.NULL_VALUE);
  }

  /** What a user may write: the values of all versions are added up. */
  public static final class SummingMerger extends CombiningMerger {
    @Override
    public RowCombiner combiner(RowType rowType) {
      return (earlier, later, laterWins) ->
          GenericRowData.of(
              later.getString(0),
              later.isNullAt(1) ? null : later.getString(1),
              later.isNullAt(2) ? null : later.getString(2),
              earlier.getLong(3) + later.getLong(3));
    }
  }
}
