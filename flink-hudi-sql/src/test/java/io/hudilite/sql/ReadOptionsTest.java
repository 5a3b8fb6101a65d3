package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options of readers, each by what it makes of a query. */
class ReadOptionsTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  private static final TimeZone ZONE = TimeZone.getDefault();

  @TempDir private Path folder;

  @AfterEach
  void resetZone() {
    TimeZone.setDefault(ZONE);
  }

  private SqlSession session(String columns) {
    return SqlSession.open()
        .create(
            """
            CREATE TABLE t (%s, PRIMARY KEY (id) NOT ENFORCED) WITH (
              'connector' = 'hudi-lite', 'path' = '%s', 'table.type' = 'MERGE_ON_READ')
            """
                .formatted(columns, folder.resolve("t").toUri()));
  }

  private String firstCommit() throws Exception {
    try (Stream<Path> files = Files.list(folder.resolve("t/.hoodie/timeline"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".deltacommit"))
          .sorted()
          .findFirst()
          .orElseThrow()
          .substring(0, 17);
    }
  }

  @Test
  void f36DigitsAreThoseOfUtcWhereTheOptionSaysSo() throws Exception {
    TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
    SqlSession sql =
        session("id INT, t TIMESTAMP(3), l TIMESTAMP_LTZ(3), r ROW<m TIMESTAMP(6), n INT>")
            .set("table.local-time-zone", "UTC");
    sql.insert(
        "INSERT INTO t SELECT id, t, CAST(t AS TIMESTAMP_LTZ(3)), ROW(CAST(t AS TIMESTAMP(6)), 1)"
            + " FROM (VALUES (1, TIMESTAMP '2023-08-11 10:36:38.793')) AS v (id, t)");
    String query = "SELECT CAST(t AS STRING), CAST(l AS STRING), CAST(r.m AS STRING) FROM t";
    assertThat(sql.query(query))
        .containsExactly(
            "2023-08-11 10:36:38.793,2023-08-11 10:36:38.793,2023-08-11 10:36:38.793000");
    assertThat(sql.query(query + " /*+ OPTIONS('read.utc-timezone' = 'false') */"))
        .containsExactly(
            "2023-08-11 06:36:38.793,2023-08-11 10:36:38.793,2023-08-11 06:36:38.793000");
    assertThat(
            sql.query(
                "SELECT r, t FROM t /*+ OPTIONS('read.utc-timezone' = 'false') */ WHERE id = 1"))
        .containsExactly("(2023-08-11T06:36:38.793,1),2023-08-11T06:36:38.793");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eachCommitIsAChangeOrTheNewestOnly(boolean changelog) throws Exception {
    SqlSession sql = session("id INT, v STRING");
    for (String v : new String[] {"a", "b", "c"}) {
      sql.insert("INSERT INTO t VALUES (1, '" + v + "'), (2, 'x')");
    }
    String query =
        "SELECT v FROM t /*+ OPTIONS('read.streaming.enabled' = 'true', 'read.start-commit' = '%s',"
            + " 'changelog.enabled' = '%s', 'read.streaming.check-interval' = '3600') */"
            + " WHERE id = 1";
    try (SqlSession.Following following = sql.follow(query.formatted(firstCommit(), changelog))) {
      following.awaitRows("c");
      if (changelog) {
        assertThat(following.changes()).containsExactly("+Ia", "-Ua", "+Ub", "-Ub", "+Uc");
      } else {
        assertThat(following.changes()).containsExactly("+Ic");
      }
    }
  }
}
