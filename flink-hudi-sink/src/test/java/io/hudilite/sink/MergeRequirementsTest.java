package io.hudilite.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.TableType;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.merge.RowCombiner;
import io.hudilite.core.merge.Version;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.testkit.CombiningMerger;
import io.hudilite.sink.config.WriteOperation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The requirements about merging and ordering, by their numbers. Each holds for both table types,
 * in an index and in buckets, whether log files are merged never, at the end, or after each commit,
 * and whether a job goes on or another one does. Rows 1, 2, 18, 19 and 21 are about options: {@code
 * TableDeclarationTest}, {@code WriteCasesTest}, {@code OperationsTest}; row 20 is in {@link
 * BadAndLargeRowsTest}.
 */
class MergeRequirementsTest {
  private static final RowType ROW_TYPE =
      RowType.of(
          new LogicalType[] {
            VarCharType.STRING_TYPE.copy(false),
            VarCharType.STRING_TYPE,
            VarCharType.STRING_TYPE,
            VarCharType.STRING_TYPE,
            new BigIntType(),
            VarCharType.STRING_TYPE
          },
          new String[] {"id", "c0", "c1", "c2", "ts", "p"});

  private static final String LATEST = "OverwriteWithLatestAvroPayload";
  private static final String NON_DEFAULTS = "OverwriteNonDefaultsWithLatestAvroPayload";
  private static final String DEFAULT = "DefaultHoodieRecordPayload";
  private static final String EVENT_TIME = "EventTimeAvroPayload";
  private static final String PARTIAL = "PartialUpdateAvroPayload";
  private static final String FIRST = "FirstValueAvroPayload";
  private static final String SUM = "io.hudilite.sink.MergeRequirementsTest$Summing";

  private static final String FILL = "io.hudilite.sink.MergeRequirementsTest$Filling";

  private static final String SHOUTING = "io.hudilite.sink.MergeRequirementsTest$Shouting";

  /** A table whose column c1 has the default x. */
  private static final String DEFAULT_X = "5 (default x)";

  private static final String AA = "k1 aa a1 a2 10";
  private static final String BB = "k1 bb b1 b2 30";
  private static final String CC = "k1 cc null null 20";

  @TempDir Path folder;

  /**
   * @param row number of the requirement
   * @param commits rows of each commit; a delete begins with a minus
   */
  record Case(
      String row,
      String payload,
      WriteOperation operation,
      List<List<String>> commits,
      List<String> expected) {
    @Override
    public String toString() {
      return "row " + row + ", " + payload + " " + commits;
    }
  }

