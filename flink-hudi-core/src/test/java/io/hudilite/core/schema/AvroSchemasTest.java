package io.hudilite.core.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DayTimeIntervalType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.MultisetType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimeType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

final class AvroSchemasTest {

  @Test
  void namesAreThoseOfHudi() {
    RowType type =
        row(
            new RowType.RowField("id", new BigIntType(false)),
            new RowType.RowField("amount", new DecimalType(10, 2)));

    Schema schema = AvroSchemas.toAvroWithMeta(type, "orders");

    assertThat(schema.getFullName()).isEqualTo("hoodie.orders.orders_record");
    assertThat(schema.getFields().subList(0, 5))
        .extracting(Schema.Field::name)
        .isEqualTo(MetaColumns.NAMES);
    Schema amount = schema.getField("amount").schema().getTypes().get(1);
    assertThat(amount.getFullName()).isEqualTo("hoodie.orders.orders_record.amount.fixed");
    assertThat(amount.getFixedSize()).isEqualTo(5);
    assertThat(schema.getField("id").schema().getType()).isEqualTo(Schema.Type.LONG);
  }

  @Test
  void decimalsTakeTheFewestBytes() {
    int[] last = {0, 2, 4, 6, 9, 11, 14, 16, 18, 21, 23, 26, 28, 31, 33, 35, 38};
    for (int bytes = 1; bytes < last.length; bytes++) {
      for (int precision = last[bytes - 1] + 1; precision <= last[bytes]; precision++) {
        assertThat(AvroSchemas.decimalBytes(precision)).as("%d digits", precision).isEqualTo(bytes);
      }
    }
  }

  @Test
  void typesWithoutAPlaceAreRefusedWithAdvice() {
    refused(new TimeType(), "TIME", "STRING");
    refused(new TimestampType(9), "TIMESTAMP(9)", "TIMESTAMP(6)");
    refused(new MultisetType(new IntType()), "MULTISET", "MAP<STRING, INT>");
    refused(
        new DayTimeIntervalType(DayTimeIntervalType.DayTimeResolution.DAY), "INTERVAL", "BIGINT");
    refused(new MapType(new IntType(), new IntType()), "MAP<INT, INT>", "MAP<STRING, INT>");
    refused(new ArrayType(new TimeType()), "TIME", "'c[]'");
    refused(row(new RowType.RowField("d", new TimeType())), "TIME", "'c.d'");
  }

  private static void refused(LogicalType type, String... parts) {
    assertThatThrownBy(() -> AvroSchemas.requireSupported(row(new RowType.RowField("c", type))))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContainingAll(parts)
        .hasMessageContaining("'c");
  }

  @Test
  void namesThatAvroCannotHaveAreRefused() {
    assertThatThrownBy(
            () ->
                AvroSchemas.requireSupported(
                    row(new RowType.RowField("a-b", VarCharType.STRING_TYPE))))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'a-b'");
    assertThatThrownBy(
            () ->
                AvroSchemas.requireSupported(
                    row(new RowType.RowField("_hoodie_record_key", VarCharType.STRING_TYPE))))
        .isInstanceOf(HudiTableException.class);
  }

  @Test
  void toAvroAndBackKeepsPlainColumns() {
    RowType type =
        row(
            new RowType.RowField("id", new BigIntType(false)),
            new RowType.RowField("a", new ArrayType(new DecimalType(20, 4))),
            new RowType.RowField("r", row(new RowType.RowField("x", new IntType()))));

    RowType back = AvroSchemas.toRowType(AvroSchemas.toAvroWithMeta(type, "1.t"));

    assertThat(AvroSchemas.withoutMetaColumns(back).getChildren()).isEqualTo(type.getChildren());
    assertThat(back.getFieldCount()).isEqualTo(8);
  }

  private static RowType row(RowType.RowField... fields) {
    return new RowType(false, List.of(fields));
  }
}
