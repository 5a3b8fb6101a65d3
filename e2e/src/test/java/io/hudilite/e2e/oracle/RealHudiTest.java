package io.hudilite.e2e.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.table.api.Schema;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real Hudi on Spark judges tables that Flink jobs wrote: the rows after every commit, whether its
 * own checks find anything, and whether both can write the same table in turn.
 *
 * <p>The tables are written once, with a copy after each commit; then each Hudi version looks at
 * the copies.
 */
@Tag("oracle")
class RealHudiTest {
  private static final TableJobs ORDERS =
      new TableJobs(
          "orders",
          """
          CREATE TABLE orders (
            order_id BIGINT,
            user_id STRING,
            amount DECIMAL(10, 2),
            status STRING,
            ts BIGINT,
            dt STRING,
            PRIMARY KEY (order_id) NOT ENFORCED
          ) PARTITIONED BY (dt) WITH (
            'connector' = 'hudi-lite',
            'path' = '%s',
            'table.type' = 'MERGE_ON_READ',
            'ordering.fields' = 'ts'
          )""");

  private static final TypeInformation<Row> ORDER_TYPE =
      Types.ROW_NAMED(
          new String[] {"order_id", "user_id", "amount", "status", "ts", "dt"},
          Types.LONG,
          Types.STRING,
          Types.BIG_DEC,
          Types.STRING,
          Types.LONG,
          Types.STRING);

  private static final Schema ORDER_SCHEMA =
      Schema.newBuilder()
          .column("order_id", "BIGINT NOT NULL")
          .column("user_id", "STRING")
          .column("amount", "DECIMAL(10, 2)")
          .column("status", "STRING")
          .column("ts", "BIGINT")
          .column("dt", "STRING")
          .primaryKey("order_id")
          .build();

  private static final TableJobs ALL_TYPES =
      new TableJobs(
          "all_types",
          """
          CREATE TABLE all_types (
            id BIGINT,
            f_bool BOOLEAN,
            f_tiny TINYINT,
            f_small SMALLINT,
            f_int INT,
            f_float FLOAT,
            f_double DOUBLE,
            f_dec DECIMAL(10, 2),
            f_dec_long DECIMAL(38, 10),
            f_char CHAR(3),
            f_string STRING,
            f_bytes BYTES,
            f_date DATE,
            f_ts3 TIMESTAMP(3),
            f_ts6 TIMESTAMP(6),
            f_ltz3 TIMESTAMP_LTZ(3),
            f_ltz6 TIMESTAMP_LTZ(6),
            f_array ARRAY<STRING>,
            f_map MAP<STRING, INT>,
            f_row ROW<a INT, b STRING>,
            f_rows ARRAY<ROW<x INT, y DECIMAL(5, 1)>>,
            ts BIGINT,
            dt STRING,
            PRIMARY KEY (id) NOT ENFORCED
          ) PARTITIONED BY (dt) WITH (
            'connector' = 'hudi-lite',
            'path' = '%s',
            'table.type' = 'MERGE_ON_READ',
            'ordering.fields' = 'ts'
          )""");

  private static final String ORDINARY =
      """
      SELECT CAST(1 AS BIGINT), TRUE, CAST(1 AS TINYINT), CAST(2 AS SMALLINT), 3,
        CAST(1.5 AS FLOAT), CAST(2.25 AS DOUBLE), CAST(12.30 AS DECIMAL(10, 2)),
        CAST('1234567890.0123456789' AS DECIMAL(38, 10)), CAST('abc' AS CHAR(3)), 'grüße \u4f60',
        X'00ff10', DATE '2025-10-18', CAST('2025-10-18 01:02:03.456' AS TIMESTAMP(3)),
        CAST('2025-10-18 01:02:03.456789' AS TIMESTAMP(6)),
        CAST('2025-10-18 01:02:03.456' AS TIMESTAMP_LTZ(3)),
        CAST('2025-10-18 01:02:03.456789' AS TIMESTAMP_LTZ(6)),
        ARRAY['a', CAST(NULL AS STRING), ''], MAP['one', 1, 'none', CAST(NULL AS INT)],
        CAST(ROW(7, 'seven') AS ROW<a INT, b STRING>),
        CAST(ARRAY[ROW(1, 2.5)] AS ARRAY<ROW<x INT, y DECIMAL(5, 1)>>), CAST(1 AS BIGINT), 'p1'
      """;