  private static List<String> commit(String... rows) {
    return List.of(rows);
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static Case row(
      String number, String payload, List<String> expected, List<String>... commits) {
    return new Case(number, payload, WriteOperation.UPSERT, List.of(commits), expected);
  }

  static Stream<Case> cases() {
    List<Case> cases = new ArrayList<>();
    String name2 = "k1 name2 2.22 null 108";
    cases.add(
        row(
            "2",
            DEFAULT,
            List.of(name2),
            commit("k1 name12 1.21 null 106", name2, "k1 name3 3.45 null 107")));
    for (String payload : List.of(DEFAULT, EVENT_TIME)) {
      cases.add(row("3", payload, List.of(BB), commit(AA, BB)));
      cases.add(row("3", payload, List.of(BB), commit(BB, AA)));
      cases.add(row("6 and 7", payload, List.of(BB), commit(AA, BB), commit(CC)));
    }
    for (WriteOperation adding : List.of(WriteOperation.INSERT, WriteOperation.BULK_INSERT)) {
      cases.add(new Case("3", DEFAULT, adding, List.of(commit(AA, BB)), List.of(AA, BB)));
    }
    cases.add(row("4", LATEST, List.of(CC), commit(AA, BB), commit(CC)));
    cases.add(row("5", NON_DEFAULTS, List.of("k1 cc b1 b2 20"), commit(AA, BB), commit(CC)));
    cases.add(
        row(
            DEFAULT_X,
            NON_DEFAULTS,
            List.of("k1 cc b1 b2 20"),
            commit(BB),
            commit("k1 cc x null 20")));
    cases.add(row(DEFAULT_X, NON_DEFAULTS, List.of("k1 cc null b2 20"), commit(BB), commit(CC)));
    cases.add(
        row(
            DEFAULT_X,
            NON_DEFAULTS,
            List.of("k1 cc x b2 20"),
            commit("k1 aa x b2 9"),
            commit("k1 cc x null 20")));
    String late = "k1 null p1 null 1";
    String newer = "k1 n1 null null 2";
    cases.add(row("8", PARTIAL, List.of("k1 n1 p1 null 2"), commit(newer), commit(late)));
    cases.add(row("8", PARTIAL, List.of("k1 n1 p1 null 2"), commit(late), commit(newer)));
    List<List<String>> three = List.of(commit(BB), commit(CC), commit(AA));
    cases.add(new Case("9", LATEST, WriteOperation.UPSERT, three, List.of(AA)));
    cases.add(new Case("9", NON_DEFAULTS, WriteOperation.UPSERT, three, List.of(AA)));
    cases.add(new Case("9", DEFAULT, WriteOperation.UPSERT, three, List.of(BB)));
    cases.add(new Case("9", EVENT_TIME, WriteOperation.UPSERT, three, List.of(BB)));
    cases.add(new Case("9", FIRST, WriteOperation.UPSERT, three, List.of(BB)));
    cases.add(new Case("9", PARTIAL, WriteOperation.UPSERT, three, List.of(BB)));
    String[] messages = {"k1 x null null 1", "k1 null y null 2", "k1 null null z 3"};
    int[][] orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int[] order : orders) {
      List<String> rows = Arrays.stream(order).mapToObj(i -> messages[i]).toList();
      List<String> whole = List.of("k1 x y z 3");
      for (String payload : List.of(PARTIAL, FILL)) {
        cases.add(row("10", payload, whole, rows));
        cases.add(
            row("10", payload, whole, rows.subList(0, 1), rows.subList(1, 2), rows.subList(2, 3)));
      }
    }
    String[] streams = {"k1 1 null null 1", "k1 null 2 null 2", "k2 null null null 3"};
    List<String> filled = List.of("k1 1 2 null 2", streams[2]);
    cases.add(row("8 (F22)", PARTIAL, filled, commit(streams)));
    cases.add(row("8 (F22)", PARTIAL, filled, commit(streams[0]), commit(streams[1], streams[2])));
    cases.add(row("11", SUM, List.of("k1 cc null null 60"), commit(AA, BB), commit(CC)));
    cases.add(row("11", SUM, List.of("k1 cc null null 60"), commit(AA), commit(BB), commit(CC)));
    String shouted = "k1 B b1 b2 20";
    cases.add(row("12", SHOUTING, List.of("k1 A a1 a2 10"), commit("k1 a a1 a2 10")));
    cases.add(row("12", SHOUTING, List.of(shouted), commit("k1 a a1 a2 10", "k1 b b1 b2 20")));
    cases.add(
        row("12", SHOUTING, List.of(shouted), commit("k1 a a1 a2 10"), commit("k1 b b1 b2 20")));
    String tie3 = "k1 name3 3.45 null 108";
    cases.add(row("13", DEFAULT, List.of(tie3), commit("k1 name12 1.21 null 108", name2, tie3)));
    cases.add(
        row(
            "13",
            DEFAULT,
            List.of("k1 hudi_2 99 null 99"),
            commit(
                "k1 hudi 97 null 99",
                "k1 hudi_2 98 null 99",
                "k1 hudi_2 99 null 99",
                "-k3 x x x 99")));
    cases.add(row("14", DEFAULT, List.of(tie3), commit(name2), commit(tie3)));
    cases.add(
        row("14 and 16", DEFAULT, List.of(name2), commit(name2), commit("k1 old 1 null 107")));
    String new109 = "k1 new 1 null 109";
    cases.add(row("14", DEFAULT, List.of(new109), commit(name2), commit(new109)));
    String ts1 = "k1 old 1 null 1";
    cases.add(row("15", LATEST, List.of(ts1), commit(name2), commit(ts1)));
    cases.add(row("17 and 18", "", List.of(ts1), commit(name2, ts1)));
    cases.add(row("17 and 18", "", List.of(ts1), commit(name2), commit(ts1)));
    String paid = "k1 PAID null null 200";
    String created = "k1 CREATED null null 100";
    cases.add(row("22", DEFAULT, List.of(paid), commit(paid), commit(created)));
    cases.add(row("22", LATEST, List.of(created), commit(paid), commit(created)));
    cases.add(
        row(
            "23",
            DEFAULT,
            List.of("k1 FINISHED null null 4"),
            commit("k1 FINISHED null null 4"),
            commit("k1 SHIPPED null null 3"),
            commit("k1 PAID null null 2"),
            commit("k1 CREATED null null 1")));
    String stored = "k1 a null null 300";
    String back = "k1 b null null 301";
    cases.add(row("24", DEFAULT, List.of(stored), commit(stored), commit("-k1 x x x 200")));
    cases.add(row("24", DEFAULT, List.of(), commit(stored), commit("-k1 x x x 300")));
    cases.add(
        row(
            "24 (one job)",
            DEFAULT,
            List.of(),
            commit(stored),
            commit("-k1 x x x 300"),
            commit("k1 late null null 250")));
    cases.add(
        row("24", DEFAULT, List.of(back), commit(stored), commit("-k1 x x x 300"), commit(back)));
    return cases.stream();
  }

