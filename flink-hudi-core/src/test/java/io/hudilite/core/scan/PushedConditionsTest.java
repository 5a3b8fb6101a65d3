package io.hudilite.core.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.base.ColumnCondition;
import io.hudilite.core.base.ColumnCondition.Comparison;
import io.hudilite.core.base.ColumnCondition.Operator;
import io.hudilite.core.base.ColumnRange;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.key.ByteText;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.testkit.MorTable.Change;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.annotation.Nullable;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;

/**
 * Conditions that readers get as a hint change nothing but the cost, also where rows are merged.
 */
class PushedConditionsTest {

  @Property(tries = 15, shrinking = ShrinkingMode.OFF)
  void pushedConditionsGiveTheRowsOfConditionsBehind(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    MorTable table =
        MorTable.create(
            new InMemoryStorage(),
            3,
            random.nextBoolean() ? MergeMode.EVENT_TIME_ORDERING : MergeMode.COMMIT_TIME_ORDERING);
    for (int commit = 0, n = 1 + random.nextInt(4); commit < n; commit++) {
      List<Change> changes = new ArrayList<>();
      for (int i = random.nextInt(30); i >= 0; i--) {
        String partition = "p" + random.nextInt(2);
        String id = id(random);
        long ts = random.nextInt(20);
        changes.add(
            random.nextInt(5) == 0
                ? MorTable.delete(partition, id, ts)
                : MorTable.upsert(partition, id, "n" + random.nextInt(6), ts));
      }
      table.commit(changes);
    }
    HudiTable open = table.open();
    for (int i = 0; i < 8; i++) {
      ColumnCondition condition = condition(random, 3);
      assertThat(rows(open, condition, condition))
          .as("rows with %s", condition)
          .isEqualTo(rows(open, null, condition));
    }
    assertThat(count(open)).isEqualTo(table.expectedRows().size());
  }

  private static String id(Random random) {
    return "k" + random.nextInt(25);
  }

  private static ColumnCondition condition(Random random, int depth) {
    if (depth > 0 && random.nextBoolean()) {
      ColumnCondition left = condition(random, depth - 1);
      ColumnCondition right = condition(random, depth - 1);
      return random.nextInt(3) == 0
          ? new ColumnCondition.And(left, right)
          : new ColumnCondition.Or(left, right);
    }
    Operator[] operators = Operator.values();
    Operator operator = operators[random.nextInt(operators.length)];
    return switch (random.nextInt(5)) {
      case 0 -> new Comparison("ts", operator, (long) random.nextInt(20));
      case 1 -> new Comparison("name", operator, ByteText.of("n" + random.nextInt(6)));
      case 2 -> new Comparison("id", operator, ByteText.of(id(random)));
      default -> new Comparison("id", Operator.EQUAL, ByteText.of(id(random)));
    };
  }

  private static List<String> rows(
      HudiTable table, @Nullable ColumnCondition pushed, ColumnCondition behind)
      throws IOException {
    List<String> rows = new ArrayList<>();
    for (ScanSplit split : new ScanPlanner().keepOnly(pushed).snapshot(table)) {
      try (SplitReader reader =
          SplitReader.open(table.readContext(), split, MorTable.ROW_TYPE, pushed)) {
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          RowData now = row;
          if (behind.mayBeTrue(column -> valueOf(now, column))) {
            rows.add(row.getString(3) + "/" + row.getString(0) + row.getString(1) + row.getLong(2));
          }
        }
      }
    }
    rows.sort(null);
    return rows;
  }

  private static ColumnRange valueOf(RowData row, String column) {
    int index = MorTable.ROW_TYPE.getFieldIndex(column);
    Comparable<?> value =
        column.equals("ts")
            ? (Comparable<?>) row.getLong(index)
            : ByteText.of(row.getString(index).toString());
    return new ColumnRange(value, value, true);
  }

  private static long count(HudiTable table) throws IOException {
    long count = 0;
    for (ScanSplit split : new ScanPlanner().snapshot(table)) {
      try (SplitReader reader = SplitReader.open(table.readContext(), split, RowType.of())) {
        count += reader.countRows();
      }
    }
    return count;
  }

  /** Of each base file that has not the key, only the footer is read. */
  @Test
  void keyIsLookedForInFootersOnlyWhereItIsNot() throws IOException {
    FaultyStorage storage = FaultyStorage.counting(new InMemoryStorage());
    MorTable table = MorTable.create(storage, 8, MergeMode.EVENT_TIME_ORDERING);
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < 800; i++) {
      changes.add(MorTable.upsert("p", "k" + i, "n", 1));
    }
    table.commit(changes);
    table.commit(MorTable.upsert("p", "k3", "changed", 2)); // a log in one group
    HudiTable open = table.open();
    ColumnCondition one = new Comparison("id", Operator.EQUAL, ByteText.of("k3"));
    assertThat(rowsRead(open, one)).isEqualTo(100);
    assertThat(rows(open, one, one)).containsExactly("p/k3changed2");
    ColumnCondition none = new Comparison("id", Operator.EQUAL, ByteText.of("no key"));
    assertThat(rowsRead(open, none)).isLessThanOrEqualTo(1); // that of the log
  }

  private static long rowsRead(HudiTable table, ColumnCondition condition) throws IOException {
    long count = 0;
    for (ScanSplit split : new ScanPlanner().keepOnly(condition).snapshot(table)) {
      try (SplitReader reader =
          SplitReader.open(table.readContext(), split, RowType.of(), condition)) {
        count += reader.countRows();
      }
    }
    return count;
  }

  @Test
  void estimateOfRowsIsExactWhereCommitsTell() throws IOException {
    MorTable table = MorTable.create(new InMemoryStorage(), 2, MergeMode.EVENT_TIME_ORDERING);
    table.commit(MorTable.upsert("p", "a", "n", 1), MorTable.upsert("q", "b", "n", 1));
    table.commit(MorTable.upsert("p", "c", "n", 1), MorTable.delete("q", "b", 2));
    assertThat(RowEstimate.of(table.open(), path -> true).orElseThrow()).isBetween(1L, 3L);
    assertThat(RowEstimate.of(table.open(), path -> path.equals("none"))).hasValue(0);
  }
}