  private static final String ORDINARY_JSON =
      """
      {"id":1,"f_bool":true,"f_tiny":1,"f_small":2,"f_int":3,"f_float":1.5,"f_double":2.25,
       "f_dec":12.30,"f_dec_long":1234567890.0123456789,"f_char":"abc","f_string":"grüße \u4f60",
       "f_bytes":"AP8Q","f_date":"2025-10-18","f_ts3":"2025-10-18T01:02:03.456000Z",
       "f_ts6":"2025-10-18T01:02:03.456789Z","f_ltz3":"2025-10-18T01:02:03.456000Z",
       "f_ltz6":"2025-10-18T01:02:03.456789Z","f_array":["a",null,""],
       "f_map":{"one":1,"none":null},"f_row":{"a":7,"b":"seven"},"f_rows":[{"x":1,"y":2.5}],
       "ts":1,"dt":"p1"}""";

  private static final String EXTREME =
      """
      SELECT CAST(-9223372036854775807 AS BIGINT), FALSE, CAST(-128 AS TINYINT),
        CAST(32767 AS SMALLINT), CAST(-2147483648 AS INT), CAST(-1.25E30 AS FLOAT),
        CAST(-4.9E-324 AS DOUBLE), CAST(-99999999.99 AS DECIMAL(10, 2)),
        CAST('-9999999999999999999999999999.9999999999' AS DECIMAL(38, 10)), CAST('  x' AS CHAR(3)),
        '', X'', DATE '1969-12-31', CAST('1969-12-31 23:59:59.999' AS TIMESTAMP(3)),
        CAST('9999-12-31 23:59:59.999999' AS TIMESTAMP(6)),
        CAST('1970-01-01 00:00:00' AS TIMESTAMP_LTZ(3)),
        CAST('1969-12-31 23:59:59.999999' AS TIMESTAMP_LTZ(6)),
        ARRAY['"quoted", and \\ more'], MAP['', 0], CAST(ROW(-1, '') AS ROW<a INT, b STRING>),
        CAST(ARRAY[ROW(0, -9999.9)] AS ARRAY<ROW<x INT, y DECIMAL(5, 1)>>), CAST(1 AS BIGINT), 'p1'
      """;

  private static final String EXTREME_JSON =
      """
      {"id":-9223372036854775807,"f_bool":false,"f_tiny":-128,"f_small":32767,
       "f_int":-2147483648,"f_float":-1.25E30,"f_double":-4.9E-324,"f_dec":-99999999.99,
       "f_dec_long":-9999999999999999999999999999.9999999999,"f_char":"  x","f_string":"",
       "f_bytes":"","f_date":"1969-12-31","f_ts3":"1969-12-31T23:59:59.999000Z",
       "f_ts6":"9999-12-31T23:59:59.999999Z","f_ltz3":"1970-01-01T00:00:00.000000Z",
       "f_ltz6":"1969-12-31T23:59:59.999999Z","f_array":["\\"quoted\\", and \\\\ more"],
       "f_map":{"":0},"f_row":{"a":-1,"b":""},"f_rows":[{"x":0,"y":-9999.9}],
       "ts":1,"dt":"p1"}""";

  /** With the ordering value 2, so that it may replace either. */
  private static String nulls(long id) {
    return """
    SELECT CAST(%d AS BIGINT), CAST(NULL AS BOOLEAN), CAST(NULL AS TINYINT),
      CAST(NULL AS SMALLINT), CAST(NULL AS INT), CAST(NULL AS FLOAT), CAST(NULL AS DOUBLE),
      CAST(NULL AS DECIMAL(10, 2)), CAST(NULL AS DECIMAL(38, 10)), CAST(NULL AS CHAR(3)),
      CAST(NULL AS STRING), CAST(NULL AS BYTES), CAST(NULL AS DATE), CAST(NULL AS TIMESTAMP(3)),
      CAST(NULL AS TIMESTAMP(6)), CAST(NULL AS TIMESTAMP_LTZ(3)), CAST(NULL AS TIMESTAMP_LTZ(6)),
      CAST(NULL AS ARRAY<STRING>), CAST(NULL AS MAP<STRING, INT>),
      CAST(NULL AS ROW<a INT, b STRING>), CAST(NULL AS ARRAY<ROW<x INT, y DECIMAL(5, 1)>>),
      CAST(2 AS BIGINT), 'p1'
    """
        .formatted(id);
  }

