package io.hudilite.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.base.ColumnCondition.Operator;
import io.hudilite.core.key.ByteText;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.testkit.InMemoryStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.annotation.Nullable;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.SmallIntType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

/** A filter that is pushed into the file gives what the same filter behind the file gives. */
class ColumnConditionTest {
  private static final RowType DATA =
      RowType.of(
          new LogicalType[] {
            new BigIntType(),
            new VarCharType(VarCharType.MAX_LENGTH),
            new DateType(),
            new SmallIntType()
          },
          new String[] {"n", "s", "d", "i"});

  @Test
  void pushedFilterGivesTheSameRowsAsOneBehind() throws IOException {
    int skipped = 0;
    for (long seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      Storage storage = new InMemoryStorage();
      write(storage, random);
      for (int i = 0; i < 10; i++) {
        ColumnCondition condition = condition(random, 2);
        List<String> expected = new ArrayList<>();
        List<String> found = new ArrayList<>();
        int all = read(storage, null, condition, expected);
        int kept = read(storage, condition, condition, found);
        assertThat(found).as("seed %d: rows with %s", seed, condition).isEqualTo(expected);
        skipped += all - kept;
      }
    }
    assertThat(skipped).as("row groups that were left out").isGreaterThan(10);
  }

  private static void write(Storage storage, Random random) throws IOException {
    RowType rowType = AvroSchemas.withMetaColumns(DATA);
    try (BaseFileWriter writer =
        BaseFileWriter.create(
            storage,
            "f.parquet",
            rowType,
            AvroSchemas.toAvroWithMeta(DATA, "t").toString(),
            BaseFileSettings.DEFAULT.withRowGroupBytes(600).withPageBytes(100))) {
      int meta = MetaColumns.NAMES.size();
      int rows = 100 + random.nextInt(400);
      boolean sorted = random.nextBoolean();
      for (int i = 0; i < rows; i++) {
        GenericRowData row = new GenericRowData(rowType.getFieldCount());
        for (int m = 0; m < meta; m++) {
          row.setField(m, StringData.fromString("k" + i));
        }
        row.setField(meta, orNull(random, sorted ? (long) i : random.nextInt(rows)));
        row.setField(meta + 1, orNull(random, StringData.fromString(text(random, i))));
        row.setField(meta + 2, orNull(random, i / 10 - 5));
        row.setField(meta + 3, orNull(random, (short) (i / 20)));
        writer.write(row);
      }
    }
  }

  @Nullable
  private static Object orNull(Random random, Object value) {
    return random.nextInt(10) == 0 ? null : value;
  }

  /** Beyond the basic plane UTF-16 has another order than UTF-8. */
  private static String text(Random random, int i) {
    return new String[] {"a", "é", "\uFF5E", "\uD83D\uDE00", ""}[random.nextInt(5)] + i / 30;
  }

  private static ColumnCondition condition(Random random, int depth) {
    if (depth > 0 && random.nextInt(3) == 0) {
      ColumnCondition left = condition(random, depth - 1);
      ColumnCondition right = condition(random, depth - 1);
      return random.nextBoolean()
          ? new ColumnCondition.And(left, right)
          : new ColumnCondition.Or(left, right);
    }
    Operator operator = Operator.values()[random.nextInt(Operator.values().length)];
    return switch (random.nextInt(4)) {
      case 0 -> new ColumnCondition.Comparison("n", operator, (long) random.nextInt(600));
      case 1 ->
          new ColumnCondition.Comparison(
              "s", operator, ByteText.of(text(random, random.nextInt(600))));
      case 2 -> new ColumnCondition.Comparison("d", operator, (long) random.nextInt(70) - 10);
      default -> new ColumnCondition.Comparison("i", operator, (long) random.nextInt(40));
    };
  }

  /** Gives the number of row groups that were read. */
  private static int read(
      Storage storage, @Nullable ColumnCondition pushed, ColumnCondition behind, List<String> rows)
      throws IOException {
    try (BaseFileReader reader = BaseFileReader.open(storage, "f.parquet", DATA)) {
      if (pushed != null) {
        reader.keepOnly(pushed);
      }
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        if (isTrue(behind, row)) {
          rows.add(
              "%s,%s,%s,%s"
                  .formatted(value(row, "n"), value(row, "s"), value(row, "d"), value(row, "i")));
        }
      }
      return reader.rowGroupCount();
    }
  }

  /** Of one row the range of a column is its value, and then "may be" is "is". */
  private static boolean isTrue(ColumnCondition condition, RowData row) {
    return condition.mayBeTrue(
        column -> {
          Comparable<?> value = value(row, column);
          return value == null ? ColumnRange.NULLS : new ColumnRange(value, value, true);
        });
  }

  @Nullable
  private static Comparable<?> value(RowData row, String column) {
    int index = DATA.getFieldIndex(column);
    if (row.isNullAt(index)) {
      return null;
    }
    return switch (column) {
      case "n" -> row.getLong(index);
      case "s" -> ByteText.of(row.getString(index).toString());
      case "d" -> (long) row.getInt(index);
      default -> (long) row.getShort(index);
    };
  }
}
