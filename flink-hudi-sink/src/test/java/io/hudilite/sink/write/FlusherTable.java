package io.hudilite.sink.write;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.config.TableType;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.record.GroupAddress;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.RowDataToRecord;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.RowKind;

/** The copy-on-write table of the tests of flushers: columns id, v and ts. */
final class FlusherTable {
  static final RowType ROW_TYPE =
      RowType.of(
          new LogicalType[] {
            VarCharType.STRING_TYPE.copy(false), VarCharType.STRING_TYPE, new BigIntType()
          },
          new String[] {"id", "v", "ts"});
  private static final TableSchema SCHEMA =
      new TableSchema(ROW_TYPE, List.of("id"), List.of(), List.of("ts"));
  static final TableConfig CONFIG =
      TableConfig.newTable("t", TableType.COPY_ON_WRITE)
          .recordKeyFields("id")
          .orderingField("ts")
          .createSchema(AvroSchemas.toAvro(ROW_TYPE, "t").toString())
          .build();
  private static final RecordMerger MERGER = RecordMerger.of(CONFIG);

  private FlusherTable() {}

  static InMemoryStorage newTable() throws IOException {
    InMemoryStorage storage = new InMemoryStorage();
    TableConfigStore.create(storage, CONFIG);
    return storage;
  }

  /**
   * Changes of one file group.
   *
   * @param rows each as its kind, + or -, key, value and ordering value, by spaces
   */
  static GroupBuffer changes(int group, String... rows) throws IOException {
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
}
