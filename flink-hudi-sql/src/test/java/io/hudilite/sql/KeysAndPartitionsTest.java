package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Key generators, and partition columns of every type and with odd values. */
class KeysAndPartitionsTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  @TempDir Path folder;

  private SqlSession session(String columns, String partitionedBy, String options) {
    return SqlSession.open()
        .create(
            "CREATE TABLE t (%s) %s WITH ('connector' = 'hudi-lite', 'path' = '%s', 'ordering.fields' = 'ts'%s)"
                .formatted(columns, partitionedBy, folder.resolve("t").toUri(), options));
  }

  private List<String> partitions() throws Exception {
    return HudiTable.open(Storages.of(folder.resolve("t").toString())).view().partitions();
  }

  @ParameterizedTest
  @CsvSource({"false, true, MERGE_ON_READ", "true, true, COPY_ON_WRITE"})
  void oddPartitionValuesComeBack(boolean hiveStyle, boolean encoded, String type)
      throws Exception {
    List<String> values =
        List.of(
            "a/b", "x=y", "100%", "%2F", "eu west", " ", "köln", "日本", "2024:01", "a\\b", "'q'");
    SqlSession sql =
        session(
            "id INT, ts INT, s STRING, d DATE, n DECIMAL(10, 2), t TIMESTAMP(3),"
                + " PRIMARY KEY (id) NOT ENFORCED",
            "PARTITIONED BY (s, d, n, t)",
            ", 'table.type' = '%s', 'hoodie.datasource.write.hive_style_partitioning' = '%s', 'hoodie.datasource.write.partitionpath.urlencode' = '%s'"
                .formatted(type, hiveStyle, encoded));
    String row = "(%d, %d, %s, DATE '1969-12-31', %s, TIMESTAMP '2024-02-29 23:59:59.999')";
    for (int version = 0; version < 2; version++) {
      List<String> rows = new ArrayList<>();
      for (int i = 0; i < values.size(); i++) {
        String text = "'" + values.get(i).replace("'", "''") + "'";
        rows.add(row.formatted(i, version, text, "CAST(-0.50 AS DECIMAL(10, 2))"));
      }
      rows.add(
          "(90, %d, CAST(NULL AS STRING), CAST(NULL AS DATE), CAST(NULL AS DECIMAL(10, 2)), CAST(NULL AS TIMESTAMP(3)))"
              .formatted(version));
      sql.insert("INSERT INTO t VALUES " + String.join(", ", rows));
    }
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      expected.add(i + ",1," + values.get(i) + ",1969-12-31,-0.50,2024-02-29T23:59:59.999");
    }
    expected.add("90,1,null,null,null,null");
    assertThat(sql.query("SELECT * FROM t")).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(partitions()).hasSize(expected.size());
    assertThat(sql.query("SELECT id FROM t WHERE s = 'a/b' OR s = '%2F'"))
        .containsExactly("0", "3");
    assertThat(sql.query("SELECT id FROM t WHERE n < 0 AND d < DATE '1970-01-01' AND s = 'köln'"))
        .containsExactly("6");
  }

  @Test
  void partitionsOfTimesAreFormatted() throws Exception {
    String columns = "id INT, ts BIGINT, t TIMESTAMP(3), PRIMARY KEY (id) NOT ENFORCED";
    SqlSession sql =
        session(columns, "PARTITIONED BY (t)", ", 'write.partition.format' = 'yyyy/MM/dd'");
    sql.insert(
        "INSERT INTO t VALUES (1, 1, TIMESTAMP '2024-02-29 10:00:00'),"
            + " (2, 1, TIMESTAMP '2024-02-29 11:00:00'), (3, 1, TIMESTAMP '1969-12-31 23:00:00')");
    sql.insert("INSERT INTO t VALUES (1, 2, TIMESTAMP '2024-03-01 10:00:00')");
    assertThat(partitions()).containsExactlyInAnyOrder("2024/02/29", "2024/03/01", "1969/12/31");
    SqlSession inherits = session(columns, "", "");
    inherits.insert("INSERT INTO t VALUES (2, 2, TIMESTAMP '2024-02-29 12:00:00')");
    assertThat(inherits.query("SELECT * FROM t"))
        .containsExactly("1,2,2024-03-01T10:00", "2,2,2024-02-29T12:00", "3,1,1969-12-31T23:00");
    assertThat(inherits.query("SELECT id FROM t WHERE t = TIMESTAMP '2024-02-29 12:00:00'"))
        .containsExactly("2");
    assertThatThrownBy(
            () ->
                session(columns, "PARTITIONED BY (t)", ", 'write.partition.format' = 'yyyy'")
                    .insert("INSERT INTO t VALUES (9, 2, TIMESTAMP '2024-02-29 12:00:00')"))
        .hasStackTraceContaining("output.dateformat");
  }

  @Test
  void customPartitionsAreEachOfTheirKind() throws Exception {
    SqlSession sql =
        session(
            "id INT, ts BIGINT, r STRING, PRIMARY KEY (id, r) NOT ENFORCED",
            "",
            ", 'table.type' = 'MERGE_ON_READ', 'hoodie.datasource.write.keygenerator.class' ="
                + " 'org.apache.hudi.keygen.CustomKeyGenerator',"
                + " 'hoodie.datasource.write.partitionpath.field' = 'r:simple,ts:timestamp',"
                + " 'hoodie.keygen.timebased.timestamp.type' = 'UNIX_TIMESTAMP',"
                + " 'hoodie.keygen.timebased.output.dateformat' = 'yyyyMMdd'");
    sql.insert("INSERT INTO t VALUES (1, 0, 'eu'), (2, 86400, 'us')");
    sql.insert("INSERT INTO t VALUES (1, 86400, 'eu')");
    assertThat(sql.query("SELECT * FROM t")).containsExactly("1,86400,eu", "2,86400,us");
    assertThat(partitions()).containsExactlyInAnyOrder("eu/19700101", "eu/19700102", "us/19700102");
  }

  @Test
  void f16KeysWithColonsAndCommasHaveTheirBuckets() throws Exception {
    List<String> keys =
        List.of(
            "2024-10-24 10:11:11.234",
            "2024-10-24 10:22:12.345",
            "2024-10-24 10:33:13.456",
            "a,b",
            "a:b",
            "k:1,k:2",
            ":",
            ",");
    SqlSession sql =
        session(
            "k STRING, v STRING, ts INT, PRIMARY KEY (k) NOT ENFORCED",
            "",
            ", 'table.type' = 'MERGE_ON_READ', 'index.type' = 'BUCKET',"
                + " 'hoodie.bucket.index.num.buckets' = '3'");
    for (int version = 1; version <= 2; version++) {
      List<String> rows = new ArrayList<>();
      for (String key : keys) {
        rows.add("('%s', '%d', %d)".formatted(key, version, version));
      }
      for (int minute = 0; minute < 60 && version == 1; minute++) {
        rows.add("('2024-01-01 00:%02d:00.000', '1', 1)".formatted(minute));
      }
      sql.insert("INSERT INTO t VALUES " + String.join(", ", rows));
    }
    assertThat(sql.query("SELECT k FROM t WHERE v = '2'"))
        .containsExactlyInAnyOrderElementsOf(keys);
    assertThat(sql.query("SELECT k, v FROM t WHERE k = 'k:1,k:2'")).containsExactly("k:1,k:2,2");
    assertThat(sql.query("SELECT COUNT(*), COUNT(DISTINCT k) FROM t")).containsExactly("68,68");
    HudiTable table = HudiTable.open(Storages.of(folder.resolve("t").toString()));
    assertThat(table.view().latestSlices("")).hasSize(3);
  }
}
