package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The session of docs/catalog.md runs as it is printed. */
class CatalogDocTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  @TempDir Path folder;

  @Test
  void statementsOfTheDocumentRun() throws Exception {
    String document = Files.readString(Path.of("..", "docs", "catalog.md"));
    int begin = document.indexOf("```sql") + "```sql".length();
    String session =
        document
            .substring(begin, document.indexOf("```", begin))
            .replace("file:///tmp/lake", folder.toUri().toString())
            .replaceAll("(?m)--.*$", "");
    TableEnvironment tables = SqlSession.open().batch();
    List<String> results = new ArrayList<>();
    for (String statement : session.split(";")) {
      if (!statement.isBlank()) {
        TableResult result = tables.executeSql(statement.strip());
        try (CloseableIterator<Row> rows = result.collect()) {
          rows.forEachRemaining(row -> results.add(SqlSession.text(row)));
        }
      }
    }
    assertThat(results)
        .contains("orders", "copy", "days", "dt=2026-11-30", "2026-11-30,12.75")
        .anyMatch(row -> row.contains("UPSERT") || row.contains("deltacommit"))
        .anyMatch(row -> row.contains("before the sale"))
        .anyMatch(row -> row.contains("'compaction.delta_commits' = '10'"));
  }
}
