package io.hudilite.core.scan;

import static io.hudilite.core.testkit.MorTable.delete;
import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.base.ColumnCondition;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.key.ByteText;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

/** A column that got another name, and one that was dropped and added again, in base and log. */
class RenamedColumnsTest {
  private static final RowType NOW =
      RowType.of(
          new LogicalType[] {
            new VarCharType(false, VarCharType.MAX_LENGTH),
            new VarCharType(VarCharType.MAX_LENGTH),
            new BigIntType(),
            new VarCharType(VarCharType.MAX_LENGTH),
            new VarCharType(VarCharType.MAX_LENGTH)
          },
          new String[] {"id", "title", "ts", "p", "name"});

  private final InMemoryStorage storage = new InMemoryStorage();

  /** As ALTER TABLE of Hudi: column 1 becomes 'title', and a new column 4 is called 'name'. */
  private void alter(MorTable table) throws IOException {
    table.wall().advanceMillis(1_000);
    TableCommit commit = new TableCommit(storage, table.config(), table.clock());
    InstantTime instant = commit.begin(Action.DELTA_COMMIT);
    commit.commit(
        instant,
        CommitMetadata.ofWrite(
            CommitMetadata.UPSERT,
            List.of(),
            Map.of(
                CommitMetadata.SCHEMA,
                AvroSchemas.toAvro(NOW, "t").toString(),
                "latest_schema",
                "{}")));
    String first = fields("name");
    String second = fields("title") + ",{\"id\":4,\"name\":\"name\",\"type\":\"string\"}";
    storage.createNew(
        ".hoodie/.schema/" + instant + ".schemacommit",
        "{\"schemas\":[{\"version_id\":%s,\"fields\":[%s]},{\"version_id\":0,\"fields\":[%s]}]}"
            .formatted(instant, second, first)
            .getBytes(StandardCharsets.UTF_8));
  }

  private static String fields(String second) {
    List<String> fields = new ArrayList<>();
    for (String name : List.of("id", second, "ts", "p")) {
      fields.add("{\"id\":%d,\"name\":\"%s\",\"type\":\"string\"}".formatted(fields.size(), name));
    }
    return String.join(",", fields);
  }

  private static List<String> rows(HudiTable table, @Nullable ColumnCondition condition)
      throws IOException {
    List<String> rows = new ArrayList<>();
    for (ScanSplit split : new ScanPlanner().snapshot(table)) {
      try (SplitReader reader = SplitReader.open(table.readContext(), split, NOW, condition)) {
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          rows.add(
              row.getString(0)
                  + "="
                  + row.getString(1)
                  + ","
                  + (row.isNullAt(4) ? "null" : row.getString(4)));
        }
      }
    }
    rows.sort(null);
    return rows;
  }

  @Test
  void columnsAreFoundByWhatTheyWereCalledInEachFile() throws IOException {
    MorTable table = MorTable.create(storage, 2, MergeMode.EVENT_TIME_ORDERING);
    table.commit(
        upsert("p", "a", "A", 1),
        upsert("p", "b", "B", 1),
        upsert("p", "c", "C", 1),
        upsert("p", "d", "D", 1));
    table.commit(upsert("p", "b", "B2", 2), delete("p", "c", 2));
    alter(table);
    List<String> expected = List.of("a=A,null", "b=B2,null", "d=D,null");
    assertThat(rows(table.open(), null)).isEqualTo(expected);
    // Statistics of old files speak of other names.
    assertThat(
            rows(
                table.open(),
                new ColumnCondition.Comparison(
                    "name", ColumnCondition.Operator.EQUAL, ByteText.of("none"))))
        .containsAll(List.of("a=A,null", "b=B2,null"));
    assertThatThrownBy(() -> table.open().requireNamesStay())
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("were renamed");
  }
}
