package io.hudilite.core.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.base.BaseFileSettings.Compression;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.testkit.InMemoryStorage;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimeType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

class BaseFileRoundTripTest {
  private static final String PATH = "p/f.parquet";
  private static final BaseFileSettings SETTINGS =
      new BaseFileSettings(Compression.SNAPPY, 120 << 20, 1 << 20, 100, 1e-6);

  private final InMemoryStorage storage = new InMemoryStorage();

  private BaseFileWriter write(RowType type, BaseFileSettings settings, List<RowData> rows)
      throws IOException {
    try (BaseFileWriter writer = BaseFileWriter.create(storage, PATH, type, "{}", settings)) {
      for (RowData row : rows) {
        writer.write(row);
      }
      writer.close();
      return writer;
    }
  }

  private List<Object> read(RowType wanted) throws IOException {
    List<Object> rows = new ArrayList<>();
    try (BaseFileReader reader = BaseFileReader.open(storage, PATH, wanted)) {
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        assertThat(reader.rowPosition()).isEqualTo(rows.size());
        rows.add(RowsOfTypes.plain(row, wanted));
      }
      assertThat(reader.next()).isNull();
      assertThat(reader.rowCount()).isEqualTo(rows.size());
    }
    return rows;
  }

  private static List<Object> plain(List<RowData> rows, RowType type) {
    return rows.stream().map(row -> RowsOfTypes.plain(row, type)).toList();
  }

  @Property(tries = 150)
  void rowsComeBackAsTheyWereWritten(
      @ForAll long seed,
      @ForAll Compression compression,
      @ForAll @IntRange(max = 300) int rowCount,
      @ForAll @IntRange(min = 200, max = 40_000) int rowGroupBytes)
      throws IOException {
    InMemoryStorage files = new InMemoryStorage();
    RowsOfTypes random = new RowsOfTypes(seed);
    RowType type = random.rowType();
    List<RowData> rows = new ArrayList<>();
    for (int i = 0; i < rowCount; i++) {
      rows.add(random.row(type));
    }
    BaseFileSettings settings =
        new BaseFileSettings(
            compression, rowGroupBytes, 64 + rowGroupBytes / 10, 1 + rowCount / 2, 1e-3);
    BaseFileWriter writer = BaseFileWriter.create(files, PATH, type, "{}", settings);
    for (RowData row : rows) {
      writer.write(row);
    }
    writer.close();
    byte[] content = files.read(PATH);
    assertThat(writer.fileSizeBytes()).isEqualTo(content.length);
    byte[] inside = new byte[content.length + 20];
    System.arraycopy(content, 0, inside, 7, content.length);
    // As a part of an array, as it lies in a log block.
    try (BaseFileReader reader = BaseFileReader.open("block", inside, 7, content.length, type)) {
      List<Object> read = new ArrayList<>();
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        read.add(RowsOfTypes.plain(row, type));
      }
      assertThat(read).isEqualTo(plain(rows, type));
    }
  }

  private static RowType withMeta(LogicalType... types) {
    List<RowType.RowField> fields = new ArrayList<>();
    MetaColumns.NAMES.forEach(
        name -> fields.add(new RowType.RowField(name, VarCharType.STRING_TYPE)));
    for (int i = 0; i < types.length; i++) {
      fields.add(new RowType.RowField("c" + i, types[i]));
    }
    return new RowType(fields);
  }

  private static RowType only(String name, LogicalType type) {
    return new RowType(List.of(new RowType.RowField(name, type)));
  }

  private static List<RowData> keyed(int count) {
    List<RowData> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(
          GenericRowData.of(
              StringData.fromString("20261129221140728"),
              StringData.fromString("20261129221140728_1_" + i),
              StringData.fromString("key" + i),
              StringData.fromString("p"),
              StringData.fromString("f.parquet"),
              i));
    }
    return rows;
  }

  @Test
  void footerTellsKeysAndSchema() throws IOException {
    RowType type = withMeta(new IntType());
    BaseFileWriter writer = write(type, SETTINGS, keyed(1200));
    assertThat(writer.minRecordKey()).contains("key0");
    assertThat(writer.maxRecordKey()).contains("key999");
    try (BaseFileReader reader = BaseFileReader.open(storage, PATH, only("c0", new IntType()))) {
      assertThat(reader.footer())
          .containsEntry("hoodie_min_record_key", "key0")
          .containsEntry("hoodie_max_record_key", "key999")
          .containsEntry("hoodie_bloom_filter_type_code", "DYNAMIC_V0")
          .containsEntry("parquet.avro.schema", "{}")
          .containsEntry("writer.model.name", "avro");
      BloomFilter filter = reader.bloomFilter().orElseThrow();
      for (int i = 0; i < 1200; i++) {
        assertThat(filter.mightContain("key" + i)).isTrue();
      }
      assertThat(filter.mightContain("another")).isFalse();
      assertThat(reader.columnNames()).isEqualTo(type.getFieldNames());
    }
  }

  @Test
  void smallFileIsSmall() throws IOException {
    assertThat(write(withMeta(new IntType()), SETTINGS, keyed(50)).fileSizeBytes())
        .isLessThan(6_000);
  }

  @Test
  void fileWithoutRowsIsWhole() throws IOException {
    BaseFileWriter writer = write(withMeta(new IntType()), SETTINGS, List.of());
    assertThat(writer.minRecordKey()).isEmpty();
    assertThat(read(withMeta(new IntType()))).isEmpty();
    try (BaseFileReader reader = BaseFileReader.open(storage, PATH, withMeta())) {
      assertThat(reader.footer()).doesNotContainKey("hoodie_min_record_key");
      assertThat(reader.bloomFilter()).isPresent();
    }
  }

  @Test
  void noWantedColumnsGiveAllRowsEmpty() throws IOException {
    write(withMeta(new IntType()), SETTINGS, keyed(5000));
    assertThat(read(new RowType(List.of()))).hasSize(5000);
  }

  @Test
  void columnsThatTheFileDoesNotHaveAreNull() throws IOException {
    write(withMeta(new IntType()), SETTINGS, keyed(3));
    RowType wanted =
        new RowType(
            List.of(
                new RowType.RowField("new", new DecimalType(30, 2)),
                new RowType.RowField("c0", new IntType())));
    List<Object> rows = read(wanted);
    assertThat(rows).hasSize(3);
    assertThat(rowOf(rows.get(2))).containsExactly(null, 2);
    assertThat(read(only("new", VarCharType.STRING_TYPE))).hasSize(3);
  }

  private static List<Object> rowOf(Object row) {
    return new ArrayList<>((List<?>) row);
  }

  @Test
  void numbersAreReadWider() throws IOException {
    RowType type = withMeta(new IntType());
    write(type, SETTINGS, keyed(1500));
    assertThat(rowOf(read(only("c0", new BigIntType())).get(1400))).containsExactly(1400L);
    assertThat(rowOf(read(only("c0", new FloatType())).get(7))).containsExactly(7f);
    assertThat(rowOf(read(only("c0", new DoubleType())).get(7))).containsExactly(7d);
    assertThat(rowOf(read(only("c0", VarCharType.STRING_TYPE)).get(7))).containsExactly("7");
    assertThat(rowOf(read(only("c0", new DecimalType(12, 2))).get(7)).get(0).toString())
        .isEqualTo("7.00");
  }

  @Test
  void floatIsWidenedByItsDigits() throws IOException {
    write(only("c", new FloatType()), SETTINGS, List.of(GenericRowData.of(0.1f)));
    assertThat(rowOf(read(only("c", new DoubleType())).get(0))).containsExactly(0.1d);
    assertThat(rowOf(read(only("c", VarCharType.STRING_TYPE)).get(0))).containsExactly("0.1");
  }

  @Test
  void timesComeInTheWantedUnit() throws IOException {
    TimestampData time = TimestampData.fromEpochMillis(-1001, 999_000);
    write(only("c", new TimestampType(6)), SETTINGS, List.of(GenericRowData.of(time)));
    assertThat(rowOf(read(only("c", new TimestampType(6))).get(0))).containsExactly(time);
    assertThat(rowOf(read(only("c", new TimestampType(3))).get(0)))
        .containsExactly(TimestampData.fromEpochMillis(-1001));
  }

  @Test
  void narrowerTypeIsRefusedWithAdvice() throws IOException {
    write(only("c", new BigIntType()), SETTINGS, List.of(GenericRowData.of(1L)));
    assertThatThrownBy(() -> read(only("c", new IntType())))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining(PATH)
        .hasMessageContaining("'c'")
        .hasMessageContaining("INT");
  }

  @Test
  void typeWithoutAFormIsRefusedBeforeAFileIsMade() throws IOException {
    assertThatThrownBy(() -> write(only("c", new TimeType()), SETTINGS, List.of()))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("CAST");
    assertThat(storage.exists(PATH)).isFalse();
  }

  @Test
  void nullInNotNullColumnIsRefused() throws IOException {
    RowType type = only("c", new IntType(false));
    BaseFileSettings oneRow = new BaseFileSettings(Compression.SNAPPY, 1 << 20, 1 << 20, 1, 1e-6);
    BaseFileWriter writer = BaseFileWriter.create(storage, PATH, type, "{}", oneRow);
    writer.write(GenericRowData.of(1));
    assertThatThrownBy(() -> writer.write(GenericRowData.of((Object) null)))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'c'");
    writer.close();
    assertThatThrownBy(() -> read(type)).isInstanceOf(IOException.class);
    assertThatThrownBy(writer::fileSizeBytes).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void existingFileIsKept() throws IOException {
    write(withMeta(new IntType()), SETTINGS, keyed(3));
    assertThatThrownBy(() -> write(withMeta(new IntType()), SETTINGS, List.of()))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(read(withMeta(new IntType()))).hasSize(3);
  }

  @Test
  void damagedFilesAreNamed() throws IOException {
    RowType type = withMeta(new IntType());
    write(type, SETTINGS, keyed(400));
    byte[] whole = storage.read(PATH);
    Random random = new Random(3);
    for (int i = 0; i < 400; i++) {
      byte[] damaged = whole.clone();
      if (i % 4 == 0) {
        damaged = java.util.Arrays.copyOf(whole, random.nextInt(whole.length));
      } else {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      }
      byte[] content = damaged;
      try (BaseFileReader reader =
          BaseFileReader.open("the file", content, 0, content.length, type)) {
        while (reader.next() != null) {
          // What the checksums do not cover may come through.
        }
      } catch (IOException | HudiTableException e) {
        assertThat(e).hasMessageContaining("the file");
      }
    }
  }
}
