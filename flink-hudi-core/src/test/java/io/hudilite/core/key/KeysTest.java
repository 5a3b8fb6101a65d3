package io.hudilite.core.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.TableSchema;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;

/** The texts are those that Hudi 1.0.2 wrote. */
final class KeysTest {
  private static final RowType TYPE =
      new RowType(
          List.of(
              new RowType.RowField("tenant", VarCharType.STRING_TYPE),
              new RowType.RowField("id", new BigIntType()),
              new RowType.RowField("region", VarCharType.STRING_TYPE),
              new RowType.RowField("ts", new TimestampType(3)),
              new RowType.RowField("day", new DateType()),
              new RowType.RowField("price", new DecimalType(10, 2)),
              new RowType.RowField("d", new DoubleType()),
              new RowType.RowField("flag", new BooleanType()),
              new RowType.RowField("raw", new VarBinaryType(10)),
              new RowType.RowField("n", new IntType())));

  private static GenericRowData row() {
    return GenericRowData.of(
        StringData.fromString("x"),
        2L,
        StringData.fromString("eu"),
        TimestampData.fromEpochMillis(1_500),
        (int) LocalDate.of(2025, 10, 18).toEpochDay(),
        DecimalData.fromBigDecimal(new BigDecimal("12.30"), 10, 2),
        1.5d,
        true,
        new byte[] {1},
        7);
  }

  private static GenericRowData with(int index, Object value) {
    GenericRowData row = row();
    row.setField(index, value instanceof String text ? StringData.fromString(text) : value);
    return row;
  }

  private static TableSchema schema(
      List<String> keys, List<String> partitions, List<String> ordering) {
    return new TableSchema(TYPE, keys, partitions, ordering);
  }

  private static KeyFormat format(boolean hive, boolean encode) {
    return new KeyFormat(hive, encode, KeyFormat.DEFAULT_PARTITION_NAME, KeyGenerator.COMPLEX);
  }

  private static String key(GenericRowData row, String... columns) {
    return new KeyExtractor(schema(List.of(columns), List.of(), List.of()), format(false, false))
        .recordKey(row);
  }

  @Test
  void aSingleKeyIsItsValueAsText() {
    assertThat(key(row(), "id")).isEqualTo("2");
    assertThat(key(with(1, Long.MIN_VALUE), "id")).isEqualTo("-9223372036854775808");
    assertThat(key(with(1, -10L), "id")).isEqualTo("-10");
    assertThat(key(with(1, 0L), "id")).isEqualTo("0");
    assertThat(key(row(), "tenant")).isEqualTo("x");
    assertThat(key(row(), "day")).isEqualTo("2025-10-18");
    assertThat(key(row(), "price")).isEqualTo("12.30");
    assertThat(key(row(), "d")).isEqualTo("1.5");
    assertThat(key(row(), "flag")).isEqualTo("true");
    assertThat(key(row(), "ts")).isEqualTo("1500");
  }

  @Test
  void severalKeysStandWithTheirNames() {
    assertThat(key(row(), "tenant", "id")).isEqualTo("tenant:x,id:2");
    assertThat(key(with(0, null), "tenant", "id")).isEqualTo("tenant:__null__,id:2");
    assertThat(key(with(0, ""), "tenant", "id")).isEqualTo("tenant:__empty__,id:2");
    assertThat(key(with(0, "x:1"), "tenant", "id")).isEqualTo("tenant:x:1,id:2");
  }

  @Test
  void keysWithoutAValueAreRefused() {
    assertThatThrownBy(() -> key(with(1, null), "id"))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'id' is null");
    assertThatThrownBy(() -> key(with(0, ""), "tenant"))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'tenant' is an empty string");
    GenericRowData none = with(0, "");
    none.setField(1, null);
    assertThatThrownBy(() -> key(none, "tenant", "id")).isInstanceOf(HudiTableException.class);
    assertThatThrownBy(() -> key(row(), "raw"))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("STRING");
  }

  private static String path(Object region, boolean hive, boolean encode) {
    return new KeyExtractor(
            schema(List.of("id"), List.of("region"), List.of()), format(hive, encode))
        .partitionPath(with(2, region));
  }

  @Test
  void partitionPathsAreEscapedAsHudiDoesIt() {
    assertThat(path("a/b", true, true)).isEqualTo("region=a%2Fb");
    assertThat(path("100%", true, true)).isEqualTo("region=100%25");
    assertThat(path("x=y", true, true)).isEqualTo("region=x%3Dy");
    assertThat(path("2025:10:18", true, true)).isEqualTo("region=2025%3A10%3A18");
    assertThat(path("eu west", true, true)).isEqualTo("region=eu west");
    assertThat(path("köln", true, true)).isEqualTo("region=köln");
    assertThat(path(null, true, true)).isEqualTo("region=__HIVE_DEFAULT_PARTITION__");
    assertThat(path("", true, true)).isEqualTo("region=__HIVE_DEFAULT_PARTITION__");
    assertThat(path("", false, false)).isEqualTo("__HIVE_DEFAULT_PARTITION__");
    assertThat(path("a/b", false, false)).isEqualTo("a/b");
  }

  @Test
  void pathsThatLeadOutOfTheTableAreRefused() {
    for (String bad : List.of("..", "a/../../b", "/a", "a//b", ".hoodie", ".hoodie/x", "a\nb")) {
      assertThatThrownBy(() -> path(bad, false, false))
          .as(bad)
          .isInstanceOf(HudiTableException.class)
          .hasMessageContaining("[region]");
    }
  }

