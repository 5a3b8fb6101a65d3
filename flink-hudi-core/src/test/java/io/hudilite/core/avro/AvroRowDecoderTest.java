package io.hudilite.core.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.TinyIntType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

final class AvroRowDecoderTest {

  @Test
  void numbersWidenToTheWantedType() throws IOException {
    assertThat(read("\"int\"", -5, new BigIntType())).isEqualTo(-5L);
    assertThat(read("\"int\"", -5, new FloatType())).isEqualTo(-5f);
    assertThat(read("\"int\"", -5, new DoubleType())).isEqualTo(-5d);
    assertThat(read("\"int\"", -5, VarCharType.STRING_TYPE)).isEqualTo(StringData.fromString("-5"));
    assertThat(read("\"long\"", -5, new DecimalType(4, 2)))
        .isEqualTo(DecimalData.fromBigDecimal(new BigDecimal("-5.00"), 4, 2));
    assertThat(read("[\"null\",\"int\",\"long\"]", 2, 9, new BigIntType())).isEqualTo(9L);
  }

  @Test
  void timestampsOfEveryUnitBecomeTheWantedOne() throws IOException {
    LogicalType millis = new TimestampType(3);
    LogicalType micros = new LocalZonedTimestampType(6);
    assertThat(read(timestamp("timestamp-millis"), -1, micros))
        .isEqualTo(TimestampData.fromEpochMillis(-1));
    assertThat(read(timestamp("local-timestamp-micros"), -1, millis))
        .isEqualTo(TimestampData.fromEpochMillis(-1));
    assertThat(read(timestamp("timestamp-micros"), -1, micros))
        .isEqualTo(TimestampData.fromEpochMillis(-1, 999_000));
    assertThat(read("\"long\"", 5, millis)).isEqualTo(TimestampData.fromEpochMillis(5));
    assertThat(read("\"long\"", 5, micros)).isEqualTo(TimestampData.fromEpochMillis(0, 5_000));
  }

  @Test
  void aTypeThatCannotBeReadIsNamedWithTheOneThatCan() {
    assertThatThrownBy(() -> read("\"long\"", 5, new IntType()))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'c'")
        .hasMessageContaining("BIGINT");
    assertThatThrownBy(() -> read("\"int\"", 500, new TinyIntType()))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("500");
  }

  private static String timestamp(String logicalType) {
    return "{\"type\":\"long\",\"logicalType\":\"" + logicalType + "\"}";
  }

  private static Object read(String type, long value, LogicalType target) throws IOException {
    AvroBuffer out = new AvroBuffer();
    out.writeLong(value);
    return read(type, out, target);
  }

  private static Object read(String type, int branch, long value, LogicalType target)
      throws IOException {
    AvroBuffer out = new AvroBuffer();
    out.writeInt(branch);
    out.writeLong(value);
    return read(type, out, target);
  }

  private static Object read(String type, AvroBuffer out, LogicalType target) throws IOException {
    Schema schema =
        new Schema.Parser()
            .parse(
                "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"c\",\"type\":%s}]}"
                    .formatted(type));
    RowType row = new RowType(List.of(new RowType.RowField("c", target)));
    return AvroRowDecoder.create(schema, row).decode(out.array(), 0, out.size()).getField(0);
  }
}
