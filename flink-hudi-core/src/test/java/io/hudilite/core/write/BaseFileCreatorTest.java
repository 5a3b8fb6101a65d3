package io.hudilite.core.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroRowEncoder;
import io.hudilite.core.base.BaseFileReader;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.log.LogBlock;
import io.hudilite.core.log.LogReader;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

final class BaseFileCreatorTest {
  private static final RowType TYPE =
      new RowType(
          List.of(
              new RowType.RowField("id", new BigIntType(false)),
              new RowType.RowField("name", VarCharType.STRING_TYPE),
              new RowType.RowField("amount", new DecimalType(10, 2)),
              new RowType.RowField("ts", new TimestampType(3))));
  private static final InstantTime INSTANT = new InstantTime("20261129221150721");
  private static final FileId FILE_ID = new FileId("ddbca89d-12b7-4d47-b12f-dd4eb18541da-0");
  private static final BaseFileName BASE = new BaseFileName(FILE_ID, "1-0-1", INSTANT);
  private static final LogFileName LOG = new LogFileName(FILE_ID, INSTANT, 1, "1-0-1");

  private final InMemoryStorage storage = new InMemoryStorage();
  private final RowFormat format =
      new RowFormat(
          storage, TYPE, "t", BaseFileSettings.DEFAULT, RowFormat.DEFAULT_DATA_BLOCK_BYTES);
  private final BaseFileCreator creator =
      new BaseFileCreator(format, new SequenceNumbers(INSTANT, 0), "dt=1", BASE, LOG);

  private static void upsert(FileGroupWriter writer, long id) throws IOException {
    AvroBuffer bytes = new AvroBuffer();
    bytes.writeRaw(Long.toString(id).getBytes(StandardCharsets.UTF_8));
    int keyLength = bytes.size();
    new AvroRowEncoder(TYPE)
        .encode(
            GenericRowData.of(
                id,
                StringData.fromString("name " + id),
                DecimalData.fromBigDecimal(BigDecimal.valueOf(id, 2), 10, 2),
                TimestampData.fromEpochMillis(id)),
            bytes);
    writer.upsert(bytes.array(), 0, keyLength, keyLength, bytes.size() - keyLength);
  }

  @Test
  void rowsBecomeABaseFileAndDeletesALogFile() throws IOException {
    for (int i = 0; i < 100; i++) {
      upsert(creator, i);
    }
    creator.delete("7x".getBytes(StandardCharsets.UTF_8), 0, 2, OrderingValue.ofLong(5));

    List<WriteStat> stats = creator.finish();

    String base = "dt=1/" + BASE;
    String log = "dt=1/" + LOG;
    assertThat(stats).extracting(WriteStat::path).containsExactly(base, log);
    assertThat(stats.get(0).numWrites()).isEqualTo(100);
    assertThat(stats.get(0).numInserts()).isEqualTo(100);
    assertThat(stats.get(0).prevCommit()).isEqualTo("null");
    assertThat(stats.get(0).fileSizeInBytes()).isEqualTo(storage.read(base).length);
    assertThat(stats.get(1).numDeletes()).isEqualTo(1);
    assertThat(stats.get(1).numWrites()).isZero();
    assertThat(stats.get(1).fileSizeInBytes()).isEqualTo(storage.read(log).length);
    try (LogReader reader = LogReader.open(storage, log, storage.read(log).length)) {
      assertThat(((LogBlock.Delete) reader.next()).records()).hasSize(1);
      assertThat(reader.next()).isNull();
    }
    List<String> rows = new ArrayList<>();
    RowType all = AvroSchemas.withMetaColumns(TYPE);
    try (BaseFileReader reader =
        BaseFileReader.open(storage, base, storage.read(base).length, all)) {
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        List<Object> fields = new ArrayList<>();
        for (int i = 0; i < all.getFieldCount(); i++) {
          fields.add(RowData.createFieldGetter(all.getTypeAt(i), i).getFieldOrNull(row));
        }
        rows.add(fields.toString());
      }
    }
    assertThat(rows)
        .hasSize(100)
        .contains(
            "[%s, %s_0_42, 42, dt=1, %s, 42, name 42, 0.42, 1970-01-01T00:00:00.042]"
                .formatted(INSTANT, INSTANT, BASE));
  }

  @Test
  void deletesAloneMakeNoBaseFile() throws IOException {
    creator.delete(new byte[] {'k'}, 0, 1, OrderingValue.NONE);

    assertThat(creator.finish()).extracting(WriteStat::path).containsExactly("dt=1/" + LOG);
  }

  @Test
  void givingUpLeavesNoFile() throws IOException {
    upsert(creator, 1);
    creator.delete(new byte[] {'k'}, 0, 1, OrderingValue.NONE);

    creator.abort();

    assertThat(storage.paths()).isEmpty();
  }

  @Test
  void namesOfAnotherInstantAreRefused() {
    SequenceNumbers other = new SequenceNumbers(new InstantTime("20261129221150722"), 0);

    assertThatThrownBy(() -> new BaseFileCreator(format, other, "dt=1", BASE, LOG))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
