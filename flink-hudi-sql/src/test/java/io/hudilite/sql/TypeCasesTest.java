package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.config.TableType;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.storage.Storage;
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
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Failures that users of other connectors reported of values. */
class TypeCasesTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  private static final String MERGE_ON_READ = "'table.type' = 'MERGE_ON_READ'";

  @TempDir private Path folder;
  private final TimeZone zone = TimeZone.getDefault();

  @AfterEach
  void resetZone() {
    TimeZone.setDefault(zone);
  }

  String tableType() {
    return "MERGE_ON_READ";
  }

  /** What becomes of the table before each query. */
  void settle(Storage table) throws IOException {}

  private SqlSession session(String columns, String partitionedBy, String options) {
    return SqlSession.open()
        .create(
            "CREATE TABLE t (%s) %s WITH ('connector' = 'hudi-lite', 'path' = '%s', %s)"
                .formatted(
                    columns,
                    partitionedBy,
                    folder.resolve("t").toUri(),
                    options.replace("MERGE_ON_READ", tableType())))
        .beforeQuery(
            () -> {
              settle(Storages.of(folder.resolve("t").toString()));
              return null;
            });
  }

  @Test
  void f36TimeZonesTimestampAndTimestampLtz() throws Exception {
    TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
    SqlSession sql =
        session(
                "id INT, t3 TIMESTAMP(3), t6 TIMESTAMP(6), l3 TIMESTAMP_LTZ(3),"
                    + " l6 TIMESTAMP_LTZ(6), PRIMARY KEY (id) NOT ENFORCED",
                "",
                MERGE_ON_READ)
            .set("table.local-time-zone", "Asia/Shanghai");
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
      sql.insert(insert);
      String query =
          "SELECT id, CAST(t3 AS STRING), CAST(t6 AS STRING), CAST(l3 AS STRING),"
              + " CAST(l6 AS STRING) FROM t";
      assertThat(sql.query(query))
          .containsExactly(
              "1,2023-08-11 10:36:38.793,2023-08-11 10:36:38.793123,2023-08-11 10:36:38.793,"
                  + "2023-08-11 10:36:38.793123",
              "2,null,null,null,null",
              "3,2023-03-12 02:30:00.000,2023-03-12 02:30:00.000000,2023-03-12 02:30:00.000,"
                  + "2023-03-12 02:30:00.000000",
              "4,2023-11-05 01:30:00.000,2023-11-05 01:30:00.000000,2023-11-05 01:30:00.000,"
                  + "2023-11-05 01:30:00.000000");
      SqlSession utc =
          session(
                  "id INT, t3 TIMESTAMP(3), t6 TIMESTAMP(6), l3 TIMESTAMP_LTZ(3),"
                      + " l6 TIMESTAMP_LTZ(6), PRIMARY KEY (id) NOT ENFORCED",
                  "",
                  MERGE_ON_READ)
              .set("table.local-time-zone", "UTC");
      assertThat(utc.query(query + " WHERE id = 1"))
          .containsExactly(
              "1,2023-08-11 10:36:38.793,2023-08-11 10:36:38.793123,2023-08-11 02:36:38.793,"
                  + "2023-08-11 02:36:38.793123");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 6, 1990-01-01 07:51:09, 2024-02-29 23:59:59",
    "3, 6, 1990-01-01 07:51:09.997, 2024-02-29 23:59:59.999",
    "6, 6, 1990-01-01 07:51:09.997123, 2024-02-29 23:59:59.999999",
    "0, 3, 1990-01-01 07:51:09, 2024-02-29 23:59:59",
    "3, 3, 1990-01-01 07:51:09.997, 2024-02-29 23:59:59.999",
  })
  void f37MillisecondVsMicrosecondUnits(int precision, int stored, String earlier, String later)
      throws Exception {
    if (stored == 3) { // a table that another writer made in milliseconds stays as it is
      createTableInMilliseconds();
    }
    String type = "TIMESTAMP(" + precision + ")";
    SqlSession sql =
        session(
            "k %s, v STRING, newer %s, PRIMARY KEY (k) NOT ENFORCED".formatted(type, type),
            "",
            MERGE_ON_READ + ", 'ordering.fields' = 'newer'");
    String row = "INSERT INTO t VALUES (CAST('%s' AS %s), '%s', CAST('%s' AS %s))";
    String query = "SELECT CAST(k AS STRING), v, CAST(newer AS STRING) FROM t";
    sql.insert(row.formatted(earlier, type, "a", earlier, type));
    assertThat(sql.query(query)).containsExactly("%s,a,%s".formatted(earlier, earlier));
    sql.insert(row.formatted(earlier, type, "b", later, type));
    assertThat(sql.query(query)).containsExactly("%s,b,%s".formatted(earlier, later));
    sql.insert(row.formatted(earlier, type, "late", earlier, type));
    assertThat(sql.query(query)).containsExactly("%s,b,%s".formatted(earlier, later));
    sql.insert(row.formatted(later, type, "c", later, type));
    assertThat(sql.query(query))
        .containsExactly("%s,b,%s".formatted(earlier, later), "%s,c,%s".formatted(later, later));
    sql.change(
        "t",
        DataTypes.ROW(
            DataTypes.FIELD("k", DataTypes.TIMESTAMP(precision).notNull()),
            DataTypes.FIELD("v", DataTypes.STRING()),
            DataTypes.FIELD("newer", DataTypes.TIMESTAMP(precision))),
        "k",
        Row.ofKind(RowKind.DELETE, time(earlier), "late", time(earlier)),
        Row.ofKind(RowKind.DELETE, time(later), "c", time(later)));
    assertThat(sql.query(query)).containsExactly("%s,b,%s".formatted(earlier, later));
    assertThat(
            HudiTable.open(Storages.of(folder.resolve("t").toString()))
                .schema()
                .rowType()
                .getTypeAt(2))
        .isEqualTo(DataTypes.TIMESTAMP_LTZ(stored).getLogicalType());
  }

  private static LocalDateTime time(String text) {
    return LocalDateTime.parse(text.replace(' ', 'T'));
  }

  private void createTableInMilliseconds() throws IOException {
    RowType columns =
        (RowType)
            DataTypes.ROW(
                    DataTypes.FIELD("k", DataTypes.TIMESTAMP(3).notNull()),
                    DataTypes.FIELD("v", DataTypes.STRING()),
                    DataTypes.FIELD("newer", DataTypes.TIMESTAMP(3)))
                .getLogicalType();
    TableConfigStore.create(
        Storages.of(folder.resolve("t").toString()),
        TableConfig.newTable("t", TableType.valueOf(tableType()))
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
    SqlSession sql =
        session(String.join(", ", columns) + ", PRIMARY KEY (id) NOT ENFORCED", "", MERGE_ON_READ);
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
      sql.change("t", DataTypes.ROW(fields), "id", rows);
      List<String> read = sql.query("SELECT * FROM t");
      assertThat(read)
          .containsExactlyElementsOf(Arrays.stream(rows).map(SqlSession::text).sorted().toList());
      assertThat(
              sql.query(
                  "SELECT id FROM t WHERE d38_18 > 0 AND d5_2 = CAST(999.99 AS DECIMAL(5, 2))"))
          .containsExactly("3");
      assertThat(sql.query("SELECT id FROM t WHERE d19_4 < 0")).containsExactly("2", "4");
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
    SqlSession sql =
        session(
            "id INT NOT NULL, r ROW<a INT, b STRING>, arr ARRAY<INT>, m MAP<STRING, INT>,"
                + " ar ARRAY<ROW<x INT, y STRING>>, ma MAP<STRING, ARRAY<INT>>,"
                + " rar ROW<l ARRAY<ROW<z INT>>>, PRIMARY KEY (id) NOT ENFORCED",
            "",
            MERGE_ON_READ);
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
      sql.change("t", rowType, "id", rows);
      assertThat(nested(sql, "*")).isEqualTo(expected);
      for (int column = 1; column < columns.length; column++) {
        int c = column;
        assertThat(nested(sql, "id, " + columns[column]))
            .as(columns[column])
            .isEqualTo(
                Arrays.stream(expected)
                    .map(row -> new String[] {row[0], row[c]})
                    .toArray(String[][]::new));
      }
    }
  }

  private static String[][] nested(SqlSession sql, String columns) {
    List<String[]> rows = new ArrayList<>();
    sql.batch()
        .executeSql("SELECT " + columns + " FROM t ORDER BY id")
        .collect()
        .forEachRemaining(
            row -> {
              String[] fields = new String[row.getArity()];
              for (int i = 0; i < fields.length; i++) {
                fields[i] = SqlSession.valueText(row.getField(i));
              }
              rows.add(fields);
            });
    return rows.toArray(String[][]::new);
  }

  @Test
  void f40DateAsPartitionColumn() throws Exception {
    TimeZone.setDefault(TimeZone.getTimeZone("America/Los_Angeles"));
    SqlSession sql =
        session(
            "id STRING, v STRING, ts BIGINT, dt DATE, PRIMARY KEY (id) NOT ENFORCED",
            "PARTITIONED BY (dt)",
            MERGE_ON_READ + ", 'ordering.fields' = 'ts'");
    sql.insert(
        "INSERT INTO t VALUES ('k1', 'a', 1, DATE '2024-04-18'), ('k2', 'b', 1, DATE"
            + " '2024-04-19'), ('k3', 'c', 1, DATE '1969-12-31')");
    assertThat(folder.resolve("t/2024-04-18")).isDirectory();
    assertThat(sql.query("SELECT id, dt FROM t"))
        .containsExactly("k1,2024-04-18", "k2,2024-04-19", "k3,1969-12-31");
    assertThat(sql.query("SELECT id FROM t WHERE dt = DATE '2024-04-18'")).containsExactly("k1");
    assertThat(sql.query("SELECT id FROM t WHERE dt > DATE '2024-04-17'"))
        .containsExactly("k1", "k2");
    sql.insert("INSERT INTO t PARTITION (dt = '2024-04-18') VALUES ('k1', 'z', 2)");
    assertThat(sql.query("SELECT id, v, dt FROM t WHERE dt = DATE '2024-04-18'"))
        .containsExactly("k1,z,2024-04-18");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {"STRING, 'x'", "INT, 7", "DATE, DATE '2024-04-18'"})
  void f42NullAndEmptyPartitionValues(String type, String regular) throws Exception {
    SqlSession sql =
        session(
            "id STRING, v STRING, ts BIGINT, p %s, PRIMARY KEY (id) NOT ENFORCED".formatted(type),
            "PARTITIONED BY (p)",
            MERGE_ON_READ + ", 'ordering.fields' = 'ts'");
    boolean isText = type.equals("STRING");
    sql.insert(
        "INSERT INTO t VALUES ('k1', 'a', 1, CAST(NULL AS %s)), ('k3', 'c', 1, %s)%s"
            .formatted(type, regular, isText ? ", ('k2', 'b', 1, '')" : ""));
    sql.insert("INSERT INTO t VALUES ('k1', 'a2', 2, CAST(NULL AS %s))".formatted(type));
    String shown = regular.replace("DATE ", "").replace("'", "");
    if (isText) {
      assertThat(sql.query("SELECT id, v, p FROM t"))
          .containsExactly("k1,a2,null", "k2,b,", "k3,c,x");
      assertThat(sql.query("SELECT id FROM t WHERE p = ''")).containsExactly("k2");
      assertThat(sql.query("SELECT id FROM t WHERE p IS NOT NULL")).containsExactly("k2", "k3");
    } else {
      assertThat(sql.query("SELECT id, v, p FROM t"))
          .containsExactly("k1,a2,null", "k3,c," + shown);
      assertThat(sql.query("SELECT id FROM t WHERE p IS NOT NULL")).containsExactly("k3");
    }
    assertThat(sql.query("SELECT id FROM t WHERE p IS NULL")).containsExactly("k1");
    assertThat(sql.query("SELECT id FROM t WHERE p = " + regular)).containsExactly("k3");
  }

  @Test
  void f45NullInANotNullColumnIsRefused() throws Exception {
    SqlSession sql =
        session(
            "id STRING, n BIGINT NOT NULL, s STRING NOT NULL, PRIMARY KEY (id) NOT ENFORCED",
            "",
            MERGE_ON_READ);
    DataType rowType =
        DataTypes.ROW(
            DataTypes.FIELD("id", DataTypes.STRING().notNull()),
            DataTypes.FIELD("n", DataTypes.BIGINT()),
            DataTypes.FIELD("s", DataTypes.STRING()));
    assertThatThrownBy(() -> sql.change("t", rowType, "id", Row.of("k1", null, "x")))
        .hasStackTraceContaining("'n'");
    assertThatThrownBy(() -> sql.change("t", rowType, "id", Row.of("k1", 1L, null)))
        .hasStackTraceContaining("'s'");
  }
}
