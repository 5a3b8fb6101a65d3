package io.hudilite.core.base;

import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.testkit.InMemoryStorage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * Rows per second of CPU of the base-file codec; a program, not a test. Arguments: rows, rounds,
 * codec.
 */
final class BaseFileSpeed {
  private static final VarCharType STRING = VarCharType.STRING_TYPE;

  private BaseFileSpeed() {}

  public static void main(String[] args) throws IOException {
    int count = args.length > 0 ? Integer.parseInt(args[0]) : 500_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    BaseFileSettings settings =
        BaseFileSettings.DEFAULT.withCompression(
            BaseFileSettings.Compression.valueOf(args.length > 2 ? args[2] : "SNAPPY"));
    List<RowType.RowField> fields = new ArrayList<>();
    MetaColumns.NAMES.forEach(name -> fields.add(new RowType.RowField(name, STRING)));
    LogicalType[] types = {
      new BigIntType(),
      new IntType(),
      new IntType(),
      new BigIntType(),
      new DoubleType(),
      new DecimalType(10, 2),
      STRING,
      STRING,
      new TimestampType(3),
      STRING
    };
    for (int i = 0; i < types.length; i++) {
      fields.add(new RowType.RowField("c" + i, types[i]));
    }
    RowType rowType = new RowType(fields);
    List<RowData> rows = rows(count);
    RowType one = new RowType(List.of(fields.get(2)));
    RowType oneInt = new RowType(List.of(fields.get(6)));
    for (int round = 0; round < rounds; round++) {
      InMemoryStorage storage = new InMemoryStorage();
      long start = cpuNanos();
      BaseFileWriter writer = BaseFileWriter.create(storage, "f", rowType, "{}", settings);
      for (RowData row : rows) {
        writer.write(row);
      }
      writer.close();
      long written = cpuNanos();
      long sum = read(storage, rowType);
      long read = cpuNanos();
      sum += read(storage, one);
      long keys = cpuNanos();
      sum += read(storage, oneInt);
      long ints = cpuNanos();
      System.out.printf(
          "%d bytes, write %.2f, read %.2f, key column %.2f, int column %.2f M rows/s of CPU (%d)%n",
          writer.fileSizeBytes(),
          count * 1e3 / (written - start),
          count * 1e3 / (read - written),
          count * 1e3 / (keys - read),
          count * 1e3 / (ints - keys),
          sum);
    }
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long read(InMemoryStorage storage, RowType wanted) throws IOException {
    RowData.FieldGetter[] getters = new RowData.FieldGetter[wanted.getFieldCount()];
    for (int i = 0; i < getters.length; i++) {
      getters[i] = RowData.createFieldGetter(wanted.getTypeAt(i), i);
    }
    long sum = 0;
    try (BaseFileReader reader = BaseFileReader.open(storage, "f", wanted)) {
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        for (RowData.FieldGetter getter : getters) {
          sum += getter.getFieldOrNull(row) == null ? 1 : 2;
        }
      }
    }
    return sum;
  }

  private static List<RowData> rows(int count) {
    Random random = new Random(7);
    StringData[] thousand = new StringData[1000];
    for (int i = 0; i < thousand.length; i++) {
      thousand[i] = StringData.fromString(letters(random, 20));
    }
    StringData commit = StringData.fromString("20261129221140728");
    StringData partition = StringData.fromString("2026-11-29");
    StringData file =
        StringData.fromString(
            "ddbca89d-12b7-4d47-b12f-dd4eb18541da-0_1-13-12_20261129221140728.parquet");
    List<RowData> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long id = random.nextLong() >>> 20;
      rows.add(
          GenericRowData.of(
              commit,
              StringData.fromString("20261129221140728_1_" + i),
              StringData.fromString(String.valueOf(id)),
              partition,
              file,
              id,
              random.nextInt(),
              random.nextInt(100_000),
              random.nextLong(),
              random.nextDouble(),
              DecimalData.fromUnscaledLong(random.nextInt(1_000_000), 10, 2),
              StringData.fromString(letters(random, 20)),
              thousand[random.nextInt(1000)],
              TimestampData.fromEpochMillis(1_790_000_000_000L + i),
              thousand[random.nextInt(2)]));
    }
    for (RowData row : rows) {
      for (int i : new int[] {0, 1, 2, 3, 4, 11, 12, 14}) {
        row.getString(i).toBytes();
      }
    }
    return rows;
  }

  private static String letters(Random random, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }
}
