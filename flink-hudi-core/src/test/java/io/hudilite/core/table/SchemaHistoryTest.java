package io.hudilite.core.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.merge.ColumnHistory;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;

final class SchemaHistoryTest {
  private static final String FIRST =
      "{\"version_id\":1,\"type\":\"record\",\"fields\":[{\"id\":5,\"name\":\"a\",\"type\":\"int\"},"
          + "{\"id\":6,\"name\":\"r\",\"type\":{\"type\":\"record\",\"fields\":"
          + "[{\"id\":7,\"name\":\"x\",\"type\":\"int\"}]}}]}";

  private static final String SECOND =
      FIRST.replace("\"version_id\":1", "\"version_id\":20260201000000000");

  private static InMemoryStorage history(String secondSchema) throws IOException {
    InMemoryStorage storage = new InMemoryStorage();
    String all = "{\"schemas\":[" + secondSchema + "," + FIRST + "]}";
    storage.createNew(
        ".hoodie/.schema/20260101000000001.schemacommit", all.getBytes(StandardCharsets.UTF_8));
    storage.createNew(".hoodie/.schema/20260101000000002.schemacommit.inflight", new byte[] {1});
    return storage;
  }

  private static final InstantTime OLD = new InstantTime("20260101000000000");
  private static final InstantTime NEW = new InstantTime("20260301000000000");

  private static RowType wanted() {
    return RowType.of(
        new LogicalType[] {
          new IntType(), RowType.of(new LogicalType[] {new IntType()}, new String[] {"y"})
        },
        new String[] {"b", "r"});
  }

  @Test
  void addedAndWidenedColumnsAreFoundByName() throws IOException {
    ColumnHistory columns =
        SchemaHistory.load(
            history(
                SECOND
                    .replace("\"a\",\"type\":\"int\"", "\"a\",\"type\":\"long\"")
                    .replace(
                        "[{\"id\":5", "[{\"id\":8,\"name\":\"b\",\"type\":\"int\"},{\"id\":5")));
    assertThat(columns.hasRenamed()).isFalse();
    assertThat(SchemaHistory.load(new InMemoryStorage())).isSameAs(ColumnHistory.NONE);
    assertThat(ColumnHistory.NONE.inFile(wanted(), OLD)).isEqualTo(wanted());
  }

  @Test
  void renamedColumnsAreFoundByTheirFormerNames() throws IOException {
    ColumnHistory columns =
        SchemaHistory.load(history(SECOND.replace("\"x\"", "\"y\"").replace("\"a\"", "\"b\"")));
    assertThat(columns.hasRenamed()).isTrue();
    assertThat(columns.inFile(wanted(), NEW)).isEqualTo(wanted());
    assertThat(columns.inFile(wanted(), OLD).asSummaryString())
        .isEqualTo("ROW<`a` INT, `r` ROW<`x` INT>>");
    assertThat(columns.namesNow(List.of("_hoodie_record_key", "r", "a"), OLD))
        .containsExactly("_hoodie_record_key", "r", "b");
  }

  @Test
  void columnThatWasDroppedAndAddedAgainIsNotInOldFiles() throws IOException {
    ColumnHistory columns = SchemaHistory.load(history(SECOND.replace("{\"id\":5", "{\"id\":9")));
    assertThat(columns.hasRenamed()).isTrue();
    RowType wanted = RowType.of(new LogicalType[] {new IntType()}, new String[] {"a"});
    assertThat(columns.inFile(wanted, NEW)).isEqualTo(wanted);
    assertThat(columns.inFile(wanted, OLD).getFieldNames()).doesNotContain("a");
    assertThat(columns.namesNow(List.of("a", "r"), OLD)).containsExactly("r");
  }
}
