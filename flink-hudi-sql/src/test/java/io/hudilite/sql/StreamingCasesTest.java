package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.storage.Storages;
import io.hudilite.core.testkit.Compactions;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a streaming read gives, whatever the options that are said to change it. */
class StreamingCasesTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  private static final List<String> META =
      List.of(
          "_hoodie_commit_time",
          "_hoodie_commit_seqno",
          "_hoodie_record_key",
          "_hoodie_partition_path",
          "_hoodie_file_name");

  @TempDir private Path folder;

  private SqlSession session(String moreColumns) {
    return SqlSession.open()
        .create(
            """
            CREATE TABLE t (id STRING, v STRING, ts BIGINT, p STRING, %s
              PRIMARY KEY (id) NOT ENFORCED) PARTITIONED BY (p) WITH (
              'connector' = 'hudi-lite', 'path' = '%s', 'table.type' = 'MERGE_ON_READ',
              'ordering.fields' = 'ts')
            """
                .formatted(moreColumns, folder.resolve("t").toUri()));
  }

  private static String streaming(String columns, String options) {
    return "SELECT "
        + columns
        + " FROM t /*+ OPTIONS('read.streaming.enabled' = 'true',"
        + " 'read.streaming.check-interval' = '1', 'read.start-commit' = 'earliest'"
        + options
        + ") */";
  }

  private void compact() throws Exception {
    Compactions.compact(Storages.of(folder.resolve("t").toString()));
  }

  @Test
  void f26CompactionsAreNoChangesWhateverTheOptionsSay() throws Exception {
    SqlSession sql = session("");
    sql.insert("INSERT INTO t VALUES ('k1', 'a', 1, 'p1')");
    try (SqlSession.Following skips =
            sql.follow(
                streaming(
                    "id, v",
                    ", 'read.streaming.skip_compaction' = 'true',"
                        + " 'read.streaming.skip_clustering' = 'true'"));
        SqlSession.Following reads =
            sql.follow(
                streaming(
                    "id, v",
                    ", 'read.streaming.skip_compaction' = 'false',"
                        + " 'read.streaming.skip_clustering' = 'false'"))) {
      List<SqlSession.Following> both = List.of(skips, reads);
      for (SqlSession.Following reader : both) {
        reader.awaitRows("k1,a");
      }
      compact();
      sql.insert("INSERT INTO t VALUES ('k2', 'b', 2, 'p1')");
      for (SqlSession.Following reader : both) {
        reader.awaitRows("k1,a", "k2,b");
      }
      compact();
      sql.insert("INSERT INTO t VALUES ('k1', 'c', 3, 'p1')");
      for (SqlSession.Following reader : both) {
        reader.awaitRows("k1,c", "k2,b");
        assertThat(reader.changes()).containsExactly("+Ik1,a", "+Ik2,b", "-Uk1,a", "+Uk1,c");
      }
    }
  }

  @Test
  void metaColumnsOfAStreamAreThoseOfTheTable() throws Exception {
    StringBuilder columns = new StringBuilder();
    META.forEach(name -> columns.append(name).append(" STRING METADATA VIRTUAL, "));
    SqlSession sql = session(columns.toString());
    sql.insert("INSERT INTO t VALUES ('k1', 'a', 1, 'p1'), ('k2', 'b', 1, 'p2')");
    String wanted = "id, " + String.join(", ", META);
    try (SqlSession.Following reader = sql.follow(streaming(wanted, ""))) {
      reader.awaitRows(batch(sql, wanted, 2));
      sql.insert("INSERT INTO t VALUES ('k1', 'c', 2, 'p1'), ('k3', 'd', 1, 'p3')");
      reader.awaitRows(batch(sql, wanted, 3));
    }
    compact();
    batch(sql, wanted, 3);
  }

  /** The rows of a batch query, whose columns were looked at. */
  private static String[] batch(SqlSession sql, String columns, int count) throws Exception {
    List<String> rows = sql.query("SELECT " + columns + " FROM t");
    assertThat(rows).hasSize(count);
    for (String row : rows) {
      String[] values = row.split(",", -1);
      assertThat(values[1]).matches("\\d{17}");
      assertThat(values[2]).startsWith(values[1] + "_");
      assertThat(values[3]).isEqualTo(values[0]);
      assertThat(values[4]).isEqualTo("p" + values[0].charAt(1));
      assertThat(values[5]).matches("[0-9a-f-]{36}-0.*");
    }
    return rows.toArray(new String[0]);
  }
}
