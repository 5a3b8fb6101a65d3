package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.hudilite.core.testkit.Fixtures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What those get wrong who read a table for the first time: each is told, and what to do. */
class ReadMistakesTest {
  private static final String COLUMNS =
      "order_id BIGINT, user_id STRING, amount DECIMAL(10, 2), status STRING, ts BIGINT, dt STRING";
  private static final String KEY = ", PRIMARY KEY (order_id) NOT ENFORCED";

  @TempDir private Path folder;
  private Path table;

  @BeforeEach
  void unpack() {
    table = Fixtures.unpack("mor_partial_update", folder);
  }

  /** All of these words are in the message of one error. */
  private static void refused(String columns, String path, String options, String... words) {
    String message = messageOf(columns, "", path, options);
    assertThat(message).contains(words);
  }

  private static String messageOf(String columns, String clause, String path, String options) {
    SqlSession sql =
        SqlSession.open()
            .create(
                "CREATE TABLE t (%s) %s WITH ('connector' = 'hudi-lite', 'path' = '%s'%s)"
                    .formatted(columns, clause, path, options));
    Throwable failure = catchThrowable(() -> sql.streaming().explainSql("SELECT * FROM t"));
    return ExceptionUtils.findThrowable(
            failure, e -> e.getClass().getSimpleName().equals("HudiTableException"))
        .orElseThrow(() -> new AssertionError("No error of ours", failure))
        .getMessage();
  }

  @Test
  void wrongPaths() throws IOException {
    String nowhere = folder.resolve("nowhere").toString();
    refused(COLUMNS, nowhere, "", "no table at 'path'='" + nowhere + "'", "Check the path");
    String inside = table.resolve(".hoodie/timeline").toString();
    refused(COLUMNS, inside, "", "no table at", "There is one at '" + table + "'");
    refused(COLUMNS, folder + "/", "", "no table at", "There is one at '" + table + "'");
    Path plain = Files.createDirectories(folder.resolve("plain"));
    Path file = Files.writeString(plain.resolve("part-0.parquet"), "x");
    refused(COLUMNS + KEY, plain.toString(), ", 'read.streaming.enabled' = 'true'", "no table at");
    refused(COLUMNS, file.toString(), "", "Cannot look at 'path'='" + file);
    refused(COLUMNS, "s9://bucket/t", "", "Cannot look at 'path'='s9://bucket/t'", "plugin");
  }

  @Test
  void wrongColumns() {
    String path = table.toString();
    refused(
        COLUMNS.replace("user_id", "User_Id"), path, "", "'User_Id' is not in", "one is 'user_id'");
    refused(
        COLUMNS.replace("ts BIGINT", "ts TIMESTAMP(3)"),
        path,
        "",
        "Column 'ts' is TIMESTAMP(3) in the DDL, but BIGINT in the table");
    refused(
        COLUMNS + ", PRIMARY KEY (user_id) NOT ENFORCED",
        path,
        "",
        "'hoodie.table.recordkey.fields' is 'user_id' in the declaration, but 'order_id'");
    assertThat(messageOf(COLUMNS, "PARTITIONED BY (status)", path, ""))
        .contains("'hoodie.table.partition.fields' is 'status' in the declaration, but 'dt'");
    refused(
        COLUMNS + ", `_hoodie_commit_time` STRING",
        path,
        "",
        "'_hoodie_commit_time STRING METADATA VIRTUAL'");
    refused(
        COLUMNS + ", `_hoodie_commit_time` TIMESTAMP(3) METADATA VIRTUAL",
        path,
        "",
        "'_hoodie_commit_time' is TIMESTAMP(3) in the DDL",
        "Declare it as STRING");
    refused(
        COLUMNS,
        path,
        ", 'read.streaming.enabled' = 'true'",
        "has the key [order_id]",
        "Declare PRIMARY KEY (order_id) NOT ENFORCED");
  }

  @Test
  void wrongOptions() {
    String path = table.toString();
    refused(
        COLUMNS,
        path,
        ", 'hoodie.datasource.query.type' = 'snapshott'",
        "'snapshott'; it must be one of snapshot, read_optimized, incremental");
    for (String option : new String[] {"read.start-commit", "read.end-commit"}) {
      for (String text :
          new String[] {
            "yesterday", "2026-13-01", "20261131", "1764500000000", "2026-11-30 25:00"
          }) {
        refused(
            COLUMNS,
            path,
            ", '%s' = '%s'".formatted(option, text),
            "'%s' is '%s'".formatted(option, text),
            "14 or 17 digits",
            "a day such as 2026-01-31");
      }
    }
    refused(
        COLUMNS,
        path,
        ", 'read.start-comit' = 'earliest'",
        "'read.start-comit'",
        "'read.start-commit'");
  }
}
