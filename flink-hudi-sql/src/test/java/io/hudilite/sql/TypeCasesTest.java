package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.config.TableType;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures that users of other connectors reported of values, on each kind of table. */
class TypeCasesTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  @TempDir private Path folder;
  private final TimeZone zone = TimeZone.getDefault();
  private TableKinds tables;

  @BeforeEach
  void openSession() {
    tables = new TableKinds(SqlSession.open(), folder);
  }

  @AfterEach
  void resetZone() {
    TimeZone.setDefault(zone);
  }

  @Test
  void f36TimeZonesTimestampAndTimestampLtz() throws Exception {
    TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
    tables.create(
        "t",
        "id INT, t3 TIMESTAMP(3), t6 TIMESTAMP(6), l3 TIMESTAMP_LTZ(3), l6 TIMESTAMP_LTZ(6),"
            + " PRIMARY KEY (id) NOT ENFORCED",
        "",
        "");
    String insert =
        """
        INSERT INTO t SELECT id, t3, t6, CAST(t3 AS TIMESTAMP_LTZ(3)), CAST(t6 AS TIMESTAMP_LTZ(6))
        FROM (VALUES
          (1, TIMESTAMP '2023-08-11 10:36:38.793', TIMESTAMP '2023-08-11 10:36:38.793123'),
          (2, CAST(NULL AS TIMESTAMP(3)), CAST(NULL AS TIMESTAMP(6))),
          (3, TIMESTAMP '2023-03-12 02:30:00.000', TIMESTAMP '2023-03-12 02:30:00.000000'),
          (4, TIMESTAMP '2023-11-05 01:30:00.000', TIMESTAMP '2023-11-05 01:30:00.000000')
        ) AS v (id, t3, t6)
        """;
    for (int stage = 0; stage < 2; stage++) { // first a base file, then a log as well
      tables.sql().set("table.local-time-zone", "Asia/Shanghai");
      tables.insert(insert);
      String query =
          "SELECT id, CAST(t3 AS STRING), CAST(t6 AS STRING), CAST(l3 AS STRING),"
              + " CAST(l6 AS STRING) FROM t";
      assertThat(tables.query(query))
          .containsExactly(
              "1,2023-08-11 10:36:38.793,2023-08-11 10:36:38.793123,2023-08-11 10:36:38.793,"
                  + "2023-08-11 10:36:38.793123",
              "2,null,null,null,null",
              "3,2023-03-12 02:30:00.000,2023-03-12 02:30:00.000000,2023-03-12 02:30:00.000,"
                  + "2023-03-12 02:30:00.000000",
              "4,2023-11-05 01:30:00.000,2023-11-05 01:30:00.000000,2023-11-05 01:30:00.000,"
                  + "2023-11-05 01:30:00.000000");
      tables.sql().set("table.local-time-zone", "UTC");
      assertThat(tables.query(query + " WHERE id = 1"))
          .containsExactly(
              "1,2023-08-11 10:36:38.793,2023-08-11 10:36:38.793123,2023-08-11 02:36:38.793,"
                  + "2023-08-11 02:36:38.793123");
    }
  }

  /** A table with keys and ordering values of one precision. */
  private record Times(String table, int precision, int stored, String earlier, String later) {
    private String type() {
      return "TIMESTAMP(" + precision + ")";
    }

    private String insert(String key, String value, String newer) {
      return "INSERT INTO %s VALUES (CAST('%s' AS %s), '%s', CAST('%s' AS %s))"
          .formatted(table, key, type(), value, newer, type());
    }
  }

  @Test
  void f37MillisecondVsMicrosecondUnits() throws Exception {
    List<Times> all =
        List.of(
            new Times("t0", 0, 6, "1990-01-01 07:51:09", "2024-02-29 23:59:59"),
            new Times("t3", 3, 6, "1990-01-01 07:51:09.997", "2024-02-29 23:59:59.999"),
            new Times("t6", 6, 6, "1990-01-01 07:51:09.997123", "2024-02-29 23:59:59.999999"),
            new Times("m0", 0, 3, "1990-01-01 07:51:09", "2024-02-29 23:59:59"),
            new Times("m3", 3, 3, "1990-01-01 07:51:09.997", "2024-02-29 23:59:59.999"));
    for (Times t : all) {
      if (t.stored == 3) { // a table that another writer made in milliseconds stays as it is
        for (Path path : tables.folders(t.table)) {
          createTableInMilliseconds(path);
        }
      }
      tables.create(
          t.table,
          "k %s, v STRING, newer %s, PRIMARY KEY (k) NOT ENFORCED".formatted(t.type(), t.type()),
          "",
          ", 'ordering.fields' = 'newer'");
    }
    insert(all, t -> t.insert(t.earlier, "a", t.earlier));
    assertRows(all, t -> List.of("%s,a,%s".formatted(t.earlier, t.earlier)));
    insert(all, t -> t.insert(t.earlier, "b", t.later));
    assertRows(all, t -> List.of("%s,b,%s".formatted(t.earlier, t.later)));
    insert(all, t -> t.insert(t.earlier, "late", t.earlier));
    assertRows(all, t -> List.of("%s,b,%s".formatted(t.earlier, t.later)));
    insert(all, t -> t.insert(t.later, "c", t.later));
    assertRows(
        all,
        t ->
            List.of(
                "%s,b,%s".formatted(t.earlier, t.later), "%s,c,%s".formatted(t.later, t.later)));
    tables.change(
        all.stream()
            .map(
                t ->
                    new TableKinds.Changes(
                        t.table,
                        DataTypes.ROW(
                            DataTypes.FIELD("k", DataTypes.TIMESTAMP(t.precision).notNull()),
                            DataTypes.FIELD("v", DataTypes.STRING()),
                            DataTypes.FIELD("newer", DataTypes.TIMESTAMP(t.precision))),
                        "k",
                        List.of(
                            Row.ofKind(RowKind.DELETE, time(t.earlier), "late", time(t.earlier)),
                            Row.ofKind(RowKind.DELETE, time(t.later), "c", time(t.later)))))
            .toArray(TableKinds.Changes[]::new));
    assertRows(all, t -> List.of("%s,b,%s".formatted(t.earlier, t.later)));
    for (Times t : all) {
      for (Path path : tables.folders(t.table)) {
        assertThat(HudiTable.open(Storages.of(path.toString())).schema().rowType().getTypeAt(2))
            .isEqualTo(DataTypes.TIMESTAMP_LTZ(t.stored).getLogicalType());
      }
    }
  }

  private void insert(List<Times> all, Function<Times, String> statement) throws Exception {
    tables.insert(all.stream().map(statement).toArray(String[]::new));
  }

  private void assertRows(List<Times> all, Function<Times, List<String>> expected)
      throws Exception {
    String query = "SELECT CAST(k AS STRING), v, CAST(newer AS STRING) FROM ";
    assertThat(tables.queries(all.stream().map(t -> query + t.table).toArray(String[]::new)))
        .isEqualTo(all.stream().map(expected).toList());
  }

  private static LocalDateTime time(String text) {
    return LocalDateTime.parse(text.replace(' ', 'T'));
  }

  private static void createTableInMilliseconds(Path path) throws IOException {
    RowType columns =
        (RowType)
            DataTypes.ROW(
                    DataTypes.FIELD("k", DataTypes.TIMESTAMP(3).notNull()),
                    DataTypes.FIELD("v", DataTypes.STRING()),
                    DataTypes.FIELD("newer", DataTypes.TIMESTAMP(3)))
                .getLogicalType();
    TableConfigStore.create(
        Storages.of(path.toString()),
        TableConfig.newTable(
                "t",
                path.toString().endsWith("cow") ? TableType.COPY_ON_WRITE : TableType.MERGE_ON_READ)
            .recordKeyFields("k")
            .orderingField("newer")
            .createSchema(AvroSchemas.toAvro(columns, "t").toString())
            .build());
  }

  @Test
  void f38DecimalsOfSmallAndLargePrecision() throws Exception {
    int[][] types = {{5, 2}, {9, 0}, {10, 2}, {18, 6}, {19, 4}, {38, 18}};
    List<String> columns = new ArrayList<>(List.of("id INT NOT NULL"));
    List<DataTypes.Field> fields =
        new ArrayList<>(List.of(DataTypes.FIELD("id", DataTypes.INT().notNull())));
    for (int[] type : types) {
      DataType decimal = DataTypes.DECIMAL(type[0], type[1]);
      String name = "d%d_%d".formatted(type[0], type[1]);
      columns.add("%s DECIMAL(%d, %d)".formatted(name, type[0], type[1]));
      columns.add("a%s ARRAY<DECIMAL(%d, %d)>".formatted(name, type[0], type[1]));
      columns.add("r%s ROW<x DECIMAL(%d, %d)>".formatted(name, type[0], type[1]));
      fields.add(DataTypes.FIELD(name, decimal));
      fields.add(DataTypes.FIELD("a" + name, DataTypes.ARRAY(decimal)));
      fields.add(DataTypes.FIELD("r" + name, DataTypes.ROW(DataTypes.FIELD("x", decimal))));
    }
    tables.create("t", String.join(", ", columns) + ", PRIMARY KEY (id) NOT ENFORCED", "", "");
    Row[] rows = new Row[6];
    for (int id = 0; id < rows.length; id++) {
      List<Object> values = new ArrayList<>(List.of(id));
      for (int[] type : types) {
        BigDecimal value = decimal(id, type[0], type[1]);
        values.add(value);
        values.add(new BigDecimal[] {value});
        values.add(Row.of(value));
      }
      rows[id] = Row.of(values.toArray());
    }
    for (int stage = 0; stage < 2; stage++) { // base file, then log
      tables.change(new TableKinds.Changes("t", DataTypes.ROW(fields), "id", Arrays.asList(rows)));
      assertThat(tables.query("SELECT * FROM t"))
          .containsExactlyElementsOf(Arrays.stream(rows).map(SqlSession::text).sorted().toList());
      assertThat(
              tables.queries(
                  "SELECT id FROM t WHERE d38_18 > 0 AND d5_2 = CAST(999.99 AS DECIMAL(5, 2))",
                  "SELECT id FROM t WHERE d19_4 < 0"))
          .containsExactly(List.of("3"), List.of("2", "4"));
    }
  }

  /** 0, the smallest step, its negative, the largest value, its negative, null. */
  private static BigDecimal decimal(int which, int precision, int scale) {
    BigDecimal step = BigDecimal.ONE.movePointLeft(scale).setScale(scale);
    BigDecimal largest =
        BigDecimal.TEN.pow(precision).subtract(BigDecimal.ONE).movePointLeft(scale).setScale(scale);
    return switch (which) {
      case 0 -> BigDecimal.ZERO.setScale(scale);
      case 1 -> step;
      case 2 -> step.negate();
      case 3 -> largest;
      case 4 -> largest.negate();
      default -> null;
    };
  }

  @Test
  void f39NestedTypesNullsAndEmpties() throws Exception {
    tables.create(
        "t",
        "id INT NOT NULL, r ROW<a INT, b STRING>, arr ARRAY<INT>, m MAP<STRING, INT>,"
            + " ar ARRAY<ROW<x INT, y STRING>>, ma MAP<STRING, ARRAY<INT>>,"
            + " rar ROW<l ARRAY<ROW<z INT>>>, PRIMARY KEY (id) NOT ENFORCED",
        "",
        "");
    DataType xy =
        DataTypes.ROW(
            DataTypes.FIELD("x", DataTypes.INT()), DataTypes.FIELD("y", DataTypes.STRING()));
    DataType rowType =
        DataTypes.ROW(
            DataTypes.FIELD("id", DataTypes.INT().notNull()),
            DataTypes.FIELD(
                "r",
                DataTypes.ROW(
                    DataTypes.FIELD("a", DataTypes.INT()),
                    DataTypes.FIELD("b", DataTypes.STRING()))),
            DataTypes.FIELD("arr", DataTypes.ARRAY(DataTypes.INT())),
            DataTypes.FIELD("m", DataTypes.MAP(DataTypes.STRING(), DataTypes.INT())),
            DataTypes.FIELD("ar", DataTypes.ARRAY(xy)),
            DataTypes.FIELD(
                "ma", DataTypes.MAP(DataTypes.STRING(), DataTypes.ARRAY(DataTypes.INT()))),
            DataTypes.FIELD(
                "rar",
                DataTypes.ROW(
                    DataTypes.FIELD(
                        "l",
                        DataTypes.ARRAY(DataTypes.ROW(DataTypes.FIELD("z", DataTypes.INT())))))));
    HashMap<String, Integer> nullValue = new HashMap<>();
    nullValue.put("k", null);
    HashMap<String, Integer[]> nullArray = new HashMap<>();
    nullArray.put("k", null);
    Row[] rows = {
      Row.of(1, null, null, null, null, null, null),
      Row.of(
          2,
          Row.of(null, null),
          new Integer[] {},
          Map.of(),
          new Row[] {},
          Map.of("k", new Integer[] {1, 2}),
          Row.of((Object) new Row[] {Row.of(1)})),
      Row.of(
          3,
          Row.of(1, null),
          new Integer[] {null},
          nullValue,
          new Row[] {null},
          Map.of("k", new Integer[] {}),
          Row.of((Object) null)),
      Row.of(
          4,
          Row.of(null, "x"),
          new Integer[] {1, null, 3},
          Map.of("k", 1),
          new Row[] {Row.of(1, null), Row.of(null, "b")},
          nullArray,
          Row.of((Object) new Row[] {})),
      Row.of(5, Row.of(1, "x"), null, null, null, null, null)
    };
    String[][] expected = {
      {"1", "null", "null", "null", "null", "null", "null"},
      {"2", "(null,null)", "[]", "{}", "[]", "{k=[1, 2]}", "([(1)])"},
      {"3", "(1,null)", "[null]", "{k=null}", "[null]", "{k=[]}", "(null)"},
      {"4", "(null,x)", "[1, null, 3]", "{k=1}", "[(1,null), (null,b)]", "{k=null}", "([])"},
      {"5", "(1,x)", "null", "null", "null", "null", "null"}
    };
    String[] columns = {"id", "r", "arr", "m", "ar", "ma", "rar"};
    for (int stage = 0; stage < 2; stage++) { // base file, then log
      tables.change(new TableKinds.Changes("t", rowType, "id", Arrays.asList(rows)));
      assertThat(tables.query("SELECT * FROM t"))
          .containsExactlyElementsOf(
              Arrays.stream(expected).map(row -> String.join(",", row)).toList());
    }
    for (int column = 1; column < columns.length; column++) { // each one alone
      int c = column;
      assertThat(tables.query("SELECT id, " + columns[column] + " FROM t"))
          .as(columns[column])
          .containsExactlyElementsOf(
              Arrays.stream(expected).map(row -> row[0] + "," + row[c]).toList());
    }
  }

  /** Nested columns behind a text of ten pages; rows of about one page. */
  @ParameterizedTest
  @ValueSource(strings = {"upsert", "insert", "INSERT OVERWRITE"})
  void f52RowsLargerThanAPage(String operation) throws Exception {
    tables.create(
        "t",
        "id INT, s STRING, r ROW<a INT, b STRING>, m MAP<STRING, STRING>,"
            + " PRIMARY KEY (id) NOT ENFORCED",
        "",
        ", 'write.memory.segment.page.size' = '64'"
            + (operation.startsWith("INSERT") ? "" : ", 'write.operation' = '" + operation + "'"));
    List<String> values = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int length : new int[] {300_000, 32_767, 32_768, 32_769, 1}) {
      int id = values.size();
      values.add(
          "(%d, REPEAT('x', %d), ROW(%d, 'b%d'), MAP['k', 'v%d', 'l', 'w'])"
              .formatted(id, length, id, id, id));
      expected.add("%d,%d,%s,%d,b%d,v%d,w".formatted(id, length, "x", id, id, id));
    }
    String rows = " %s VALUES " + String.join(", ", values);
    if (operation.startsWith("INSERT")) {
      for (String kind : List.of("mor", "cow", "compacted")) {
        tables.sql().insertInBatch(operation + rows.formatted("t_" + kind));
      }
    } else {
      tables.insert("INSERT INTO" + rows.formatted("t"));
    }
    assertThat(
            tables.query(
                "SELECT id, CHAR_LENGTH(s), REGEXP_REPLACE(s, 'x+', 'x'), r.a, r.b, m['k'], m['l']"
                    + " FROM t"))
        .containsExactlyElementsOf(expected);
  }

  @Test
  void f40DateAsPartitionColumn() throws Exception {
    TimeZone.setDefault(TimeZone.getTimeZone("America/Los_Angeles"));
    tables.create(
        "t",
        "id STRING, v STRING, ts BIGINT, dt DATE, PRIMARY KEY (id) NOT ENFORCED",
        "PARTITIONED BY (dt)",
        ", 'ordering.fields' = 'ts'");
    tables.insert(
        "INSERT INTO t VALUES ('k1', 'a', 1, DATE '2024-04-18'), ('k2', 'b', 1, DATE"
            + " '2024-04-19'), ('k3', 'c', 1, DATE '1969-12-31')");
    for (Path path : tables.folders("t")) {
      assertThat(path.resolve("2024-04-18")).isDirectory();
    }
    assertThat(tables.query("SELECT id, dt FROM t"))
        .containsExactly("k1,2024-04-18", "k2,2024-04-19", "k3,1969-12-31");
    assertThat(
            tables.queries(
                "SELECT id FROM t WHERE dt = DATE '2024-04-18'",
                "SELECT id FROM t WHERE dt > DATE '2024-04-17'"))
        .containsExactly(List.of("k1"), List.of("k1", "k2"));
    tables.insert("INSERT INTO t PARTITION (dt = '2024-04-18') VALUES ('k1', 'z', 2)");
    assertThat(tables.query("SELECT id, v, dt FROM t WHERE dt = DATE '2024-04-18'"))
        .containsExactly("k1,z,2024-04-18");
  }

  @Test
  void f42NullAndEmptyPartitionValues() throws Exception {
    Map<String, String> regular = new TreeMap<>();
    regular.put("STRING", "'x'");
    regular.put("INT", "7");
    regular.put("DATE", "DATE '2024-04-18'");
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    regular.forEach(
        (type, value) -> {
          tables.create(
              "of_" + type,
              "id STRING, v STRING, ts BIGINT, p %s, PRIMARY KEY (id) NOT ENFORCED".formatted(type),
              "PARTITIONED BY (p)",
              ", 'ordering.fields' = 'ts'");
          first.add(
              "INSERT INTO of_%s VALUES ('k1', 'a', 1, CAST(NULL AS %s)), ('k3', 'c', 1, %s)%s"
                  .formatted(
                      type, type, value, type.equals("STRING") ? ", ('k2', 'b', 1, '')" : ""));
          second.add(
              "INSERT INTO of_%s VALUES ('k1', 'a2', 2, CAST(NULL AS %s))".formatted(type, type));
        });
    tables.insert(first.toArray(String[]::new));
    tables.insert(second.toArray(String[]::new));
    assertThat(
            tables.queries(
                "SELECT id, v, p FROM of_STRING",
                "SELECT id, v, CAST(p AS STRING) FROM of_INT",
                "SELECT id, v, CAST(p AS STRING) FROM of_DATE"))
        .containsExactly(
            List.of("k1,a2,null", "k2,b,", "k3,c,x"),
            List.of("k1,a2,null", "k3,c,7"),
            List.of("k1,a2,null", "k3,c,2024-04-18"));
    for (String type : regular.keySet()) {
      String query = "SELECT id FROM of_" + type + " WHERE p ";
      boolean isText = type.equals("STRING");
      assertThat(
              tables.queries(
                  query + "IS NOT NULL",
                  query + "IS NULL",
                  query + "= " + regular.get(type),
                  query + (isText ? "= ''" : "IS NULL")))
          .as(type)
          .containsExactly(
              isText ? List.of("k2", "k3") : List.of("k3"),
              List.of("k1"),
              List.of("k3"),
              List.of(isText ? "k2" : "k1"));
    }
  }

  @Test
  void f45NullInANotNullColumnIsRefused() throws Exception {
    tables.create(
        "t",
        "id STRING, n BIGINT NOT NULL, s STRING NOT NULL, PRIMARY KEY (id) NOT ENFORCED",
        "",
        "");
    DataType rowType =
        DataTypes.ROW(
            DataTypes.FIELD("id", DataTypes.STRING().notNull()),
            DataTypes.FIELD("n", DataTypes.BIGINT()),
            DataTypes.FIELD("s", DataTypes.STRING()));
    assertThatThrownBy(() -> tables.sql().change("t_mor", rowType, "id", Row.of("k1", null, "x")))
        .hasStackTraceContaining("'n'");
    assertThatThrownBy(() -> tables.sql().change("t_cow", rowType, "id", Row.of("k1", 1L, null)))
        .hasStackTraceContaining("'s'");
  }
}
