package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.testkit.Compactions;
import java.nio.file.Path;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Streams that are joined with a table as it is when a row comes. */
class LookupJoinTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  @TempDir private Path folder;

  private SqlSession session(String options) {
    return SqlSession.open()
        .create(
            """
            CREATE TABLE d (id INT, v STRING, r ROW<a INT, b STRING>, ts BIGINT, p STRING,
              PRIMARY KEY (id) NOT ENFORCED) PARTITIONED BY (p) WITH (
              'connector' = 'hudi-lite', 'path' = '%s', 'table.type' = 'MERGE_ON_READ',
              'ordering.fields' = 'ts', 'lookup.join.cache.ttl' = '1 s'%s)
            """
                .formatted(folder.resolve("d").toUri(), options))
        .create(
            """
            CREATE TABLE probes (n INT, k AS 1, came AS PROCTIME()) WITH (
              'connector' = 'datagen', 'rows-per-second' = '10')
            """);
  }

  private static String row(int id, String v, int ts, String p) {
    return "INSERT INTO d VALUES (%d, '%s', ROW(%d, '%s'), %d, '%s')"
        .formatted(id, v, ts, v, ts, p);
  }

  @Test
  void f49RefreshGoesOnBehindCommitsOfOtherRows() throws Exception {
    SqlSession sql = session("");
    sql.insert(row(1, "a", 1, "p1"));
    try (SqlSession.Following values =
        sql.follow(
            "SELECT DISTINCT d.v, d.r.b FROM probes LEFT JOIN d FOR SYSTEM_TIME AS OF probes.came"
                + " ON d.id = probes.k")) {
      values.awaitRows("a,a");
      for (int commit = 2; commit <= 4; commit++) {
        sql.insert(row(commit, "x", commit, "p2"));
      }
      Storage storage = Storages.of(folder.resolve("d").toString());
      Compactions.compact(storage);
      sql.insert(row(1, "late", 0, "p1"));
      sql.insert(row(1, "z", 9, "p1"));
      values.awaitRows("a,a", "z,z");
    }
  }

  @Test
  void changesCannotBeLookedUp() {
    SqlSession sql = session(", 'read.start-commit' = 'earliest'");
    assertThatThrownBy(
            () ->
                sql.streaming()
                    .explainSql(
                        "SELECT d.v FROM probes JOIN d FOR SYSTEM_TIME AS OF probes.came"
                            + " ON d.id = probes.k"))
        .hasStackTraceContaining("'read.start-commit'");
  }
}
