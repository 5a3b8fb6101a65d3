package io.hudilite.core.clustering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowSorterTest {
  private static final RowType POINTS =
      RowType.of(new LogicalType[] {new IntType(), new IntType()}, new String[] {"x", "y"});

  /** Values of one column in their order, null first. */
  private static void assertKeepsOrder(LogicalType type, Object... values) {
    RowType row = RowType.of(new LogicalType[] {type}, new String[] {"c"});
    SortOrder order = SortOrder.of(Layout.LINEAR, List.of("c"), row);
    List<byte[]> keys = new ArrayList<>();
    for (Object value : values) {
      KeyBytes key = new KeyBytes();
      order.encode(GenericRowData.of(value), key);
      keys.add(key.copy(0));
    }
    for (int i = 1; i < keys.size(); i++) {
      assertThat(Arrays.compareUnsigned(keys.get(i - 1), keys.get(i)))
          .as("%s before %s", values[i - 1], values[i])
          .isNegative();
    }
  }

  @Test
  void keysSortAsValuesDo() {
    assertKeepsOrder(new BigIntType(), null, Long.MIN_VALUE, -2L, -1L, 0L, 1L, Long.MAX_VALUE);
    assertKeepsOrder(
        new DoubleType(),
        null,
        Double.NEGATIVE_INFINITY,
        -2.5,
        -1e-300,
        0.0,
        1e-300,
        2.5,
        Double.POSITIVE_INFINITY,
        Double.NaN);
    assertKeepsOrder(
        new VarCharType(VarCharType.MAX_LENGTH),
        null,
        StringData.fromString(""),
        StringData.fromString("\0"),
        StringData.fromString("a"),
        StringData.fromString("a\0"),
        StringData.fromString("a\0b"),
        StringData.fromString("ab"),
        StringData.fromString("é"));
    assertKeepsOrder(new DecimalType(10, 2), null, decimal("-9.99", 10), decimal("0", 10));
    assertKeepsOrder(
        new DecimalType(38, 2),
        null,
        decimal("-123456789012345678901234567890.12", 38),
        decimal("-1", 38),
        decimal("0", 38),
        decimal("0.01", 38),
        decimal("255", 38),
        decimal("123456789012345678901234567890.12", 38));
    assertKeepsOrder(
        new TimestampType(6),
        null,
        TimestampData.fromEpochMillis(-1, 999_000),
        TimestampData.fromEpochMillis(0, 0),
        TimestampData.fromEpochMillis(0, 1_000),
        TimestampData.fromEpochMillis(1, 0));
  }

  private static DecimalData decimal(String text, int precision) {
    return DecimalData.fromBigDecimal(new BigDecimal(text), precision, 2);
  }

  @Test
  void columnsWithoutOrderAreRefused() {
    RowType row =
        RowType.of(new LogicalType[] {new ArrayType(new IntType())}, new String[] {"list"});
    assertThatThrownBy(() -> SortOrder.of(Layout.LINEAR, List.of("list"), row))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("list")
        .hasMessageContaining("ARRAY");
  }

  @Property(tries = 20)
  void anyNumberOfRowsIsSortedInBoundedMemory(@ForAll long seed) throws IOException {
    Path folder = Files.createTempDirectory("sorter");
    Random random = new Random(seed);
    List<List<Integer>> rows = new ArrayList<>();
    SortOrder order = SortOrder.of(Layout.LINEAR, List.of("x"), POINTS);
    try (RowSorter sorter = new RowSorter(POINTS, order, 1 + random.nextInt(10_000), folder)) {
      GenericRowData reused = new GenericRowData(2);
      for (int i = random.nextInt(500); i > 0; i--) {
        reused.setField(0, random.nextInt(50) - 25);
        reused.setField(1, rows.size());
        rows.add(List.of(reused.getInt(0), reused.getInt(1)));
        sorter.add(reused);
      }
      List<List<Integer>> sorted = new ArrayList<>();
      sorter.forEach(row -> sorted.add(List.of(row.getInt(0), row.getInt(1))));
      rows.sort((a, b) -> Integer.compare(a.get(0), b.get(0))); // equal ones keep their order
      assertThat(sorted).isEqualTo(rows);
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
    Files.delete(folder);
  }

  /** Each of 16 files of a sorted 64 x 64 square: how many a range of one column touches. */
  private static double touched(Layout layout, int column, Path folder) throws IOException {
    List<RowData> points = new ArrayList<>();
    for (int x = 0; x < 64; x++) {
      for (int y = 0; y < 64; y++) {
        points.add(GenericRowData.of(x * 1_000_000, y));
      }
    }
    Collections.shuffle(points, new Random(1));
    SortOrder order = SortOrder.of(layout, List.of("x", "y"), POINTS);
    if (order.needsSample()) {
      points.forEach(order::sample);
      order.finishSample();
    }
    List<Set<Integer>> files = new ArrayList<>();
    try (RowSorter sorter = new RowSorter(POINTS, order, 20_000, folder)) {
      for (RowData point : points) {
        sorter.add(point);
      }
      assertThat(sorter.spilledRuns()).isPositive();
      int[] count = new int[1];
      sorter.forEach(
          row -> {
            if (count[0]++ % 256 == 0) {
              files.add(new HashSet<>());
            }
            files.get(files.size() - 1).add(row.getInt(column));
          });
    }
    return files.stream().mapToInt(Set::size).average().orElseThrow();
  }

  @Test
  void curvesMakeTheRangesOfAllColumnsTight(@TempDir Path folder) throws IOException {
    assertThat(touched(Layout.LINEAR, 0, folder)).isEqualTo(4);
    assertThat(touched(Layout.LINEAR, 1, folder)).isEqualTo(64);
    for (Layout curve : List.of(Layout.Z_ORDER, Layout.HILBERT)) {
      assertThat(touched(curve, 0, folder)).isBetween(14.0, 20.0);
      assertThat(touched(curve, 1, folder)).isBetween(14.0, 20.0);
    }
  }

  @Test
  void neighboursOnHilbertsCurveAreNeighboursInThePlane() {
    int bits = 4;
    List<int[]> points = new ArrayList<>();
    List<byte[]> keys = new ArrayList<>();
    for (int x = 0; x < 16; x++) {
      for (int y = 0; y < 16; y++) {
        KeyBytes key = new KeyBytes();
        SpaceCurve.hilbert(new int[] {x, y}, bits, key);
        points.add(new int[] {x, y});
        keys.add(key.copy(0));
      }
    }
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      order.add(i);
    }
    order.sort((a, b) -> Arrays.compareUnsigned(keys.get(a), keys.get(b)));
    for (int i = 1; i < order.size(); i++) {
      int[] a = points.get(order.get(i - 1));
      int[] b = points.get(order.get(i));
      assertThat(Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1])).isEqualTo(1);
    }
  }
}
