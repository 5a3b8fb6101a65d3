package io.hudilite.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.storage.LocalStorage;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parquet's own reader understands our files. */
class ParquetReadsOursTest {
  @TempDir private Path folder;

  private static final class GroupReader extends ParquetReader.Builder<Group> {
    GroupReader(InputFile file) {
      super(file, new PlainParquetConfiguration());
    }

    @Override
    protected ReadSupport<Group> getReadSupport() {
      return new GroupReadSupport();
    }
  }

  @Test
  void schemaAndValuesAreAsMeant() throws IOException {
    RowType type =
        RowType.of(
            new org.apache.flink.table.types.logical.LogicalType[] {
              new IntType(false),
              new DecimalType(10, 2),
              new TimestampType(3),
              new ArrayType(VarCharType.STRING_TYPE),
              new MapType(VarCharType.STRING_TYPE, new BigIntType())
            },
            new String[] {"id", "amount", "at", "tags", "counts"});
    try (BaseFileWriter writer =
        BaseFileWriter.create(
            new LocalStorage(folder), "f.parquet", type, "{}", BaseFileSettings.DEFAULT)) {
      for (int i = 0; i < 3000; i++) {
        writer.write(
            GenericRowData.of(
                i,
                i == 1 ? null : DecimalData.fromUnscaledLong(-i, 10, 2),
                TimestampData.fromEpochMillis(i),
                new GenericArrayData(new Object[] {StringData.fromString("t" + i), null}),
                new GenericMapData(Map.of(StringData.fromString("k"), (long) i))));
      }
    }
    try (ParquetReader<Group> reader =
        new GroupReader(new LocalInputFile(folder.resolve("f.parquet")))
            .withCodecFactory(new PageCodecs())
            .build()) {
      for (int i = 0; i < 3000; i++) {
        Group row = reader.read();
        assertThat(row.getInteger("id", 0)).isEqualTo(i);
        assertThat(row.getFieldRepetitionCount("amount")).isEqualTo(i == 1 ? 0 : 1);
        if (i != 1) {
          assertThat(new BigInteger(row.getBinary("amount", 0).getBytes()).intValue())
              .isEqualTo(-i);
        }
        assertThat(row.getLong("at", 0)).isEqualTo(i);
        Group tags = row.getGroup("tags", 0);
        assertThat(tags.getFieldRepetitionCount("list")).isEqualTo(2);
        assertThat(tags.getGroup("list", 0).getString("element", 0)).isEqualTo("t" + i);
        assertThat(tags.getGroup("list", 1).getFieldRepetitionCount("element")).isZero();
        Group entry = row.getGroup("counts", 0).getGroup("key_value", 0);
        assertThat(entry.getString("key", 0)).isEqualTo("k");
        assertThat(entry.getLong("value", 0)).isEqualTo(i);
      }
      assertThat(reader.read()).isNull();
    }
    assertThat(
            ParquetSchemas.toParquet(type).getFields().stream()
                .map(field -> field.toString().replaceAll("\\s+", " "))
                .toList())
        .isEqualTo(
            List.of(
                "required int32 id",
                "optional fixed_len_byte_array(5) amount (DECIMAL(10,2))",
                "optional int64 at (TIMESTAMP(MILLIS,true))",
                "optional group tags (LIST) { repeated group list { optional binary element (STRING); } }",
                "optional group counts (MAP) { repeated group key_value { required binary key (STRING); optional int64 value; } }"));
  }
}
