package io.hudilite.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroRowEncoder;
import io.hudilite.core.avro.MalformedAvroException;
import io.hudilite.core.base.BaseFileSettings.Compression;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.testkit.InMemoryStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;

class RecordFeedTest {
  private static final BaseFileSettings SETTINGS =
      new BaseFileSettings(Compression.SNAPPY, 20_000, 1 << 20, 3, 1e-6);

  private static RowType flat(RowType type) {
    return new RowType(
        false,
        type.getFields().stream()
            .filter(
                field ->
                    !field.getType().is(LogicalTypeRoot.ARRAY)
                        && !field.getType().is(LogicalTypeRoot.MAP)
                        && !field.getType().is(LogicalTypeRoot.ROW))
            .toList());
  }

  private static byte[] write(RowType type, List<RowData> rows, boolean asRecords)
      throws IOException {
    InMemoryStorage files = new InMemoryStorage();
    RecordFeed feed = RecordFeed.createIfFlat(AvroSchemas.toAvroOfColumns(type), type);
    assertThat(feed).isNotNull();
    AvroRowEncoder encoder = new AvroRowEncoder(type);
    AvroBuffer record = new AvroBuffer();
    try (BaseFileWriter writer = BaseFileWriter.create(files, "f", type, "{}", SETTINGS)) {
      for (RowData row : rows) {
        if (asRecords) {
          record.reset();
          record.writeByte(77); // records need not begin where their array does
          encoder.encode(row, record);
          writer.write(feed, record.array(), 1, record.size() - 1);
        } else {
          writer.write(row);
        }
      }
    }
    return files.read("f");
  }

  @Property(tries = 100)
  void recordsMakeTheFileThatRowsMake(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 700) int rowCount) throws IOException {
    RowsOfTypes random = new RowsOfTypes(seed);
    RowType type = flat(random.rowType());
    if (type.getFieldCount() == 0) {
      return;
    }
    List<RowData> rows = new ArrayList<>();
    for (int i = 0; i < rowCount; i++) {
      rows.add(random.row(type));
    }
    assertThat(write(type, rows, true)).isEqualTo(write(type, rows, false));
  }

  @Property(tries = 100)
  void damagedRecordsAreToldOf(@ForAll long seed) throws IOException {
    RowsOfTypes rows = new RowsOfTypes(seed);
    RowType type = flat(rows.rowType());
    if (type.getFieldCount() == 0) {
      return;
    }
    RecordFeed feed = RecordFeed.createIfFlat(AvroSchemas.toAvroOfColumns(type), type);
    AvroRowEncoder encoder = new AvroRowEncoder(type);
    Random random = new Random(seed);
    AvroBuffer record = new AvroBuffer();
    encoder.encode(rows.row(type), record);
    byte[] bytes = record.toByteArray();
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    int length = random.nextInt(bytes.length + 1);
    BaseFileWriter writer =
        BaseFileWriter.create(
            new InMemoryStorage(),
            "f",
            type,
            "{}",
            new BaseFileSettings(Compression.SNAPPY, 20_000, 1 << 20, 1, 1e-6));
    try {
      writer.write(feed, bytes, 0, length);
    } catch (MalformedAvroException e) {
      assertThat(e).hasMessageContaining("byte");
    } finally {
      writer.abort();
    }
  }

  @Test
  void nestedColumnsHaveNoFeed() {
    RowType type = RowType.of(new IntType(), new ArrayType(new IntType()));
    assertThat(RecordFeed.createIfFlat(AvroSchemas.toAvroOfColumns(type), type)).isNull();
  }
}
