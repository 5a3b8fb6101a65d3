package io.hudilite.core.base;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.storage.LocalStorage;
import io.hudilite.core.testkit.Fixtures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of real Hudi's tables, read by us and compared with the rows that real Hudi reads. */
class BaseFileGoldenTest {
  private static final VarCharType STRING = VarCharType.STRING_TYPE;
  private static final RowType ALL_TYPES =
      row(
          field("id", new IntType()),
          field("f_boolean", new BooleanType()),
          field("f_int", new IntType()),
          field("f_long", new BigIntType()),
          field("f_float", new FloatType()),
          field("f_double", new DoubleType()),
          field("f_decimal", new DecimalType(20, 4)),
          field("f_small_decimal", new DecimalType(6, 2)),
          field("f_string", STRING),
          field("f_binary", new VarBinaryType(VarBinaryType.MAX_LENGTH)),
          field("f_date", new DateType()),
          field("f_timestamp", new LocalZonedTimestampType(6)),
          field("f_array", new ArrayType(STRING)),
          field("f_int_array", new ArrayType(new IntType())),
          field("f_map", new MapType(STRING, new BigIntType())),
          field(
              "f_struct",
              row(
                  field("a", new IntType()),
                  field("b", STRING),
                  field("c", row(field("d", new DoubleType()), field("e", new DateType()))))),
          field(
              "f_array_of_struct",
              new ArrayType(row(field("x", new IntType()), field("y", new DecimalType(10, 3))))),
          field("f_map_of_array", new MapType(STRING, new ArrayType(new IntType()))),
          field("ts", new BigIntType()),
          field("dt", STRING));
  private static final RowType ORDERS =
      row(
          field("order_id", new BigIntType()),
          field("user_id", STRING),
          field("amount", new DecimalType(10, 2)),
          field("status", STRING),
          field("ts", new BigIntType()),
          field("dt", STRING));

  @TempDir private Path folder;

  private static RowType.RowField field(String name, LogicalType type) {
    return new RowType.RowField(name, type);
  }

  private static RowType row(RowType.RowField... fields) {
    return new RowType(List.of(fields));
  }

  private static List<Path> files(Path table, String part) throws IOException {
    try (Stream<Path> found = Files.walk(table)) {
      return found
          .filter(Files::isRegularFile)
          .filter(path -> path.getFileName().toString().contains(part))
          .filter(path -> !path.getFileName().toString().endsWith(".crc"))
          .filter(path -> !path.toString().contains(".hoodie/"))
          .toList();
    }
  }