  private enum Merging {
    NEVER,
    AT_THE_END,
    AFTER_EACH_COMMIT
  }

  @ParameterizedTest
  @MethodSource("cases")
  void holdsInAnyTableAndHoweverItIsMerged(Case one) throws Exception {
    for (TableType type : TableType.values()) {
      for (Merging merging : Merging.values()) {
        if (type == TableType.COPY_ON_WRITE && merging != Merging.NEVER) {
          continue;
        }
        boolean restarts = merging != Merging.NEVER && !one.row.contains("one job");
        MemoryTable.Index index =
            merging == Merging.AT_THE_END && !one.row.contains("one job")
                ? MemoryTable.Index.BUCKET
                : MemoryTable.Index.STATE_OF_TABLE;
        MemoryTable table =
            new MemoryTable(
                ROW_TYPE, type, one.payload, index, one.operation, folder, createSchema(one.row));
        for (List<String> rows : one.commits) {
          table.commit(rows.stream().map(MergeRequirementsTest::row).toList());
          if (merging == Merging.AFTER_EACH_COMMIT) {
            table.compact();
          }
          if (restarts) {
            table.restart();
          }
        }
        List<String> expected = one.expected.stream().map(row -> row + " p1").sorted().toList();
        assertThat(table.rows()).as("%s, %s", type, merging).isEqualTo(expected);
        table.compact();
        assertThat(table.rows()).as("%s, %s, merged", type, merging).isEqualTo(expected);
      }
    }
  }

  private static String createSchema(String row) {
    String schema = AvroSchemas.toAvro(ROW_TYPE, "t").toString();
    String c1 = "\"name\":\"c1\",\"type\":[\"null\",\"string\"],\"doc\":\"\",\"default\":null";
    assertThat(schema).contains(c1);
    return !row.equals(DEFAULT_X)
        ? schema
        : schema.replace(c1, "\"name\":\"c1\",\"type\":[\"string\",\"null\"],\"default\":\"x\"");
  }

  private static RowData row(String text) {
    String[] fields = text.substring(text.startsWith("-") ? 1 : 0).split(" ", -1);
    return GenericRowData.ofKind(
        text.startsWith("-") ? RowKind.DELETE : RowKind.INSERT,
        value(fields[0]),
        value(fields[1]),
        value(fields[2]),
        value(fields[3]),
        Long.parseLong(fields[4]),
        value("p1"));
  }

  private static StringData value(String text) {
    return text.equals("null") ? null : StringData.fromString(text);
  }

  /** A class of a user that adds the ordering values up. */
  public static final class Summing extends CombiningMerger {
    @Override
    public RowCombiner combiner(RowType rowType) {
      return (earlier, later, laterWins) ->
          GenericRowData.of(
              later.getString(0),
              later.isNullAt(1) ? null : later.getString(1),
              later.isNullAt(2) ? null : later.getString(2),
              later.isNullAt(3) ? null : later.getString(3),
              earlier.getLong(4) + later.getLong(4),
              later.getString(5));
    }
  }

  /** A class of a user that keeps what is known of each column, and the greatest ordering value. */
  public static final class Filling extends CombiningMerger {
    @Override
    public RowCombiner combiner(RowType rowType) {
      return (earlier, later, laterWins) ->
          GenericRowData.of(
              later.getString(0),
              known(earlier, later, 1),
              known(earlier, later, 2),
              known(earlier, later, 3),
              Math.max(earlier.getLong(4), later.getLong(4)),
              later.getString(5));
    }

    private static StringData known(RowData earlier, RowData later, int column) {
      RowData from = later.isNullAt(column) ? earlier : later;
      return from.isNullAt(column) ? null : from.getString(column);
    }
  }

  /** A class of a user that stores a column otherwise than it comes; the later row counts. */
  public static final class Shouting implements RecordMerger {
    @Override
    public boolean laterWins(Version earlier, Version later) {
      return true;
    }

    @Override
    public boolean usesOrdering() {
      return false;
    }

    @Override
    public Optional<UnaryOperator<RowData>> storedRows(RowType rowType) {
      return Optional.of(
          row -> {
            GenericRowData stored = new GenericRowData(row.getRowKind(), rowType.getFieldCount());
            for (int i = 0; i < rowType.getFieldCount(); i++) {
              stored.setField(
                  i, RowData.createFieldGetter(rowType.getTypeAt(i), i).getFieldOrNull(row));
            }
            stored.setField(
                1, StringData.fromString(row.getString(1).toString().toUpperCase(Locale.ROOT)));
            return stored;
          });
    }
  }
}
