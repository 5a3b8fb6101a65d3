package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.Compactions;
import io.hudilite.core.testkit.Fixtures;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tables that real Hudi wrote and that merge in other ways than ours, read by SQL. */
class HudisTablesTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  private static final String PAYLOAD_COLUMNS =
      "id STRING, col0 STRING, col1 STRING, col2 STRING, col3 BIGINT,"
          + " `time` STRING METADATA FROM '_hoodie_commit_time' VIRTUAL";

  @TempDir private Path folder;

  private SqlSession session(String fixture, String columns, String options) {
    return SqlSession.open()
        .create(
            "CREATE TABLE t (%s) WITH ('connector' = 'hudi-lite', 'path' = '%s'%s)"
                .formatted(columns, Fixtures.unpack(fixture, folder).toUri(), options));
  }

  @Test
  void severalOrderingFields() throws Exception {
    assertThat(
            session(
                    "v9_mor_two_ordering_fields",
                    "id INT, name STRING, ts BIGINT, seq INT, dt STRING,"
                        + " `key` STRING METADATA FROM '_hoodie_record_key' VIRTUAL",
                    ", 'ordering.fields' = 'ts,seq'")
                .query("SELECT id, name, seq, `key` FROM t"))
        .containsExactly("1,a ts same, seq later,2,1", "2,b,5,2", "3,c all later,0,3");
  }

  @Test
  void columnsFilledFromOlderVersions() throws Exception {
    assertThat(
            session("v9_mor_partial_update_mode", PAYLOAD_COLUMNS, "")
                .query("SELECT id, col0, col1, col2, col3, `time` FROM t"))
        .containsExactly("k1,cc,d1,a2,2,20261129224003172");
    for (String fixture : new String[] {"mor_payload_non_default", "v9_mor_payload_non_default"}) {
      SqlSession sql = session(fixture, PAYLOAD_COLUMNS, "");
      assertThat(sql.query("SELECT id, col0, col1, col2, col3 FROM t"))
          .containsExactly("k1,cc,b1,b2,2", "k2,yy,z1,y2,1");
      assertThat(sql.query("SELECT col1 FROM t")).containsExactly("b1", "z1");
    }
  }

  @Test
  void recordsWithSomeColumnsOnly() throws Exception {
    SqlSession sql =
        session(
            "mor_partial_update",
            "order_id BIGINT, user_id STRING, amount DECIMAL(10, 2), status STRING, ts BIGINT,"
                + " dt STRING",
            "");
    assertThat(sql.query("SELECT order_id, user_id, amount, status FROM t"))
        .containsExactly(
            "15001,u1,11.75,PAID", "15002,u2,20.00,CREATED", "15003,u3,99999999.99,CREATED");
    assertThat(sql.query("SELECT COUNT(*) FROM t")).containsExactly("3");
    assertThat(sql.query("SELECT user_id FROM t WHERE status = 'PAID'")).containsExactly("u1");
  }

  /** A DDL from before the column was added, and one from after; n became a BIGINT as well. */
  @Test
  void f44ColumnAddedAtTheEnd() throws Exception {
    String before = "id INT, name STRING, n BIGINT, ts BIGINT, dt STRING";
    String[] rows = {"1,a,10", "2,b2,21", "3,c3,3000000000", "4,d,40", "5,e,5"};
    String following =
        "SELECT id, name, n FROM t /*+ OPTIONS('read.streaming.enabled' = 'true',"
            + " 'read.streaming.check-interval' = '1',"
            + " 'read.start-commit' = '20200101000000', 'read.commits.limit' = '1') */";
    for (String fixture : new String[] {"cow_schema_evolution", "mor_schema_evolution"}) {
      SqlSession old = session(fixture, before + KEY, "");
      assertThat(old.query("SELECT id, name, n FROM t")).containsExactly(rows);
      try (SqlSession.Following changes = old.follow(following)) {
        changes.awaitRows(rows);
      }
      old.create(
          "CREATE TABLE later (%s, note STRING%s) WITH ('connector' = 'hudi-lite', 'path' = '%s')"
              .formatted(before, KEY, folder.resolve(fixture).toUri()));
      assertThat(old.query("SELECT id, note FROM later"))
          .containsExactly("1,null", "2,x", "3,y", "4,null", "5,z");
    }
  }

  /** The same of tables that are written here, by a job with each DDL. */
  @Test
  void f44ColumnAddedByAWriter() throws Exception {
    SqlSession sql = SqlSession.open();
    List<String> kinds = List.of("MERGE_ON_READ", "COPY_ON_WRITE");
    for (String kind : kinds) {
      String with =
          ") PARTITIONED BY (p) WITH ('connector' = 'hudi-lite', 'ordering.fields' = 'ts', 'table.type' = '%s', 'path' = '%s')"
              .formatted(kind, folder.resolve(kind).toUri());
      sql.create("CREATE TABLE a_" + kind + " (id STRING, v STRING, ts INT, p STRING" + KEY + with);
      // Where people put a new column: before that of the partition.
      sql.create(
          "CREATE TABLE b_" + kind + " (id STRING, v STRING, ts INT, n INT, p STRING" + KEY + with);
    }
    insert(sql, kinds, "INSERT INTO a_%s VALUES ('k1', 'a', 1, 'p1'), ('k2', 'b', 1, 'p1')");
    String following =
        "SELECT %s FROM %s /*+ OPTIONS('read.streaming.enabled' = 'true',"
            + " 'read.streaming.check-interval' = '1', 'read.start-commit' = 'earliest') */";
    try (SqlSession.Following mor = sql.follow(following.formatted("id, v", "a_MERGE_ON_READ"));
        SqlSession.Following cow = sql.follow(following.formatted("id, v", "a_COPY_ON_WRITE"))) {
      mor.awaitRows("k1,a", "k2,b");
      cow.awaitRows("k1,a", "k2,b");
      insert(
          sql,
          kinds,
          "INSERT INTO b_%s VALUES ('k1', 'a2', 2, 7, 'p1'), ('k3', 'c', 2, CAST(NULL AS INT), 'p1')");
      mor.awaitRows("k1,a2", "k2,b", "k3,c");
      cow.awaitRows("k1,a2", "k2,b", "k3,c");
    }
    for (int i = 0; i < 2; i++) {
      for (String kind : kinds) {
        assertThat(sql.query("SELECT * FROM a_" + kind))
            .containsExactly("k1,a2,2,p1", "k2,b,1,p1", "k3,c,2,p1");
        assertThat(sql.query("SELECT * FROM b_" + kind))
            .containsExactly("k1,a2,2,7,p1", "k2,b,1,null,p1", "k3,c,2,null,p1");
        assertThat(sql.query("SELECT id FROM b_" + kind + " WHERE n = 7")).containsExactly("k1");
        assertThat(sql.query("SELECT id FROM b_" + kind + " WHERE n IS NULL"))
            .containsExactly("k2", "k3");
      }
      Compactions.compact(Storages.of(folder.resolve("MERGE_ON_READ").toString()));
    }
    HudiTable table = HudiTable.open(Storages.of(folder.resolve("MERGE_ON_READ").toString()));
    String first = table.timeline().completedWrites().get(0).requestedTime().digits();
    assertThat(
            sql.query(
                "SELECT * FROM b_MERGE_ON_READ /*+ OPTIONS('read.end-commit' = '%s') */"
                    .formatted(first)))
        .containsExactly("k1,a,1,null,p1", "k2,b,1,null,p1");
    assertThat(
            sql.query(
                "SELECT id, n FROM b_MERGE_ON_READ /*+ OPTIONS('read.start-commit' = 'earliest') */"))
        .containsExactly("k1,7", "k2,null", "k3,null");
  }

  private static void insert(SqlSession sql, List<String> kinds, String statement)
      throws Exception {
    sql.insertAll(kinds.stream().map(statement::formatted).toList());
  }

  private static final String KEY = ", PRIMARY KEY (id) NOT ENFORCED";
}
