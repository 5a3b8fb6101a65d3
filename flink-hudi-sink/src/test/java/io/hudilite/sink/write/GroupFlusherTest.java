package io.hudilite.sink.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableType;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.RowFormat;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.record.GroupAddress;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.RowDataToRecord;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

/** Which files merge-on-read tables get, and what is asked of the storage for it. */
class GroupFlusherTest {
  private static final RowType ROW_TYPE =
      RowType.of(
          new LogicalType[] {VarCharType.STRING_TYPE.copy(false), VarCharType.STRING_TYPE},
          new String[] {"id", "p"});
  private static final TableConfig CONFIG =
      TableConfig.newTable("t", TableType.MERGE_ON_READ)
          .recordKeyFields("id")
          .partitionFields("p")
          .createSchema(AvroSchemas.toAvro(ROW_TYPE, "t").toString())
          .build();
  private static final RecordMerger MERGER = RecordMerger.of(CONFIG);

  private final FaultyStorage storage = FaultyStorage.counting(new InMemoryStorage());

  private GroupFlusher flusher(int attempt, boolean isRestored, String instant) {
    GroupFlusher flusher =
        new GroupFlusher(
            storage,
            new RowFormat(storage, ROW_TYPE, "t", BaseFileSettings.DEFAULT, 1 << 20),
            new WriterName(0, 1, attempt),
            isRestored);
    flusher.begin(new InstantTime(instant));
    return flusher;
  }

  /** A row of a new key, in a group that is said to be new. */
  private static GroupBuffer newGroup(int group, String partition) throws IOException {
    GroupAddress address =
        new GroupAddress(new FileGroupId(partition, FileId.of(new UUID(7, group))));
    GroupBuffer buffer = new GroupBuffer(address.id(), MERGER);
    HudiRecord record =
        new RowDataToRecord(
                new TableSchema(ROW_TYPE, List.of("id"), List.of("p"), List.of()),
                KeyFormat.of(CONFIG),
                MERGER,
                IndexScope.TABLE)
            .convert(
                GenericRowData.of(
                    StringData.fromString("k" + group), StringData.fromString(partition)));
    record.assign(address, true);
    buffer.add(record);
    return buffer;
  }

  private long lists() {
    return storage.operations().stream().filter(operation -> operation.contains("list")).count();
  }

  @Test
  void newGroupsOfAFreshJobListNothing() throws IOException {
    GroupFlusher flusher = flusher(0, false, "20260101000000000");
    for (int i = 0; i < 10; i++) {
      assertThat(flusher.flush(List.of(newGroup(i, "p1"), newGroup(100 + i, "p2"))))
          .hasSize(2)
          .noneMatch(WriteStat::isLogFile);
    }
    assertThat(lists()).isZero();
  }

  @Test
  void restoredJobListsEachPartitionOnceAndAddsToTheFilesThereAre() throws IOException {
    flusher(0, false, "20260101000000000").flush(List.of(newGroup(1, "p1")));
    GroupFlusher restored = flusher(1, true, "20260101000001000");
    List<WriteStat> stats = restored.flush(List.of(newGroup(1, "p1"), newGroup(2, "p1")));
    assertThat(stats).extracting(WriteStat::isLogFile).containsExactly(true, false);
    for (int i = 3; i < 10; i++) {
      assertThat(restored.flush(List.of(newGroup(i, "p1")))).noneMatch(WriteStat::isLogFile);
    }
    assertThat(lists()).isEqualTo(1);
  }
}