  private List<String> readBaseFiles(String name, RowType type) throws IOException {
    Path table = Fixtures.unpack(name, folder);
    List<String> rows = new ArrayList<>();
    for (Path path : files(table, ".parquet")) {
      try (BaseFileReader reader =
          BaseFileReader.open(new LocalStorage(table), table.relativize(path).toString(), type)) {
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          rows.add(json(row, type));
        }
      }
    }
    return rows;
  }

  @Test
  void allTypesOfTheAvroWriterAreRead() throws IOException {
    assertThat(readBaseFiles("mor_all_types", ALL_TYPES))
        .containsExactlyInAnyOrderElementsOf(lines("mor_all_types.ro.jsonl"));
  }

  @Test
  void version9IsRead() throws IOException {
    List<RowType.RowField> fields = new ArrayList<>(ALL_TYPES.getFields());
    fields.add(12, field("f_timestamp_ntz", new TimestampType(6)));
    RowType type = new RowType(fields);
    assertThat(readBaseFiles("v9_mor_all_types", type))
        .containsExactlyInAnyOrderElementsOf(lines("v9_mor_all_types.ro.jsonl"));
  }

  @Test
  void threeLevelListsOfSparksRowWriterAreRead() throws IOException {
    assertThat(readBaseFiles("cow_all_types_bulk_insert", ALL_TYPES))
        .containsExactlyInAnyOrderElementsOf(lines("cow_all_types_bulk_insert.expected.jsonl"));
  }

  @Test
  void zstdIsRead() throws IOException {
    assertThat(readBaseFiles("mor_zstd_small_blocks", ORDERS))
        .containsExactlyInAnyOrderElementsOf(lines("mor_zstd_small_blocks.ro.jsonl"));
  }

  @Test
  void filtersAndKeyRangesOfHudiFitItsKeys() throws IOException {
    Path table = Fixtures.unpack("mor_zstd_small_blocks", folder);
    RowType keys = row(field(MetaColumns.RECORD_KEY, STRING));
    for (Path path : files(table, ".parquet")) {
      try (BaseFileReader reader =
          BaseFileReader.open(new LocalStorage(table), table.relativize(path).toString(), keys)) {
        BloomFilter filter = reader.bloomFilter().orElseThrow();
        String min = reader.minRecordKey().orElseThrow();
        String max = reader.maxRecordKey().orElseThrow();
        int rows = 0;
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          String key = row.getString(0).toString();
          assertThat(filter.mightContain(key)).isTrue();
          assertThat(key).isBetween(min, max);
          rows++;
        }
        assertThat(rows).isPositive();
        assertThat(filter.mightContain("no such key")).isFalse();
      }
    }
  }

  @Test
  void parquetBlockOfALogIsRead() throws IOException {
    Path table = Fixtures.unpack("mor_parquet_log", folder);
    RowType keys = row(field(MetaColumns.RECORD_KEY, STRING), field("dt", STRING));
    int blocks = 0;
    for (Path path : files(table, ".log.")) {
      byte[] log = Files.readAllBytes(path);
      int start = new String(log, ISO_8859_1).indexOf("PAR1");
      if (start < 0) {
        continue;
      }
      int length = (int) ByteBuffer.wrap(log).getLong(start - Long.BYTES);
      try (BaseFileReader reader = BaseFileReader.open("log", log, start, length, keys)) {
        assertThat(reader.rowCount()).isPositive();
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          assertThat(row.getString(0).toString()).isNotEmpty();
          assertThat(row.getString(1).toString()).startsWith("2025-10-1");
        }
        assertThat(reader.bloomFilter()).isEmpty();
        blocks++;
      }
    }
    assertThat(blocks).isPositive();
  }

  private static List<String> lines(String file) {
    return Fixtures.text(file).lines().toList();
  }

  private static String json(RowData row, RowType type) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < type.getFieldCount(); i++) {
      LogicalType fieldType = type.getTypeAt(i);
      Object value = RowData.createFieldGetter(fieldType, i).getFieldOrNull(row);
      fields.add("\"" + type.getFieldNames().get(i) + "\":" + json(value, fieldType));
    }
    return "{" + String.join(",", fields) + "}";
  }

  private static String json(Object value, LogicalType type) {
    if (value == null) {
      return "null";
    }
    return switch (type.getTypeRoot()) {
      case VARCHAR -> quoted(value.toString());
      case VARBINARY -> quoted(Base64.getEncoder().encodeToString((byte[]) value));
      case DATE -> quoted(LocalDate.ofEpochDay((int) value).toString());
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> {
        String text =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS")
                .format(((TimestampData) value).toLocalDateTime());
        yield quoted(type.is(LogicalTypeRoot.TIMESTAMP_WITH_LOCAL_TIME_ZONE) ? text + "Z" : text);
      }
      case ARRAY ->
          "["
              + String.join(",", items((ArrayData) value, ((ArrayType) type).getElementType()))
              + "]";
      case MAP -> {
        MapType map = (MapType) type;
        List<String> keys = items(((MapData) value).keyArray(), map.getKeyType().copy(false));
        List<String> values = items(((MapData) value).valueArray(), map.getValueType());
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
          entries.add(keys.get(i) + ":" + values.get(i));
        }
        yield "{" + String.join(",", entries) + "}";
      }
      case ROW -> json((RowData) value, (RowType) type);
      default -> value.toString();
    };
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
  }

  private static List<String> items(ArrayData array, LogicalType type) {
    ArrayData.ElementGetter getter = ArrayData.createElementGetter(type);
    List<String> items = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      items.add(json(array.isNullAt(i) ? null : getter.getElementOrNull(array, i), type));
    }
    return items;
  }
}
