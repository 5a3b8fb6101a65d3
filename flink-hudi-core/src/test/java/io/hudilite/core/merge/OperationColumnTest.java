package io.hudilite.core.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroRowEncoder;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records of Hudi's Flink writer with {@code changelog.enabled}. */
class OperationColumnTest {

  @ParameterizedTest
  @CsvSource({"I, false", "U, false", "-U, true", "D, true", ", false"})
  void operationTellsWhetherTheRowIsGone(String operation, boolean gone) throws Exception {
    HudiTable table =
        MorTable.create(new InMemoryStorage(), 1, MergeMode.EVENT_TIME_ORDERING).open();
    List<RowType.RowField> fields =
        new ArrayList<>(AvroSchemas.withMetaColumns(MorTable.ROW_TYPE).getFields());
    fields.add(5, new RowType.RowField(SliceColumns.OPERATION, VarCharType.STRING_TYPE));
    RowType stored = new RowType(false, fields);
    GenericRowData row = new GenericRowData(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      row.setField(i, StringData.fromString("k"));
    }
    row.setField(5, operation == null ? null : StringData.fromString(operation));
    row.setField(stored.getFieldIndex("ts"), 7L);
    AvroBuffer record = new AvroBuffer();
    new AvroRowEncoder(stored).encode(row, record);

    RecordLayout layout =
        new RecordLayout(
            AvroSchemas.toAvroOfColumns(stored),
            table.schema(),
            true,
            table.config().mergeBehavior(),
            MorTable.ROW_TYPE,
            false);
    assertThat(layout.mayDelete()).isTrue();
    layout.findKey(record.array(), 0, record.size());
    Version version = new Version();
    layout.readVersion(
        record.array(), 0, record.size(), layout.keyOffset() + layout.keyLength(), version);
    assertThat(version.isDelete()).isEqualTo(gone);
  }
}
