package io.hudilite.sink.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.config.TableType;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.RowFormat;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.record.GroupAddress;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.RowDataToRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are added whatever their keys. */
class AppendFlusherTest {
  private static final RowType ROW_TYPE =
      RowType.of(
          new LogicalType[] {
            VarCharType.STRING_TYPE.copy(false), VarCharType.STRING_TYPE, new BigIntType()
          },
          new String[] {"id", "v", "ts"});
  private static final TableSchema SCHEMA =
      new TableSchema(ROW_TYPE, List.of("id"), List.of(), List.of("ts"));
  private static final TableConfig CONFIG =
      TableConfig.newTable("t", TableType.COPY_ON_WRITE)
          .recordKeyFields("id")
          .orderingField("ts")
          .createSchema(AvroSchemas.toAvro(ROW_TYPE, "t").toString())
          .build();
  private static final RecordMerger MERGER = RecordMerger.of(CONFIG);

  @TempDir Path folder;

  private InMemoryStorage newTable() throws IOException {
    InMemoryStorage storage = new InMemoryStorage();
    TableConfigStore.create(storage, CONFIG);
    return storage;
  }

  private static GroupBuffer changes(int group, String... rows) throws IOException {
    GroupAddress address = new GroupAddress(new FileGroupId("", FileId.of(new UUID(group, group))));
    GroupBuffer buffer = new GroupBuffer(address.id(), MERGER);
    RowDataToRecord converter =
        new RowDataToRecord(
            SCHEMA, KeyFormat.of(CONFIG), RecordMerger.of(CONFIG), IndexScope.TABLE);
    for (String row : rows) {
      String[] fields = row.split(" ", -1);
      HudiRecord record =
          converter.convert(
              GenericRowData.ofKind(
                  fields[0].equals("-") ? RowKind.DELETE : RowKind.INSERT,
                  StringData.fromString(fields[1]),
                  StringData.fromString(fields[2]),
                  Long.parseLong(fields[3])));
      record.assign(address, false);
      buffer.add(record);
    }
    return buffer;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void partitionMayHaveSeveralGroups(boolean isSpilled) throws IOException {
    Storage storage = newTable();
    try (AppendFlusher flusher =
        new AppendFlusher(
            storage,
            new RowFormat(storage, ROW_TYPE, "t", BaseFileSettings.DEFAULT, 1 << 20),
            new WriterName(0, 1, 0),
            1 << 20,
            GroupBuffer.Order.ARRIVAL,
            isSpilled ? folder : null)) {
      flusher.begin(new InstantTime("20260101000000000"));
      List<WriteStat> stats =
          new ArrayList<>(flusher.flush(List.of(changes(1, "+ a x 1"), changes(2, "+ b x 1"))));
      stats.addAll(flusher.finish(List.of()));
      assertThat(stats.stream().mapToLong(WriteStat::numWrites).sum()).isEqualTo(2);
    }
  }
}