  private static String nullsJson(long id) {
    return """
    {"id":%d,"f_bool":null,"f_tiny":null,"f_small":null,"f_int":null,"f_float":null,
     "f_double":null,"f_dec":null,"f_dec_long":null,"f_char":null,"f_string":null,"f_bytes":null,
     "f_date":null,"f_ts3":null,"f_ts6":null,"f_ltz3":null,"f_ltz6":null,"f_array":null,
     "f_map":null,"f_row":null,"f_rows":null,"ts":2,"dt":"p1"}"""
        .formatted(id);
  }

  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(4)
              .build());

  @TempDir static Path folder;

  private static final JudgedTables TABLES = new JudgedTables();
  private static int copies;
  private static Path lastOrders;

  @BeforeAll
  static void writeTables() throws Exception {
    writeOrders();
    writeAllTypes();
  }

  private static void writeOrders() throws Exception {
    Path table = folder.resolve("orders");
    String second = order(15002, "u502", "168.00", "CREATED", 1760783660000L, "2025-10-18");
    commit(
        table,
        List.of(order(15001, "u501", "99.90", "CREATED", 1760783600000L, "2025-10-18"), second),
        row(RowKind.INSERT, 15001, "u501", "99.90", "CREATED", 1760783600000L, "2025-10-18"),
        row(RowKind.INSERT, 15002, "u502", "168.00", "CREATED", 1760783660000L, "2025-10-18"));
    String third = order(15003, "u503", "49.00", "CREATED", 1760784020000L, "2025-10-19");
    commit(
        table,
        List.of(order(15001, "u501", "99.90", "PAID", 1760783960000L, "2025-10-18"), second, third),
        row(RowKind.UPDATE_AFTER, 15001, "u501", "99.90", "PAID", 1760783960000L, "2025-10-18"),
        row(RowKind.INSERT, 15003, "u503", "49.00", "CREATED", 1760784020000L, "2025-10-19"));
    // A late change of 15002 is superseded.
    String shipped = order(15001, "u501", "99.90", "SHIPPED", 1760784260000L, "2025-10-18");
    commit(
        table,
        List.of(shipped, second, third),
        row(RowKind.UPDATE_AFTER, 15001, "u501", "99.90", "SHIPPED", 1760784260000L, "2025-10-18"),
        row(RowKind.UPDATE_AFTER, 15002, "u502", "1.00", "LATE", 1760783659999L, "2025-10-18"));
    // 15002 moves to the other partition, 15003 is deleted there.
    String moved = order(15002, "u502", "168.00", "PAID", 1760784300000L, "2025-10-19");
    commit(
        table,
        List.of(shipped, moved),
        row(RowKind.UPDATE_AFTER, 15002, "u502", "168.00", "PAID", 1760784300000L, "2025-10-19"),
        row(RowKind.DELETE, 15003, "u503", "49.00", "CREATED", 1760784020000L, "2025-10-19"));
    // Late changes neither move 15002 back nor bring 15003 to life; 15001 goes, 15004 comes.
    commit(
        table,
        List.of(moved, order(15004, "u504", "5.00", "CREATED", 1760784400000L, "2025-10-18")),
        row(RowKind.UPDATE_AFTER, 15002, "u502", "2.00", "LATE", 1760784299999L, "2025-10-18"),
        row(RowKind.UPDATE_AFTER, 15003, "u503", "3.00", "LATE", 1760784019999L, "2025-10-19"),
        row(RowKind.DELETE, 15001, "u501", "99.90", "SHIPPED", 1760784260000L, "2025-10-18"),
        row(RowKind.INSERT, 15004, "u504", "5.00", "CREATED", 1760784400000L, "2025-10-18"));
    // 15001 comes back, newer than its deletion.
    commit(
        table,
        List.of(
            moved,
            order(15004, "u504", "5.00", "PAID", 1760784500000L, "2025-10-18"),
            order(15001, "u501", "99.90", "FINISHED", 1760784560000L, "2025-10-18")),
        row(RowKind.UPDATE_AFTER, 15004, "u504", "5.00", "PAID", 1760784500000L, "2025-10-18"),
        row(RowKind.INSERT, 15001, "u501", "99.90", "FINISHED", 1760784560000L, "2025-10-18"));
    lastOrders = TABLES.last().table();
  }

  private static void commit(Path table, List<String> rowsAfterwards, Row... changes)
      throws Exception {
    ORDERS.apply(table, ORDER_TYPE, ORDER_SCHEMA, changes);
    remember(table, rowsAfterwards);
  }

  private static void writeAllTypes() throws Exception {
    Path table = folder.resolve("all_types");
    ALL_TYPES.insert(table, ORDINARY + " UNION ALL " + EXTREME + " UNION ALL " + nulls(3));
    remember(table, List.of(ORDINARY_JSON, EXTREME_JSON, nullsJson(3)));
    // Into the log: all types once more, the other way round.
    ALL_TYPES.insert(
        table,
        nulls(1)
            + " UNION ALL "
            + ORDINARY
                .replaceFirst("1 AS BIGINT", "3 AS BIGINT")
                .replace("1 AS BIGINT), 'p1'", "5 AS BIGINT), 'p1'")
            + " UNION ALL "
            + EXTREME.replace("1 AS BIGINT), 'p1'", "5 AS BIGINT), 'p1'"));
    remember(
        table,
        List.of(
            nullsJson(1),
            ORDINARY_JSON.replace("\"id\":1", "\"id\":3").replace("\"ts\":1", "\"ts\":5"),
            EXTREME_JSON.replace("\"ts\":1", "\"ts\":5")));
  }

  private static void remember(Path table, List<String> rows) throws Exception {
    TABLES.addCopy(table.getFileName() + "-" + ++copies, table, rows);
  }

  private static Row row(
      RowKind kind, long id, String user, String amount, String status, long ts, String dt) {
    return Row.ofKind(kind, id, user, new BigDecimal(amount), status, ts, dt);
  }

  private static String order(
      long id, String user, String amount, String status, long ts, String dt) {
    return ("{\"order_id\":%d,\"user_id\":\"%s\",\"amount\":%s,\"status\":\"%s\",\"ts\":%d,"
            + "\"dt\":\"%s\"}")
        .formatted(id, user, amount, status, ts, dt);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.0.2", "1.1.1", "1.2.0"})
  void readsTheSameRowsAfterEveryCommitAndFindsNothingWrong(String version) throws Exception {
    TABLES.judge(new HudiOracle(version, folder.resolve("judge-" + version)));
  }

  /**
   * Spark compacts first: its default index looks for keys in base files only, so that it would
   * take keys that came into a file group by a log file for new ones.
   */
  @ParameterizedTest
  @ValueSource(strings = {"1.0.2", "1.1.1", "1.2.0"})
  void writesIntoOurTableAndWeReadAndWriteOn(String version) throws Exception {
    Path table = TableJobs.copy(lastOrders, folder.resolve("shared-" + version));
    HudiOracle hudi = new HudiOracle(version, folder.resolve("writer-" + version));
    hudi.write(
        table,
        """
        {"table": "orders",
         "schema": "order_id BIGINT, user_id STRING, amount DECIMAL(10,2), status STRING, ts BIGINT, dt STRING",
         "options": {"hoodie.datasource.write.table.type": "MERGE_ON_READ",
                     "hoodie.datasource.write.recordkey.field": "order_id",
                     "hoodie.datasource.write.partitionpath.field": "dt",
                     "hoodie.datasource.write.precombine.field": "ts",
                     "hoodie.write.table.version": "8",
                     "hoodie.write.auto.upgrade": "false"},
         "steps": [
           {"do": "compact"},
           {"do": "upsert", "rows": [
             [15001, "u501", "99.90", "REFUNDED", 1760784700000, "2025-10-18"],
             [15002, "u502", "0.01", "LATE", 1760784000000, "2025-10-19"],
             [15005, "u505", "7.77", "CREATED", 1760784710000, "2025-10-20"]]}]}
        """);
    hudi.run();

    assertThat(ORDERS.read(table, "*"))
        .containsExactly(
            "+I[15001, u501, 99.90, REFUNDED, 1760784700000, 2025-10-18]",
            "+I[15002, u502, 168.00, PAID, 1760784300000, 2025-10-19]",
            "+I[15004, u504, 5.00, PAID, 1760784500000, 2025-10-18]",
            "+I[15005, u505, 7.77, CREATED, 1760784710000, 2025-10-20]");

    ORDERS.apply(
        table,
        ORDER_TYPE,
        ORDER_SCHEMA,
        row(RowKind.UPDATE_AFTER, 15005, "u505", "7.77", "PAID", 1760784800000L, "2025-10-20"),
        row(RowKind.UPDATE_AFTER, 15001, "u501", "1.00", "LATE", 1760784600000L, "2025-10-18"),
        row(RowKind.DELETE, 15002, "u502", "168.00", "PAID", 1760784300000L, "2025-10-19"),
        row(RowKind.INSERT, 15006, "u506", "6.00", "CREATED", 1760784810000L, "2025-10-20"));
    HudiOracle.Result read = hudi.read(table);
    HudiOracle.Result validation = hudi.validate(table);
    hudi.run();

    assertThat(read.rows())
        .containsExactlyInAnyOrderElementsOf(
            jsons(
                List.of(
                    order(15001, "u501", "99.90", "REFUNDED", 1760784700000L, "2025-10-18"),
                    order(15004, "u504", "5.00", "PAID", 1760784500000L, "2025-10-18"),
                    order(15005, "u505", "7.77", "PAID", 1760784800000L, "2025-10-20"),
                    order(15006, "u506", "6.00", "CREATED", 1760784810000L, "2025-10-20"))));
    assertThat(validation.object().get("failures")).isEmpty();
    assertThat(validation.object().at("/snapshot/duplicate_keys").asInt()).isEqualTo(0);
  }

  private static List<JsonNode> jsons(List<String> rows) {
    return rows.stream().map(HudiOracle::json).toList();
  }
}