  @Test
  void orderingHasTheKindOfItsColumn() {
    KeyExtractor byTime =
        new KeyExtractor(schema(List.of("id"), List.of(), List.of("ts")), format(true, false));
    assertThat(byTime.ordering(row())).isEqualTo(OrderingValue.ofLong(1_500));
    assertThatThrownBy(() -> byTime.ordering(with(3, null)))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContainingAll("'2'", "'ts'", "COALESCE", "COMMIT_TIME_ORDERING");
    KeyExtractor byTwo =
        new KeyExtractor(
            schema(List.of("id"), List.of(), List.of("day", "tenant")), format(true, false));
    assertThat(byTwo.ordering(row()))
        .isEqualTo(
            OrderingValue.ofList(
                List.of(
                    OrderingValue.ofInt(20379),
                    OrderingValue.ofString("x".getBytes(StandardCharsets.UTF_8)))));
    KeyExtractor none =
        new KeyExtractor(schema(List.of("id"), List.of(), List.of()), format(true, false));
    assertThat(none.ordering(row())).isEqualTo(OrderingValue.NONE);
  }

  @Test
  void deletedRowsHaveKeyPartitionAndOrdering() {
    KeyParser parser =
        new KeyParser(
            schema(List.of("tenant", "id"), List.of("day", "region"), List.of("ts")),
            format(true, true));

    GenericRowData row =
        parser.deletedRow(
            "tenant:a,b:c,id:-4", "day=2025-10-18/region=a%2Fb", OrderingValue.ofLong(9));

    assertThat(row.getRowKind()).isEqualTo(RowKind.DELETE);
    assertThat(row.getString(0)).hasToString("a,b:c");
    assertThat(row.getLong(1)).isEqualTo(-4);
    assertThat(row.getString(2)).hasToString("a/b");
    assertThat(row.getTimestamp(3, 3).getMillisecond()).isEqualTo(9);
    assertThat(row.getInt(4)).isEqualTo(20379);
    assertThat(row.isNullAt(5)).isTrue();
  }

  private static String time(String column, Object value, String... properties) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < properties.length; i += 2) {
      all.put("hoodie.keygen.timebased." + properties[i], properties[i + 1]);
    }
    KeyFormat format =
        new KeyFormat(
            false,
            false,
            KeyFormat.DEFAULT_PARTITION_NAME,
            KeyGenerator.TIMESTAMP,
            List.of(TimePartition.of(column, all).orElseThrow()));
    return new KeyExtractor(schema(List.of("id"), List.of(column), List.of()), format)
        .partitionPath(with(TYPE.getFieldIndex(column), value));
  }

  @Test
  void timesInPathsAreFormatted() {
    String output = "output.dateformat";
    String type = "timestamp.type";
    assertThat(time("id", 1_700_000_000L, type, "UNIX_TIMESTAMP", output, "yyyy/MM/dd"))
        .isEqualTo("2023/11/14");
    assertThat(time("id", 1_700_000_000_999L, type, "EPOCHMILLISECONDS", output, "yyyyMMddHHmmss"))
        .isEqualTo("20231114221320");
    assertThat(
            time(
                "id",
                1_700_000_000_999L,
                type,
                "EPOCHMILLISECONDS",
                output,
                "YYYY-MM-dd'T'HH",
                "timezone",
                "GMT+8:00"))
        .isEqualTo("2023-11-15T06");
    TimestampData early = TimestampData.fromEpochMillis(-1);
    assertThat(time("ts", early, type, "EPOCHMILLISECONDS", output, "yyyyMMdd"))
        .isEqualTo("19691231");
    int day = (int) LocalDate.of(2024, 2, 29).toEpochDay();
    String[] days = {type, "SCALAR", "timestamp.scalar.time.unit", "DAYS", output, "yyyyMMdd"};
    assertThat(time("day", day, days)).isEqualTo("20240229");
    assertThat(time("n", day, days)).isEqualTo("20240229");
    assertThat(time("day", null, days)).isEqualTo("19700102");
    String[] texts = {
      type,
      "DATE_STRING",
      "input.dateformat",
      "yyyy-MM-dd HH:mm:ss,yyyy-MM-dd",
      output,
      "yyyyMMddHH"
    };
    assertThat(time("region", "2024-02-29 23:59:59", texts)).isEqualTo("2024022923");
    assertThat(time("region", "2024-02-29", texts)).isEqualTo("2024022900");
    assertThatThrownBy(() -> time("region", "soon", texts))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'soon' in partition column 'region'");
    assertThatThrownBy(() -> time("region", "1", days)).hasMessageContaining("'region' is STRING");
    assertThatThrownBy(() -> time("id", 1L, type, "SCALAR", output, "xxxx"))
        .hasMessageContaining("'xxxx'");
    assertThat(TimePartition.of("id", Map.of())).isEmpty();
  }

  @Property(tries = 300)
  void keysAndPathsAreReadBack(
      @ForAll long id, @ForAll @StringLength(min = 1, max = 12) String text) {
    // Avro and paths hold UTF-8, in which a half of a surrogate pair does not survive.
    String value = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    TableSchema schema = schema(List.of("id", "n"), List.of("region"), List.of("ts"));
    GenericRowData row = with(2, value);
    row.setField(1, id);
    KeyExtractor extractor = new KeyExtractor(schema, format(true, true));

    GenericRowData back =
        new KeyParser(schema, format(true, true))
            .deletedRow(
                extractor.recordKey(row), extractor.partitionPath(row), extractor.ordering(row));

    assertThat(back.getLong(1)).isEqualTo(id);
    assertThat(back.getString(2)).hasToString(value);
    assertThat(back.getInt(9)).isEqualTo(7);
    assertThat(back.getField(3)).isEqualTo(row.getField(3));
  }
}
