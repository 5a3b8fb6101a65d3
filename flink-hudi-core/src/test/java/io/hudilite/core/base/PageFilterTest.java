package io.hudilite.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.base.ColumnCondition.And;
import io.hudilite.core.base.ColumnCondition.Comparison;
import io.hudilite.core.base.ColumnCondition.Operator;
import io.hudilite.core.base.ColumnCondition.Or;
import io.hudilite.core.key.ByteText;
import io.hudilite.core.testkit.InMemoryStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.annotation.Nullable;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.columnar.ColumnarRowData;
import org.apache.flink.table.data.columnar.vector.VectorizedColumnBatch;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

class PageFilterTest {
  private static final String[] NAMES = {"n", "s", "w", "list", "x", "few"};
  private static final RowType WRITTEN =
      RowType.of(
          new LogicalType[] {
            new BigIntType(),
            VarCharType.STRING_TYPE,
            new IntType(),
            new ArrayType(new IntType()),
            new DoubleType(),
            VarCharType.STRING_TYPE
          },
          NAMES);

  /** One column is wanted wider, which is read in another way. */
  private static final RowType WANTED =
      RowType.of(
          new LogicalType[] {
            new BigIntType(),
            VarCharType.STRING_TYPE,
            new DoubleType(),
            new ArrayType(new IntType()),
            new DoubleType(),
            VarCharType.STRING_TYPE
          },
          NAMES);

  @Property(tries = 8)
  void filteredPagesGiveTheSameRowsAsAFilterBehind(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    InMemoryStorage storage = new InMemoryStorage();
    write(storage, 300 + random.nextInt(1_500), random);
    for (int i = 0; i < 5; i++) {
      ColumnCondition condition = condition(random, 2);
      List<String> expected = wantedOf(rows(storage, null), condition);
      assertThat(wantedOf(rows(storage, condition), condition)).isEqualTo(expected);
      assertThat(wantedOf(batches(storage, condition), condition)).isEqualTo(expected);
    }
  }

  @Test
  void pagesWithoutAWantedRowAreNotRead() throws IOException {
    InMemoryStorage storage = new InMemoryStorage();
    write(storage, 5_000, new Random(1));
    List<RowData> rows =
        rows(
            storage,
            new And(
                new Comparison("n", Operator.GREATER_OR_EQUAL, 2_000L),
                new Comparison("n", Operator.LESS, 2_010L)));
    assertThat(rows).hasSizeBetween(10, 1_000);
    assertThat(rows(storage, new Comparison("n", Operator.EQUAL, 99_999L))).isEmpty();
  }

  @Property(tries = 10)
  void partsOfAFileHaveEachRowOnce(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    InMemoryStorage storage = new InMemoryStorage();
    write(storage, 300 + random.nextInt(1_500), random);
    List<String> whole = new ArrayList<>();
    rows(storage, null).forEach(row -> whole.add(RowsOfTypes.plain(row, WANTED).toString()));
    long length = storage.read("f.parquet").length;
    List<String> parts = new ArrayList<>();
    long start = 0;
    while (start < length) {
      long end = start + 1 + random.nextInt(8_000);
      try (BaseFileReader reader = open(storage, null)) {
        reader.keepOnly(new ByteRange(start, end));
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          parts.add(RowsOfTypes.plain(row, WANTED).toString());
        }
      }
      start = end;
    }
    assertThat(parts).isEqualTo(whole);
  }

  /** Rows are in ascending order of n, but for the nulls. */
  private static void write(InMemoryStorage storage, int count, Random random) throws IOException {
    int rowGroupBytes = random.nextBoolean() ? 1 << 20 : 20_000;
    try (BaseFileWriter writer =
        BaseFileWriter.create(
            storage,
            "f.parquet",
            WRITTEN,
            "{}",
            BaseFileSettings.DEFAULT.withRowGroupBytes(rowGroupBytes).withPageBytes(300))) {
      for (int i = 0; i < count; i++) {
        Object list = new GenericArrayData(new Integer[] {i, null});
        writer.write(
            GenericRowData.of(
                orNull(random, (long) i),
                orNull(random, StringData.fromString(text(i))),
                orNull(random, i),
                orNull(random, list),
                orNull(random, i / 8.0),
                orNull(random, StringData.fromString("v" + i / 700))));
      }
    }
  }

  private static String text(int i) {
    return "t%05d".formatted(i);
  }

  @Nullable
  private static Object orNull(Random random, Object value) {
    return random.nextInt(8) == 0 ? null : value;
  }

  private static ColumnCondition condition(Random random, int depth) {
    if (depth > 0 && random.nextInt(3) > 0) {
      ColumnCondition left = condition(random, depth - 1);
      ColumnCondition right = condition(random, depth - 1);
      return random.nextInt(3) > 0 ? new And(left, right) : new Or(left, right);
    }
    Operator operator = Operator.values()[random.nextInt(Operator.values().length)];
    int number = random.nextInt(1_800);
    return switch (random.nextInt(3)) {
      case 0 -> new Comparison("n", operator, (long) number);
      case 1 -> new Comparison("s", operator, ByteText.of(text(number)));
      default -> new Comparison("few", operator, ByteText.of("v" + number / 700));
    };
  }

  private static List<RowData> rows(InMemoryStorage storage, @Nullable ColumnCondition condition)
      throws IOException {
    List<RowData> rows = new ArrayList<>();
    try (BaseFileReader reader = open(storage, condition)) {
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        GenericRowData copy = new GenericRowData(NAMES.length);
        for (int i = 0; i < NAMES.length; i++) {
          copy.setField(i, RowData.createFieldGetter(WANTED.getTypeAt(i), i).getFieldOrNull(row));
        }
        rows.add(copy);
      }
    }
    return rows;
  }

  /** Looked at only when all were read. */
  private static List<RowData> batches(InMemoryStorage storage, ColumnCondition condition)
      throws IOException {
    List<RowData> rows = new ArrayList<>();
    try (BaseFileReader reader = open(storage, condition)) {
      for (VectorizedColumnBatch batch = reader.nextBatch();
          batch != null;
          batch = reader.nextBatch()) {
        for (int i = 0; i < batch.getNumRows(); i++) {
          rows.add(new ColumnarRowData(batch, i));
        }
      }
      assertThat(reader.next()).isNull();
    }
    return rows;
  }

  private static BaseFileReader open(InMemoryStorage storage, @Nullable ColumnCondition condition)
      throws IOException {
    BaseFileReader reader = BaseFileReader.open(storage, "f.parquet", WANTED);
    if (condition != null) {
      reader.keepOnly(condition);
    }
    return reader;
  }

  private static List<String> wantedOf(List<RowData> rows, ColumnCondition condition) {
    List<String> wanted = new ArrayList<>();
    for (RowData row : rows) {
      if (isTrue(condition, row)) {
        wanted.add(RowsOfTypes.plain(row, WANTED).toString());
      }
    }
    return wanted;
  }

  /** Of one row the range of a column is its value, and then "may be" is "is". */
  private static boolean isTrue(ColumnCondition condition, RowData row) {
    return condition.mayBeTrue(
        column -> {
          int index = WANTED.getFieldIndex(column);
          if (row.isNullAt(index)) {
            return ColumnRange.NULLS;
          }
          Comparable<?> value =
              column.equals("n")
                  ? row.getLong(index)
                  : ByteText.of(row.getString(index).toString());
          return new ColumnRange(value, value, true);
        });
  }
}
